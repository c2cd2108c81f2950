import { brasiliaDay, startOfBrasiliaDay } from '../../base/time/brasilia.ts';
import { nextBusinessDay } from '../../base/time/business-days.ts';
import type { Mode } from '../../base/mode.ts';
import type { Debit } from '../../recurrences/rules/debit.ts';
import {
  isSweepSoon,
  nothingKnown,
  pauseMs,
  type PollingConditions,
  watchedCheckPauseMs,
  clamp,
} from './polling-pace.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How long a claimed item belongs to its node: longer than any call to a PSP can take. */
export const checkLeaseMs = 30 * secondMs;

interface Lifetime {
  createdAt: Date;
  expiresAt: Date;
  mode?: Mode;
}

/** After this, a Pix that was in flight when its charge ended can no longer arrive. */
export const lastLookAfter = (end: Date): Date => new Date(end.getTime() + minuteMs);

/**
 * When to check a pending payment next: after a pause that grows with its age, at its expiry, and once more when no Pix can
 * arrive any more. The sandbox tells of all that happens later, and its clock may pass years at once: it is asked ever more rarely.
 */
export function nextPaymentCheck(
  { createdAt, expiresAt, mode = 'live' }: Lifetime,
  now: Date,
  conditions: PollingConditions = nothingKnown,
  pauseOf = pauseMs,
): Date {
  const lastLookAt = lastLookAfter(expiresAt);
  if (now >= expiresAt && now < lastLookAt) return lastLookAt;
  const leastPauseMs = mode === 'test' ? now.getTime() - expiresAt.getTime() : 0;
  const pause = Math.max(pauseOf(now.getTime() - createdAt.getTime(), conditions, now), leastPauseMs);
  const dueMs = now.getTime() + pause;
  return new Date(now < expiresAt ? Math.min(dueMs, expiresAt.getTime()) : dueMs);
}

/** A charge with a due date lives for months, so it is looked at once a night. Not all at once: an hour has them all. */
function nextNight({ id, mode }: { id: string; mode: Mode }, now: Date): Date {
  const minute = mode === 'live' ? Number.parseInt(id.slice(-4), 16) % 40 : 0;
  // A sweep has passed midnight by then, and spares the look.
  const intoNightMs = (20 + minute) * minuteMs;
  const tonight = startOfBrasiliaDay(brasiliaDay(now)).getTime() + intoNightMs;
  return new Date(tonight > now.getTime() ? tonight : tonight + 24 * hourMs);
}

interface DuePayment extends Lifetime {
  id: string;
  mode: Mode;
  /** The end of its due date. */
  dueUntil: Date;
  isOverdue: boolean;
}

/** `nextPaymentCheck` for a payment with a due date. The sandbox tells of every Pix, so only what passes has to be seen. */
export function nextDueCheck(payment: DuePayment, now: Date, conditions: PollingConditions): Date {
  const { mode, dueUntil, isOverdue, expiresAt } = payment;
  if (now >= expiresAt) return nextPaymentCheck(payment, now, conditions);
  const night = nextNight(payment, mode === 'test' && !isOverdue && now < dueUntil ? dueUntil : now);
  return night < expiresAt && (mode === 'live' || !isOverdue) ? night : expiresAt;
}

/** Payers' banks try a debit until 21:00 at the latest; a retry for the next day has to be commanded by 22:00. */
const bankDayEndsMs = (21 * 60 + 15) * minuteMs;
const spreadMinutes = 30;
/** The sandbox debits in the morning. */
const sandboxDebitMs = 8 * hourMs;

interface DebitPayment extends Lifetime {
  id: string;
  mode: Mode;
  debit: Debit;
}

/**
 * `nextPaymentCheck` for a debit: in the evening of each day on which its bank may be asked, and in the morning after. The sandbox
 * debits in the morning, and tells of all else once it has the debit.
 */
export function nextDebitCheck({ id, mode, debit, expiresAt }: DebitPayment, now: Date): Date {
  const asked = [
    debit.dueOn,
    ...debit.attempts.map(({ on }) => on),
    ...(debit.retryOn ? [debit.retryOn] : []),
  ];
  const days = asked.flatMap((day) => [day, nextBusinessDay(day)]);
  const spreadMs = (Number.parseInt(id.slice(-4), 16) % spreadMinutes) * minuteMs;
  const times = days.flatMap((day) => {
    const startMs = startOfBrasiliaDay(day).getTime();
    if (mode === 'test') return [startMs + sandboxDebitMs];
    return [startMs + bankDayEndsMs + spreadMs, startMs + 24 * hourMs + sandboxDebitMs + spreadMs];
  });
  // Notifications tell the rest; a look a day makes up for those that were lost.
  const mayBeLost = mode === 'live' || debit.attempts.length === 0;
  const daily = mayBeLost ? [nextNight({ id, mode }, now).getTime()] : [];
  const next = Math.min(...times.filter((at) => at > now.getTime()), ...daily);
  // Money that is held back then is decided within days.
  return now >= expiresAt
    ? new Date(Math.max(lastLookAfter(expiresAt).getTime(), nextUnknownCheck(expiresAt, now).getTime()))
    : new Date(Math.min(next, expiresAt.getTime()));
}

/** `nextPaymentCheck` for a payment that somebody waits for. */
export const nextWatchedCheck = (payment: Lifetime, now: Date, conditions: PollingConditions): Date =>
  nextPaymentCheck(payment, now, conditions, watchedCheckPauseMs);

/** When to check a new payment first: soon, if that check has to start the sweeps that will find the money. */
export const firstPaymentCheck = (
  payment: Lifetime,
  now: Date,
  { isListed, conditions }: { isListed: boolean; conditions: PollingConditions },
): Date =>
  nextPaymentCheck(payment, now, isListed && !isSweepSoon(0, conditions, now) ? nothingKnown : conditions);

/** When to look after the end of a payment whose PSP did not show that its charge is over: it may still be paid. */
const lateLooksMs = [10 * minuteMs, 2 * hourMs, 24 * hourMs];

/** When to look next at an expired or cancelled payment; null once it is left alone. */
export function nextLateCheck(endedAt: Date, now: Date): Date | null {
  const nextMs = lateLooksMs.find((ms) => endedAt.getTime() + ms > now.getTime());
  return nextMs === undefined ? null : new Date(endedAt.getTime() + nextMs);
}

/** Whether a Pix sent in time can no longer arrive. */
export const isLastLook = (expiresAt: Date, now: Date): boolean => now >= lastLookAfter(expiresAt);

/** Backoff for polling a PSP until it gives a definite result. */
export function nextUnknownCheck(since: Date, now: Date): Date {
  const ageMs = now.getTime() - since.getTime();
  return new Date(now.getTime() + clamp(ageMs / 2, 5 * secondMs, hourMs));
}

/** A retry of a debit has to be commanded in time. */
export const soonAfterFailure = (now: Date): Date => new Date(now.getTime() + 2 * minuteMs);

/** Keeps to the schedule, unless the PSP said when it accepts requests again. What is not urgent comes after what is. */
export const dueAgain = (scheduled: Date, retryAfterMs: number | null, now: Date, isUrgent = true): Date =>
  retryAfterMs === null ? scheduled : new Date(now.getTime() + retryAfterMs + (isUrgent ? 0 : hourMs));

/** How long a request without a response may still take effect at the PSP, whatever a lookup says. */
export const lostRequestMs = 2 * 60 * secondMs;

export const mayStillArrive = (since: Date, now: Date): boolean =>
  now.getTime() - since.getTime() < lostRequestMs;
