import { z } from 'zod';
import { badRequest } from '../base/errors.ts';
import type { Mode } from '../base/mode.ts';
import { cents, type Cents, reaisFromCents } from '../base/money.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import { grouped } from './grouped.ts';
import { dayStarts, daysFrom, isTimeZone } from '../base/time/zone.ts';
import { listStatementDays, type StatementDay } from './store/statement-days.ts';
import type { Database } from '../../database/database.ts';
import { findReceiptsSince, type ReceiptRow, type ReceiptSums, sumReceipts } from './store/receipts.ts';
import { listCredentialRows } from '../providers/store/credentials.ts';
import { daySchema } from './book-range.ts';
import { credentialOf } from './book-views.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { parse, withoutNulls } from '../base/parsing/parse.ts';
import type { Reports } from '../../database/reports.ts';

const brasilia = 'America/Sao_Paulo';
const maximumDays = 366;
const dayMs = 86_400_000;

export const receiptsSchema = z.object({
  from: daySchema.meta({ description: 'First day, such as `2026-11-21`.' }),
  to: daySchema.meta({ description: `Last day, at most ${maximumDays} days from the first.` }),
  timeZone: z
    .string({ error: 'must be a string' })
    .refine(isTimeZone, 'must be the name of a time zone, such as America/Sao_Paulo')
    .default(brasilia)
    .meta({
      description: `Time zone of the days; whole hours from UTC, as all of Brazil's are. Defaults to \`${brasilia}\`.`,
    }),
});

/** Amounts in BRL. */
interface ReceiptSumsView {
  pixCount: number;
  gross: number;
  refunded: number;
  reversed: number;
  net: number;
}

/** Sums of the days with a statement, in BRL; null where none of them tells. */
interface ReceiptFees {
  /** What providers charged. */
  fee: number | null;
  /** What the fees of the credentials say. */
  expectedFee: number | null;
}

interface ReceiptGroupView extends ReceiptSumsView, ReceiptFees {
  provider: string;
  credentialId: string | null;
  /** Null for the sandbox without a credential. */
  credentialName: string | null;
}

/** What one account contributes to a day. */
interface ReceiptDayGroupView extends ReceiptGroupView {
  book: ReceiptBookView | null;
}

/** What the day's statements say, for the accounts that have one. */
interface ReceiptBookView extends ReceiptFees {
  isClosed: boolean;
  received: number;
  net: number | null;
  /** How much more the statements have than we recorded for these accounts. */
  difference: number;
  statements: { credentialId: string | null; credentialName: string | null }[];
}

interface ReceiptDayView extends ReceiptSumsView {
  date: string;
  groups: ReceiptDayGroupView[];
  book: ReceiptBookView | null;
}

export interface ReceiptsView {
  total: ReceiptSumsView;
  groups: ReceiptGroupView[];
  /** Newest first, without days on which nothing was received. */
  days: ReceiptDayView[];
  /** Set while older Pix are still being added: there are sums only from then on. */
  since: Date | null;
}

export interface Receipts {
  /** Sums the money received. Money that left again counts on the day of its Pix, as in the books. */
  sumByDay(caller: Caller, range: unknown): Promise<ReceiptsView>;
}

const add = (rows: readonly ReceiptSums[]): ReceiptSums => {
  const sum = (of: (row: ReceiptSums) => bigint): Cents =>
    cents(rows.reduce((total, row) => total + BigInt(of(row)), 0n));
  return {
    pixCount: rows.reduce((total, { pixCount }) => total + pixCount, 0),
    receivedInCents: sum((row) => row.receivedInCents),
    returnedInCents: sum((row) => row.returnedInCents),
    reversedInCents: sum((row) => row.reversedInCents),
  };
};

function view(rows: readonly ReceiptSums[]): ReceiptSumsView {
  const { pixCount, receivedInCents, returnedInCents, reversedInCents } = add(rows);
  return {
    pixCount,
    gross: reaisFromCents(receivedInCents),
    refunded: reaisFromCents(cents(returnedInCents - reversedInCents)),
    reversed: reaisFromCents(reversedInCents),
    net: reaisFromCents(cents(receivedInCents - returnedInCents)),
  };
}

type Names = ReadonlyMap<string, string>;

function sumKnown(amounts: readonly (Cents | null)[]): number | null {
  const known = amounts.filter((each) => each !== null);
  return known.length === 0
    ? null
    : reaisFromCents(cents(known.reduce<bigint>((sum, each) => sum + each, 0n)));
}

const feesOf = (books: readonly StatementDay[]): ReceiptFees => ({
  fee: sumKnown(books.map(({ feeInCents }) => feeInCents)),
  expectedFee: sumKnown(books.map(({ expectedFeeInCents }) => expectedFeeInCents)),
});

function groupsOf(
  rows: readonly ReceiptRow[],
  books: readonly StatementDay[],
  names: Names,
): ReceiptGroupView[] {
  const byAccount = grouped(rows, ({ provider, credentialId }) => `${provider} ${credentialId}`);
  return [...byAccount.values()]
    .flatMap(([first, ...others]) => {
      if (!first) return [];
      const { provider, credentialId } = first;
      const credentialName = credentialId === null ? null : (names.get(credentialId) ?? null);
      const fees = feesOf(books.filter((day) => day.credentialId === credentialId));
      return [{ provider, credentialId, credentialName, ...view([first, ...others]), ...fees }];
    })
    .toSorted((a, b) => b.gross - a.gross);
}

