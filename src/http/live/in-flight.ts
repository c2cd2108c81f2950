/** Operations of a connection but for subscriptions: a node that stops lets them finish, as it does requests. */
export interface InFlight {
  /** One more. Returns what to call when it is over, the first time of which counts. */
  add(): () => void;
  /** Calls as soon as there are none. */
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
        // After the protocol has said that it is complete: clients send again what ends without that.
        setImmediate(check);
      };
    },
    whenNone(then) {
      act = then;
      check();
    },
  };
}
