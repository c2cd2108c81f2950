import { query } from './database.ts';

/** Takes their numbers from the last events of an organization, as if the node had died before it gave them. */
export async function leaveWaiting(databaseUrl: string, paymentId: string): Promise<void> {
  await query(
    databaseUrl,
    `WITH last AS (SELECT id FROM event WHERE payment_id = $1::uuid),
     unsent AS (DELETE FROM webhook_delivery WHERE event_id IN (SELECT id FROM last)),
     counted AS (
       UPDATE event_counter SET last_sequence = last_sequence - (SELECT count(*) FROM last)
       WHERE (organization_id, mode) = (SELECT organization_id, mode FROM payment WHERE id = $1::uuid)),
     taken AS (DELETE FROM event WHERE id IN (SELECT id FROM last) RETURNING *)
     INSERT INTO waiting_event (id, organization_id, mode, type, payment_id, refund_id, head, tail, created_at, traceparent)
     SELECT id, organization_id, mode, type, payment_id, refund_id, split_part(body, sequence || ',"epoch":1', 1),
       split_part(body, sequence || ',"epoch":1', 2), created_at, traceparent FROM taken ORDER BY sequence`,
    [paymentId],
  );
}
