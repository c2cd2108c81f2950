import {
  isSweepSoon,
  nothingKnown,
  pauseMs,
  type PollingConditions,
  watchedCheckPauseMs,
  within,
} from './polling-pace.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How long what is due belongs to the node that claimed it: longer than any call to a PSP can take. */
export const leaseMs = 30 * secondMs;

interface Lifetime {
  createdAt: Date;
  expiresAt: Date;
}

/** When a Pix that was in flight at the end of its charge can no longer arrive. */
export const lastLookAfter = (end: Date): Date => new Date(end.getTime() + minuteMs);

/**
 * When to check a pending payment next: after a pause that grows with its age, at the expiry, and once more when no Pix
 * can still arrive.
 */
export function nextPaymentCheck(
  { createdAt, expiresAt }: Lifetime,
  now: Date,
  conditions: PollingConditions = nothingKnown,
  pauseOf = pauseMs,
): Date {
  const lastLookAt = lastLookAfter(expiresAt);
  if (now >= expiresAt && now < lastLookAt) return lastLookAt;
  const dueMs = now.getTime() + pauseOf(now.getTime() - createdAt.getTime(), conditions, now);
  return new Date(now < expiresAt ? Math.min(dueMs, expiresAt.getTime()) : dueMs);
}

/** The same while somebody waits for it. */
export const nextWatchedCheck = (payment: Lifetime, now: Date, conditions: PollingConditions): Date =>
  nextPaymentCheck(payment, now, conditions, watchedCheckPauseMs);

/** When to check a new payment: soon, if that has to begin the sweeps that will find it. */
export const firstPaymentCheck = (
  payment: Lifetime,
  now: Date,
  { isListed, conditions }: { isListed: boolean; conditions: PollingConditions },
): Date =>
  nextPaymentCheck(payment, now, isListed && !isSweepSoon(0, conditions, now) ? nothingKnown : conditions);

/** After the end of a payment whose charge its PSP has not shown to be over: it may still be paid. */
const lateLooksMs = [10 * minuteMs, 2 * hourMs, 24 * hourMs];

/** When to look next at a payment that has expired or was cancelled; null once it is left alone. */
export function nextLateCheck(endedAt: Date, now: Date): Date | null {
  const nextMs = lateLooksMs.find((ms) => endedAt.getTime() + ms > now.getTime());
  return nextMs === undefined ? null : new Date(endedAt.getTime() + nextMs);
}

/** Whether a Pix sent in time can no longer arrive. */
export const isLastLook = (expiresAt: Date, now: Date): boolean => now >= lastLookAfter(expiresAt);

/** Backoff for polling a PSP until it gives a definite result. */
export function nextUnknownCheck(since: Date, now: Date): Date {
  const ageMs = now.getTime() - since.getTime();
  return new Date(now.getTime() + within(ageMs / 2, 5 * secondMs, hourMs));
}

/** What was due is due again as soon as a PSP that had too many requests takes more, whatever the schedule says. */
export const dueAgain = (scheduled: Date, retryAfterMs: number | null, now: Date): Date =>
  retryAfterMs === null ? scheduled : new Date(now.getTime() + retryAfterMs);

/** How long a request without a response may still take effect at the PSP, whatever a lookup says. */
export const lostRequestMs = 2 * 60 * secondMs;

export const mayStillArrive = (since: Date, now: Date): boolean =>
  now.getTime() - since.getTime() < lostRequestMs;
