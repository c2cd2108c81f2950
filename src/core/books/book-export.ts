import { z } from 'zod';
import { isUuid } from '../base/ids.ts';
import { type BookEntry, listBookEntries } from './store/book-entries.ts';
import { listStatementDays } from './store/statement-days.ts';
import type { ReadSource } from '../../database/read-source.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { parse, parseForm } from '../base/parsing/parse.ts';
import { byteOrderMark, csvLine } from '../base/csv/csv.ts';
import {
  csvForPrograms,
  type CsvLocale,
  csvLocales,
  type CsvWriting,
  csvWritings,
  fileDay,
} from '../base/csv/csv-writing.ts';
import { lineCells, lineHeader, lineHeaders } from './book-lines.ts';
import { bookRangeOf, rangeSchema } from './book-range.ts';

const organizationRule = 'must be the id of an organization';
const fileSchema = rangeSchema.extend({
  organization: z.string({ error: organizationRule }).refine(isUuid, organizationRule),
  mode: z.enum(['test', 'live'], { error: 'must be test or live' }).default('live'),
  locale: z.enum(csvLocales, { error: 'must be pt or en' }),
});

export type BookFile = z.output<typeof fileSchema>;

export const parseBookFile = (query: unknown): BookFile => parseForm(fileSchema, query);

const fileNames: Record<CsvLocale, string> = { pt: 'conciliacao', en: 'books' };

export const bookFileName = ({ locale, mode, from, to }: BookFile, now: Date): string =>
  `${[fileNames[locale], mode === 'test' && mode, from, to ?? fileDay(now)].filter(Boolean).join('-')}.csv`;

/** Writes chunks, oldest day first: a line for each Pix of the statements, and for each refund or reversal of it. */
export interface BookExport {
  /** For programs. */
  csv(caller: Caller, range: unknown): AsyncGenerator<string>;
  /** For spreadsheets in a locale. */
  file(caller: Caller, wanted: BookFile): AsyncGenerator<string>;
}

interface Dependencies {
  lists: ReadSource;
  now: () => Date;
}

const pageSize = 1_000;

export function createBookExport({ lists, now }: Dependencies): BookExport {
  async function* lines(
    caller: Caller,
    range: z.output<typeof rangeSchema>,
    head: string,
    writing: CsvWriting,
  ): AsyncGenerator<string> {
    assertMay(caller, 'books:read');
    const days = await lists.read(async (from) =>
      listStatementDays(from, await bookRangeOf(from, caller, range, now())),
    );
    yield head;
    for (const day of days.toReversed()) {
      let after: string | undefined = '';
      while (after !== undefined) {
        const position: { after: string; limit: number } = { after, limit: pageSize };
        const entries: BookEntry[] = await lists.read((from) => listBookEntries(from, day, position));
        const own = entries.filter(({ countsHere }) => countsHere);
        const cells = own.flatMap((entry) => lineCells(day, entry, writing));
        yield cells.map((each) => csvLine(each, writing)).join('');
        after = entries.length < pageSize ? undefined : entries.at(-1)?.reference;
      }
    }
  }

  return {
    csv: (caller, range) =>
      lines(caller, parse(rangeSchema, range), csvLine(lineHeader, csvForPrograms), csvForPrograms),

    file(caller, { locale, credentialId, from, to }) {
      const writing = csvWritings[locale];
      const head = byteOrderMark + csvLine(lineHeaders[locale], writing);
      return lines(caller, { credentialId, from, to }, head, writing);
    },
  };
}
