import { Prisma } from '../../../database/generated/client.ts';
import type { Database, Queryable } from '../../../database/database.ts';

/**
 * What a payment `p` counts for, in the columns of `payment_hour_change`, which the trigger also writes.
 * Payments still being created do not count yet.
 */
export const countedColumns = Prisma.raw(`
  (p.status <> 'failed')::int AS created, (p.status = 'failed')::int AS failed,
  (p.status <> 'failed' AND p.confirmed_at IS NOT NULL)::int AS completed,
  CASE WHEN p.status <> 'failed' AND p.confirmed_at IS NOT NULL THEN coalesce(p.paid_in_cents, p.amount_in_cents) ELSE 0 END AS volume_in_cents,
  CASE WHEN p.status <> 'failed' THEN p.refunded_in_cents ELSE 0 END AS refunded_in_cents,
  CASE WHEN p.status <> 'failed' THEN p.reversed_in_cents ELSE 0 END AS reversed_in_cents,
  CASE WHEN p.status <> 'failed' THEN payment_pay_step(p.created_at, p.confirmed_at) END AS pay_step`);

interface Progress {
  before: Date | null;
  beforeId: string | null;
  /**
   * Payments created before this minute can be aggregated: every transaction that saw them as newer has
   * ended.
   */
  until: Date;
}

/** The progress, locked until the transaction ends; undefined while another worker holds it. */
export async function lockProgress(tx: Queryable): Promise<Progress | undefined> {
  const [progress] = await tx.$queryRaw<Progress[]>`
    SELECT before, before_id AS "beforeId", date_trunc('minute', least(clock_timestamp(), (
        SELECT min(xact_start) FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL))
      - interval '4 minutes') AS until
    FROM payment_roll_up WHERE id = 1 FOR UPDATE SKIP LOCKED`;
  return progress;
}

export async function findFirstPaymentId(tx: Queryable): Promise<string | undefined> {
  const [first] = await tx.$queryRaw<{ id: string }[]>`SELECT id FROM payment ORDER BY id LIMIT 1`;
  return first?.id;
}

