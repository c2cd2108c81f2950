import { Prisma } from '../../../database/generated/client.ts';
import { type Queryable, recordset } from '../../../database/database.ts';
import { oldestRange, tenantValues } from '../../../database/index-range.ts';
import type { ProviderCustomer } from './forgotten-people.ts';

/** Deletes a payer's ids at the organization's PSPs, and returns them. */
export const deleteCustomers = (
  tx: Queryable,
  credentials: readonly { id: string; provider: string }[],
  digestsOf: (credentialId: string) => readonly string[],
): Promise<ProviderCustomer[]> =>
  tx.$queryRaw`
    WITH deleted AS (
      DELETE FROM psp_customer c
      USING json_to_recordset(${recordset(
        credentials.flatMap(({ id, provider }) => digestsOf(id).map((digest) => ({ id, provider, digest }))),
      )}::json) AS r(id uuid, provider text, digest text)
      WHERE c.credential_id = r.id AND c.payer_digest = r.digest
      RETURNING c.credential_id, r.provider, c.reference)
    SELECT credential_id AS "credentialId", provider, reference FROM deleted ORDER BY 1, 3`;

/** The ids at providers of a pseudonym's next payments after `afterId`, and of the money received for them. */
export async function identifiersOf(
  db: Queryable,
  { organizationId, pseudonym }: { organizationId: string; pseudonym: string },
  { mode, afterId, limit }: { mode: 'test' | 'live'; afterId: string; limit: number },
): Promise<{ identifiers: string[]; paymentIds: string[] }> {
  const values = [...tenantValues({ organizationId, mode }), Prisma.sql`${pseudonym}`];
  const columns = ['organization_id', 'mode', 'payer_document', 'id'];
  const { condition, inOrder } = oldestRange(columns, values, { fromId: afterId });
  const [found] = await db.$queryRaw<{ identifiers: string[]; paymentIds: string[] }[]>`
    WITH p AS MATERIALIZED (
      SELECT id FROM payment WHERE ${condition} AND payer_document IS NOT NULL AND id > ${afterId}::uuid
      ORDER BY ${inOrder} LIMIT ${limit}),
    named AS (
      SELECT unnest(ARRAY[replace(a.id::text, '-', ''), a.id::text, a.psp_reference]) AS name
        FROM p JOIN payment_attempt a ON a.payment_id = p.id
      UNION SELECT unnest(ARRAY[x.end_to_end_id, x.told_end_to_end_id]) FROM p JOIN received_pix x ON x.payment_id = p.id
      UNION SELECT unnest(ARRAY[replace(r.id::text, '-', ''), r.psp_reference]) FROM p JOIN refund r ON r.payment_id = p.id
      UNION SELECT v.psp_reference FROM p JOIN reversal v ON v.payment_id = p.id
      UNION SELECT d.psp_reference FROM p JOIN dispute d ON d.payment_id = p.id)
    SELECT coalesce((SELECT array_agg(id::text ORDER BY id) FROM p), '{}') AS "paymentIds",
      coalesce((SELECT array_agg(name) FROM named WHERE name IS NOT NULL AND name <> ''), '{}') AS identifiers`;
  return found ?? { identifiers: [], paymentIds: [] };
}

export interface NotificationBody {
  id: string;
  body: string;
  isProcessed: boolean;
}

/** The next notifications of a credential between two ids. */
export function listNotificationBodies(
  db: Queryable,
  credentialId: string,
  { afterId, beforeId, limit }: { afterId: string; beforeId: string; limit: number },
): Promise<NotificationBody[]> {
  const { condition, inOrder } = oldestRange(['credential_id', 'id'], [Prisma.sql`${credentialId}::uuid`], {
    fromId: afterId,
    beforeId,
  });
  return db.$queryRaw`
    SELECT id, body, processed_at IS NOT NULL AS "isProcessed" FROM psp_notification
    WHERE ${condition} AND id > ${afterId}::uuid ORDER BY ${inOrder} LIMIT ${limit}`;
}

export async function replaceNotificationBodies(
  tx: Queryable,
  rows: readonly { id: string; body: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.$executeRaw`
    UPDATE psp_notification n SET body = r.body
    FROM json_to_recordset(${recordset(rows)}::json) AS r(id uuid, body text) WHERE n.id = r.id`;
}

export const listSealedBodies = (
  db: Queryable,
  credentialIds: readonly string[],
): Promise<{ id: string; paymentId: string | null; sealedBody: string }[]> =>
  db.unreadableResponse.findMany({
    where: { credentialId: { in: [...credentialIds] } },
    select: { id: true, paymentId: true, sealedBody: true },
    orderBy: { id: 'asc' },
  });

export async function replaceSealedBody(tx: Queryable, id: string, sealedBody: string): Promise<void> {
  await tx.unreadableResponse.updateMany({ where: { id }, data: { sealedBody } });
}
