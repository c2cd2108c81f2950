/** A connection over HTTP has as many requests begun or waiting. */
const maximumInFlight = 32;

/** Operations in progress on a connection, except subscriptions. A stopping node finishes them, as it does requests. */
export interface InFlight {
  /** Adds one, and returns a function that removes it once. */
  add(): () => void;
  /** Undefined when another one may begin; otherwise resolves once it may. For one caller at a time. */
  room(): Promise<void> | undefined;
  /** Calls `act` once none are left. */
  whenNone(act: () => void): void;
}

export function createInFlight(): InFlight {
  let count = 0;
  let act: (() => void) | undefined;
  let goOn: (() => void) | undefined;
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
        goOn?.();
        // Waits until `complete` was sent, because clients repeat operations that end without it.
        setImmediate(check);
      };
    },
    room() {
      if (count < maximumInFlight) return undefined;
      return new Promise((resolve) => (goOn = resolve));
    },
    whenNone(then) {
      act = then;
      check();
    },
  };
}
