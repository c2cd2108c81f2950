/** Operations in progress on a connection, except subscriptions. A stopping node finishes them, as it does requests. */
export interface InFlight {
  /** Adds one, and returns a function that removes it once. */
  add(): () => void;
  /** Calls `act` once none are left. */
  whenNone(act: () => void): void;
}

export function createInFlight(): InFlight {
  let count = 0;
  let act: (() => void) | undefined;
  const check = (): void => {
    if (count === 0) act?.();
  };
  return {
    add() {
      let isOver = false;
      count += 1;
      return () => {
        if (isOver) return;
        isOver = true;
        count -= 1;
        // Waits until `complete` was sent, because clients repeat operations that end without it.
        setImmediate(check);
      };
    },
    whenNone(then) {
      act = then;
      check();
    },
  };
}
