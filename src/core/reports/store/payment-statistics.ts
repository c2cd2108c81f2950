import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';
import { countedColumns } from './payment-hours.ts';
import type { Tenant } from '../../payments/store/payments.ts';

export interface CountedPayments {
  /** Null for the total. */
  bucket: number | null;
  created: number;
  failed: number;
  completed: number;
  volumeInCents: bigint;
  /** Includes what was reversed. */
  refundedInCents: bigint;
  /** What the special refund mechanism or chargebacks took back. */
  reversedInCents: bigint;
  /** Median and number of paid payments not yet aggregated. */
  exactMedianSeconds: number | null;
  exactCount: number;
  /** Histogram of times to pay of all paid payments; null for individual buckets. */
  paySteps: number[] | null;
  payCounts: number[] | null;
}

export interface StatisticsRange {
  from: Date;
  /** Bounds on the id, which is in creation order: from inclusive, to exclusive. */
  fromId: string;
  toId: string;
  bucketSeconds: number;
  /** Whole hours of the period, to exclusive. */
  firstHour: Date;
  lastHour: Date;
  /** Hours that lie in two buckets, or partly outside the period. */
  cutHours: readonly Date[];
  /** What is read payment by payment, as id bounds: cut hours, and the ends of the period. */
  cuts: readonly { fromId: string; toId: string }[];
}

/**
 * Counts the payments of a period, failed ones apart, in total and by bucket: from aggregated hours and the changes
 * since, and payment by payment where they are too new or an hour spans buckets. The ORDER BY makes
 * PostgreSQL use the index that ends in the id; by the range alone others look as good. A single statement,
 * so that nothing is missed or counted twice while a worker runs.
 */
