import { JsonText, printJson } from '../../base/json/json-text.ts';
import type { PaymentStatus } from '../../payments/rules/payment.ts';
import type { JsonObject } from '../../base/json/json-object.ts';
import type { RefundStatus } from '../../refunds/rules/refund.ts';

export const eventTypes = [
  'payment_updated',
  'payment_scheduled',
  'payment_debit_failed',
  'payment_completed',
  'payment_overdue',
  'payment_expired',
  'payment_cancelled',
  'payment_refunded',
  'payment_duplicated',
  'refund_completed',
  'refund_failed',
  'payment_reversed',
  'payment_disputed',
  'payment_dispute_deadline',
  'payment_dispute_closed',
] as const;

/** Events about a recurrence, which is their `data`: sent and numbered like those about the service. */
export const recurrenceEventTypes = [
  'recurrence_activated',
  'recurrence_rejected',
  'recurrence_cancelled',
  'recurrence_expired',
] as const;

export type RecurrenceEventType = (typeof recurrenceEventTypes)[number];

/** Events about money without a payment, which is their `data`: sent and numbered like those about recurrences. */
export const bookEventTypes = ['unmatched_pix_received'] as const;

type BookEventType = (typeof bookEventTypes)[number];

/** Those whose `data` is no payment. */
export type OtherEventType = RecurrenceEventType | BookEventType | OperationsEventType;

/**
 * Events about the service rather than a payment. They are sent only to endpoints that list them, and
 * `GET /v1/events` leaves them out.
 */
const operationsEventTypes = ['ops_alert_opened', 'ops_alert_closed'] as const;

type OperationsEventType = (typeof operationsEventTypes)[number];

/** What an endpoint can subscribe to. */
export const endpointEventTypes = [
  ...eventTypes,
  ...recurrenceEventTypes,
  ...bookEventTypes,
  ...operationsEventTypes,
] as const;

export type EndpointEventType = (typeof endpointEventTypes)[number];

/** Values of `type` in webhooks and in every API. */
export type EventType = (typeof eventTypes)[number];

const eventOfStatus: Partial<Record<PaymentStatus, EventType>> = {
  completed: 'payment_completed',
  expired: 'payment_expired',
  cancelled: 'payment_cancelled',
  refunded: 'payment_refunded',
};

export const refundEventOf = (status: RefundStatus): EventType | undefined =>
  status === 'pending' ? undefined : `refund_${status}`;

/**
 * The events that a change of a payment causes. Each happens at most once per payment, except for `payment_refunded`:
 * money that was taken back may return and leave once more.
 */
export function eventsOf(
  payment: { status: PaymentStatus; duplicatePayment: boolean; overdue: boolean },
  change: { status?: PaymentStatus; duplicatePayment?: boolean; overdue?: boolean },
): EventType[] {
  const events: EventType[] = [];
  const statusEvent = change.status && eventOfStatus[change.status];
  // A refunded payment becomes completed again when the money returns, which is no second `payment_completed`.
  const wasRefunded = payment.status === 'refunded';
  if (statusEvent && !wasRefunded) events.push(statusEvent);
  if (change.overdue && !payment.overdue) events.push('payment_overdue');
  if (change.duplicatePayment && !payment.duplicatePayment) events.push('payment_duplicated');
  return events;
}

/** What an event is about besides its payment. */
interface EventSubjectViews {
  refund?: object | undefined;
  reversal?: object | undefined;
  dispute?: object | undefined;
  previous?: object | undefined;
}

/** Does what `splitEventBody` does, for an event whose `data` is no payment. */
export function splitOtherEventBody(
  event: { id: string; type: OtherEventType; createdAt: Date },
  data: object,
): [head: string, tail: string] {
  const { id, type, createdAt } = event;
  const head = JSON.stringify({ id, type, createdAt: createdAt.toISOString() }).slice(0, -1);
  return [`${head},"sequence":`, `,"data":${JSON.stringify(data)}}`];
}

const metadataMember = ',"metadata":';

/**
 * The event body in two parts, with its sequence number and epoch to go in between: the database assigns them in
 * the statement that stores the body. `metadata` comes last so that it can be found without parsing.
 */
export function splitEventBody(
  event: { id: string; type: EventType; createdAt: Date },
  about: { data: Readonly<JsonObject> } & EventSubjectViews,
): [head: string, tail: string] {
  const { id, type, createdAt } = event;
  const head = JSON.stringify({ id, type, createdAt: createdAt.toISOString() }).slice(0, -1);
  const { data: payment, ...subject } = about;
  const { metadata, ...data } = payment;
  const tail = printJson({ ...subject, data: { ...data, metadata } });
  return [`${head},"sequence":`, `,${tail.slice(1)}`];
}

/** Parses everything but `metadata`, which stays text. */
export function parseEventBody(body: string): { data: { metadata?: JsonText } } {
  // Quotes inside a string are escaped, so the first match is the member itself.
  const at = body.indexOf(metadataMember);
  if (at < 0) return JSON.parse(body) as { data: object };
  const event = JSON.parse(`${body.slice(0, at)}}}`) as { data: object };
  const metadata = new JsonText(body.slice(at + metadataMember.length, -2));
  return { ...event, data: { ...event.data, metadata } };
}
