import { query } from '../database.ts';

/** Each finds rows that contradict others. */
const contradictions = {
  'payments whose sum is not what was refunded': `
    SELECT p.id FROM payment p WHERE p.refunded_in_cents <> (
      SELECT coalesce(sum(amount_in_cents), 0) FROM refund WHERE payment_id = p.id AND status = 'completed')`,
  'Pix of another organization than their payment': `
    SELECT x.end_to_end_id AS id FROM received_pix x JOIN payment p ON p.id = x.payment_id
    WHERE x.organization_id <> p.organization_id`,
  'payments with several Pix': `
    SELECT payment_id AS id FROM received_pix GROUP BY payment_id HAVING count(*) > 1`,
  'gaps in the numbers of events': `
    SELECT organization_id AS id FROM event JOIN event_counter USING (organization_id, mode)
    GROUP BY organization_id, mode, last_sequence
    HAVING count(*) <> last_sequence OR min(sequence) <> 1 OR max(sequence) <> last_sequence`,
  'payments with an event twice, or without one': `
    SELECT p.id FROM payment p JOIN event e ON e.payment_id = p.id AND e.type IN ('payment_completed', 'payment_refunded')
    WHERE p.id = ANY($1) GROUP BY p.id HAVING count(*) <> 2 OR count(DISTINCT e.type) <> 2`,
  'acknowledged payments that are not there as they were': `
    SELECT id FROM unnest($1::uuid[]) AS id WHERE NOT EXISTS (
      SELECT FROM payment p WHERE p.id = id AND status = 'refunded' AND refunded_in_cents = amount_in_cents)`,
};

/** What is wrong in the database, in words. `finished`: payments that were paid and given back. */
export async function inconsistencies(databaseUrl: string, finished: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const [what, text] of Object.entries(contradictions)) {
    const rows = await query(databaseUrl, text, text.includes('$1') ? [finished] : []);
    if (rows.length > 0) found.push(`${rows.length} ${what}: ${JSON.stringify(rows[0])}`);
  }
  return found;
}
