/** Undefined when the holder may proceed at once; otherwise resolves when it is the holder's turn. */
export type TakeStep = (holder: string) => Promise<void> | undefined;

/**
 * At most `perTurn` steps per turn of the event loop, round-robin over the holders: I/O is handled between any
 * two turns, and a holder with many steps delays no other.
 */
export function createFairSteps(perTurn = 1): TakeStep {
  const waiting = new Map<string, Set<() => void>>();
  let taken = 0;

  function takeNext(): void {
    for (const [holder, steps] of waiting) {
      waiting.delete(holder);
      for (const step of steps) {
        steps.delete(step);
        // Moves to the back of the queue.
        if (steps.size > 0) waiting.set(holder, steps);
        step();
        return;
      }
    }
  }

  function startTurn(): void {
    for (taken = 0; taken < perTurn && waiting.size > 0; taken += 1) takeNext();
    if (taken > 0) setImmediate(startTurn);
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
