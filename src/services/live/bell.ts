/** Wakes one reader: rung while the reader is busy, however often, it wakes once more. */
export interface Bell {
  ring(): void;
  /** Whoever waits, or will, is answered false. */
  end(): void;
  /** True once it was rung since the last answer, false when it has ended. */
  rung(): Promise<boolean>;
}

export function createBell(): Bell {
  let isRung = false;
  let hasEnded = false;
  let wake = (): void => undefined;
  return {
    ring() {
      isRung = true;
      wake();
    },
    end() {
      hasEnded = true;
      wake();
    },
    async rung() {
      if (!isRung && !hasEnded) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isRung = false;
      return !hasEnded;
    },
  };
}

/** Its `return` calls `close` at once: a generator alone would first wait for the item that is being waited for. */
export function closable<T>(items: AsyncGenerator<T>, close: () => void): AsyncGenerator<T> {
  return Object.assign(Object.create(items) as AsyncGenerator<T>, {
    next: () => items.next(),
    return(value: unknown) {
      close();
      return items.return(value);
    },
    throw(error: unknown) {
      close();
      return items.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  });
}
