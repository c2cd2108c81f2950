/**
 * Histogram of times to pay, in eighths of an octave above one second: step 8 starts at 2 s, step 16 at 4 s.
 */
export type PayTimes = Map<number, number>;

const stepsPerOctave = 8;

/** The middle of a step: within 4.5 % of any value in it, above one second. */
const secondsOf = (step: number): number => 2 ** ((step + 0.5) / stepsPerOctave);

export function addPayTimes(all: PayTimes, steps: readonly number[], counts: readonly number[]): void {
  for (const [index, step] of steps.entries()) all.set(step, (all.get(step) ?? 0) + (counts[index] ?? 0));
}

/** Errs by 4.5 % at most; null when nothing was paid. */
export function medianSeconds(times: PayTimes): number | null {
  const steps = [...times].sort(([a], [b]) => a - b);
  const total = steps.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  const stepAt = (place: number): number => {
    let passed = 0;
    for (const [step, count] of steps) {
      passed += count;
      if (passed > place) return step;
    }
    return steps.at(-1)?.[0] ?? 0;
  };
  return (secondsOf(stepAt(Math.floor((total - 1) / 2))) + secondsOf(stepAt(Math.floor(total / 2)))) / 2;
}
