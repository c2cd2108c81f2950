import { bulkhead } from 'cockatiel';
import type { Metrics } from '../../observability/metrics.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { newId } from '../base/ids.ts';
import type { Dispute } from '../disputes/rules/dispute.ts';
import { disputeView } from '../disputes/views/dispute-view.ts';
import type { Payment } from '../payments/rules/payment.ts';
import type { Reversal } from '../payments/rules/reversal.ts';
import { changePayment, type LockedPayment, type PaymentChange } from '../payments/store/payment-changes.ts';
import { findPaymentById } from '../payments/store/payments.ts';
import { paymentView, previousView } from '../payments/views/payment-view.ts';
import type { Refund } from '../refunds/rules/refund.ts';
import { refundView } from '../refunds/views/refund-view.ts';
import { reversalView } from '../refunds/views/reversal-view.ts';
import type { EventNumbering } from './number-events.ts';
import type { PaymentHints } from './payment-hints.ts';
import { eventsOf, type EventType, refundEventOf, splitEventBody } from './rules/events.ts';
import { insertEvent } from './store/events.ts';

/**
 * The refund, reversal or dispute that has just been settled, opened or closed, or whose deadline is near, or an update, or a day
 * of a debit: it gets an event of its own.
 */
export interface EventSubject {
  refund?: Refund;
  reversal?: Reversal;
  dispute?: Dispute;
  isDeadlineNear?: true;
  isUpdated?: true;
  debit?: 'scheduled' | 'failed';
}

export type ChangePayment = (
  payment: LockedPayment,
  change: PaymentChange,
  subjects?: readonly EventSubject[],
) => Promise<void>;

interface PendingEvent {
  type: EventType;
  payment: LockedPayment;
  subject?: EventSubject;
}

/** `payment_completed` comes first and `payment_refunded` last, because money arrives before it leaves. */
function pendingEventsOf(
  payment: LockedPayment,
  change: PaymentChange,
  subjects: readonly EventSubject[],
): PendingEvent[] {
  const events = eventsOf(payment, change).map((type): PendingEvent => ({ type, payment }));
  const subjectEvents = subjects.flatMap((subject): PendingEvent[] => {
    const type = subjectEventOf(subject);
    return type ? [{ type, payment, subject }] : [];
  });
  const isFirst = ({ type }: PendingEvent) => type === 'payment_completed';
  return [...events.filter(isFirst), ...subjectEvents, ...events.filter((event) => !isFirst(event))];
}

function subjectEventOf({
  refund,
  reversal,
  dispute,
  isDeadlineNear,
  isUpdated,
  debit,
}: EventSubject): EventType | undefined {
  if (refund) return refundEventOf(refund.status);
  if (reversal) return 'payment_reversed';
  if (isUpdated) return 'payment_updated';
  if (debit) return debit === 'scheduled' ? 'payment_scheduled' : 'payment_debit_failed';
  if (isDeadlineNear) return 'payment_dispute_deadline';
  return dispute && (dispute.state === 'open' ? 'payment_disputed' : 'payment_dispute_closed');
}

/**
 * Runs `work` in a transaction. Changing a payment stores its events in the same transaction; subscribers are notified after the
 * commit, once the events are numbered. The events continue the trace at `traceparent`, which defaults to the payment's.
 */
export type ChangePayments = <T>(
  work: (tx: Queryable, change: ChangePayment) => Promise<T>,
  traceparent?: string | null,
) => Promise<T>;

interface Dependencies {
  db: Database;
  hints: Pick<PaymentHints, 'announce'>;
  numbering: Pick<EventNumbering, 'number'>;
  metrics: Pick<Metrics, 'paymentTold'>;
  now: () => Date;
}

/** A payment may become overdue again once it has another due date. */
const repeatable: readonly EventType[] = [
  'payment_updated',
  'payment_scheduled',
  'payment_debit_failed',
  'payment_overdue',
  'payment_refunded',
];

/** Half of the pool: a burst of confirmations queues here instead of starving everything else. */
const maximumTransactions = 10;

export function createChangePayments(dependencies: Dependencies): ChangePayments {
  const { db, hints, numbering, metrics, now } = dependencies;
  const slots = bulkhead(maximumTransactions, Infinity);

  async function record(
    tx: Queryable,
    payment: Payment,
    { type, payment: before, subject: { refund, reversal, dispute, isUpdated } = {} }: PendingEvent,
    traceparent: string | null,
  ): Promise<boolean> {
    const createdAt = now();
    const { id: paymentId, organizationId, mode } = payment;
    const event = { id: newId(createdAt), type, createdAt };
    const bodyAround = splitEventBody(event, {
      data: paymentView(payment),
      refund: refund && refundView(refund),
      reversal: reversal && reversalView(reversal),
      dispute: dispute && disputeView(dispute),
      previous: isUpdated && previousView(before),
    });
    const mayRepeat = reversal || dispute || repeatable.includes(type);
    const subjectId = refund?.id ?? (mayRepeat ? event.id : undefined);
    return insertEvent(tx, {
      ...event,
      organizationId,
      mode,
      paymentId,
      subjectId,
      bodyAround,
      traceparent,
    });
  }

  return async (work, traceparent) => {
    let changed: LockedPayment[] = [];
    let waiting: LockedPayment[] = [];
    let pending: PendingEvent[] = [];
    const run = async (tx: Queryable) => {
      changed = [];
      waiting = [];
      pending = [];
      const latest = new Map<string, Payment>();
      const outcome = await work(tx, async (payment, change, subjects = []) => {
        const { id } = payment;
        const isUnchanged = Object.keys(change).length === 0;
        const after = await (isUnchanged ? findPaymentById(tx, id) : changePayment(tx, id, change));
        if (!after) throw new Error(`payment ${id} does not exist`);
        latest.set(id, after);
        changed.push(payment);
        pending.push(...pendingEventsOf(payment, change, subjects));
      });
      // Last, because a number that is taken here keeps the organization's other events waiting until the commit.
      for (const event of pending) {
        const { id, traceparent: paymentTraceparent } = event.payment;
        const payment = latest.get(id);
        const itsTrace = traceparent === undefined ? paymentTraceparent : traceparent;
        if (payment && (await record(tx, payment, event, itsTrace))) waiting.push(event.payment);
      }
      return outcome;
    };
    const result = await slots.execute(() => db.$transaction(run));
    await Promise.all(waiting.map((payment) => numbering.number(payment, payment.id)));
    for (const { type, payment } of pending) metrics.paymentTold(type.replace('payment_', ''), payment.mode);
    for (const { id, organizationId, mode } of changed) {
      hints.announce({ kind: 'changed', organizationId, mode, id });
    }
    return result;
  };
}
