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
 * Numbers and stores the event and creates a delivery per subscribed endpoint. The counter row stays locked
 * until the commit, so make this the last statement of the transaction.
 */
export async function insertEvent(tx: Queryable, event: NewEvent): Promise<void> {
  const { organizationId, mode, subjectId = noSubject, bodyAround, traceparent } = event;
  const [head, tail] = bodyAround;
  await tx.$executeRaw`
    WITH next AS (
      UPDATE event_counter SET last_sequence = last_sequence + 1
      WHERE organization_id = ${organizationId}::uuid AND mode = ${mode}::"Mode"
      RETURNING last_sequence, epoch),
    first AS (
      INSERT INTO event_counter (organization_id, mode, last_sequence)
      SELECT ${organizationId}::uuid, ${mode}::"Mode", 1 WHERE NOT EXISTS (SELECT FROM next)
      ON CONFLICT (organization_id, mode) DO UPDATE SET last_sequence = event_counter.last_sequence + 1
      RETURNING last_sequence, epoch),
    counted AS (SELECT * FROM next UNION ALL SELECT * FROM first),
    stored AS (
      INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, refund_id, body, created_at,
        traceparent)
      SELECT ${event.id}::uuid, ${organizationId}::uuid, ${mode}::"Mode", last_sequence,
        ${event.type}::"EventType", ${event.paymentId}::uuid, ${subjectId}::uuid,
        ${head}::text || last_sequence || ',"epoch":' || epoch || ${tail}::text, ${event.createdAt}, ${traceparent}::text
      FROM counted RETURNING id)
    INSERT INTO webhook_delivery (event_id, endpoint_id, next_attempt_at, created_at)
    SELECT stored.id, endpoint.id, ${event.createdAt}, ${event.createdAt}
    FROM stored, webhook_endpoint endpoint
    WHERE endpoint.organization_id = ${organizationId}::uuid AND endpoint.mode = ${mode}::"Mode"
      AND endpoint.enabled AND (endpoint.events = '{}' OR ${event.type}::"EventType" = ANY(endpoint.events))`;
}

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
