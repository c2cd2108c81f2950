import { type Queryable, recordset } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { DueInLane, DuePart, LaneTurn } from '../../base/pacing/due-lanes.ts';
import type { WebhookDeliveryStatus } from './webhook-deliveries.ts';

export interface ClaimedDelivery {
  id: string;
  organizationId: string;
  endpointId: string;
  attemptCount: number;
  /** Checked with the outcome, to prove that nobody has claimed it meanwhile. */
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
  /** Limits both deliveries in all and requests in flight per organization. */
  limit: number;
  /** Maximum concurrent requests to an endpoint while it succeeds, and while it fails. */
  endpointLimit: number;
  failingEndpointLimit: number;
  /** Requests in flight per endpoint. */
  sending: ReadonlyMap<string, number>;
  /** The endpoints to claim from. */
  endpoints: readonly LaneTurn<string>[];
}

export interface ClaimedDeliveries {
  claimed: ClaimedDelivery[];
  /** Endpoints that may have more due, and from when on. */
  behind: Map<string, Date>;
}

/** When a delivery is due, written exactly like the index by time, which only these statements match. */
const dueAt = Prisma.sql`coalesce(next_attempt_at, 'infinity')`;

/** Endpoints with due deliveries, disabled ones too. */
export function findDueEndpoints(
  db: Queryable,
  { until, after, before, limit }: DuePart,
): Promise<DueInLane<string>[]> {
  const order = Prisma.raw(before ? 'DESC' : 'ASC');
  const bounds = [
    Prisma.sql`${dueAt} < 'infinity' AND ${dueAt} <= ${until}`,
    ...(after ? [Prisma.sql`(${dueAt}, endpoint_id) > (${after.at}, ${after.lane}::uuid)`] : []),
    ...(before ? [Prisma.sql`(${dueAt}, endpoint_id) < (${before.at}, ${before.lane}::uuid)`] : []),
  ];
  return db.$queryRaw<DueInLane<string>[]>`
    SELECT endpoint_id AS lane, ${dueAt} AS at FROM webhook_delivery WHERE ${Prisma.join(bounds, ' AND ')}
    ORDER BY ${dueAt} ${order}, endpoint_id ${order} LIMIT ${limit}::int`;
}

/** When the longest overdue delivery to an enabled endpoint became due. Reads those of disabled ones that are due longer. */
export async function longestDueDeliverySince(db: Queryable, now: Date): Promise<Date | null> {
  const [row] = await db.$queryRaw<{ since: Date }[]>`
    SELECT ${dueAt} AS since FROM webhook_delivery
    WHERE ${dueAt} < 'infinity' AND ${dueAt} <= ${now}
      AND EXISTS (SELECT FROM webhook_endpoint endpoint WHERE endpoint.id = endpoint_id AND endpoint.enabled)
    ORDER BY ${dueAt} LIMIT 1`;
  return row?.since ?? null;
}

/**
 * Claims due deliveries: first those of the organization and then of the endpoint with the fewest requests in flight, then the
 * longest due. An endpoint gets only what brings it to its limit, so that a hanging one delays no other, and an organization
 * only what brings it to `limit`: if that is half of what is free, the other half stays free for others.
 */
