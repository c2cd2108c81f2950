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

/** Payments are not looked up any more. */
export async function endChecks(databaseUrl: string): Promise<void> {
  await query(databaseUrl, 'UPDATE payment SET next_check_at = NULL WHERE next_check_at IS NOT NULL');
  await query(databaseUrl, 'DELETE FROM payment_check');
}
