import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';
import { markedForResend } from './webhook-deliveries.ts';

/** Tried and not delivered, whether or not it is tried again. Written exactly like the index that holds only these. */
export const isUndelivered = Prisma.sql`attempt_count > 0 AND status <> 'delivered'::"WebhookDeliveryStatus"`;

/** Counts no further than `limit`. */
export async function countUndelivered(db: Queryable, endpointId: string, limit: number): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM webhook_delivery WHERE endpoint_id = ${endpointId}::uuid AND ${isUndelivered} LIMIT ${limit}) AS undelivered`;
  return row?.count ?? 0;
}

/** Resends the oldest ones, at most `limit`; returns how many. */
export const resendOldestUndelivered = (
  db: Queryable,
  endpointId: string,
  { limit, now }: { limit: number; now: Date },
): Promise<number> =>
  db.$executeRaw`
    UPDATE webhook_delivery SET ${markedForResend}, next_attempt_at = ${now}
    WHERE id = ANY(ARRAY(
      SELECT id FROM webhook_delivery WHERE endpoint_id = ${endpointId}::uuid AND ${isUndelivered}
      ORDER BY endpoint_id, event_id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED))`;