/** `rows` must be those of the accounts that have these books. */
function comparedWithBooks(
  books: readonly StatementDay[],
  rows: readonly ReceiptRow[],
  names: Names,
): ReceiptBookView | null {
  const imported = books.filter(({ importedAt }) => importedAt !== null);
  if (imported.length === 0) return null;
  const received = cents(imported.reduce((sum, { receivedInCents }) => sum + receivedInCents, 0n));
  const returned = imported.reduce<bigint | null>(
    (sum, { returnedInCents }) => (sum === null || returnedInCents === null ? null : sum + returnedInCents),
    0n,
  );
  const ours = add(rows);
  // If a statement does not tell what left again, only what came in can be compared.
  const difference =
    returned === null
      ? received - ours.receivedInCents
      : received - returned - (ours.receivedInCents - ours.returnedInCents);
  return {
    isClosed: books.every(({ importedAt, differenceCount }) => importedAt !== null && differenceCount === 0),
    received: reaisFromCents(received),
    net: returned === null ? null : reaisFromCents(cents(received - returned)),
    difference: reaisFromCents(cents(difference)),
    ...feesOf(imported),
    statements: imported.map((day) => {
      const credentialId = credentialOf(day);
      return { credentialId, credentialName: credentialId && (names.get(credentialId) ?? null) };
    }),
  };
}

/** Test mode has a single account, the sandbox, whichever credentials payments name. */
function dayOf(
  date: string,
  {
    rows,
    books,
    names,
    mode,
  }: { rows: readonly ReceiptRow[]; books: readonly StatementDay[]; names: Names; mode: Mode },
): ReceiptDayView {
  const imported = new Set(
    books.flatMap(({ importedAt, credentialId }) => (importedAt ? [credentialId] : [])),
  );
  const covered =
    mode === 'test'
      ? rows
      : rows.filter(({ credentialId }) => credentialId !== null && imported.has(credentialId));
  const groups = groupsOf(rows, books, names).map((group) => {
    const ofGroup = ({ provider, credentialId }: ReceiptRow) =>
      provider === group.provider && credentialId === group.credentialId;
    const its =
      mode === 'test' ? [] : books.filter(({ credentialId }) => credentialId === group.credentialId);
    return { ...group, book: comparedWithBooks(its, rows.filter(ofGroup), names) };
  });
  return { date, ...view(rows), groups, book: comparedWithBooks(books, covered, names) };
}

/** Whether the days begin when those of the books do. */
const areBookDays = (days: readonly string[], starts: readonly Date[]): boolean =>
  days.every((day, index) => {
    const start = starts[index];
    return start && brasiliaDay(start) === day && brasiliaDay(new Date(start.getTime() - 1)) < day;
  });

interface Dependencies {
  reports: Reports;
  now: () => Date;
}

export function createReceipts({ reports, now }: Dependencies): Receipts {
  async function read(
    db: Database,
    { organizationId, mode }: Caller,
    days: readonly string[],
    starts: Date[],
  ) {
    const [from = '', to = ''] = [days[0], days.at(-1)];
    const rows = await sumReceipts(db, { organizationId, mode }, starts);
    const books = areBookDays(days, starts)
      ? await listStatementDays(db, { organizationId, mode, credentialId: undefined, from, to })
      : [];
    const credentials = await listCredentialRows(db, organizationId);
    const names: Names = new Map(credentials.map(({ id, name }) => [id, name]));
    return { rows, books, names, since: await findReceiptsSince(db, organizationId) };
  }

  return {
    async sumByDay(caller, input) {
      assertMay(caller, 'payments:investigate');
      const { from, to, timeZone } = parse(receiptsSchema, withoutNulls(input));
      if (from > to) throw badRequest('from must not be after to');
      if (Date.parse(to) - Date.parse(from) >= maximumDays * dayMs) {
        throw badRequest(`from and to must be at most ${maximumDays} days apart`);
      }
      const days = daysFrom(from, to);
      const starts = dayStarts(timeZone, days);
      if (!starts) throw badRequest('timeZone must be whole hours from UTC');
      const { rows, books, names, since } = await reports.read(caller.organizationId, (db) =>
        read(db, caller, days, starts),
      );
      const byDay = grouped(rows, ({ day }) => days[day] ?? '');
      const booksByDay = grouped(books, ({ day }) => day);
      const dates = days.filter((date) => byDay.has(date) || booksByDay.has(date)).reverse();
      return {
        total: view(rows),
        groups: groupsOf(rows, books, names),
        days: dates.map((date) =>
          dayOf(date, {
            rows: byDay.get(date) ?? [],
            books: booksByDay.get(date) ?? [],
            names,
            mode: caller.mode,
          }),
        ),
        since: since && new Date(Math.min(since.getTime(), now().getTime())),
      };
    },
  };
}
