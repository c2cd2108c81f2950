import { bulkhead } from 'cockatiel';
import { z } from 'zod';
import {
  splitEventBody,
  eventsOf,
  eventTypes,
  type EventType,
  parseEventBody,
  refundEventOf,
} from './rules/events.ts';
import { newId } from '../base/ids.ts';
import { printJson } from '../base/json/json-text.ts';
import type { Dispute } from '../disputes/rules/dispute.ts';
import type { Payment } from '../payments/rules/payment.ts';
import type { Refund } from '../refunds/rules/refund.ts';
import type { Reversal } from '../payments/rules/reversal.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { insertEvent, listEvents } from './store/events.ts';
import type { PaymentHints } from './payment-hints.ts';
import { findPaymentById } from '../payments/store/payments.ts';
import { changePayment, type PaymentChange, type SettledPayment } from '../payments/store/payment-changes.ts';
import { assertMay, type Caller, may } from '../base/caller.ts';
import { type FieldNames, limitParameter, parse, withoutNulls } from '../base/parsing/parse.ts';
import type { PayerViews } from '../audit/payer-views.ts';
import { paymentView, type PaymentView, paymentViewSchema, shownTo } from '../payments/views/payment-view.ts';
import { disputeView, disputeViewSchema } from '../disputes/dispute-view.ts';
import { reversalView, reversalViewSchema } from '../refunds/views/reversal-view.ts';
import { refundView, refundViewSchema } from '../refunds/views/refund-view.ts';

/** The body of a webhook, and an item of `GET /v1/events`. */
export const eventSchema = z.object({
  id: z.uuid().meta({ description: 'Unique event id, also sent as `webhook-id`.' }),
  type: z.enum(eventTypes).meta({ description: 'Event type.' }),
  createdAt: z.iso.datetime().meta({ description: 'When it happened.' }),
  sequence: z.int().min(1).meta({
    format: 'int64',
    description:
      'Consecutive number of the event within an organization and mode, from 1; without gaps within an epoch.',
  }),
  epoch: z.int().min(1).optional().meta({
    description:
      'Raised when the database was restored from a backup or failed over; `sequence` then goes on at a higher number. 1 where absent, in events of an earlier version.',
  }),
  data: paymentViewSchema.meta({ description: 'The payment at the time of the event.' }),
  refund: refundViewSchema
    .optional()
    .meta({ description: 'The refund of a `refund_completed` or `refund_failed` event.' }),
  reversal: reversalViewSchema
    .optional()
    .meta({ description: 'The reversal of a `payment_reversed` event.' }),
  dispute: disputeViewSchema
    .optional()
    .meta({ description: 'The dispute of a `payment_disputed` or `payment_dispute_closed` event.' }),
});

export type EventView = z.output<typeof eventSchema> & { epoch: number };

const maximumLimit = 100;
const afterRule = 'must be the sequence of an event, or 0';

export const listEventsSchema = z.object({
  after: z
    .string({ error: 'must be given once' })
    .regex(/^\d{1,18}$/, afterRule)
    .default('0')
    .meta({
      description: 'Returns only events with a greater `sequence`: pass the last one you have processed.',
    }),
  limit: limitParameter(maximumLimit, 20),
});

export const eventPageSchema = z.object({
  data: z.array(eventSchema),
  nextCursor: z
    .string()
    .optional()
    .meta({ description: 'Value for `after` of the next page; absent when there are no more events.' }),
});

export interface EventPage {
  /** Byte for byte as in webhooks, except that payer data is removed for callers who may not see it. */
  bodies: string[];
  sequences: string[];
  nextCursor?: string;
}

/** What has just been settled, opened or closed: an event of its own. */
export interface EventSubject {
  refund?: Refund;
  reversal?: Reversal;
  dispute?: Dispute;
}

export type ChangePayment = (
  payment: SettledPayment,
  change: PaymentChange,
  subjects?: readonly EventSubject[],
) => Promise<void>;

interface PendingEvent {
  type: EventType;
  payment: SettledPayment;
  subject?: EventSubject;
}

/** Money arrives before it leaves, and what leaves last makes the payment refunded. */
function inOrder(
  payment: SettledPayment,
  change: PaymentChange,
  subjects: readonly EventSubject[],
): PendingEvent[] {
  const events = eventsOf(payment, change).map((type): PendingEvent => ({ type, payment }));
  const ofSubjects = subjects.flatMap((subject): PendingEvent[] => {
    const type = subjectEventOf(subject);
    return type ? [{ type, payment, subject }] : [];
  });
  const isFirst = ({ type }: PendingEvent) => type === 'payment_completed';
  return [...events.filter(isFirst), ...ofSubjects, ...events.filter((event) => !isFirst(event))];
}

