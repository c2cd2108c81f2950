/** Wakes one reader. Rings while the reader is busy coalesce into one. */
export interface Bell {
  ring(): void;
  /** Current and later waits resolve to false. */
  end(): void;
  /** Resolves to true after a ring, to false once ended. */
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

/** `return` calls `close` at once; a plain generator would first wait for its pending item. */
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
