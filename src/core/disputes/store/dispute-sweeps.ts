import { cents } from '../../base/money.ts';
import type { Database, Queryable } from '../../../database/database.ts';
import type { KnownClaim } from '../rules/dispute.ts';

/** How far a PSP's list of claims has been read. */
export interface DisputeSweep {
  credentialId: string;
  provider: string;
  organizationId: string;
  /** Since when its claims are followed. */
  createdAt: Date;
  /** The end of the window that is being read; null between two. */
  until: Date | null;
  /** The current page; null for the first. */
  cursor: string | null;
}

/** Schedules those of credentials that have none yet. Returns how many it added. */
export const insertDisputeSweeps = (db: Queryable, now: Date): Promise<number> =>
  db.$executeRaw`
    INSERT INTO dispute_sweep (credential_id, organization_id, provider, created_at, next_check_at)
    SELECT id, organization_id, provider, ${now}, ${now} FROM credential
    WHERE provider <> 'sandbox' AND (enabled OR archived_at > ${now}::timestamptz - interval '90 days')
      AND NOT EXISTS (SELECT FROM dispute_sweep s WHERE s.credential_id = credential.id)
    ON CONFLICT (credential_id) DO NOTHING`;

export const findDisputeSweep = (db: Queryable, credentialId: string): Promise<DisputeSweep | null> =>
  db.disputeSweep.findUnique({ where: { credentialId }, omit: { nextCheckAt: true } });

/** Continues from where it was read; another node may have done so already. */
export async function changeDisputeSweep(
  db: Queryable,
  { credentialId, until, cursor }: DisputeSweep,
  change: Partial<Pick<DisputeSweep, 'until' | 'cursor'>> & { nextCheckAt: Date },
): Promise<void> {
  await db.disputeSweep.updateMany({ where: { credentialId, until, cursor }, data: change });
}

/** The Pix of the credential's charges among these, with what is known of claims on their payments. */
export async function findClaimedPix(
  db: Database,
  { organizationId, credentialId }: Pick<DisputeSweep, 'organizationId' | 'credentialId'>,
  endToEndIds: readonly string[],
): Promise<ClaimedPix[]> {
  const pix = await db.$queryRaw<(Omit<ClaimedPix, 'known' | 'amountInCents'> & { amountInCents: bigint })[]>`
    SELECT pix.end_to_end_id AS "endToEndId", pix.attempt_id AS "attemptId", pix.payment_id AS "paymentId",
      pix.amount_in_cents AS "amountInCents"
    FROM received_pix pix JOIN payment_attempt attempt ON attempt.id = pix.attempt_id
    WHERE pix.organization_id = ${organizationId}::uuid AND pix.end_to_end_id = ANY(${[...endToEndIds]}::text[])
      AND attempt.credential_id = ${credentialId}::uuid`;
  const known = await db.dispute.findMany({
    where: { paymentId: { in: pix.map(({ paymentId }) => paymentId) } },
    select: {
      paymentId: true,
      pspReference: true,
      state: true,
      amountInCents: true,
      reason: true,
      defenceUntil: true,
      openedAt: true,
      answer: true,
    },
  });
  return pix.map((each) => ({
    ...each,
    amountInCents: cents(each.amountInCents),
    known: known
      .filter(({ paymentId }) => paymentId === each.paymentId)
      .map(({ amountInCents, ...claim }) => ({ ...claim, amountInCents: cents(amountInCents) })),
  }));
}

export interface ClaimedPix {
  endToEndId: string;
  attemptId: string;
  paymentId: string;
  amountInCents: ReturnType<typeof cents>;
  known: KnownClaim[];
}
