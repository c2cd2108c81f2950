/** A histogram in quarters of an octave from 4 ms to 32 s. */
export type Latencies = readonly number[];

const stepsPerOctave = 4;
const firstMs = 4;
const stepCount = 13 * stepsPerOctave;

export const noLatencies = (): number[] => Array.from({ length: stepCount }, () => 0);

export function latencyStep(milliseconds: number): number {
  const step = Math.floor(stepsPerOctave * Math.log2(Math.max(milliseconds, firstMs) / firstMs));
  return Math.min(step, stepCount - 1);
}

export const addLatencies = (one: Latencies, other: Latencies): number[] =>
  noLatencies().map((_, step) => (one[step] ?? 0) + (other[step] ?? 0));

/** Errs by 9 % at most from 4 ms to 32 s; null without any. `share` is from 0 to 1. */
export function latencyAt(latencies: Latencies, share: number): number | null {
  const total = latencies.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = Math.max(1, Math.ceil(share * total));
  const step = latencies.findIndex((count) => (left -= count) <= 0);
  return Math.round(firstMs * 2 ** ((step + 0.5) / stepsPerOctave));
}
