import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createClockEstimate } from '../../../../src/core/base/time/clock-estimate.ts';

/** Their clock is `aheadMs` ahead of ours, and answers somewhere on the way. */
const sample = (sentAtMs: number, aheadMs: number, there = 1, back = 1) => ({
  sentAtMs,
  receivedAtMs: sentAtMs + there + back,
  theirsMs: sentAtMs + there + aheadMs,
});

test('is undefined before the first sample', () => {
  expect(createClockEstimate().at(5)).toBeNaN();
});

test('prefers the sample with the fastest reply', () => {
  const estimate = createClockEstimate();
  estimate.add(sample(0, 130_000, 5, 3));
  estimate.add(sample(10, 130_000, 1, 1));
  estimate.add(sample(20, 130_000, 900, 100));
  expect(estimate.at(1_000)).toBe(131_000);
});

test('trusts an old sample less and less', () => {
  const estimate = createClockEstimate();
  estimate.add(sample(0, 1_000));
  estimate.add(sample(60_000, 1_020, 15, 15));
  expect(estimate.at(60_030)).toBe(61_050);
});

test('follows a clock that was set, however slow the reply', () => {
  const estimate = createClockEstimate();
  estimate.add(sample(0, 0));
  estimate.add(sample(1_000, -30_000, 50, 50));
  expect(estimate.at(2_000)).toBe(-28_000);
});

test('is never further off than half of the slowest reply plus the drift', () => {
  const delay = fc.integer({ min: 0, max: 2_000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(delay, delay), { minLength: 1 }), (delays) => {
      const estimate = createClockEstimate();
      let atMs = 0;
      for (const [there, back] of delays) {
        estimate.add(sample(atMs, 500, there, back));
        atMs += there + back + 5_000;
      }
      const slowest = Math.max(...delays.map(([there, back]) => there + back));
      expect(Math.abs(estimate.at(atMs) - atMs - 500)).toBeLessThanOrEqual(slowest / 2);
    }),
  );
});
