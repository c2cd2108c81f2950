import { query } from './database.ts';

/** When a payment is looked up next, whether it has been before or not. */
export async function nextCheckOf(databaseUrl: string, paymentId: string): Promise<Date | null> {
  const [row] = await query<{ at: Date | null }>(
    databaseUrl,
    `SELECT coalesce(again.next_check_at, payment.next_check_at) AS at
     FROM payment LEFT JOIN payment_check again ON again.payment_id = payment.id WHERE payment.id = $1`,
    [paymentId],
  );
  return row?.at ?? null;
}

/** Payments are not looked up any more, or one is not. */
export async function endChecks(databaseUrl: string, paymentId: string | null = null): Promise<void> {
  await query(
    databaseUrl,
    `WITH again AS (DELETE FROM payment_check WHERE payment_id = coalesce($1, payment_id))
     UPDATE payment SET next_check_at = NULL WHERE id = coalesce($1, id) AND next_check_at IS NOT NULL`,
    [paymentId],
  );
}

/** A pending payment is looked up at this time, whether it has been before or not. */
export async function checkAt(databaseUrl: string, paymentId: string, at: Date): Promise<void> {
  await query(
    databaseUrl,
    `WITH again AS (UPDATE payment_check SET next_check_at = $2 WHERE payment_id = $1 RETURNING payment_id)
     UPDATE payment SET next_check_at = $2 WHERE id = $1 AND NOT EXISTS (SELECT FROM again)`,
    [paymentId, at],
  );
}