export function countPayments(
  db: Queryable,
  { organizationId, mode }: Tenant,
  { from, fromId, toId, bucketSeconds, firstHour, lastHour, cutHours, cuts }: StatisticsRange,
): Promise<CountedPayments[]> {
  const tenant = Prisma.sql`${organizationId}::uuid, ${mode}::"Mode"`;
  const bucketOf = (instant: string) =>
    Prisma.sql`floor(extract(epoch FROM ${Prisma.raw(instant)} - ${from}::timestamptz) / ${bucketSeconds}::int)::int AS bucket`;
  const counts = Prisma.raw(
    'created, failed, completed, volume_in_cents, refunded_in_cents, reversed_in_cents',
  );
  const sums = Prisma.sql`bucket, ${counts}`;
  return db.$queryRaw<CountedPayments[]>`
    WITH progress AS MATERIALIZED (
      SELECT coalesce(max(before), '-infinity') AS before,
        coalesce(max(before_id::text), '00000000-0000-0000-0000-000000000000')::uuid AS before_id
      FROM payment_roll_up),
    days AS MATERIALIZED (
      SELECT * FROM payment_day WHERE organization_id = ${organizationId}::uuid AND mode = ${mode}::"Mode"
        AND day >= date_trunc('day', ${firstHour}::timestamptz, 'UTC') AND day < ${lastHour}::timestamptz),
    uncopied AS MATERIALIZED (
      SELECT h.* FROM days CROSS JOIN LATERAL (
        SELECT * FROM payment_hour WHERE organization_id = days.organization_id AND mode = days.mode
          AND hour >= days.day AND hour < days.day + interval '24 hours' ORDER BY hour) AS h
      WHERE NOT days.is_copied),
    hours AS MATERIALIZED (
      SELECT ${bucketOf('hour')}, h.* FROM (
        SELECT day + n * interval '1 hour' AS hour, s.created, s.failed, s.completed, s.volume_in_cents, s.refunded_in_cents,
          s.reversed_in_cents,
          pay_steps[coalesce(pay_ends[place - 1], 0) + 1:pay_ends[place]] AS pay_steps,
          pay_counts[coalesce(pay_ends[place - 1], 0) + 1:pay_ends[place]] AS pay_counts
        FROM days, unnest(hours, ${counts}) WITH ORDINALITY AS s(n, ${counts}, place) WHERE is_copied
        UNION ALL SELECT hour, ${counts}, pay_steps, pay_counts FROM uncopied) AS h
      WHERE hour >= ${firstHour}::timestamptz AND hour < ${lastHour}::timestamptz
        AND hour <> ALL(${cutHours}::timestamptz[])),
    changes AS MATERIALIZED (
      SELECT ${bucketOf('c.minute')}, c.* FROM payment_hour_change c
      WHERE (c.organization_id, c.mode, c.minute) >= (${tenant}, ${firstHour}::timestamptz)
        AND (c.organization_id, c.mode, c.minute) < (${tenant}, ${lastHour}::timestamptz)
        AND c.minute < (SELECT before FROM progress)
        AND date_trunc('hour', c.minute, 'UTC') <> ALL(${cutHours}::timestamptz[])),
    spans AS MATERIALIZED (
      SELECT from_id, least(to_id, before_id) AS to_id FROM progress,
        unnest(${cuts.map((cut) => cut.fromId)}::uuid[], ${cuts.map((cut) => cut.toId)}::uuid[]) AS c(from_id, to_id)
      UNION ALL
      SELECT greatest(${fromId}::uuid, before_id), ${toId}::uuid FROM progress),
    payments AS MATERIALIZED (
      SELECT ${bucketOf('p.created_at')}, ${countedColumns}, CASE WHEN p.status <> 'failed'
        THEN extract(epoch FROM p.confirmed_at - p.created_at)::float8 END AS seconds
      FROM spans CROSS JOIN LATERAL (
        SELECT created_at, confirmed_at, status, amount_in_cents, paid_in_cents, refunded_in_cents, reversed_in_cents
        FROM payment
        WHERE (organization_id, mode, id) >= (${tenant}, spans.from_id)
          AND (organization_id, mode, id) < (${tenant}, spans.to_id)
          AND status <> 'creating'
        ORDER BY organization_id, mode, id) AS p),
    counts AS (
      SELECT bucket, sum(created)::int AS created, sum(failed)::int AS failed, sum(completed)::int AS completed,
        sum(volume_in_cents)::bigint AS volume, sum(refunded_in_cents)::bigint AS refunded,
        sum(reversed_in_cents)::bigint AS reversed
      FROM (SELECT ${sums} FROM hours UNION ALL SELECT ${sums} FROM changes UNION ALL SELECT ${sums} FROM payments) AS s
      GROUP BY GROUPING SETS ((bucket), ())),
    exact AS (
      SELECT bucket, count(seconds)::int AS count, percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS median
      FROM payments GROUP BY GROUPING SETS ((bucket), ())),
    steps AS (
      SELECT bucket, step, sum(count) AS count FROM (
        SELECT bucket, step, count FROM hours, unnest(pay_steps, pay_counts) AS s(step, count)
        UNION ALL SELECT bucket, pay_step, completed FROM changes WHERE pay_step IS NOT NULL
        UNION ALL SELECT bucket, pay_step, completed FROM payments WHERE pay_step IS NOT NULL) AS s
      GROUP BY bucket, step HAVING sum(count) > 0),
    histograms AS (
      SELECT bucket, array_agg(step ORDER BY step) AS steps, array_agg(count::int ORDER BY step) AS counts
      FROM steps GROUP BY bucket)
    SELECT counts.bucket, coalesce(created, 0) AS created, coalesce(failed, 0) AS failed, coalesce(completed, 0) AS completed,
      coalesce(volume, 0) AS "volumeInCents", coalesce(refunded, 0) AS "refundedInCents",
      coalesce(reversed, 0) AS "reversedInCents",
      median AS "exactMedianSeconds", coalesce(exact.count, 0) AS "exactCount",
      steps AS "paySteps", counts.counts AS "payCounts"
    FROM (SELECT counts.*, histograms.steps, histograms.counts FROM counts LEFT JOIN histograms USING (bucket)) AS counts
    LEFT JOIN exact ON exact.bucket IS NOT DISTINCT FROM counts.bucket`;
}
