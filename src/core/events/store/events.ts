import type { EventType } from '../rules/events.ts';
import type { Queryable } from '../../../database/database.ts';
import type { Tenant } from '../../payments/store/payments.ts';

export interface NewEvent extends Tenant {
  id: string;
  type: EventType;
  paymentId: string;
  /**
   * A payment has one event of a type per subject: the refund, or the event itself where it may happen again, as when a
   * lost chargeback is reversed. Defaults to the payment.
   */
  subjectId?: string | undefined;
  createdAt: Date;
  /** The body before and after its sequence number and epoch. */
  bodyAround: readonly [head: string, tail: string];
  /** The trace that its webhooks continue. */
  traceparent: string | null;
}

/** Stands in for the payment, so that one unique index serves all events. */
const noSubject = '00000000-0000-0000-0000-000000000000';

/**
 * Numbers and stores the event and creates a delivery per subscribed endpoint, which keeps the counter's row locked until the
 * commit: make this the last statement of the transaction. Where another transaction has the row, or an event of the payment
 * already waits, the event waits for `numberEvents` instead, which has to follow the commit. Returns whether it waits.
 */
export async function insertEvent(tx: Queryable, event: NewEvent): Promise<boolean> {
  const { organizationId, mode, paymentId, subjectId = noSubject, bodyAround, traceparent } = event;
  const [head, tail] = bodyAround;
  const waiting = await tx.$executeRaw`
    WITH free AS MATERIALIZED (
      SELECT organization_id, mode FROM event_counter
      WHERE organization_id = ${organizationId}::uuid AND mode = ${mode}::"Mode"
        AND NOT EXISTS (SELECT FROM waiting_event WHERE payment_id = ${paymentId}::uuid)
      FOR NO KEY UPDATE SKIP LOCKED),
    counted AS (
      UPDATE event_counter counter SET last_sequence = last_sequence + 1 FROM free
      WHERE counter.organization_id = free.organization_id AND counter.mode = free.mode
      RETURNING last_sequence, epoch),
    stored AS (
      INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, refund_id, body, created_at,
        traceparent)
      SELECT ${event.id}::uuid, ${organizationId}::uuid, ${mode}::"Mode", last_sequence,
        ${event.type}::"EventType", ${paymentId}::uuid, ${subjectId}::uuid,
        ${head}::text || last_sequence || ',"epoch":' || epoch || ${tail}::text, ${event.createdAt}, ${traceparent}::text
      FROM counted RETURNING id),
    delivered AS (
      INSERT INTO webhook_delivery (event_id, endpoint_id, next_attempt_at, created_at)
      SELECT stored.id, endpoint.id, ${event.createdAt}, ${event.createdAt}
      FROM stored, webhook_endpoint endpoint
      WHERE endpoint.organization_id = ${organizationId}::uuid AND endpoint.mode = ${mode}::"Mode"
        AND endpoint.enabled AND (endpoint.events = '{}' OR ${event.type}::"EventType" = ANY(endpoint.events)))
    INSERT INTO waiting_event (id, organization_id, mode, type, payment_id, refund_id, head, tail, created_at, traceparent)
    SELECT ${event.id}::uuid, ${organizationId}::uuid, ${mode}::"Mode", ${event.type}::"EventType", ${paymentId}::uuid,
      ${subjectId}::uuid, ${head}::text, ${tail}::text, ${event.createdAt}, ${traceparent}::text
    WHERE NOT EXISTS (SELECT FROM counted)`;
  return waiting > 0;
}

/**
 * Numbers the events of these payments that wait, and does for them what `insertEvent` does. Whoever else numbers some of them
 * is waited for: passing over those would number a later event of a payment first. One that the payment already has is dropped,
 * since it could never be stored and would keep the others waiting.
 */
export async function numberEvents(db: Queryable, paymentIds: readonly string[]): Promise<void> {
  await db.$executeRaw`
    WITH taken AS (
      DELETE FROM waiting_event WHERE position = ANY(ARRAY(
        SELECT position FROM waiting_event WHERE payment_id = ANY(${paymentIds}::uuid[]) ORDER BY position FOR UPDATE))
      RETURNING *),
    numbered AS MATERIALIZED (
      SELECT *, row_number() OVER (PARTITION BY organization_id, mode ORDER BY position DESC) - 1 AS after_it
      FROM taken WHERE NOT EXISTS (
        SELECT FROM event WHERE (event.payment_id, event.type, event.refund_id) = (taken.payment_id, taken.type, taken.refund_id))),
    counted AS (
      INSERT INTO event_counter (organization_id, mode, last_sequence)
      SELECT organization_id, mode, count(*) FROM numbered GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (organization_id, mode)
      DO UPDATE SET last_sequence = event_counter.last_sequence + excluded.last_sequence
      RETURNING organization_id, mode, last_sequence, epoch),
    stored AS (
      INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, refund_id, body, created_at, traceparent)
      SELECT id, organization_id, mode, last_sequence - after_it, type, payment_id, refund_id,
        head || (last_sequence - after_it) || ',"epoch":' || epoch || tail, created_at, traceparent
      FROM numbered JOIN counted USING (organization_id, mode) ORDER BY position
      RETURNING id, organization_id, mode, type, created_at)
    INSERT INTO webhook_delivery (event_id, endpoint_id, next_attempt_at, created_at)
    SELECT stored.id, endpoint.id, stored.created_at, stored.created_at
    FROM stored JOIN webhook_endpoint endpoint USING (organization_id, mode)
    WHERE endpoint.enabled AND (endpoint.events = '{}' OR stored.type = ANY(endpoint.events))`;
}

/** Some of the payments whose events wait, those that wait longest first. */
export const listWaitingPayments = (
  db: Queryable,
  limit: number,
): Promise<(Tenant & { paymentId: string })[]> =>
  db.waitingEvent.findMany({
    select: { organizationId: true, mode: true, paymentId: true },
    orderBy: { position: 'asc' },
    take: limit,
  });

export interface EventRow {
  sequence: bigint;
  body: string;
}

/** Lists them by sequence number. */
export const listEventsOfPayment = (db: Queryable, paymentId: string, limit: number): Promise<EventRow[]> =>
  db.event.findMany({
    where: { paymentId },
    select: { sequence: true, body: true },
    orderBy: { sequence: 'asc' },
    take: limit,
  });

/** Lists them by sequence number. */
export const listEvents = (
  db: Queryable,
  { organizationId, mode }: Tenant,
  afterSequence: bigint,
  limit: number,
): Promise<EventRow[]> =>
  db.event.findMany({
    where: { organizationId, mode, sequence: { gt: afterSequence } },
    select: { sequence: true, body: true },
    orderBy: { sequence: 'asc' },
    take: limit,
  });
