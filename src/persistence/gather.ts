import DataLoader from 'dataloader';

/**
 * Runs the statements of all requests in flight as one per event-loop turn: a round trip and a parse are
 * then paid once for many. `run` answers each item in order. When a gathered statement fails, each of its
 * items is tried alone, so that one cannot fail the others; `run` must therefore bear to be repeated.
 */
export function gather<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
  maximumItems = 100,
): (item: Item) => Promise<Answer> {
  const runAlone = async (item: Item): Promise<Answer | Error> => {
    try {
      const [answer] = await run([item]);
      return answer as Answer;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };
  const loader = new DataLoader<Item, Answer>(
    async (items) => {
      try {
        return await run(items);
      } catch (error) {
        if (items.length === 1) throw error;
        return Promise.all(items.map(runAlone));
      }
    },
    { cache: false, maxBatchSize: maximumItems, batchScheduleFn: (flush) => void setImmediate(flush) },
  );
  return (item) => loader.load(item);
}