export async function claimDeliveries(db: Queryable, claim: DeliveryClaim): Promise<ClaimedDeliveries> {
  const { now, leasedUntil, limit, sending, endpoints } = claim;
  const rows = await db.$queryRaw<(ClaimedDelivery | { id: null; endpointId: string; since: Date })[]>`
    WITH lane(endpoint_id, at, since) AS (
      SELECT * FROM unnest(${endpoints.map(({ lane }) => lane)}::uuid[], ${endpoints.map(({ at }) => at)}::timestamptz[],
        ${endpoints.map(({ since }) => since)}::timestamptz[])),
    busy AS MATERIALIZED (
      SELECT endpoint.id, endpoint.organization_id, sending.requests
      FROM unnest(${[...sending.keys()]}::uuid[], ${[...sending.values()]}::int[]) AS sending(id, requests)
      JOIN webhook_endpoint endpoint USING (id)),
    free AS MATERIALIZED (
      SELECT lane.*, endpoint.organization_id, coalesce(busy.requests, 0) AS in_flight,
        coalesce(organization.in_flight, 0) AS of_organization,
        greatest(0, coalesce(-busy.requests, 0) + CASE WHEN endpoint.failing_since IS NULL
          THEN ${claim.endpointLimit}::int ELSE ${claim.failingEndpointLimit}::int END) AS requests
      FROM lane JOIN webhook_endpoint endpoint ON endpoint.id = lane.endpoint_id AND endpoint.enabled
      LEFT JOIN busy ON busy.id = endpoint.id
      LEFT JOIN (SELECT organization_id, sum(requests)::int AS in_flight FROM busy GROUP BY 1) AS organization
        ON organization.organization_id = endpoint.organization_id
      WHERE lane.at <= ${now}),
    due AS MATERIALIZED (
      SELECT due.* FROM (
        SELECT ${limit}::int - of_organization AS requests, array_agg(endpoint_id ORDER BY in_flight, at) AS endpoints,
          array_agg(since ORDER BY in_flight, at) AS sinces, array_agg(requests ORDER BY in_flight, at) AS shares
        FROM free WHERE of_organization < ${limit}::int
        GROUP BY organization_id, of_organization ORDER BY of_organization, min(at)) AS organization
      CROSS JOIN LATERAL (
        SELECT d.* FROM unnest(endpoints, sinces, shares) AS endpoint(id, since, requests) CROSS JOIN LATERAL (
          SELECT id, endpoint_id, next_attempt_at FROM webhook_delivery
          WHERE endpoint_id = endpoint.id AND next_attempt_at >= endpoint.since AND next_attempt_at <= ${now}
          ORDER BY next_attempt_at LIMIT endpoint.requests
          FOR NO KEY UPDATE SKIP LOCKED) d
        LIMIT organization.requests) due
      LIMIT ${limit}),
    claimed AS (
      UPDATE webhook_delivery SET next_attempt_at = ${leasedUntil}, holder = holder + 1
      WHERE id = ANY(ARRAY(SELECT id FROM due)) RETURNING id, endpoint_id, event_id, attempt_count, holder),
    behind AS (
      SELECT endpoint_id, since FROM (
        SELECT free.endpoint_id, coalesce(max(due.next_attempt_at), free.since) AS since,
          count(due.id) >= free.requests OR sum(count(due.id)) OVER () >= ${limit}
            OR sum(count(due.id)) OVER (PARTITION BY organization_id) >= ${limit}::int - of_organization AS has_more
        FROM free LEFT JOIN due USING (endpoint_id)
        GROUP BY free.endpoint_id, free.since, free.requests, organization_id, of_organization) AS served
      WHERE has_more)
    SELECT claimed.id, coalesce(claimed.endpoint_id, behind.endpoint_id) AS "endpointId", behind.since,
      claimed.attempt_count AS "attemptCount", claimed.holder,
      endpoint.organization_id AS "organizationId", event.id AS "eventId", event.body, event.traceparent, endpoint.url, endpoint.sealed_secret AS "sealedSecret",
      endpoint.previous_sealed_secret AS "previousSealedSecret",
      endpoint.previous_secret_until AS "previousSecretUntil", endpoint.failing_since AS "failingSince"
    FROM (claimed JOIN event ON event.id = claimed.event_id
      JOIN webhook_endpoint endpoint ON endpoint.id = claimed.endpoint_id) FULL JOIN behind ON false`;
  const claimed: ClaimedDelivery[] = [];
  const behind = new Map<string, Date>();
  for (const row of rows) {
    if (row.id === null) behind.set(row.endpointId, row.since);
    else claimed.push(row);
  }
  return { claimed, behind };
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
    /** The hour that it is counted in. */
    hour: Date;
    succeeded: boolean;
    latencyStep: number;
  };
}

/**
 * Stores and counts every attempt, but accepts the outcome only from the delivery's current holder. An endpoint fails from its
 * first failed attempt until one succeeds; among attempts stored together, one success is enough. Repeatable. Changes counts
 * and endpoints in the order of their keys, so that two nodes never wait for each other.
 */
export async function recordOutcomes(db: Queryable, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  const endpointIds = [...new Set(outcomes.map(({ endpointId }) => endpointId))];
  const rows = recordset(outcomes.map(({ attempt, ...outcome }) => ({ ...attempt, ...outcome })));
  await db.$executeRaw`
    WITH outcome AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${rows}::json) AS o(id uuid, "deliveryId" uuid, holder int, status text,
        "attemptCount" int, "nextAttemptAt" timestamptz, "statusCode" int, error text, answer text,
        "responseHeaders" jsonb, "latencyMs" int, "startedAt" timestamptz, "endpointId" uuid, hour timestamptz,
        succeeded boolean, "latencyStep" smallint)),
    accepted AS (
      UPDATE webhook_delivery d SET status = o.status::"WebhookDeliveryStatus",
        attempt_count = o."attemptCount", next_attempt_at = o."nextAttemptAt"
      FROM outcome o
      WHERE d.id = ANY(${outcomes.map(({ deliveryId }) => deliveryId)}::uuid[]) AND d.id = o."deliveryId"
        AND d.holder = o.holder),
    health AS (
      SELECT "endpointId" AS id, CASE WHEN NOT bool_or(succeeded) THEN min("startedAt") END AS failing_since
      FROM outcome GROUP BY 1),
    changed AS (
      SELECT endpoint.id, health.failing_since FROM webhook_endpoint endpoint JOIN health USING (id)
      WHERE endpoint.id = ANY(${endpointIds}::uuid[])
        AND (endpoint.failing_since IS NULL) <> (health.failing_since IS NULL)
      ORDER BY endpoint.id FOR NO KEY UPDATE OF endpoint),
    noted AS (
      UPDATE webhook_endpoint endpoint SET failing_since = changed.failing_since FROM changed
      WHERE endpoint.id = ANY(${endpointIds}::uuid[]) AND endpoint.id = changed.id),
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
