import { expect, test } from '@jest/globals';
import { isOutageNow } from '../../../../src/core/health/rules/conditions.ts';

const now = new Date('2026-03-03T12:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

/** Calls of five minutes that go on, so that none has been quiet for a minute. */
const callsOf = (failed: number, total: number) => ({
  failed,
  total,
  lastFailedAt: ago(5),
  lastSucceededAt: ago(4),
  inARow: 0,
  inARowSince: null,
});

test.each([
  [4, 4, false],
  [5, 11, false],
  [5, 10, true],
  [9, 20, false],
  [10, 50, true],
  [10, 51, false],
  [180, 600, true],
])('%i of %i calls that fail are an outage: %s', (failed, total, isOutage) => {
  expect(isOutageNow(callsOf(failed, total), false, now)).toBe(isOutage);
});

test('an outage lasts while a tenth of the calls fails, so that one at the threshold is one alert', () => {
  expect(isOutageNow(callsOf(5, 50), true, now)).toBe(true);
  expect(isOutageNow(callsOf(4, 50), true, now)).toBe(false);
});

test('an outage is over a minute after the last failure, however many there were', () => {
  const calls = { ...callsOf(40, 50), lastFailedAt: ago(61), lastSucceededAt: ago(1) };
  expect(isOutageNow(calls, true, now)).toBe(false);
  expect(isOutageNow({ ...calls, lastFailedAt: ago(60) }, true, now)).toBe(true);
});
