import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import { daysLater, isBusinessDay } from '../due/second-reckoning.ts';
import type { EmulatedPix } from './ledger.ts';
import type { Notification } from './psp.ts';

/** What becomes of a debit on the evening of its day. Each PSP has codes of its own for what is not `paid`. */
export type Outcome =
  | 'paid'
  | 'no_balance'
  | 'limit'
  | 'account_closed'
  | 'account_blocked'
  | 'operational'
  | 'mandate_ended'
  /** The bank refuses, because the payer's money has moved for this debit: so it has. */
  | 'already_paid'
  /** In the words of the PSP, as they are. */
  | { code: string };

interface EmulatedRecurrence {
  /** What the PSP calls it. */
  id: string;
  /** What our side calls it. */
  contract: string;
  /** In the words of the PSP. */
  status: string;
}

interface EmulatedAttempt {
  day: string;
  status: string;
  code?: string | undefined;
}

interface EmulatedDebit {
  /** Where its payer's money is asked for: a payment, an installment, a `cobr`. */
  id: string;
  recurrenceId: string;
  /** On which it was due at first. */
  day: string;
  amountInCents: bigint;
  status: string;
  attempts: EmulatedAttempt[];
  /** Money that has moved. */
  pix: readonly EmulatedPix[];
  madeAt: Date;
  /** From when on nothing more is to come of it. */
  endedAt: Date | undefined;
}

/** What the service asked and what became of it. */
export interface Asked {
  act: 'permit' | 'end' | 'create' | 'cancel' | 'retry';
  recurrenceId: string;
  /** Of the debit or of the retry. */
  day?: string;
  isAccepted: boolean;
}

/** What payers and their banks do, and the truth about it. Whatever cannot follow on the state that is there throws. */
export interface AutomaticPix {
  /** What it has to tell, oldest first, until a test has it delivered. */
  readonly outbox: Notification[];
  readonly journal: readonly Asked[];
  recurrences(): EmulatedRecurrence[];
  debits(): EmulatedDebit[];
  /**
   * The payer agrees, and pays the first charge where there is one. `journey`, in the words of the API Pix: in another way than by
   * the code.
   */
  approves(recurrenceId: string, journey?: string): void;
  rejects(recurrenceId: string): void;
  /** In the app of the bank, or the bank because it closes the account. */
  revokes(recurrenceId: string, by?: 'payer' | 'payer_bank'): void;
  /** The payer's bank takes the attempt that it was sent. */
  schedules(debitId: string): void;
  /** The payer's bank refuses the attempt that it was sent, days before. */
  declines(debitId: string, outcome: Outcome): void;
  /** The payer calls this debit off in the app of the bank, and permits those to come. */
  callsOff(debitId: string): void;
  /** The evening of the attempt's day, which must be today, has come. */
  settles(debitId: string, outcome: Outcome): void;
}

/** The 31st is the last day of a shorter month. */
export function monthsLater(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastDate))).toISOString().slice(0, 10);
}

type Period = 'week' | 1 | 3 | 6 | 12;

/** Periods are counted from the first day of all. */
export const periodStart = (firstDay: string, period: Period, index: number): string =>
  period === 'week' ? daysLater(firstDay, 7 * index) : monthsLater(firstDay, period * index);

/** The first day of the period after the one in which the day is. */
export function nextCycle(firstDay: string, period: Period, day: string): string {
  let index = 0;
  while (periodStart(firstDay, period, index) <= day) index += 1;
  return periodStart(firstDay, period, index);
}

export const daysUntil = (now: Date, day: string): number =>
  Math.round((Date.parse(day) - Date.parse(brasiliaDay(now))) / 86_400_000);

/** Business days after today, up to the day. */
export function businessDaysUntil(now: Date, day: string): number {
  let count = 0;
  for (let each = daysLater(brasiliaDay(now), 1); each <= day; each = daysLater(each, 1)) {
    if (isBusinessDay(each)) count += 1;
  }
  return count;
}

/** The hour, in Brasília, from which a debit of tomorrow can no longer be called off. */
export const isAfterCutOff = (now: Date, day: string): boolean =>
  now >= new Date(`${daysLater(day, -1)}T22:00:00-03:00`);

export function no(why: string): never {
  throw new Error(`the emulator: ${why}`);
}
