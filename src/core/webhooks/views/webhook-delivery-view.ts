import type { EndpointEventType } from '../../events/rules/events.ts';
import type { Queryable } from '../../../database/database.ts';
import {
  type AttemptRow,
  type DeliveryRow,
  listDeliveryAttempts,
  type WebhookDeliveryStatus,
} from '../store/webhook-deliveries.ts';
import { type Caller, may } from '../../base/caller.ts';

export interface HeaderView {
  name: string;
  value: string;
}

export const headersView = (headers: Readonly<Record<string, string>>): HeaderView[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

export interface WebhookAttemptView {
  /** Null when there was no response. */
  statusCode: number | null;
  error: string | null;
  /** The first two kilobytes. Null, like the headers, for callers who may not read payer data. */
  answer: string | null;
  responseHeaders: HeaderView[] | null;
  latencyMs: number;
  startedAt: Date;
}

export interface WebhookDeliveryView {
  id: string;
  endpointId: string;
  eventId: string;
  eventType: EndpointEventType;
  sequence: string;
  eventSequence: number;
  paymentId: string;
  status: WebhookDeliveryStatus;
  attemptCount: number;
  /** Null when nothing more will be sent. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  attempts: WebhookAttemptView[];
}

/** Operations events are stored with negative numbers. */
const numberOf = (sequence: bigint): string => String(sequence < 0n ? -sequence : sequence);

const viewOf = (
  row: DeliveryRow,
  attempts: readonly AttemptRow[],
  showsAnswers: boolean,
): WebhookDeliveryView => ({
  id: row.id,
  endpointId: row.endpointId,
  eventId: row.eventId,
  eventType: row.event.type,
  sequence: numberOf(row.event.sequence),
  eventSequence: Number(numberOf(row.event.sequence)),
  paymentId: row.event.paymentId,
  status: row.status,
  attemptCount: row.attemptCount,
  nextAttemptAt: row.nextAttemptAt,
  createdAt: row.createdAt,
  attempts: attempts
    .filter(({ deliveryId }) => deliveryId === row.id)
    .map(({ statusCode, error, answer, latencyMs, startedAt, responseHeaders }) => ({
      statusCode,
      error,
      answer: showsAnswers ? answer : null,
      responseHeaders: showsAnswers && responseHeaders ? headersView(responseHeaders) : null,
      latencyMs,
      startedAt,
    })),
});

/**
 * Reads every attempt in one query. Callers who may not read payer data see no response bodies, because an endpoint may echo
 * the event.
 */
export async function deliveryViews(
  db: Queryable,
  caller: Caller,
  rows: readonly DeliveryRow[],
): Promise<WebhookDeliveryView[]> {
  const attempts = await listDeliveryAttempts(
    db,
    rows.map(({ id }) => id),
  );
  const showsAnswers = may(caller, 'payers:read');
  return rows.map((row) => viewOf(row, attempts, showsAnswers));
}
