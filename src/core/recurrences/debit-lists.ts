import { z } from 'zod';
import type { Reports } from '../../database/reports.ts';
import type { PayerViews } from '../audit/payer-views.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { badRequest } from '../base/errors.ts';
import { cents, reaisFromCents } from '../base/money.ts';
import { type FieldNames, parse, withoutNulls } from '../base/parsing/parse.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import { addDays, type CalendarDay } from '../base/time/calendar-day.ts';
import type { CheckoutLinks } from '../checkout/links/checkout-links.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import { daySchema } from '../payments/rules/due/due.ts';
import type { Payment } from '../payments/rules/payment.ts';
import { listFailedDebits } from '../payments/store/debits.ts';
import { findPayments } from '../payments/store/payments.ts';
import type { PaymentPage } from '../payments/views/list-payments-input.ts';
import { decodeCursor, encodeCursor } from '../payments/views/payment-cursor.ts';
import { paymentView, type PaymentView } from '../payments/views/payment-view.ts';
import { findRecurrences } from './store/recurrences.ts';
import { listUpcomingDebits, maximumOfDay, sumUpcomingDebits } from './store/upcoming-debits.ts';
import { listDebitsSchema } from './views/recurrence-input.ts';
import { recurrenceView, type RecurrenceView } from './views/recurrence-view.ts';

interface DebitDay {
  on: CalendarDay;
  count: number;
  amount: number;
  /** Whether there may be more than are counted. */
  isAtLeast: boolean;
}

export interface UpcomingDebitView {
  amount: number;
  recurrence: RecurrenceView;
  /** Undefined until the service has sent it. */
  payment: PaymentView | undefined;
}

interface UpcomingDebitPage {
  data: UpcomingDebitView[];
  nextCursor?: string;
}

/** Debits of all recurrences: what is to come, and what failed. */
export interface DebitLists {
  /** The days of the next four weeks that have debits. */
  days(caller: Caller): Promise<DebitDay[]>;
  /** The debits of one of these days, those of the newest recurrences first. */
  upcoming(caller: Caller, query: unknown, names?: FieldNames): Promise<UpcomingDebitPage>;
  /** Debits that failed, for good or until they are tried again, newest first; `ourFault` leaves those that failed by it. */
  failed(caller: Caller, query: unknown, names?: FieldNames): Promise<PaymentPage>;
}

interface Dependencies {
  reports: Reports;
  payerViews: Pick<PayerViews, 'show' | 'showRecurrence'>;
  links: Pick<CheckoutLinks, 'withCheckout' | 'withConsent'>;
  testClocks: Pick<TestClocks, 'nowIn'>;
}

const lastDay = 27;

const failedDebitsSchema = listDebitsSchema.extend({ ourFault: z.boolean().optional() });
const daysDebitsSchema = listDebitsSchema.extend({ on: daySchema });

export function createDebitLists({ reports, payerViews, links, testClocks }: Dependencies): DebitLists {
  function nextDays(caller: Caller): { from: CalendarDay; to: CalendarDay } {
    const from = brasiliaDay(testClocks.nowIn(caller));
    return { from, to: addDays(from, lastDay) };
  }

  const shownPayment = (caller: Caller, payment: Payment): PaymentView =>
    payerViews.show(caller, links.withCheckout(paymentView(payment), caller.organizationId));

  const beforeOf = (cursor: string | undefined, names: FieldNames) =>
    cursor === undefined ? undefined : decodeCursor(cursor, names['cursor'] ?? 'cursor');

  return {
    async days(caller) {
      assertMay(caller, 'payments:investigate');
      const days = await reports.read(caller.organizationId, (db) =>
        sumUpcomingDebits(db, caller, nextDays(caller)),
      );
      return days.map(({ on, count, amountInCents }) => ({
        on,
        count,
        amount: reaisFromCents(cents(amountInCents)),
        isAtLeast: count >= maximumOfDay,
      }));
    },

    async upcoming(caller, query, names = {}) {
      assertMay(caller, 'payments:investigate');
      const { on, limit, cursor } = parse(daysDebitsSchema, withoutNulls(query), names);
      const beforeId = beforeOf(cursor, names);
      const { organizationId, mode } = caller;
      const { from, to } = nextDays(caller);
      if (on < from || on > to) throw badRequest(`on must be a day from ${from} to ${to}`);
      return reports.read(caller.organizationId, async (db) => {
        const found = await listUpcomingDebits(db, caller, { on, beforeId, limit: limit + 1 });
        const page = found.slice(0, limit);
        const recurrences = await findRecurrences(
          db,
          page.map(({ recurrenceId }) => recurrenceId),
        );
        const payments = await findPayments(
          db,
          page.flatMap(({ paymentId: id }) => (id === null ? [] : [{ organizationId, mode, id }])),
        );
        const data = page.flatMap(({ recurrenceId, paymentId, amountInCents }) => {
          const recurrence = recurrences.find(({ id }) => id === recurrenceId);
          const payment = payments.find((each) => each?.id === paymentId);
          if (!recurrence) return [];
          return {
            amount: reaisFromCents(amountInCents),
            recurrence: payerViews.showRecurrence(caller, links.withConsent(recurrenceView(recurrence))),
            payment: payment && shownPayment(caller, payment),
          };
        });
        const last = found.length > limit ? page.at(-1) : undefined;
        return { data, ...(last && { nextCursor: encodeCursor(last.recurrenceId) }) };
      });
    },

    async failed(caller, query, names = {}) {
      assertMay(caller, 'payments:investigate');
      const { limit, cursor, ourFault = false } = parse(failedDebitsSchema, withoutNulls(query), names);
      const beforeId = beforeOf(cursor, names);
      const found = await reports.read(caller.organizationId, (db) =>
        listFailedDebits(db, caller, { isOurFault: ourFault, beforeId, limit: limit + 1 }),
      );
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        data: page.map((payment) => shownPayment(caller, payment)),
        ...(last && { nextCursor: encodeCursor(last.id) }),
      };
    },
  };
}
