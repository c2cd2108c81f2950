import type { Cents } from '../../../base/money.ts';
import { nextBusinessDay } from '../../../base/time/business-days.ts';
import { addDays, type CalendarDay } from '../../../base/time/calendar-day.ts';

/** Hundredths of a percent: 250 is 2.50 %. */
type BasisPoints = number;

/** A part of an amount, or an amount. */
export type Share = { basisPoints: BasisPoints } | { amountInCents: Cents };

export type Interest = { businessDays: boolean } & (
  { basisPoints: BasisPoints; per: 'day' | 'month' | 'year' } | { amountInCentsPerDay: Cents }
);

/** Taken off for each day before the due date. */
export type EarlyDiscount = { businessDays: boolean } & (
  { basisPointsPerDay: BasisPoints } | { amountInCentsPerDay: Cents }
);

type DatedDiscount = { until: CalendarDay } & Share;

/** What a charge with a due date asks for beside its amount. */
export interface DueTerms {
  date: CalendarDay;
  payableDaysAfter: number;
  /** Taken off whenever it is paid. */
  rebate?: Share;
  fine?: Share;
  interest?: Interest;
  /** Sorted by `until`, each smaller than the one before. */
  discounts?: readonly DatedDiscount[];
  earlyDiscount?: EarlyDiscount;
}

/** The day up to which no fine and no interest is due: that of the terms, or the next business day (Lei 7.089/1983). */
export const adjustedDateOf = ({ date }: Pick<DueTerms, 'date'>): CalendarDay => nextBusinessDay(date);

/** The last days of each discount, and the day up to which no fine is due: from the day after, other terms hold. */
export const turningDaysOf = ({
  date,
  discounts = [],
}: Pick<DueTerms, 'date' | 'discounts'>): CalendarDay[] => [
  // A discount whose last day is no business day holds until the next one (issues 390 and 412 of the API Pix).
  ...discounts.map(({ until }) => nextBusinessDay(until)),
  adjustedDateOf({ date }),
];

/** Counts from the adjusted date, as the seven examples of `validadeAposVencimento` in the API Pix 2.9.0 do. */
export const lastPayableDayOf = (terms: Pick<DueTerms, 'date' | 'payableDaysAfter'>): CalendarDay =>
  nextBusinessDay(addDays(adjustedDateOf(terms), terms.payableDaysAfter));

/** The day after which nobody pays any more: banks disagree about last days without business (issue 523 of the API Pix). */
export const closingDayOf = (terms: Pick<DueTerms, 'date' | 'payableDaysAfter'>): CalendarDay =>
  nextBusinessDay(addDays(lastPayableDayOf(terms), 1));
