import type { AccountNews, CallSum, OutcomeCounts } from '../rules/call-ledger.ts';
import { type Queryable, recordset } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';

/** Adds to what other nodes have counted. The sums must come in one order on all of them. */
export async function addCallSums(db: Queryable, sums: readonly CallSum[]): Promise<void> {
  const rows = recordset(sums.map(({ outcomes, ...sum }) => ({ ...sum, ...outcomes })));
  await db.$executeRaw`
    INSERT INTO psp_call_sum AS s (credential_id, seconds, starts_at, operation, done, refused, rejected,
      rejected_payer, rate_limited, not_yet, not_sent, unknown, latencies)
    SELECT "credentialId", seconds, "startsAt", operation, done, refused, rejected, rejected_payer, rate_limited,
      not_yet, not_sent, unknown, latencies
    FROM json_to_recordset(${rows}::json) AS r("credentialId" uuid, seconds int, "startsAt" timestamptz,
      operation text, done int, refused int, rejected int, rejected_payer int, rate_limited int, not_yet int,
      not_sent int, unknown int, latencies int[])
    ON CONFLICT (credential_id, seconds, starts_at, operation) DO UPDATE
    SET done = s.done + excluded.done, refused = s.refused + excluded.refused,
      rejected = s.rejected + excluded.rejected, rejected_payer = s.rejected_payer + excluded.rejected_payer,
      rate_limited = s.rate_limited + excluded.rate_limited, not_yet = s.not_yet + excluded.not_yet,
      not_sent = s.not_sent + excluded.not_sent, unknown = s.unknown + excluded.unknown,
      latencies = ARRAY(SELECT coalesce(l.known, 0) + coalesce(l.new, 0)
        FROM unnest(s.latencies, excluded.latencies) WITH ORDINALITY AS l(known, new, step) ORDER BY step)`;
}

/** Merges what the calls have shown last into what other nodes know, in the same order on all of them. */
export async function noteAccountNews(db: Queryable, accounts: readonly AccountNews[]): Promise<void> {
  const rows = recordset(
    accounts.map(({ failure, refusal, requests, ...news }) => ({
      ...news,
      failedAt: failure?.at,
      failedOperation: failure?.operation,
      failedOutcome: failure?.outcome,
      failedReason: failure?.reason,
      failedMessage: failure?.message,
      refusedAt: refusal?.at,
      refusedReason: refusal?.reason,
      requestsLeft: requests?.left,
      requestsLimit: requests?.limit,
      requestsAt: requests?.at,
    })),
  );
  await db.$executeRaw`
    INSERT INTO credential_health AS h (credential_id, succeeded_at, answered_at, outages, outages_since,
      last_outage_at, failed_at, failed_operation, failed_outcome, failed_reason, failed_message, refused_at,
      refused_reason, breaker_open_at, requests_left, requests_limit, requests_at)
    SELECT "credentialId", "succeededAt", "answeredAt", outages, "outagesSince", "lastOutageAt", "failedAt",
      "failedOperation", "failedOutcome", "failedReason", "failedMessage", "refusedAt", "refusedReason",
      "breakerOpenAt", "requestsLeft", "requestsLimit", "requestsAt"
    FROM json_to_recordset(${rows}::json) AS r("credentialId" uuid, "succeededAt" timestamptz,
      "answeredAt" timestamptz, outages int, "outagesSince" timestamptz, "lastOutageAt" timestamptz,
      "failedAt" timestamptz, "failedOperation" text, "failedOutcome" text, "failedReason" text,
      "failedMessage" text, "refusedAt" timestamptz, "refusedReason" text, "breakerOpenAt" timestamptz,
      "requestsLeft" int, "requestsLimit" int, "requestsAt" timestamptz)
    ON CONFLICT (credential_id) DO UPDATE
    SET succeeded_at = greatest(h.succeeded_at, excluded.succeeded_at),
      answered_at = greatest(h.answered_at, excluded.answered_at),
      outages = excluded.outages + CASE WHEN excluded.answered_at IS NULL THEN h.outages ELSE 0 END,
      outages_since = CASE WHEN excluded.answered_at IS NULL
        THEN coalesce(h.outages_since, excluded.outages_since) ELSE excluded.outages_since END,
      last_outage_at = greatest(h.last_outage_at, excluded.last_outage_at),
      failed_at = coalesce(excluded.failed_at, h.failed_at),
      failed_operation = coalesce(excluded.failed_operation, h.failed_operation),
      failed_outcome = coalesce(excluded.failed_outcome, h.failed_outcome),
      failed_reason = coalesce(excluded.failed_reason, h.failed_reason),
      failed_message = coalesce(excluded.failed_message, h.failed_message),
      refused_at = CASE WHEN greatest(h.refused_at, excluded.refused_at)
          > coalesce(greatest(h.succeeded_at, excluded.succeeded_at), '-infinity')
        THEN greatest(h.refused_at, excluded.refused_at) END,
      refused_reason = coalesce(excluded.refused_reason, h.refused_reason),
      breaker_open_at = greatest(h.breaker_open_at, excluded.breaker_open_at),
      requests_left = coalesce(excluded.requests_left, h.requests_left),
      requests_limit = coalesce(excluded.requests_limit, h.requests_limit),
      requests_at = coalesce(excluded.requests_at, h.requests_at)`;
}

