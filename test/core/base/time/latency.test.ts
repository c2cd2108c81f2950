import { expect, test } from '@jest/globals';
import { latencyQuantile, latencyStepOf } from '../../../../src/core/base/time/latency.ts';

const histogramOf = (latencies: readonly number[]) => {
  const steps = new Map<number, number>();
  for (const latency of latencies) {
    const step = latencyStepOf(latency);
    steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  return steps;
};

test.each([0, 1, 3, 47, 999, 15_000])('%i ms is known within 19 %%', (latencyMs) => {
  const known = latencyQuantile(histogramOf([latencyMs]), 0.5) ?? NaN;
  expect(Math.abs(known - Math.max(1, latencyMs)) / Math.max(1, latencyMs)).toBeLessThan(0.2);
});

test('of a hundred requests, five may be slower than the 95 %', () => {
  const latencies = histogramOf([...Array.from({ length: 95 }, () => 20), 5_000, 5_000, 5_000, 5_000, 5_000]);
  expect(latencyQuantile(latencies, 0.95)).toBeLessThan(30);
  expect(latencyQuantile(latencies, 0.96)).toBeGreaterThan(4_000);
});

test('without requests there is none', () => {
  expect(latencyQuantile(new Map(), 0.5)).toBeNull();
});
