/** Undefined when the holder may proceed at once; otherwise resolves when it is the holder's turn, or never if `isGone` by then. */
export type TakeStep = (holder: string, isGone?: () => boolean) => Promise<void> | undefined;

interface Step {
  begin: () => void;
  isGone: (() => boolean) | undefined;
}

/**
 * At most `perTurn` steps per turn of the event loop, round-robin over the holders: I/O is handled between any
 * two turns, and a holder with many steps delays no other.
 */
export function createFairSteps(perTurn = 1): TakeStep {
  const waiting = new Map<string, Set<Step>>();
  let taken = 0;

  /** False when nobody waits. */
  function takeNext(): boolean {
    for (const [holder, steps] of waiting) {
      waiting.delete(holder);
      for (const step of steps) {
        steps.delete(step);
        if (step.isGone?.()) continue;
        // Moves to the back of the queue.
        if (steps.size > 0) waiting.set(holder, steps);
        step.begin();
        return true;
      }
    }
    return false;
  }

  function startTurn(): void {
    taken = 0;
    while (taken < perTurn && takeNext()) taken += 1;
    if (taken > 0) setImmediate(startTurn);
  }

  return (holder, isGone) => {
    if (taken === 0) setImmediate(startTurn);
    if (taken < perTurn) {
      taken += 1;
      return undefined;
    }
    return new Promise((begin) => {
      const steps = waiting.get(holder) ?? new Set();
      waiting.set(holder, steps.add({ begin, isGone }));
    });
  };
}
