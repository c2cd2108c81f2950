import type { Cents } from '../../../base/money.ts';
import { addDays, type CalendarDay, daysBetween } from '../../../base/time/calendar-day.ts';
import { amountOf, amountPartsOn } from './amount-due.ts';
import { type DueTerms, lastPayableDayOf } from './due-terms.ts';

export interface NextAmount {
  /** The last day of the present amount. */
  until: CalendarDay;
  /** What is owed on the day after. */
  amountInCents: Cents;
}

/** When the amount of a day changes, which only grows; undefined if it stays what it is. */
export function nextAmountAfter(
  day: CalendarDay,
  originalInCents: Cents,
  terms: DueTerms,
): NextAmount | undefined {
  const amountAfter = (days: number): Cents =>
    amountOf(amountPartsOn(addDays(day, days), originalInCents, terms));
  const present = amountAfter(0);
  let same = 0;
  let other = daysBetween(day, lastPayableDayOf(terms));
  if (other <= 0 || amountAfter(other) === present) return undefined;
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (amountAfter(middle) === present) same = middle;
    else other = middle;
  }
  return { until: addDays(day, same), amountInCents: amountAfter(other) };
}
