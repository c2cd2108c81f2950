import { digestsOf, type KeyRing } from '../../encryption/rules/envelope.ts';
import type { Queryable } from '../../../database/database.ts';

interface Dependencies {
  db: Queryable;
  keyRing: KeyRing;
  now: () => Date;
  onFailure: (error: unknown) => void;
}

/** What a PSP calls the payers of a credential. Not knowing it costs one request, so a failure may be ignored. */
export const createKnownCustomers =
  ({ db, keyRing, now, onFailure }: Dependencies) =>
  (credentialId: string) => ({
    async find(document: string): Promise<string | undefined> {
      const digests = digestsOf(keyRing, document, credentialId);
      const known = await db.pspCustomer
        .findFirst({
          where: { credentialId, payerDigest: { in: digests } },
          orderBy: { createdAt: 'desc' },
          select: { reference: true },
        })
        .catch(onFailure);
      return known?.reference;
    },

    async keep(document: string, reference: string): Promise<void> {
      const [payerDigest] = digestsOf(keyRing, document, credentialId);
      await db.$executeRaw`
        INSERT INTO psp_customer (credential_id, payer_digest, reference, created_at)
        VALUES (${credentialId}::uuid, ${payerDigest}, ${reference}, ${now()})
        ON CONFLICT (credential_id, payer_digest) DO UPDATE
        SET reference = excluded.reference, created_at = excluded.created_at`.catch(onFailure);
    },
  });
