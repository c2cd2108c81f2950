/** Latencies in milliseconds as a histogram, in halves of an octave: step 20 starts at 1,024 ms. */
export type Latencies = Map<number, number>;

const stepsPerOctave = 2;

export const hourMs = 3_600_000;

/** The beginning of its hour in UTC. */
export const hourOf = (instant: Date): Date => new Date(Math.floor(instant.getTime() / hourMs) * hourMs);

export const latencyStepOf = (latencyMs: number): number =>
  Math.floor(Math.log2(Math.max(1, latencyMs)) * stepsPerOctave);

/** The middle of a step: within 19 % of any value in it. */
const millisecondsOf = (step: number): number => Math.round(2 ** ((step + 0.5) / stepsPerOctave));

/** The latency that a share of the requests kept below, within 19 %; null without any. `share` is from 0 to 1. */
export function latencyQuantile(latencies: Latencies, share: number): number | null {
  const steps = [...latencies].sort(([a], [b]) => a - b);
  const total = steps.reduce((sum, [, count]) => sum + count, 0);
  let left = Math.max(1, Math.ceil(total * share));
  for (const [step, count] of steps) {
    left -= count;
    if (left <= 0) return millisecondsOf(step);
  }
  return null;
}
