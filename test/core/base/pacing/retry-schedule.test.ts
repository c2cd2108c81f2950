import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasFailedTooLong, nextAttemptAt } from '../../../../src/core/base/pacing/retry-schedule.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const now = new Date('2026-11-21T12:00:00Z');

/** How long is waited after so many attempts; undefined when there are no more. */
function delayAfter(
  attemptCount: number,
  { retryAfterMs, random = 0 }: { retryAfterMs?: number; random?: number } = {},
): number | undefined {
  const next = nextAttemptAt(attemptCount, now, { retryAfterMs, random });
  return next && next.getTime() - now.getTime();
}

const schedule: [attemptCount: number, delayMs: number][] = [
  [0, 0],
  [1, 5 * secondMs],
  [2, 5 * minuteMs],
  [3, 30 * minuteMs],
  [4, 2 * hourMs],
  [5, 5 * hourMs],
  [6, 10 * hourMs],
  [7, 14 * hourMs],
  [8, 20 * hourMs],
  [9, 24 * hourMs],
];

const anyAttemptCount = fc.integer({ min: 0, max: schedule.length - 1 });
const anyRandom = fc.double({ min: 0, max: 1, noNaN: true });

describe('a failed delivery', () => {
  test.each([10, 11, 1_000])('is not retried after %i attempts', (attemptCount) => {
    expect(delayAfter(attemptCount)).toBeUndefined();
    expect(delayAfter(attemptCount, { retryAfterMs: hourMs })).toBeUndefined();
  });

  test.each(schedule)('is retried after %i attempts and %i milliseconds', (attemptCount, delayMs) => {
    expect(delayAfter(attemptCount)).toBe(delayMs);
  });

  test('waits up to a fifth longer than scheduled, never less', () => {
    fc.assert(
      fc.property(anyAttemptCount, anyRandom, (attemptCount, random) => {
        const delayMs = delayAfter(attemptCount) ?? NaN;
        const jittered = delayAfter(attemptCount, { random }) ?? NaN;
        expect(jittered).toBeGreaterThanOrEqual(delayMs);
        expect(jittered).toBeLessThanOrEqual(delayMs * 1.2);
      }),
    );
    expect(delayAfter(9, { random: 0.5 })).toBe(26.4 * hourMs);
  });

  test('is exhausted before its endpoint is disabled', () => {
    const longestMs = schedule.reduce(
      (sum, [attemptCount]) => sum + (delayAfter(attemptCount, { random: 1 }) ?? NaN),
      0,
    );
    expect(longestMs).toBeLessThan(5 * dayMs);
  });
});

describe('Retry-After', () => {
  test.each([
    ['a second', secondMs],
    ['nothing', 0],
    ['less than the schedule', 5 * minuteMs - 1],
  ])('of %s shortens nothing', (_name, retryAfterMs) => {
    expect(delayAfter(2, { retryAfterMs })).toBe(5 * minuteMs);
  });

  test('of more is honoured, with jitter', () => {
    expect(delayAfter(1, { retryAfterMs: hourMs })).toBe(hourMs);
    expect(delayAfter(1, { retryAfterMs: hourMs, random: 1 })).toBe(1.2 * hourMs);
    expect(delayAfter(1, { retryAfterMs: dayMs })).toBe(dayMs);
  });

  test.each([dayMs + 1, 365 * dayMs, Number.MAX_SAFE_INTEGER, Infinity])(
    'of %d milliseconds is capped at a day',
    (retryAfterMs) => {
      expect(delayAfter(1, { retryAfterMs })).toBe(dayMs);
    },
  );

  test('never shortens the schedule and never delays more than a day', () => {
    fc.assert(
      fc.property(anyAttemptCount, fc.nat(), anyRandom, (attemptCount, retryAfterMs, random) => {
        const delayMs = delayAfter(attemptCount, { retryAfterMs, random }) ?? NaN;
        expect(delayMs).toBeGreaterThanOrEqual(delayAfter(attemptCount, { random }) ?? NaN);
        expect(delayMs).toBeLessThanOrEqual(dayMs * 1.2);
      }),
    );
  });
});

describe('a failing endpoint', () => {
  const failingFor = (ms: number) => hasFailedTooLong(new Date(now.getTime() - ms), now);

  test.each([0, hourMs, 4 * dayMs, 5 * dayMs - 1])('is kept after %i milliseconds', (ms) => {
    expect(failingFor(ms)).toBe(false);
  });

  test.each([5 * dayMs, 5 * dayMs + 1, 365 * dayMs])('is disabled after %i milliseconds', (ms) => {
    expect(failingFor(ms)).toBe(true);
  });
});