export interface CountedCalls extends OutcomeCounts {
  latencies: number[];
}

export interface CallSpan {
  seconds: 60 | 3_600;
  from: Date;
}

const outcomeSums = Prisma.raw(
  ['done', 'refused', 'rejected', 'rejected_payer', 'rate_limited', 'not_yet', 'not_sent', 'unknown']
    .map((outcome) => `sum(${outcome})::int AS ${outcome}`)
    .join(', '),
);

/** Adds up the spans that start at `from` or later, grouped by the columns `by`. */
function sumSpans(
  db: Queryable,
  credentialIds: readonly string[],
  { seconds, from }: CallSpan,
  by: string,
): Promise<unknown[]> {
  const columns = Prisma.raw(by);
  return db.$queryRaw`
    WITH called AS MATERIALIZED (
      SELECT * FROM psp_call_sum
      WHERE credential_id = ANY(${credentialIds}::uuid[]) AND seconds = ${seconds}::int AND starts_at >= ${from}),
    steps AS (
      SELECT ${columns}, step, sum(count)::int AS count FROM called, unnest(latencies) WITH ORDINALITY AS l(count, step)
      GROUP BY ${columns}, step),
    histograms AS (
      SELECT ${columns}, array_agg(count ORDER BY step) AS latencies FROM steps GROUP BY ${columns}),
    counts AS (SELECT ${columns}, ${outcomeSums} FROM called GROUP BY ${columns})
    SELECT * FROM counts JOIN histograms USING (${columns}) ORDER BY ${columns}`;
}

/** Adds up the calls of each credential and operation. */
export async function sumCalls(
  db: Queryable,
  credentialIds: readonly string[],
  span: CallSpan,
): Promise<(CountedCalls & { credentialId: string; operation: string })[]> {
  const rows = await sumSpans(db, credentialIds, span, 'credential_id, operation');
  return (rows as (CountedCalls & { credential_id: string; operation: string })[]).map(
    ({ credential_id: credentialId, ...row }) => ({ credentialId, ...row }),
  );
}

/** Adds up the calls of each credential, 24 hours at a time from `from` on. */
export const sumCallDays = (
  db: Queryable,
  credentialIds: readonly string[],
  from: Date,
): Promise<{ credentialId: string; day: number; calls: number; succeeded: number }[]> =>
  db.$queryRaw`
    SELECT credential_id AS "credentialId",
      floor(extract(epoch FROM starts_at - ${from}::timestamptz) / 86400)::int AS day,
      sum(done + refused + rejected + rejected_payer + rate_limited + not_yet + not_sent + unknown)::int AS calls,
      sum(done)::int AS succeeded
    FROM psp_call_sum
    WHERE credential_id = ANY(${[...credentialIds]}::uuid[]) AND seconds = 3600 AND starts_at >= ${from} GROUP BY 1, 2`;

/** Lists the calls of one credential, span by span, oldest first; spans without a call are left out. */
export async function listCalls(
  db: Queryable,
  credentialId: string,
  span: CallSpan,
): Promise<(CountedCalls & { startsAt: Date })[]> {
  const rows = await sumSpans(db, [credentialId], span, 'starts_at');
  return (rows as (CountedCalls & { starts_at: Date })[]).map(({ starts_at: startsAt, ...row }) => ({
    startsAt,
    ...row,
  }));
}

/** Deletes some sums of spans that began before an instant; returns how many. */
export const deleteCallSums = (
  db: Queryable,
  { seconds, before, limit }: { seconds: CallSpan['seconds']; before: Date; limit: number },
): Promise<number> =>
  db.$executeRaw`
    DELETE FROM psp_call_sum WHERE (credential_id, seconds, starts_at, operation) IN (
      SELECT credential_id, seconds, starts_at, operation FROM psp_call_sum
      WHERE seconds = ${seconds}::int AND starts_at < ${before} ORDER BY seconds, starts_at LIMIT ${limit}::int)`;
