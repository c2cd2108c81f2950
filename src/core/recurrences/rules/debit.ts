import { addDays, type CalendarDay } from '../../base/time/calendar-day.ts';
import { brasiliaDay, startOfBrasiliaDay } from '../../base/time/brasilia.ts';
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
  /** The provider's id of the recurrence. */
  recurrence: string;
  dueOn: CalendarDay;
  /** The day of the next cycle's debit, by which this one must have ended. */
  nextDebitOn: CalendarDay;
  mayRetry: boolean;
  state: (typeof debitStates)[number];
  /** Why it failed for good, where no attempt says it. */
  reason?: DebitFailure;
  attempts: readonly DebitAttempt[];
  /** The day for which the payer's bank is to be asked again. */
  retryOn?: CalendarDay;
}

const hasFailed = ({ state }: DebitAttempt): boolean => state === 'rejected' || state === 'expired';

/** Days after the due date on which the service retries. The scheme has at most three, within seven days. */
const retryDays = [1, 3, 6];
export const lastRetryDay = 7;
const maximumRetries = 3;

/** Failures that another day may mend by itself, and those that it may once the payer or the receiver has done something. */
const passing: readonly DebitFailure[] = ['no_balance', 'operational', 'unknown'];
const mendable: readonly DebitFailure[] = [...passing, 'limit', 'payer_data'];

function isOpenFor(debit: Debit, day: CalendarDay, from: CalendarDay): boolean {
  return (
    debit.mayRetry &&
    debit.attempts.length <= maximumRetries &&
    debit.attempts.every(({ on, ...attempt }) => on < day && hasFailed({ on, ...attempt })) &&
    day >= from &&
    day <= addDays(debit.dueOn, lastRetryDay) &&
    day < debit.nextDebitOn
  );
}

const reasonOf = ({ attempts }: Debit): DebitFailure | undefined => {
  const last = attempts.at(-1);
  return last && hasFailed(last) ? (last.reason ?? 'unknown') : undefined;
};

/**
 * Whether somebody may have the payer's bank asked again on that day. `from` is the first one for which it still can be.
 * Another day that was chosen comes first: the bank may have its command, though its answer was lost.
 */
export function mayRetryOn(debit: Debit, day: CalendarDay, from: CalendarDay): boolean {
  const reason = reasonOf(debit);
  const isFree = debit.retryOn === undefined || debit.retryOn === day;
  return isFree && reason !== undefined && mendable.includes(reason) && isOpenFor(debit, day, from);
}

/** Whether the payer's bank is to be asked on that day already: to say so again changes nothing. */
export const isAskedFor = ({ attempts }: Debit, day: CalendarDay): boolean =>
  attempts.some((attempt) => attempt.on === day && !hasFailed(attempt));

/** The days for which somebody may have the payer's bank asked again, the first one first. */
export const retryDaysOf = (debit: Debit, from: CalendarDay): CalendarDay[] =>
  Array.from({ length: lastRetryDay }, (_, index) => addDays(debit.dueOn, index + 1)).filter((day) =>
    mayRetryOn(debit, day, from),
  );

/** A retry is commanded by 22:00 of the day before. */
const lastHour = 22;

/** The first day for which a payer's bank can be asked again at that time. */
export function firstRetryDay(now: Date): CalendarDay {
  const today = brasiliaDay(now);
  const closesAt = startOfBrasiliaDay(today).getTime() + lastHour * 3_600_000;
  return addDays(today, now.getTime() < closesAt ? 1 : 2);
}

/** What the debit has become by what its provider says of it; retries, if they can help, are part of it. */
export function debitAfter(debit: Debit, attempts: readonly DebitAttempt[], now: Date): Debit {
  const { retryOn, ...known } = debit;
  // A list that lacks an attempt does not undo it.
  const days = new Map([...debit.attempts, ...attempts].map((attempt) => [attempt.on, attempt]));
  const merged = [...days.values()].toSorted((one, other) => (one.on < other.on ? -1 : 1));
  const after: Debit = { ...known, attempts: merged };
  const reason = reasonOf(after);
  if (reason === undefined) return after;
  const from = firstRetryDay(now);
  if (retryOn && mayRetryOn(after, retryOn, from)) return { ...after, state: 'retrying', retryOn };
  const open = retryDaysOf(after, from);
  const next = retryDays.map((count) => addDays(debit.dueOn, count)).find((day) => open.includes(day));
  if (next && passing.includes(reason)) return { ...after, state: 'retrying', retryOn: next };
  // What only a person can mend waits for one, as long as the scheme allows it.
  const waits = open.length > 0 && !passing.includes(reason);
  return { ...after, state: waits ? 'retrying' : 'failed' };
}

/** The last day on which its money can arrive: a bank moves a debit to the next business day. */
export const lastDebitDay = ({ dueOn, mayRetry }: Pick<Debit, 'dueOn' | 'mayRetry'>): CalendarDay =>
  nextBusinessDay(mayRetry ? addDays(dueOn, lastRetryDay) : dueOn);

/** The debit, failed for good. */
export function withoutRetry(debit: Debit): Debit {
  const { retryOn: _, ...ended } = debit;
  return { ...ended, state: 'failed' };
}

/** What is told of the days that have come since: that the payer's bank took an instruction, or that a day failed. */
export function toldOf(before: Debit, after: Debit): ('scheduled' | 'failed')[] {
  const known = new Map(before.attempts.map((attempt) => [attempt.on, attempt]));
  const told = after.attempts.flatMap((attempt): ('scheduled' | 'failed')[] => {
    const earlier = known.get(attempt.on);
    if (hasFailed(attempt)) return earlier && hasFailed(earlier) ? [] : ['failed'];
    return attempt.state === 'scheduled' && earlier?.state !== 'scheduled' ? ['scheduled'] : [];
  });
  const hasEndedOtherwise = after.state === 'failed' && before.state !== 'failed' && !told.includes('failed');
  return hasEndedOtherwise ? [...told, 'failed'] : told;
}
