import { Unavailable } from '../domain/errors.ts';

interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

interface Options {
  onlyReads?: boolean;
  maximumItems?: number;
  /** What comes while so many statements run joins the next one: the busier, the fewer round trips for each. */
  maximumInFlight?: number;
}

/**
 * Runs the statements of all requests in flight as few: a round trip and a parse are then paid once for
 * many. `run` answers each item in order. When a gathered statement fails, each of its items is tried
 * alone, so that one cannot fail the others; `run` must therefore bear to be repeated. One that only reads is
 * repeated where the connection was lost.
 */
export function gather<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
  { onlyReads = false, maximumItems = 100, maximumInFlight = 4 }: Options = {},
): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = [];
  let inFlight = 0;
  let isScheduled = false;

  async function runTogether(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    const answers = await run(batch.map(({ item }) => item));
    for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
  }

  async function settle(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      await runTogether(batch).catch((error: unknown) => {
        if (onlyReads && error instanceof Unavailable && error.reason === 'lost') return runTogether(batch);
        throw error;
      });
    } catch (error) {
      // One by one they would only wait longer.
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
