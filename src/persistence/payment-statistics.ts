import type { Queryable } from './database.ts';
import type { Tenant } from './payments.ts';

export interface CountedPayments {
  /** Null for all of them. */
  bucket: number | null;
  created: number;
  completed: number;
  volumeInCents: bigint;
  refundedInCents: bigint;
  medianSecondsToPay: number | null;
}

export interface StatisticsRange {
  from: Date;
  /** Bounds on the id, which is also the order of creation: from inclusive, to exclusive. */
  fromId: string;
  toId: string;
  bucketSeconds: number;
}

/** The payments of a time that somebody could pay, all together and by buckets counted from its beginning. */
export const countPayments = (
  db: Queryable,
  { organizationId, mode }: Tenant,
  { from, fromId, toId, bucketSeconds }: StatisticsRange,
): Promise<CountedPayments[]> =>
  db.$queryRaw<CountedPayments[]>`
    WITH p AS (
      SELECT floor(extract(epoch FROM created_at - ${from}::timestamptz) / ${bucketSeconds}::int)::int AS bucket,
        amount_in_cents, refunded_in_cents, confirmed_at, extract(epoch FROM confirmed_at - created_at)::float8 AS seconds
      FROM payment
      WHERE organization_id = ${organizationId}::uuid AND mode = ${mode}::"Mode"
        AND id >= ${fromId}::uuid AND id < ${toId}::uuid AND status NOT IN ('creating', 'failed'))
    SELECT bucket, count(*)::int AS created, count(confirmed_at)::int AS completed,
      coalesce(sum(amount_in_cents) FILTER (WHERE confirmed_at IS NOT NULL), 0)::bigint AS "volumeInCents",
      coalesce(sum(refunded_in_cents), 0)::bigint AS "refundedInCents",
      percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS "medianSecondsToPay"
    FROM p GROUP BY GROUPING SETS ((bucket), ())`;
