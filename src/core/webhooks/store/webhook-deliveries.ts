import { Prisma } from '../../../database/generated/client.ts';
import type { EndpointEventType } from '../../events/rules/events.ts';
import type { Tenant } from '../../payments/store/payments.ts';
import type { Queryable } from '../../../database/database.ts';

export type WebhookDeliveryStatus = 'pending' | 'delivered' | 'exhausted';

export interface DeliveryRow {
  id: string;
  eventId: string;
  endpointId: string;
  status: WebhookDeliveryStatus;
  attemptCount: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  event: { type: EndpointEventType; sequence: bigint; paymentId: string };
}

const deliveryFields = {
  id: true,
  eventId: true,
  endpointId: true,
  status: true,
  attemptCount: true,
  nextAttemptAt: true,
  createdAt: true,
  event: { select: { type: true, sequence: true, paymentId: true } },
} as const;

/** Newest events first. */
export const findDeliveries = (db: Queryable, ids: readonly string[]): Promise<DeliveryRow[]> =>
  db.webhookDelivery.findMany({
    where: { id: { in: [...ids] } },
    select: deliveryFields,
    orderBy: { eventId: 'desc' },
  });

/** The deliveries for all events of a payment, oldest first. */
export const listDeliveriesOfPayment = (
  db: Queryable,
  paymentId: string,
  limit: number,
): Promise<DeliveryRow[]> =>
  db.webhookDelivery.findMany({
    where: { event: { paymentId } },
    select: deliveryFields,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: limit,
  });

export const findDelivery = (db: Queryable, id: string): Promise<DeliveryRow | null> =>
  db.webhookDelivery.findUnique({ where: { id }, select: deliveryFields });

export interface EventOfDelivery {
  endpointId: string;
  eventId: string;
  paymentId: string;
  body: string;
  traceparent: string | null;
}

export async function findEventOfDelivery(db: Queryable, id: string): Promise<EventOfDelivery | null> {
  const row = await db.webhookDelivery.findUnique({
    where: { id },
    select: {
      endpointId: true,
      eventId: true,
      event: { select: { paymentId: true, body: true, traceparent: true } },
    },
  });
  return row && { endpointId: row.endpointId, eventId: row.eventId, ...row.event };
}

export interface AttemptRow {
  id: string;
  deliveryId: string;
  statusCode: number | null;
  error: string | null;
  answer: string | null;
  responseHeaders: Record<string, string> | null;
  latencyMs: number;
  startedAt: Date;
}

/** Most attempts shown, because a delivery may be resent any number of times. */
const maximumAttempts = 50;

/** The latest attempts of each delivery, in order, read at once. */
export const listDeliveryAttempts = (db: Queryable, deliveryIds: readonly string[]): Promise<AttemptRow[]> =>
  db.$queryRaw<AttemptRow[]>`
    SELECT a.id, a.delivery_id AS "deliveryId", a.status_code AS "statusCode", a.error, a.answer,
      a.response_headers AS "responseHeaders", a.latency_ms AS "latencyMs", a.started_at AS "startedAt"
    FROM unnest(${deliveryIds}::uuid[]) AS d(id) CROSS JOIN LATERAL (
      SELECT * FROM webhook_attempt WHERE delivery_id = d.id ORDER BY id DESC LIMIT ${maximumAttempts}) AS a
    ORDER BY a.id`;

/** Invalidates the current holder, so that it is certainly sent once more. */
export const markedForResend = Prisma.sql`status = 'pending', attempt_count = 0, holder = webhook_delivery.holder + 1`;

export async function resendDelivery(db: Queryable, id: string, now: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE webhook_delivery SET ${markedForResend}, next_attempt_at = ${now} WHERE id = ${id}::uuid`;
}

/** A range of a tenant's events, in id order. */
export interface EventStretch {
  afterEventId: string;
  beforeEventId: string;
  limit: number;
}

/** When the first event after `limit` others of the range was created; undefined when there are no more. */
export async function findEventBeyond(
  db: Queryable,
  { organizationId, mode }: Tenant,
  { afterEventId, beforeEventId, limit }: EventStretch,
): Promise<Date | undefined> {
  const [beyond] = await db.$queryRaw<{ createdAt: Date }[]>`
    SELECT created_at AS "createdAt" FROM event WHERE id = (
      SELECT id FROM event
      WHERE organization_id = ${organizationId}::uuid AND mode = ${mode}::"Mode" AND id < ${beforeEventId}::uuid
        AND (organization_id, mode, id) > (${organizationId}::uuid, ${mode}::"Mode", ${afterEventId}::uuid)
      ORDER BY organization_id, mode, id OFFSET ${limit} LIMIT 1)`;
  return beyond?.createdAt;
}

/** Events of operations have negative numbers, and go only to endpoints that list their types. */
const isPaymentEvent = Prisma.raw('looked_at.sequence > 0');

/**
 * Resends those of the next `limit` events that the endpoint subscribes to, including ones missed while disabled. Costs what
 * scanning the events costs, however few match. `lastEventId` is null when there are no more.
 */
export async function resendDeliveriesAfter(
  db: Queryable,
  endpoint: Tenant & { id: string },
  { afterEventId, beforeEventId, limit }: EventStretch,
  now: Date,
): Promise<{ resent: number; lastEventId: string | null }> {
  const { organizationId, mode } = endpoint;
  const [part] = await db.$queryRaw<{ resent: number; lastEventId: string | null }[]>`
    WITH looked_at AS MATERIALIZED (
      SELECT id, type, sequence FROM event
      WHERE organization_id = ${organizationId}::uuid AND mode = ${mode}::"Mode" AND id < ${beforeEventId}::uuid
        AND (organization_id, mode, id) > (${organizationId}::uuid, ${mode}::"Mode", ${afterEventId}::uuid)
      ORDER BY organization_id, mode, id LIMIT ${limit}
    ), wanted AS MATERIALIZED (
      SELECT looked_at.id FROM looked_at, webhook_endpoint endpoint
      WHERE endpoint.id = ${endpoint.id}::uuid
        AND ((endpoint.events = '{}' AND ${isPaymentEvent}) OR looked_at.type = ANY(endpoint.events))
    ), resent AS (
      INSERT INTO webhook_delivery (event_id, endpoint_id, next_attempt_at, created_at)
      SELECT id, ${endpoint.id}::uuid, ${now}, ${now} FROM wanted
      ON CONFLICT (endpoint_id, event_id) DO UPDATE SET ${markedForResend}, next_attempt_at = ${now}
    )
    SELECT (SELECT count(*)::int FROM wanted) AS resent, (SELECT id::text FROM looked_at
      ORDER BY id OFFSET ${limit}::int - 1 LIMIT 1) AS "lastEventId"`;
  if (!part) throw new Error('a count has one row');
  return part;
}
