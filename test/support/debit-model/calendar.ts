import { daysLater, isBusinessDay } from '../due/second-reckoning.ts';
import { periodStart } from '../psp-emulator/automatic.ts';
import type { Frequency } from './plans.ts';

/** The scheme's calendar, from its rules alone. Days are written YYYY-MM-DD, and all are of Brasília. */

const periods = { weekly: 'week', monthly: 1, quarterly: 3, semiannually: 6, annually: 12 } as const;

export const at = (day: string, time: string): Date => new Date(`${day}T${time}:00-03:00`);

export const dayOf = (moment: Date): string =>
  new Date(moment.getTime() - 3 * 3_600_000).toISOString().slice(0, 10);

export const debitDay = (startDate: string, frequency: Frequency, index: number): string =>
  periodStart(startDate, periods[frequency], index);

/** On which a payer's bank debits what is due on a day. */
export function bankDay(day: string): string {
  let each = day;
  while (!isBusinessDay(each)) each = daysLater(each, 1);
  return each;
}

/** The last day on which two business days remain until the debit, its own included. */
export function lastDayToSend(debit: string): string {
  let remaining = 0;
  let day = debit;
  while (remaining < 2) {
    if (isBusinessDay(day)) remaining += 1;
    day = daysLater(day, -1);
  }
  return day;
}

export const firstDayToSend = (debit: string): string => daysLater(debit, -10);

/** Four days before, or earlier where fewer than two business days would remain. */
export function dayToSend(debit: string): string {
  const [usual, last] = [daysLater(debit, -4), lastDayToSend(debit)];
  return usual < last ? usual : last;
}

/** From when on neither side stops what is debited on a day. */
export const cutOff = (day: string): Date => at(daysLater(day, -1), '22:00');
