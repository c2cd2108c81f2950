import type { PaymentKey } from '../../payments/store/payments.ts';
import type { Queryable } from '../../../database/database.ts';

/** Payments that are to be returned because somebody else has paid them. */
export const claimReturns = (
  db: Queryable,
  { now, leasedUntil, limit }: { now: Date; leasedUntil: Date; limit: number },
): Promise<PaymentKey[]> =>
  db.$queryRaw`
    UPDATE payment SET return_due_at = ${leasedUntil} WHERE id = ANY(ARRAY(
      SELECT id FROM payment WHERE return_due_at <= ${now} ORDER BY return_due_at LIMIT ${limit}::int
      FOR UPDATE SKIP LOCKED))
    RETURNING id, organization_id AS "organizationId", mode::text`;

export async function endReturn(db: Queryable, id: string): Promise<void> {
  await db.$executeRaw`UPDATE payment SET return_due_at = NULL WHERE id = ${id}::uuid`;
}
