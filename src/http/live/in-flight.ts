/**
 * Operations in progress on a connection, except subscriptions: a stopping node finishes them like requests.
 */
export interface InFlight {
  /** Adds one. The returned function removes it, once. */
  add(): () => void;
  /** Calls `act` when none are left. */
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
        // After `complete` was sent: clients repeat operations that end without it.
        setImmediate(check);
      };
    },
    whenNone(then) {
      act = then;
      check();
    },
  };
}
