import { z } from 'zod';
import { correctableDays, daysBefore, yesterday } from '../../domain/books/import-schedule.ts';
import { badRequest } from '../../domain/errors.ts';
import { listDifferencesOfDays } from '../../persistence/books/differences.ts';
import {
  hastenStatementDays,
  insertStatementDays,
  listStatementDays,
  type StatementDay,
} from '../../persistence/books/statement-days.ts';
import type { Database } from '../../persistence/database.ts';
import { assertMay, type Caller } from '../caller.ts';
import { type FieldNames, parse, withoutNulls } from '../parse.ts';
import type { ReadSource } from '../../persistence/read-source.ts';
import { daySchema, decodeKey, encodeKey, pageSchema, rangeOf, rangeSchema } from './book-range.ts';
import { type BookDayView, dayView, differenceView, type DifferenceView } from './book-views.ts';

export interface WholeBookDay extends BookDayView {
  differences: DifferenceView[];
}

interface BookPage {
  data: (BookDayView & { cursor: string })[];
  hasMore: boolean;
}

export interface Books {
  /** Newest day first; by default the last 30. */
  list(caller: Caller, input: unknown): Promise<WholeBookDay[]>;
  /** As above, a page without the differences; `names` maps query fields to the transport's names. */
  page(caller: Caller, input: unknown, names?: FieldNames): Promise<BookPage>;
  /** Has the nodes import a day of all credentials again. */
  fetch(caller: Caller, input: unknown): Promise<void>;
}

interface Dependencies {
  db: Database;
  lists: ReadSource;
  now: () => Date;
}

const keySchema = z.tuple([z.iso.date(), z.uuid()]);

export function createBooks({ db, lists, now }: Dependencies): Books {
  const daysOf = async (from: Database, caller: Caller, input: unknown): Promise<StatementDay[]> =>
    listStatementDays(from, await rangeOf(from, caller, parse(rangeSchema, input), now()));

  return {
    list(caller, input) {
      return lists.read(async (from) => {
        assertMay(caller, 'books:read');
        const days = await daysOf(from, caller, input);
        const differing = days.filter(
          ({ differenceCount, settledCount }) => differenceCount + settledCount > 0,
        );
        const differences = await listDifferencesOfDays(
          from,
          differing.map(({ id }) => id),
        );
        return days.map((day) => ({
          ...dayView(day),
          differences: differences.filter(({ dayId }) => dayId === day.id).map(differenceView),
        }));
      });
    },

    page(caller, input, names) {
      return lists.read(async (from) => {
        assertMay(caller, 'books:read');
        const { limit, cursor, ...wanted } = parse(pageSchema, withoutNulls(input), names);
        const key = decodeKey(keySchema, cursor);
        const after = key && { day: key[0], credentialId: key[1] };
        const range = await rangeOf(from, caller, wanted, now());
        const days = await listStatementDays(from, range, { after, limit: limit + 1 });
        return {
          data: days
            .slice(0, limit)
            .map((day) => ({ ...dayView(day), cursor: encodeKey([day.day, day.credentialId]) })),
          hasMore: days.length > limit,
        };
      });
    },

    async fetch(caller, input) {
      assertMay(caller, 'books:read');
      const { date } = parse(z.strictObject({ date: daySchema }), input);
      const last = yesterday(now());
      if (date > last || date < daysBefore(last, correctableDays - 1)) {
        throw badRequest(`date must be one of the ${correctableDays} days before today, in Brasília`);
      }
      const { organizationId } = caller;
      await insertStatementDays(db, { from: date, to: date, dueAt: now(), organizationId });
      await hastenStatementDays(db, { organizationId, day: date, at: now() });
    },
  };
}
