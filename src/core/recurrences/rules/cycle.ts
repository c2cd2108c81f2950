import { businessDaysBetween } from '../../base/time/business-days.ts';
import { addDays, addMonths, type CalendarDay, daysBetween } from '../../base/time/calendar-day.ts';
import type { Frequency } from './recurrence.ts';

const monthsOf: Record<Exclude<Frequency, 'weekly'>, number> = {
  monthly: 1,
  quarterly: 3,
  semiannually: 6,
  annually: 12,
};

interface Cycles {
  startDate: CalendarDay;
  frequency: Frequency;
}

/** The day of a debit, counted from 0. The 31st becomes the last day of a shorter month. */
export const debitDayOf = ({ startDate, frequency }: Cycles, index: number): CalendarDay =>
  frequency === 'weekly' ? addDays(startDate, 7 * index) : addMonths(startDate, monthsOf[frequency] * index);

/** The cycle that a day belongs to: from the day of its debit until before the next one. Negative before the first. */
export function cycleOf(cycles: Cycles, day: CalendarDay): number {
  const length = cycles.frequency === 'weekly' ? 7 : 30.5 * monthsOf[cycles.frequency];
  let index = Math.floor(daysBetween(cycles.startDate, day) / length);
  while (debitDayOf(cycles, index + 1) <= day) index += 1;
  while (debitDayOf(cycles, index) > day) index -= 1;
  return index;
}

/** Providers take a debit from ten calendar days before its day; payers' banks need two business days. */
const earliestDaysBefore = 10;
const usualDaysBefore = 4;
const leastBusinessDays = 2;

/** The last day on which a debit can be sent; some providers have other `leastDays`. */
export function lastDayToSend(debitDay: CalendarDay, leastDays = leastBusinessDays): CalendarDay {
  let day = debitDay;
  while (businessDaysBetween(day, debitDay) < leastDays) day = addDays(day, -1);
  return day;
}

export const firstDayToSend = (debitDay: CalendarDay): CalendarDay => addDays(debitDay, -earliestDaysBefore);

/** The day on which the service sends a debit: four days before, or earlier where holidays leave fewer than two business days. */
export function dayToSend(debitDay: CalendarDay): CalendarDay {
  const usual = addDays(debitDay, -usualDaysBefore);
  const last = lastDayToSend(debitDay);
  return usual < last ? usual : last;
}

/** The first debit that can still be sent on `today`; undefined once the recurrence has ended by then. */
export function nextDebitDay(
  cycles: Cycles & { endDate: CalendarDay | null },
  today: CalendarDay,
  leastDays?: number,
): CalendarDay | undefined {
  let index = Math.max(0, cycleOf(cycles, today));
  while (lastDayToSend(debitDayOf(cycles, index), leastDays) < today) index += 1;
  const day = debitDayOf(cycles, index);
  return cycles.endDate && day > cycles.endDate ? undefined : day;
}
