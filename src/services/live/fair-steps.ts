/** Waits until it is the holder's turn to take a step. */
export type TakeStep = (holder: string) => Promise<void>;

/**
 * One step in each turn of the event loop, of one holder after the other: requests come between any two steps, and
 * whoever has many to take delays nobody else's.
 */
export function createFairSteps(): TakeStep {
  const waiting = new Map<string, Set<() => void>>();

  function next(): void {
    for (const [holder, steps] of waiting) {
      waiting.delete(holder);
      const [step] = steps;
      if (!step) return;
      steps.delete(step);
      // To the end of the line.
      if (steps.size > 0) waiting.set(holder, steps);
      if (waiting.size > 0) setImmediate(next);
      step();
      return;
    }
  }

  return (holder) =>
    new Promise((resolve) => {
      if (waiting.size === 0) setImmediate(next);
      const steps = waiting.get(holder) ?? new Set();
      waiting.set(holder, steps.add(resolve));
    });
}
