import type { Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { checkLeaseMs } from '../rules/check-schedule.ts';

const leaseSeconds = Math.ceil(checkLeaseMs / 1_000);

export interface TestCheck {
  id: string;
  kind: 'payment' | 'recurrence' | 'dispute';
  at: Date;
}

/** What waits in an organization's test mode until `until`. */
const waiting = (organizationId: Prisma.Sql, until: Prisma.Sql) => Prisma.sql`
      SELECT 'payment' AS kind, p.id, p.credential_id, coalesce(c.next_check_at, p.next_check_at) AS at
      FROM payment p LEFT JOIN payment_check c ON c.payment_id = p.id
      WHERE p.organization_id = ${organizationId} AND p.mode = 'test'
        AND p.status = 'pending' AND coalesce(c.next_check_at, p.next_check_at) <= ${until}
      UNION ALL
      SELECT 'recurrence', id, credential_id, next_check_at FROM recurrence
      WHERE organization_id = ${organizationId} AND mode = 'test' AND next_check_at <= ${until}
      UNION ALL
      SELECT 'dispute', id, credential_id, next_check_at FROM dispute
      WHERE organization_id = ${organizationId} AND mode = 'test' AND next_check_at <= ${until}`;

/** The organizations in whose test mode something is due by their clocks. */
export async function findDueTestClocks(
  db: Queryable,
  clocks: readonly { organizationId: string; now: Date }[],
): Promise<string[]> {
  const ids = clocks.map(({ organizationId }) => organizationId);
  const times = clocks.map(({ now }) => now.toISOString());
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT clock.id FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS clock(id, now)
    WHERE EXISTS (${waiting(Prisma.sql`clock.id`, Prisma.sql`clock.now`)})`;
  return rows.map(({ id }) => id);
}

/**
 * Leases the pending payments, the recurrences and the disputes of an organization's test mode that wait for the first minute in which any is
 * due, if that is not after `until`.
 */
export function claimNextTestChecks(
  db: Queryable,
  organizationId: string,
  until: Date,
  limit: number,
): Promise<TestCheck[]> {
  return db.$queryRaw<TestCheck[]>`
    WITH waiting AS MATERIALIZED (
      ${waiting(Prisma.sql`${organizationId}::uuid`, Prisma.sql`${until}::timestamptz`)}),
    first AS (SELECT date_trunc('minute', min(at)) + interval '1 minute' AS ends FROM waiting),
    due AS (
      SELECT waiting.* FROM waiting JOIN payment p ON p.id = waiting.id
      WHERE waiting.kind = 'payment' AND at < (SELECT ends FROM first)
      ORDER BY at, waiting.id LIMIT ${limit}::int FOR NO KEY UPDATE OF p SKIP LOCKED),
    leased AS (
      UPDATE payment SET next_check_at = NULL FROM due WHERE payment.id = due.id),
    moved AS (
      INSERT INTO payment_check (payment_id, credential_id, next_check_at)
      SELECT id, credential_id, at + ${leaseSeconds}::int * interval '1 second' FROM due
      ON CONFLICT (payment_id) DO UPDATE SET next_check_at = excluded.next_check_at),
    recurrences AS (
      SELECT waiting.kind, r.id, at FROM waiting JOIN recurrence r ON r.id = waiting.id
      WHERE waiting.kind = 'recurrence' AND at < (SELECT ends FROM first)
      ORDER BY at, r.id LIMIT ${limit}::int FOR NO KEY UPDATE OF r SKIP LOCKED),
    run AS (
      UPDATE recurrence SET next_check_at = at + ${leaseSeconds}::int * interval '1 second'
      FROM recurrences WHERE recurrence.id = recurrences.id),
    disputes AS (
      SELECT waiting.kind, d.id, at FROM waiting JOIN dispute d ON d.id = waiting.id
      WHERE waiting.kind = 'dispute' AND at < (SELECT ends FROM first)
      ORDER BY at, d.id LIMIT ${limit}::int FOR NO KEY UPDATE OF d SKIP LOCKED),
    reminded AS (
      UPDATE dispute SET next_check_at = at + ${leaseSeconds}::int * interval '1 second'
      FROM disputes WHERE dispute.id = disputes.id)
    SELECT kind, id, at FROM due UNION ALL SELECT kind, id, at FROM recurrences
    UNION ALL SELECT kind, id, at FROM disputes ORDER BY at, id`;
}
