import { z } from 'zod';
import { correctableDays, daysBefore } from './rules/import-schedule.ts';
import { badRequest } from '../base/errors.ts';
import { problem } from '../base/problems/rules.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import { listDifferencesOfDays } from './store/differences.ts';
import {
  hastenStatementDays,
  insertSandboxDay,
  insertStatementDays,
  listOpenDays,
  listStatementDays,
  type StatementDay,
} from './store/statement-days.ts';
import type { Database } from '../../database/database.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { type FieldNames, parse, withoutNulls } from '../base/parsing/parse.ts';
import type { ReadSource } from '../../database/read-source.ts';
import {
  bookRangeOf,
  daySchema,
  decodeKey,
  encodeKey,
  lastDay,
  pageSchema,
  rangeSchema,
} from './book-range.ts';
import {
  type BookDayView,
  credentialOf,
  dayView,
  differenceView,
  type DifferenceView,
  leasedUntil,
} from './book-views.ts';

export interface WholeBookDay extends BookDayView {
  differences: DifferenceView[];
}

interface BookPage {
  data: (BookDayView & { cursor: string })[];
  hasMore: boolean;
}

/** The differences that keep days open, and the oldest of these days. */
interface OpenDifferences {
  count: number;
  /** There are more than were counted. */
  isAtLeast: boolean;
  date: string;
  /** Null for the sandbox. */
  credentialId: string | null;
}

/** Adding up more days would tell nobody anything. */
const countedDays = 100;

export interface Books {
  /** Newest day first, by default the last 30 days. */
  list(caller: Caller, input: unknown): Promise<WholeBookDay[]>;
  /** A page of `list` without the differences; `names` maps query fields to the transport's names. */
  page(caller: Caller, input: unknown, names?: FieldNames): Promise<BookPage>;
  /** Counts those of the caller's mode; null when there are none. */
  openDifferences(caller: Caller): Promise<OpenDifferences | null>;
  /**
   * Has the nodes import a day again, for one credential or all accounts. Changes nothing about a day that is being imported or
   * about to be. Returns the days; fails if no account has books of that day.
   */
  fetch(caller: Caller, input: unknown): Promise<BookDayView[]>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  lists: ReadSource;
  now: () => Date;
}

export const fetchSchema = rangeSchema.pick({ credentialId: true }).extend({
  date: daySchema.meta({
    description: `One of the ${correctableDays} days before today, in Brasília; in test mode also today.`,
  }),
});

const keySchema = z.tuple([z.iso.date(), z.uuid()]);

export function createBooks({ db, audit, lists, now }: Dependencies): Books {
  const daysOf = async (from: Database, caller: Caller, input: unknown): Promise<StatementDay[]> =>
    listStatementDays(from, await bookRangeOf(from, caller, parse(rangeSchema, input), now()));

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
          ...dayView(day, now()),
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
        const range = await bookRangeOf(from, caller, wanted, now());
        const days = await listStatementDays(from, range, { after, limit: limit + 1 });
        return {
          data: days
            .slice(0, limit)
            .map((day) => ({ ...dayView(day, now()), cursor: encodeKey([day.day, day.credentialId]) })),
          hasMore: days.length > limit,
        };
      });
    },

    openDifferences(caller) {
      return lists.read(async (from) => {
        assertMay(caller, 'books:read');
        const { organizationId, mode } = caller;
        const days = await listOpenDays(from, { organizationId, mode, limit: countedDays + 1 });
        const counted = days.slice(0, countedDays);
        const [first] = counted;
        if (!first) return null;
        return {
          count: counted.reduce((sum, { differenceCount }) => sum + differenceCount, 0),
          isAtLeast: days.length > countedDays,
          date: first.day,
          credentialId: credentialOf({ mode, ...first }),
        };
      });
    },

    async fetch(caller, input) {
      assertMay(caller, 'books:fetch');
      const { date, credentialId } = parse(fetchSchema, withoutNulls(input));
      const { organizationId, mode } = caller;
      const at = now();
      if (date > lastDay(mode, at) || date < daysBefore(brasiliaDay(at), correctableDays)) {
        const rule = `one of the ${correctableDays} days before today, in Brasília`;
        throw badRequest(
          `date must be ${mode === 'test' ? `today or ${rule}` : rule}`,
          problem('date', 'date'),
        );
      }
      const range = await bookRangeOf(db, caller, { credentialId, from: date, to: date }, at);
      return db.$transaction(async (tx) => {
        const added =
          mode === 'test'
            ? await insertSandboxDay(tx, { organizationId, day: date, dueAt: at })
            : await insertStatementDays(tx, { ...range, dueAt: at });
        const hastened = await hastenStatementDays(tx, range, { at, unlessBefore: leasedUntil(at) });
        const days = await listStatementDays(tx, range);
        if (days.length === 0) {
          throw badRequest(
            credentialId === undefined
              ? 'date must be a day that an account has books of: no enabled credential was there that day'
              : 'date must be a day of the credential, which is disabled or was added later',
            problem('date', 'date'),
          );
        }
        if (added + hastened > 0) {
          await audit.record(tx, caller, 'books.fetch', credentialId ?? null, { date });
        }
        return days.map((day) => dayView(day, at));
      });
    },
  };
}
