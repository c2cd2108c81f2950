import { addDays, addMonths, daysBetween } from '../../base/time/calendar-day.ts';
import type { Due } from '../../payments/rules/due/due.ts';

/** How many payments a batch may have. */
export const maximumPayments = 1_000;

export const periods = ['month', 'week'] as const;

export type Period = (typeof periods)[number];

/** The terms of an instalment, counted from 0. Discounts end as many days before its due date as in the first one. */
export function instalmentOf(due: Due, index: number, every: Period): Due {
  const date = every === 'month' ? addMonths(due.date, index) : addDays(due.date, 7 * index);
  const discounts = due.discounts?.map(({ until, ...size }) => ({
    until: addDays(date, daysBetween(due.date, until)),
    ...size,
  }));
  return { ...due, date, ...(discounts && { discounts }) };
}
