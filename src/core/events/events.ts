import { z } from 'zod';
import { recurrenceViewSchema } from '../recurrences/views/recurrence-view.ts';
import { unmatchedPixViewSchema } from '../books/rules/unmatched-pix-view.ts';
import { bookEventTypes, eventTypes, parseEventBody, recurrenceEventTypes } from './rules/events.ts';
import { printJson } from '../base/json/json-text.ts';
import type { Database } from '../../database/database.ts';
import { listEvents } from './store/events.ts';
import type { PaymentHints } from './payment-hints.ts';
import { assertMay, type Caller, may } from '../base/caller.ts';
import { type FieldNames, limitParameter, parse, withoutNulls } from '../base/parsing/parse.ts';
import type { PayerViews } from '../audit/payer-views.ts';
import {
  type PaymentView,
  paymentViewSchema,
  previousSchema,
  shownTo,
} from '../payments/views/payment-view.ts';
import { disputeViewSchema } from '../disputes/views/dispute-view.ts';
import { reversalViewSchema } from '../refunds/views/reversal-view.ts';
import { refundViewSchema } from '../refunds/views/refund-view.ts';

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
  previous: previousSchema
    .optional()
    .meta({ description: 'What a `payment_updated` event has changed, as it was before.' }),
});

/** The body of a webhook about a recurrence; endpoints get one if they list its type. */
export const recurrenceEventSchema = eventSchema
  .pick({ id: true, createdAt: true, sequence: true, epoch: true })
  .extend({
    type: z.enum(recurrenceEventTypes).meta({ description: 'Event type.' }),
    data: recurrenceViewSchema.meta({ description: 'The recurrence at the time of the event.' }),
  });

/** The body of a webhook about money without a payment; endpoints get one if they list its type. */
export const bookEventSchema = recurrenceEventSchema.extend({
  type: z.enum(bookEventTypes).meta({ description: 'Event type.' }),
  data: unmatchedPixViewSchema.meta({ description: 'The Pix of no payment.' }),
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

interface EventPage {
  /** Byte for byte as in webhooks, except that payer data is removed for callers who may not see it. */
  bodies: string[];
  sequences: string[];
  nextCursor?: string;
}

export interface EventService {
  /** Notifies of new events by any process. Only a hint: the events themselves are in the database. */
  subscribe(listener: () => void): void;
  /** Lists the organization's events by sequence number. `names` maps query fields to the transport's names. */
  list(caller: Caller, query: unknown, names?: FieldNames): Promise<EventPage>;
  /** One event of the page, for callers that read parts of it. */
  read(caller: Caller, body: string): EventView;
}

interface Dependencies {
  db: Database;
  hints: Pick<PaymentHints, 'subscribe'>;
  payerViews: Pick<PayerViews, 'show'>;
}

/** The event with only what may be shown of its payment. */
export function eventOf(body: string, shown: (payment: PaymentView) => PaymentView): EventView {
  const event = eventView(body);
  return { ...event, data: shown(event.data) };
}

function eventView(body: string): EventView {
  const event = parseEventBody(body) as Omit<EventView, 'epoch'> & { epoch?: number };
  return { ...event, epoch: event.epoch ?? 1 };
}

/** Leaves out payer data for callers who may not read it. */
export function bodyShownTo(caller: Caller, body: string): string {
  if (may(caller, 'payers:read')) return body;
  const event = eventView(body);
  return printJson({ ...event, data: shownTo(caller, event.data) });
}

export function createEventService({ db, hints, payerViews }: Dependencies): EventService {
  return {
    subscribe(listener) {
      hints.subscribe((hint) => {
        if (hint?.kind !== 'created') listener();
      });
    },

    read: (caller, body) => eventOf(body, (view) => payerViews.show(caller, view)),

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
