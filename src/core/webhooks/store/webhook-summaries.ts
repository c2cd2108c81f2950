import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';
import { newestRange } from '../../../database/index-range.ts';
import { isUndelivered } from './undelivered.ts';

/** Limits how many deliveries are looked at for the last one that was tried. */
const lookedAt = 2_000;

/** The latest attempt at a delivery. */
export function lastAttemptAt(delivery: Prisma.Sql): Prisma.Sql {
  const { condition, inOrder } = newestRange(['delivery_id', 'id'], [delivery], {});
  return Prisma.sql`(SELECT status_code, error, started_at FROM webhook_attempt
    WHERE ${condition} ORDER BY ${inOrder} LIMIT 1)`;
}

export interface RequestSums {
  endpointId: string;
  /** Counted from the first. */
  day: number;
  attempts: number;
  succeeded: number;
}

/** Adds up the hours since then, 24 at a time. */
export const sumWebhookDays = (
  db: Queryable,
  endpointIds: readonly string[],
  since: Date,
): Promise<RequestSums[]> =>
  db.$queryRaw`
    SELECT endpoint_id AS "endpointId",
      floor(extract(epoch FROM hour - ${since}::timestamptz) / 86400)::int AS day, sum(attempts)::int AS attempts,
      coalesce(sum(attempts) FILTER (WHERE succeeded), 0)::int AS succeeded
    FROM webhook_hour WHERE endpoint_id = ANY(${[...endpointIds]}::uuid[]) AND hour >= ${since} GROUP BY 1, 2`;

export interface FailureCause {
  endpointId: string;
  statusCode: number | null;
  error: string | null;
  count: number;
  lastAt: Date;
}

/** Why the newest undelivered ones of each endpoint failed, the most frequent cause first; at most `limit` of each are counted. */
export function countFailures(
  db: Queryable,
  endpointIds: readonly string[],
  limit: number,
): Promise<FailureCause[]> {
  const { condition, inOrder } = newestRange(['endpoint_id', 'event_id'], [Prisma.sql`endpoint.id`], {});
  return db.$queryRaw`
    SELECT endpoint.id AS "endpointId", last.status_code AS "statusCode", last.error, count(*)::int AS count,
      max(last.started_at) AS "lastAt"
    FROM unnest(${[...endpointIds]}::uuid[]) AS endpoint(id)
    CROSS JOIN LATERAL (
      SELECT id FROM webhook_delivery WHERE ${condition} AND ${isUndelivered} ORDER BY ${inOrder} LIMIT ${limit}) AS failed
    CROSS JOIN LATERAL ${lastAttemptAt(Prisma.sql`failed.id`)} AS last
    GROUP BY 1, 2, 3 ORDER BY count DESC, 2, 3`;
}

export interface LastAttempt {
  endpointId: string;
  statusCode: number | null;
  error: string | null;
  startedAt: Date;
}

/** The latest attempt at the newest deliveries that were tried: a retry of an old one may be later than the first of a new one. */
export function findLastAttempts(db: Queryable, endpointIds: readonly string[]): Promise<LastAttempt[]> {
  const { condition, inOrder } = newestRange(['endpoint_id', 'event_id'], [Prisma.sql`endpoint.id`], {});
  return db.$queryRaw`
    SELECT endpoint.id AS "endpointId", last.status_code AS "statusCode", last.error,
      last.started_at AS "startedAt"
    FROM unnest(${[...endpointIds]}::uuid[]) AS endpoint(id)
    CROSS JOIN LATERAL (
      SELECT attempt.* FROM (
        SELECT id FROM (
          SELECT id, event_id, attempt_count FROM webhook_delivery
          WHERE ${condition} ORDER BY ${inOrder} LIMIT ${lookedAt}) AS newest
        WHERE attempt_count > 0 ORDER BY event_id DESC LIMIT 10) AS tried
      CROSS JOIN LATERAL ${lastAttemptAt(Prisma.sql`tried.id`)} AS attempt
      ORDER BY attempt.started_at DESC LIMIT 1) AS last`;
}
