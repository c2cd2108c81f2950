import { addDays, type CalendarDay } from '../../base/time/calendar-day.ts';
import { nextBusinessDay } from '../../base/time/business-days.ts';

/** Why a debit failed, whatever code the provider has for it. */
export const debitFailures = [
  'limit',
  'no_balance',
  'mandate_ended',
  'payer_data',
  'account',
  'our_fault',
  'operational',
  'already_paid',
  'unknown',
] as const;

export type DebitFailure = (typeof debitFailures)[number];

export const debitAttemptStates = [
  'requested',
  'scheduled',
  'paid',
  'rejected',
  'expired',
  'cancelled',
] as const;

/** A day on which the payer's bank was, or will be, asked for the money. */
export interface DebitAttempt {
  on: CalendarDay;
  state: (typeof debitAttemptStates)[number];
  reason?: DebitFailure;
  /** The provider's own. */
  providerCode?: string;
  endToEndId?: string;
}

export const debitStates = ['scheduled', 'retrying', 'failed'] as const;

/** What makes a payment a debit of a recurrence. */
export interface Debit {
  dueOn: CalendarDay;
  /** The cycle's day, which has one debit at a time. */
  cycle: CalendarDay;
  mayRetry: boolean;
  state: (typeof debitStates)[number];
  attempts: readonly DebitAttempt[];
  /** The day of a retry that is being asked for. */
  retryOn?: CalendarDay;
}

export const hasFailed = ({ state }: DebitAttempt): boolean => state === 'rejected' || state === 'expired';

/** Days after the due date on which the service retries. The scheme has at most three, within seven days. */
const retryDays = [1, 3, 6];
const lastRetryDay = 7;
const maximumRetries = 3;

/** The only failures that another day may mend. */
const mayPass: readonly DebitFailure[] = ['no_balance', 'operational', 'unknown'];

interface RetryContext {
  /** The first day for which the bank can still be asked: tomorrow, until 22:00. */
  from: CalendarDay;
  /** The day of the next cycle's debit. */
  nextDebitDay: CalendarDay;
}

/** Whether the bank may be asked again on that day. */
export function mayRetryOn(debit: Debit, day: CalendarDay, { from, nextDebitDay }: RetryContext): boolean {
  const last = debit.attempts.at(-1);
  return (
    debit.mayRetry &&
    last !== undefined &&
    hasFailed(last) &&
    mayPass.includes(last.reason ?? 'unknown') &&
    debit.attempts.length <= maximumRetries &&
    debit.attempts.every(({ on }) => on !== day) &&
    day >= from &&
    day <= addDays(debit.dueOn, lastRetryDay) &&
    day < nextDebitDay
  );
}

/** The day of the next retry that can help; undefined where none can. */
export const nextRetryDay = (debit: Debit, context: RetryContext): CalendarDay | undefined =>
  retryDays.map((days) => addDays(debit.dueOn, days)).find((day) => mayRetryOn(debit, day, context));

/** The last day on which its money can arrive: a bank moves a debit to the next business day. */
export const lastDebitDay = ({ dueOn, mayRetry }: Pick<Debit, 'dueOn' | 'mayRetry'>): CalendarDay =>
  nextBusinessDay(mayRetry ? addDays(dueOn, lastRetryDay) : dueOn);