function subjectEventOf({ refund, reversal, dispute }: EventSubject): EventType | undefined {
  if (refund) return refundEventOf(refund.status);
  if (reversal) return 'payment_reversed';
  return dispute && (dispute.state === 'open' ? 'payment_disputed' : 'payment_dispute_closed');
}

export interface EventService {
  /**
   * Runs `work` in a transaction. Its changes of payments emit events in the same transaction; subscribers
   * are notified after the commit. The events continue the trace at `traceparent`, by default their payment's.
   */
  transact<T>(
    work: (tx: Queryable, change: ChangePayment) => Promise<T>,
    traceparent?: string | null,
  ): Promise<T>;
  /** Notifies of new events by any process. Only a hint: the events themselves are in the database. */
  subscribe(listener: () => void): void;
  /** In order. `names` maps query fields to the transport's names. */
  list(caller: Caller, query: unknown, names?: FieldNames): Promise<EventPage>;
  /** One event of the page, for callers that read parts of it. */
  read(caller: Caller, body: string): EventView;
}

interface Dependencies {
  db: Database;
  hints: Pick<PaymentHints, 'announce' | 'subscribe'>;
  payerViews: Pick<PayerViews, 'shown'>;
  now: () => Date;
}

/** Half of the pool: a burst of confirmations queues here instead of starving everything else. */
const maximumTransactions = 10;

/** The event with only what may be shown of its payment. */
export function eventOf(body: string, shown: (payment: PaymentView) => PaymentView): EventView {
  const event = eventView(body);
  return { ...event, data: shown(event.data) };
}

export function eventView(body: string): EventView {
  const event = parseEventBody(body) as Omit<EventView, 'epoch'> & { epoch?: number };
  return { ...event, epoch: event.epoch ?? 1 };
}

/** Without payer data for callers who may not read it. */
export function bodyShownTo(caller: Caller, body: string): string {
  if (may(caller, 'payers:read')) return body;
  const event = eventView(body);
  return printJson({ ...event, data: shownTo(caller, event.data) });
}

export function createEventService({ db, hints, payerViews, now }: Dependencies): EventService {
  const slots = bulkhead(maximumTransactions, Infinity);

  async function record(
    tx: Queryable,
    payment: Payment,
    { type, subject: { refund, reversal, dispute } = {} }: PendingEvent,
    traceparent: string | null,
  ): Promise<void> {
    const createdAt = now();
    const { id: paymentId, organizationId, mode } = payment;
    const event = { id: newId(createdAt), type, createdAt };
    const bodyAround = splitEventBody(event, {
      data: paymentView(payment),
      refund: refund && refundView(refund),
      reversal: reversal && reversalView(reversal),
      dispute: dispute && disputeView(dispute),
    });
    const mayRepeat = reversal || dispute || type === 'payment_refunded';
    const subjectId = refund?.id ?? (mayRepeat ? event.id : undefined);
    await insertEvent(tx, {
      ...event,
      organizationId,
      mode,
      paymentId,
      subjectId,
      bodyAround,
      traceparent,
    });
  }

  return {
    async transact(work, traceparent) {
      let changed: SettledPayment[] = [];
      const run = async (tx: Queryable) => {
        changed = [];
        const happened: PendingEvent[] = [];
        const latest = new Map<string, Payment>();
        const worked = await work(tx, async (payment, change, subjects = []) => {
          const { id } = payment;
          const isSame = Object.keys(change).length === 0;
          const after = await (isSame ? findPaymentById(tx, id) : changePayment(tx, id, change));
          if (!after) throw new Error(`payment ${id} does not exist`);
          latest.set(id, after);
          changed.push(payment);
          happened.push(...inOrder(payment, change, subjects));
        });
        // Last, because numbering an event blocks the organization's other events until the commit.
        for (const each of happened) {
          const { id, traceparent: ofPayment } = each.payment;
          const payment = latest.get(id);
          if (payment) await record(tx, payment, each, traceparent === undefined ? ofPayment : traceparent);
        }
        return worked;
      };
      const result = await slots.execute(() => db.$transaction(run));
      for (const { id: paymentId, organizationId, mode } of changed) {
        hints.announce({ kind: 'changed', organizationId, mode, paymentId });
      }
      return result;
    },

    subscribe(listener) {
      hints.subscribe((hint) => {
        if (hint?.kind !== 'created') listener();
      });
    },

    read: (caller, body) => eventOf(body, (view) => payerViews.shown(caller, view)),

    async list(caller, query, names = {}) {
      assertMay(caller, 'payments:read');
      const { after, limit } = parse(listEventsSchema, withoutNulls(query), names);
      const rows = await listEvents(db, caller, BigInt(after), limit + 1);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        bodies: page.map(({ body }) => bodyShownTo(caller, body)),
        sequences: page.map(({ sequence }) => String(sequence)),
        ...(rows.length > limit && last && { nextCursor: String(last.sequence) }),
      };
    },
  };
}
