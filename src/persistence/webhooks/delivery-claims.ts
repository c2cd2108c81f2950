import { type Queryable, recordset } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import type { WebhookDeliveryStatus } from './webhook-deliveries.ts';

export interface ClaimedDelivery {
  id: string;
  endpointId: string;
  attemptCount: number;
  /** Checked with the outcome: proves that nobody has claimed it meanwhile. */
  holder: number;
  eventId: string;
  body: string;
  traceparent: string | null;
  url: string;
  sealedSecret: string;
  previousSealedSecret: string | null;
  previousSecretUntil: Date | null;
  failingSince: Date | null;
}

export interface DeliveryClaim {
  now: Date;
  leasedUntil: Date;
  limit: number;
  /** Maximum concurrent requests per endpoint, while it succeeds and while it fails. */
  endpointLimit: number;
  failingEndpointLimit: number;
  /** Requests in flight per endpoint. */
  sending: ReadonlyMap<string, number>;
}

/** The endpoints that have deliveries waiting, one by one from the index. */
const waitingEndpoints = Prisma.sql`waiting AS (
      (SELECT endpoint_id FROM webhook_delivery
        WHERE next_attempt_at IS NOT NULL ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.endpoint_id FROM webhook_delivery d
        WHERE d.next_attempt_at IS NOT NULL AND d.endpoint_id > waiting.endpoint_id
        ORDER BY d.endpoint_id LIMIT 1)
      FROM waiting WHERE waiting.endpoint_id IS NOT NULL)`;

/** Since when the longest overdue delivery to an enabled endpoint is due. Costs what a claim costs. */
export async function longestDueDeliverySince(db: Queryable, now: Date): Promise<Date | null> {
  const [row] = await db.$queryRaw<{ since: Date | null }[]>`
    WITH RECURSIVE ${waitingEndpoints}
    SELECT min(d.next_attempt_at) AS since
    FROM waiting JOIN webhook_endpoint endpoint ON endpoint.id = waiting.endpoint_id AND endpoint.enabled
    CROSS JOIN LATERAL (
      SELECT next_attempt_at FROM webhook_delivery
      WHERE endpoint_id = endpoint.id AND next_attempt_at <= ${now}
      ORDER BY next_attempt_at LIMIT 1) d`;
  return row?.since ?? null;
}

/**
 * Claims due deliveries, longest due first, but per endpoint only up to its limit, so that one that hangs
 * delays no other. Walks from endpoint to endpoint in the index of due rows, so the cost grows with the
 * endpoints that have something due, not with deliveries.
 */
export function claimDeliveries(db: Queryable, claim: DeliveryClaim): Promise<ClaimedDelivery[]> {
  const { now, leasedUntil, limit, sending } = claim;
  return db.$queryRaw<ClaimedDelivery[]>`
    WITH RECURSIVE ${waitingEndpoints},
    due AS (
      SELECT d.id
      FROM waiting JOIN webhook_endpoint endpoint ON endpoint.id = waiting.endpoint_id AND endpoint.enabled
      LEFT JOIN unnest(${[...sending.keys()]}::uuid[], ${[...sending.values()]}::int[]) AS busy(id, requests)
        ON busy.id = endpoint.id
      CROSS JOIN LATERAL (
        SELECT id, next_attempt_at FROM webhook_delivery
        WHERE endpoint_id = endpoint.id AND next_attempt_at <= ${now}
        ORDER BY next_attempt_at
        LIMIT greatest(0, coalesce(-busy.requests, 0) + CASE WHEN endpoint.failing_since IS NULL
          THEN ${claim.endpointLimit}::int ELSE ${claim.failingEndpointLimit}::int END)
        FOR NO KEY UPDATE SKIP LOCKED) d
      ORDER BY d.next_attempt_at LIMIT ${limit}),
    claimed AS (
      UPDATE webhook_delivery SET next_attempt_at = ${leasedUntil}, holder = holder + 1
      WHERE id = ANY(ARRAY(SELECT id FROM due)) RETURNING id, endpoint_id, event_id, attempt_count, holder)
    SELECT claimed.id, claimed.endpoint_id AS "endpointId", claimed.attempt_count AS "attemptCount", claimed.holder,
      event.id AS "eventId", event.body, event.traceparent, endpoint.url, endpoint.sealed_secret AS "sealedSecret",
      endpoint.previous_sealed_secret AS "previousSealedSecret",
      endpoint.previous_secret_until AS "previousSecretUntil", endpoint.failing_since AS "failingSince"
    FROM claimed JOIN event ON event.id = claimed.event_id
      JOIN webhook_endpoint endpoint ON endpoint.id = claimed.endpoint_id`;
}

export interface DeliveryOutcome {
  deliveryId: string;
  endpointId: string;
  holder: number;
  status: WebhookDeliveryStatus;
  attemptCount: number;
  nextAttemptAt: Date | null;
  attempt: {
    id: string;
    statusCode: number | null;
    error: string | null;
    answer: string | null;
    responseHeaders: Readonly<Record<string, string>> | null;
    latencyMs: number;
    startedAt: Date;
    /** Where it counts among the requests of its hour. */
    hour: Date;
    succeeded: boolean;
    latencyStep: number;
  };
}

/**
 * Stores and counts every attempt, but accepts the outcome only from the delivery's current holder. Repeatable. Counts
 * in the order of their key, so that no two nodes wait for each other.
 */
export async function recordOutcomes(db: Queryable, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  const rows = recordset(outcomes.map(({ attempt, ...outcome }) => ({ ...attempt, ...outcome })));
  await db.$executeRaw`
    WITH outcome AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${rows}::json) AS o(id uuid, "deliveryId" uuid, holder int, status text,
        "attemptCount" int, "nextAttemptAt" timestamptz, "statusCode" int, error text, answer text,
        "responseHeaders" jsonb, "latencyMs" int, "startedAt" timestamptz, "endpointId" uuid, hour timestamptz,
        succeeded boolean, "latencyStep" smallint)),
    settled AS (
      UPDATE webhook_delivery d SET status = o.status::"WebhookDeliveryStatus",
        attempt_count = o."attemptCount", next_attempt_at = o."nextAttemptAt"
      FROM outcome o
      WHERE d.id = ANY(${outcomes.map(({ deliveryId }) => deliveryId)}::uuid[]) AND d.id = o."deliveryId"
        AND d.holder = o.holder),
    stored AS (
      INSERT INTO webhook_attempt (id, delivery_id, status_code, error, answer, response_headers, latency_ms,
        started_at)
      SELECT id, "deliveryId", "statusCode", error, answer, "responseHeaders", "latencyMs", "startedAt" FROM outcome
      ON CONFLICT (id) DO NOTHING RETURNING id)
    INSERT INTO webhook_hour AS counted (endpoint_id, hour, succeeded, latency_step, attempts)
    SELECT "endpointId", hour, succeeded, "latencyStep", count(*) FROM outcome JOIN stored USING (id)
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (endpoint_id, hour, succeeded, latency_step)
    DO UPDATE SET attempts = counted.attempts + excluded.attempts`;
}

/** Releases a claimed delivery that was not sent. */
export async function releaseDelivery(
  db: Queryable,
  { id, holder }: ClaimedDelivery,
  now: Date,
): Promise<void> {
  await db.webhookDelivery.updateMany({ where: { id, holder }, data: { nextAttemptAt: now } });
}
