import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';
import { checkLeaseMs } from '../rules/check-schedule.ts';

const leaseSeconds = Math.ceil(checkLeaseMs / 1_000);

/** Pending payments of an organization's test mode that wait for a check until then. */
const waiting = (organizationId: string, until: Date): Prisma.Sql => Prisma.sql`
  SELECT p.id, p.credential_id, coalesce(c.next_check_at, p.next_check_at) AS at
  FROM payment p LEFT JOIN payment_check c ON c.payment_id = p.id
  WHERE p.organization_id = ${organizationId}::uuid AND p.mode = 'test'
    AND p.status = 'pending' AND coalesce(c.next_check_at, p.next_check_at) <= ${until}`;

export interface TestCheck {
  id: string;
  at: Date;
}

/** Leases those of the first minute in which any is due, if that is not after `until`. */
export function claimNextTestChecks(
  db: Queryable,
  organizationId: string,
  until: Date,
  limit: number,
): Promise<TestCheck[]> {
  return db.$queryRaw<TestCheck[]>`
    WITH waiting AS MATERIALIZED (${waiting(organizationId, until)}),
    due AS (
      SELECT waiting.* FROM waiting JOIN payment p ON p.id = waiting.id
      WHERE at < (SELECT date_trunc('minute', min(at)) + interval '1 minute' FROM waiting)
      ORDER BY at, waiting.id LIMIT ${limit}::int FOR NO KEY UPDATE OF p SKIP LOCKED),
    leased AS (
      UPDATE payment SET next_check_at = NULL FROM due WHERE payment.id = due.id),
    moved AS (
      INSERT INTO payment_check (payment_id, credential_id, next_check_at)
      SELECT id, credential_id, at + ${leaseSeconds}::int * interval '1 second' FROM due
      ON CONFLICT (payment_id) DO UPDATE SET next_check_at = excluded.next_check_at)
    SELECT id, at FROM due ORDER BY at, id`;
}
