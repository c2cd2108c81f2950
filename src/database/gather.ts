import { Unavailable } from '../core/base/errors.ts';

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Options {
  onlyReads?: boolean;
  maximumItems?: number;
  /** While this many statements run, new items join the next one, so that batches grow with the load. */
  maximumInFlight?: number;
}

/**
 * Batches the statements of concurrent requests, so that many share a round trip and a parse. `run` returns results in order.
 * If a batch fails, each item is retried alone so that one cannot fail the others, so `run` must be repeatable. Read-only
 * batches are repeated after a lost connection.
 */
export function gather<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { onlyReads = false, maximumItems = 100, maximumInFlight = 4 }: Options = {},
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let isScheduled = false;

  async function runTogether(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const results = await run(batch.map(({ item }) => item));
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
  }

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      await runTogether(batch).catch((error: unknown) => {
        if (onlyReads && error instanceof Unavailable && error.reason === 'lost') return runTogether(batch);
        throw error;
      });
    } catch (error) {
      // Retrying one by one would only wait longer.
      if (batch.length === 1 || error instanceof Unavailable) for (const { reject } of batch) reject(error);
      else await Promise.all(batch.map((each) => settle([each])));
    }
  }

  function flush(): void {
    isScheduled = false;
    while (waiting.length > 0 && inFlight < maximumInFlight) {
      const batch = waiting.slice(0, maximumItems);
      waiting = waiting.slice(maximumItems);
      inFlight += 1;
      void settle(batch).finally(() => {
        inFlight -= 1;
        flush();
      });
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isScheduled || inFlight >= maximumInFlight) return;
      isScheduled = true;
      setImmediate(flush);
    });
}
