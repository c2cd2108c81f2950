import { ServiceError } from '../errors.ts';
import { JsonText } from '../json/json-text.ts';
import { type Caller, holderOf } from '../caller.ts';

/** More than twice the largest page of payments with the largest metadata. */
const maximumResponseBytes = 4_194_304;
/** Responses that may read pages at once. Fewer than the connections, which payments need too. */
const maximumReading = 12;
/** Large responses that may be in memory at once. */
const maximumLarge = 4;
const largeBytes = 262_144;

/** What one response reads, page by page, up to a size limit. */
export interface ResponseReader {
  /**
   * Reads a page after those before it. Fails with `response_too_large` when the response would grow too large;
   * `sizeName` is the transport's name for the page size argument.
   */
  read<Page>(
    sizeName: string | undefined,
    read: () => Promise<Page>,
    itemsOf: (page: Page) => readonly unknown[],
  ): Promise<Page>;
  /** For lists without pagination. */
  readAll<Item>(read: () => Promise<Item[]>): Promise<Item[]>;
}

export interface ResponseLimiter {
  /** Runs `make`, which reads and serialises, as one of the few responses in progress. */
  make<T>(caller: Caller, make: (reader: ResponseReader) => Promise<T>): Promise<T>;
}

/** Roughly the serialised size. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof JsonText) return Buffer.byteLength(value.text);
  if (typeof value !== 'object' || value === null || value instanceof Date) return 8;
  let bytes = 0;
  for (const member of Object.values(value)) bytes += 16 + bytesOf(member);
  return bytes;
}

/** One turn per holder at a time, so a caller with many responses waits for its own only. */
function createTurns(maximumAtOnce: number) {
  const waiting: { holder: string; begin: () => void }[] = [];
  const running = new Set<string>();

  const isFree = (holder: string) => running.size < maximumAtOnce && !running.has(holder);

  function leave(holder: string): void {
    running.delete(holder);
    const next = waiting.findIndex((each) => isFree(each.holder));
    const [begun] = next < 0 ? [] : waiting.splice(next, 1);
    begun?.begin();
  }

  return (holder: string): Promise<() => void> =>
    new Promise((resolve) => {
      const begin = () => {
        running.add(holder);
        resolve(() => {
          leave(holder);
        });
      };
      if (isFree(holder)) begin();
      else waiting.push({ holder, begin });
    });
}

export function createResponseLimiter(): ResponseLimiter {
  const takeTurn = createTurns(maximumReading);
  const takeLargeTurn = createTurns(maximumLarge);

  return {
    async make(caller, make) {
      const holder = holderOf(caller);
      let turn: Promise<() => void> | undefined;
      let leaveLarge: (() => void) | undefined;
      let last: Promise<unknown> = Promise.resolve();
      let [pages, items, bytes] = [0, 0, 0];

      function tooLarge(sizeName: string | undefined) {
        const wouldDo = Math.floor((maximumResponseBytes / pages / bytes) * items);
        const limit = `a response may hold at most ${maximumResponseBytes / 1_048_576} MiB`;
        return new ServiceError(
          'response_too_large',
          sizeName === undefined || wouldDo < 1
            ? `${limit}: request less at once`
            : `${sizeName} must be at most ${wouldDo} here: ${limit}`,
        );
      }

      const reader: ResponseReader = {
        read(sizeName, read, itemsOf) {
          pages += 1;
          turn ??= takeTurn(holder);
          const page = Promise.all([turn, last]).then(async () => {
            if (bytes > maximumResponseBytes) throw tooLarge(sizeName);
            const found = await read();
            for (const item of itemsOf(found)) {
              items += 1;
              bytes += bytesOf(item);
            }
            if (bytes > maximumResponseBytes) throw tooLarge(sizeName);
            if (bytes > largeBytes) leaveLarge ??= await takeLargeTurn(holder);
            return found;
          });
          last = page.catch(() => undefined);
          return page;
        },
        readAll: (read) => reader.read(undefined, read, (list) => list),
      };

      try {
        return await make(reader);
      } finally {
        // A failed response may still have pages waiting to be read.
        void turn?.then(async (leave) => {
          await last;
          leaveLarge?.();
          leave();
        });
      }
    },
  };
}
