import { isSendingSoon } from '../../../parts/delivery-polling.ts';
import type { Attempt, Delivery, Investigation, PaymentDetail, Refund } from '../documents.ts';

/** What a timeline tells, each with its instant. */
export type Happening = { at: string; key: string } & (
  | { kind: 'created' }
  | { kind: 'routed'; attempts: Attempt[] }
  | { kind: 'event'; type: PaymentDetail['events'][number]['type'] }
  | { kind: 'delivery'; delivery: Delivery }
  | { kind: 'refund'; refund: Refund }
);

/** From the creation to the last delivery; what happened at one instant stays in the order of its causes. */
export function happeningsOf({ payment, attempts, events, refunds, deliveries }: PaymentDetail): Happening[] {
  const happenings: Happening[] = [
    { kind: 'created', key: 'created', at: payment.createdAt },
    { kind: 'routed', key: 'routed', at: payment.createdAt, attempts },
    ...refunds.map((refund): Happening => ({ kind: 'refund', key: refund.id, at: refund.createdAt, refund })),
    ...events.map(({ id, type, createdAt }): Happening => ({ kind: 'event', key: id, at: createdAt, type })),
    ...deliveries.map((delivery): Happening => ({
      kind: 'delivery',
      key: delivery.id,
      at: delivery.createdAt,
      delivery,
    })),
  ];
  return happenings.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

const busyMs = 2_000;
const calmMs = 30_000;

/** How long what was read is good: webhooks, a refund that was asked for and a second Pix change no payment, so that nothing tells of them. */
export function freshMs(read: Investigation | undefined): number {
  const { deliveries = [], refunds = [] } = read?.paymentDetail ?? {};
  const isRefunding = refunds.some(
    ({ status, awaitingApproval }) => status === 'pending' && !awaitingApproval,
  );
  return isRefunding || isSendingSoon(deliveries) ? busyMs : calmMs;
}
