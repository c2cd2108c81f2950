import { type Cents, reaisFromCents } from '../../base/money.ts';
import type { CalendarDay } from '../../base/time/calendar-day.ts';
import { amountOf, amountPartsOn } from '../../payments/rules/due/amount-due.ts';
import { adjustedDateOf, type DueTerms, lastPayableDayOf } from '../../payments/rules/due/due-terms.ts';
import { nextAmountAfter } from '../../payments/rules/due/next-amount.ts';

/** What a payer has to know of a due date. */
export interface CheckoutDue {
  date: CalendarDay;
  /** The date, or the next business day. */
  adjustedDate: CalendarDay;
  lastPayableOn: CalendarDay;
  isOverdue: boolean;
  /** The last day of the present amount, and what is owed from the day after; undefined if that stays what it is. */
  next: { until: CalendarDay; isToday: boolean; amount: number } | undefined;
}

/** What is owed on a day, and what to know of it. */
export function checkoutDueOn(
  today: CalendarDay,
  originalInCents: Cents,
  terms: DueTerms,
): { amountInCents: Cents; due: CheckoutDue } {
  const adjustedDate = adjustedDateOf(terms);
  const next = nextAmountAfter(today, originalInCents, terms);
  return {
    amountInCents: amountOf(amountPartsOn(today, originalInCents, terms)),
    due: {
      date: terms.date,
      adjustedDate,
      lastPayableOn: lastPayableDayOf(terms),
      isOverdue: today > adjustedDate,
      next: next && {
        until: next.until,
        isToday: next.until === today,
        amount: reaisFromCents(next.amountInCents),
      },
    },
  };
}
