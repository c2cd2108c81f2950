import type { PaymentStatus } from './payment.ts';

export const eventTypes = [
  'payment_completed',
  'payment_expired',
  'payment_cancelled',
  'payment_refunded',
  'payment_duplicated',
] as const;

/** The words of `type`, in webhooks and on every interface. */
export type EventType = (typeof eventTypes)[number];

const eventOfStatus: Partial<Record<PaymentStatus, EventType>> = {
  completed: 'payment_completed',
  expired: 'payment_expired',
  cancelled: 'payment_cancelled',
  refunded: 'payment_refunded',
};

/** What a change of a payment means to whoever listens; each event happens to a payment once. */
export function eventsOf(
  payment: { duplicatePayment: boolean },
  change: { status?: PaymentStatus; duplicatePayment?: boolean },
): EventType[] {
  const events: EventType[] = [];
  const ofStatus = change.status && eventOfStatus[change.status];
  if (ofStatus) events.push(ofStatus);
  if (change.duplicatePayment && !payment.duplicatePayment) events.push('payment_duplicated');
  return events;
}

/**
 * The body of an event in two parts, between which its sequence number goes: the database gives the number in
 * the statement that stores the body.
 */
export function eventBodyAround(
  event: { id: string; type: EventType; createdAt: Date },
  data: object,
): [head: string, tail: string] {
  const { id, type, createdAt } = event;
  const head = JSON.stringify({ id, type, createdAt: createdAt.toISOString() }).slice(0, -1);
  return [`${head},"sequence":`, `,"data":${JSON.stringify(data)}}`];
}
