import { ServiceError } from '../domain/errors.ts';
import { JsonText } from '../domain/json/json-text.ts';
import { type Caller, holderOf } from './caller.ts';

/** The largest page of payments, each with the largest metadata, is less than half of it. */
export const maximumAnswerBytes = 4_194_304;
/** For how many answers pages are read at once: fewer than there are connections, which payments need too. */
const maximumReading = 12;
/** How many answers are large at once: what they hold must fit into the process. */
const maximumLarge = 4;
const largeBytes = 262_144;

/** What is read for one answer, page after page, as long as it is not too much. */
export interface Answer {
  /**
   * Reads a page once those before it have been read. Fails with a 400 when the answer would become too large;
   * `sizeName` is what the transport calls the argument by which less is asked for.
   */
  read<Page>(
    sizeName: string | undefined,
    read: () => Promise<Page>,
    itemsOf: (page: Page) => readonly unknown[],
  ): Promise<Page>;
  /** A list that nobody asks for in pages. */
  readAll<Item>(read: () => Promise<Item[]>): Promise<Item[]>;
}

export interface Answers {
  /** `make` reads and prints: for so long it is one of the few that are made at once. */
  make<T>(caller: Caller, make: (answer: Answer) => Promise<T>): Promise<T>;
}

/** About as many bytes as it is printed. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof JsonText) return Buffer.byteLength(value.text);
  if (typeof value !== 'object' || value === null || value instanceof Date) return 8;
  let bytes = 0;
  for (const member of Object.values(value)) bytes += 16 + bytesOf(member);
  return bytes;
}

/** One for each holder at a time: whoever asks for many answers at once waits for his own. */
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

export function createAnswers(): Answers {
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
        const wouldDo = Math.floor((maximumAnswerBytes / pages / bytes) * items);
        const limit = `one answer holds at most ${maximumAnswerBytes / 1_048_576} MiB`;
        return new ServiceError(
          'answer_too_large',
          sizeName === undefined || wouldDo < 1
            ? `${limit}: ask for less at once`
            : `${sizeName} must be at most ${wouldDo} here: ${limit}`,
        );
      }

      const answer: Answer = {
        read(sizeName, read, itemsOf) {
          pages += 1;
          turn ??= takeTurn(holder);
          const page = Promise.all([turn, last]).then(async () => {
            if (bytes > maximumAnswerBytes) throw tooLarge(sizeName);
            const found = await read();
            for (const item of itemsOf(found)) {
              items += 1;
              bytes += bytesOf(item);
            }
            if (bytes > maximumAnswerBytes) throw tooLarge(sizeName);
            if (bytes > largeBytes) leaveLarge ??= await takeLargeTurn(holder);
            return found;
          });
          last = page.catch(() => undefined);
          return page;
        },
        readAll: (read) => answer.read(undefined, read, (list) => list),
      };

      try {
        return await make(answer);
      } finally {
        // What failed may have left some of its pages to be read.
        void turn?.then(async (leave) => {
          await last;
          leaveLarge?.();
          leave();
        });
      }
    },
  };
}