/** The id `count` payments further on; undefined when there are fewer. */
export async function findPaymentIdAfter(
  tx: Queryable,
  id: string,
  count: number,
): Promise<string | undefined> {
  const [found] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM payment WHERE id >= ${id}::uuid ORDER BY id OFFSET ${count}::int LIMIT 1`;
  return found?.id;
}

/** Adds rows of the CTE `change` to their hours. */
const addToHours = Prisma.raw(`
  sums AS (
    SELECT organization_id, mode, hour, sum(created) AS created, sum(failed) AS failed, sum(completed) AS completed,
      sum(volume_in_cents) AS volume_in_cents, sum(refunded_in_cents) AS refunded_in_cents,
      sum(reversed_in_cents) AS reversed_in_cents
    FROM change GROUP BY organization_id, mode, hour),
  steps AS (
    SELECT organization_id, mode, hour, pay_step, sum(completed) AS count FROM (
      SELECT organization_id, mode, hour, pay_step, completed FROM change WHERE pay_step IS NOT NULL
      UNION ALL
      SELECT organization_id, mode, hour, pay_step, count FROM sums
      JOIN payment_hour USING (organization_id, mode, hour), unnest(pay_steps, pay_counts) AS s(pay_step, count)) AS s
    GROUP BY organization_id, mode, hour, pay_step HAVING sum(completed) <> 0),
  histograms AS (
    SELECT organization_id, mode, hour, array_agg(pay_step ORDER BY pay_step) AS pay_steps,
      array_agg(count ORDER BY pay_step) AS pay_counts
    FROM steps GROUP BY organization_id, mode, hour)
  INSERT INTO payment_hour AS h (organization_id, mode, hour, created, failed, completed, volume_in_cents,
    refunded_in_cents, reversed_in_cents, pay_steps, pay_counts)
  SELECT organization_id, mode, hour, created, failed, completed, volume_in_cents, refunded_in_cents,
    reversed_in_cents, coalesce(pay_steps, '{}'), coalesce(pay_counts, '{}')
  FROM sums LEFT JOIN histograms USING (organization_id, mode, hour)
  ON CONFLICT (organization_id, mode, hour) DO UPDATE
  SET created = h.created + excluded.created, failed = h.failed + excluded.failed,
    completed = h.completed + excluded.completed, volume_in_cents = h.volume_in_cents + excluded.volume_in_cents,
    refunded_in_cents = h.refunded_in_cents + excluded.refunded_in_cents,
    reversed_in_cents = h.reversed_in_cents + excluded.reversed_in_cents, pay_steps = excluded.pay_steps,
    pay_counts = excluded.pay_counts`);

/** The end of the aggregated period and the smallest id of that minute. */
interface Mark {
  before: Date;
  beforeId: string;
}

/** For the first run, when nothing has been aggregated. */
export async function beginProgress(tx: Queryable, { before, beforeId }: Mark): Promise<void> {
  await tx.$executeRaw`UPDATE payment_roll_up SET before = ${before}, before_id = ${beforeId}::uuid WHERE id = 1`;
}

/**
 * Aggregates the payments of a period in their current state and drops their earlier changes. A single
 * statement, so that it sees both a payment and its changes, or neither.
 */
export async function addPayments(tx: Queryable, from: Mark, until: Mark): Promise<void> {
  await tx.$executeRaw`
    WITH change AS (
      SELECT p.organization_id, p.mode, date_trunc('hour', p.created_at, 'UTC') AS hour, ${countedColumns}
      FROM payment p
      WHERE p.id >= ${from.beforeId}::uuid AND p.id < ${until.beforeId}::uuid AND p.status <> 'creating'),
    forgotten AS (
      DELETE FROM payment_hour_change WHERE minute >= ${from.before} AND minute < ${until.before}),
    moved AS (
      UPDATE payment_roll_up SET before = ${until.before}, before_id = ${until.beforeId}::uuid WHERE id = 1),
    ${addToHours}`;
}

/** Adds changes of payments already aggregated; returns how many. */
export async function addChanges(tx: Queryable, before: Date, limit: number): Promise<number> {
  const [added] = await tx.$queryRaw<{ count: bigint }[]>`
    WITH taken AS (
      DELETE FROM payment_hour_change WHERE (minute, id) IN (
        SELECT minute, id FROM payment_hour_change WHERE minute < ${before} ORDER BY minute, id LIMIT ${limit}::int)
      RETURNING *),
    change AS (SELECT date_trunc('hour', minute, 'UTC') AS hour, taken.* FROM taken),
    added AS (
      WITH ${addToHours})
    SELECT count(*) FROM taken`;
  return Number(added?.count ?? 0);
}

/**
 * Copies the hours of days before this one into a row for each day; returns how many. Nobody else adds to hours while the
 * progress is locked.
 */
export function copyPaymentDays(tx: Queryable, before: Date, limit: number): Promise<number> {
  return tx.$executeRaw`
    WITH due AS MATERIALIZED (
      SELECT organization_id, mode, day FROM payment_day WHERE NOT is_copied AND day < ${before}
      ORDER BY day LIMIT ${limit}::int),
    hours AS MATERIALIZED (
      SELECT due.day, extract(hour FROM h.hour AT TIME ZONE 'UTC')::smallint AS n, h.*
      FROM due CROSS JOIN LATERAL (
        SELECT * FROM payment_hour WHERE organization_id = due.organization_id AND mode = due.mode
          AND hour >= due.day AND hour < due.day + interval '24 hours' ORDER BY hour) AS h),
    sums AS (
      SELECT organization_id, mode, day, array_agg(n ORDER BY n) AS hours, array_agg(created ORDER BY n) AS created,
        array_agg(failed ORDER BY n) AS failed, array_agg(completed ORDER BY n) AS completed,
        array_agg(volume_in_cents ORDER BY n) AS volume_in_cents,
        array_agg(refunded_in_cents ORDER BY n) AS refunded_in_cents,
        array_agg(reversed_in_cents ORDER BY n) AS reversed_in_cents, array_agg(pay_end ORDER BY n) AS pay_ends
      FROM (SELECT *, sum(cardinality(pay_steps)) OVER (PARTITION BY organization_id, mode, day ORDER BY n)::int AS pay_end
        FROM hours) AS h
      GROUP BY organization_id, mode, day),
    histograms AS (
      SELECT organization_id, mode, day, array_agg(step::smallint ORDER BY n, step) AS pay_steps,
        array_agg(count ORDER BY n, step) AS pay_counts
      FROM hours, unnest(pay_steps, pay_counts) AS s(step, count) GROUP BY organization_id, mode, day)
    UPDATE payment_day AS d SET is_copied = true, hours = s.hours, created = s.created, failed = s.failed,
      completed = s.completed, volume_in_cents = s.volume_in_cents, refunded_in_cents = s.refunded_in_cents,
      reversed_in_cents = s.reversed_in_cents, pay_ends = s.pay_ends, pay_steps = s.pay_steps, pay_counts = s.pay_counts
    FROM (SELECT * FROM sums LEFT JOIN histograms USING (organization_id, mode, day)) AS s
    WHERE d.organization_id = s.organization_id AND d.mode = s.mode AND d.day = s.day`;
}

/** A transaction with time for a batch on a slow disk. */
export const inRollUp = <T>(db: Database, work: (tx: Queryable) => Promise<T>): Promise<T> =>
  db.$transaction(work, { timeout: 30_000 });
