/** Wakes one reader. Rings while the reader is busy coalesce into one. */
export interface Bell {
  ring(): void;
  /** Current and later waits resolve to false. */
  end(): void;
  /** Resolves to true after a ring, to false once ended. */
  waitForRing(): Promise<boolean>;
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
    async waitForRing() {
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

export type Items<T> = Pick<AsyncGenerator<T>, 'next' | 'return' | 'throw'>;

/** `return` calls `close` at once; a plain generator would first wait for its pending item. */
export function closable<T>(items: Items<T>, close: () => void): AsyncGenerator<T> {
  const closing: AsyncGenerator<T> = {
    next: () => items.next(),
    return(value) {
      close();
      return items.return(value);
    },
    throw(error) {
      close();
      return items.throw(error);
    },
    [Symbol.asyncIterator]: () => closing,
    [Symbol.asyncDispose]: async () => void (await closing.return(undefined)),
  };
  return closing;
}

/** Iterates over what `next` finds, until it finds nothing. A generator would keep the last item alive while it waits. */
export const itemsOf = <T extends object>(next: () => Promise<T | undefined>): Items<T> => ({
  async next() {
    const value = await next();
    return value ? { done: false, value } : { done: true, value: undefined };
  },
  return: (value) => Promise.resolve({ done: true, value }),
  throw: (error) => Promise.reject(error as Error),
});
