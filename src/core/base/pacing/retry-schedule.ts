const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Delay before each delivery attempt, counted from the end of the previous one. */
const delaysMs = [
  0,
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const;

/** Spreads out deliveries that failed together. */
const jitter = 0.2;
const longestRetryAfterMs = 24 * hourMs;

/**
 * When to retry a delivery after `attemptCount` attempts; undefined when the schedule is exhausted.
 * `Retry-After` can delay the retry by up to a day but never bring it forward. `random` is from 0 to 1.
 */
export function nextAttemptAt(
  attemptCount: number,
  now: Date,
  { retryAfterMs = 0, random }: { retryAfterMs?: number | undefined; random: number },
): Date | undefined {
  const delayMs = delaysMs[attemptCount];
  if (delayMs === undefined) return undefined;
  const askedMs = Math.min(retryAfterMs, longestRetryAfterMs);
  return new Date(now.getTime() + Math.max(delayMs, askedMs) * (1 + jitter * random));
}

const patienceMs = 5 * 24 * hourMs;

/** An endpoint that has failed for five days without a success is disabled. */
export const hasFailedTooLong = (failingSince: Date, now: Date): boolean =>
  now.getTime() - failingSince.getTime() >= patienceMs;
