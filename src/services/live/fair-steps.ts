/** Undefined when the holder may go on at once; otherwise waits for the holder's turn. */
export type TakeStep = (holder: string) => Promise<void> | undefined;

/**
 * At most `perTurn` steps in each turn of the event loop, of one holder after the other: input and output come
 * between any two turns, and whoever has many steps to take delays nobody else's.
 */
export function createFairSteps(perTurn = 1): TakeStep {
  const waiting = new Map<string, Set<() => void>>();
  let taken = 0;

  function takeNext(): void {
    for (const [holder, steps] of waiting) {
      waiting.delete(holder);
      for (const step of steps) {
        steps.delete(step);
        // To the end of the line.
        if (steps.size > 0) waiting.set(holder, steps);
        step();
        return;
      }
    }
  }

  function startTurn(): void {
    taken = Math.min(perTurn, waiting.size);
    if (taken === 0) return;
    setImmediate(startTurn);
    for (let step = 0; step < taken; step += 1) takeNext();
  }

  return (holder) => {
    if (taken === 0) setImmediate(startTurn);
    if (taken < perTurn) {
      taken += 1;
      return undefined;
    }
    return new Promise((resolve) => {
      const steps = waiting.get(holder) ?? new Set();
      waiting.set(holder, steps.add(resolve));
    });
  };
}
