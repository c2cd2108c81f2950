import { query } from '../database.ts';

/** What workers look for again and again, all in one statement: most of the time nothing is due. */
const dueKinds = `
  SELECT 'payment' AS kind FROM payment_check WHERE next_check_at <= $1
  UNION SELECT 'payment' FROM payment WHERE status = 'pending' AND next_check_at <= $1
  UNION SELECT 'late_payment' FROM payment WHERE status IN ('expired', 'cancelled') AND next_check_at <= $1
  UNION SELECT 'abandoned_payment' FROM payment WHERE status = 'creating' AND next_check_at <= $1
  UNION SELECT 'payment_attempt' FROM payment_attempt WHERE outcome = 'unknown' AND next_check_at <= $1
  UNION SELECT 'psp_notification' FROM psp_notification WHERE processed_at IS NULL AND next_check_at <= $1
  UNION SELECT 'recurrence' FROM recurrence WHERE next_check_at <= $1
  UNION SELECT 'psp_sweep' FROM psp_sweep WHERE next_check_at <= $1
  UNION SELECT 'listed_charge' FROM listed_charge WHERE next_check_at <= $1`;

export async function kindsDue(databaseUrl: string, now: Date): Promise<Set<string>> {
  const rows = await query<{ kind: string }>(databaseUrl, dueKinds, [now]);
  return new Set(rows.map(({ kind }) => kind));
}
