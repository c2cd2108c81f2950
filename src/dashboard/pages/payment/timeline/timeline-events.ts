import { isSendingSoon } from '../../../parts/deliveries/delivery-polling.ts';
import type { Attempt, Delivery, Investigation, PaymentDetail, Refund } from '../base/documents.ts';

export type TimelineEvent = { at: string; key: string } & (
  | { kind: 'created' }
  | { kind: 'routed'; attempts: Attempt[] }
  | { kind: 'event'; event: PaymentDetail['events'][number] }
  | { kind: 'delivery'; delivery: Delivery }
  | { kind: 'refund'; refund: Refund }
);

/** The newest comes first; at the same instant, effects come before causes. */
export function timelineEventsOf({
  payment,
  attempts,
  events,
  refunds,
  deliveries,
}: PaymentDetail): TimelineEvent[] {
  const timelineEvents: TimelineEvent[] = [
    { kind: 'created', key: 'created', at: payment.createdAt },
    { kind: 'routed', key: 'routed', at: payment.createdAt, attempts },
    ...refunds.map((refund): TimelineEvent => ({
      kind: 'refund',
      key: refund.id,
      at: refund.createdAt,
      refund,
    })),
    ...events.map((event): TimelineEvent => ({
      kind: 'event',
      key: event.id,
      at: event.createdAt,
      event,
    })),
    ...deliveries.map((delivery): TimelineEvent => ({
      kind: 'delivery',
      key: delivery.id,
      at: delivery.createdAt,
      delivery,
    })),
  ];
  return timelineEvents.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).reverse();
}

const busyIntervalMs = 2_000;
const idleIntervalMs = 30_000;

/** Polling covers what updates no payment and so sends no live update: webhooks, pending refunds, a second Pix. */
export function refetchIntervalOf(read: Investigation | undefined): number {
  const { deliveries = [], refunds = [] } = read?.paymentDetail ?? {};
  const isRefunding = refunds.some(
    ({ status, awaitingApproval }) => status === 'pending' && !awaitingApproval,
  );
  return isRefunding || isSendingSoon(deliveries) ? busyIntervalMs : idleIntervalMs;
}
