import { z } from 'zod';
import { type BookState, bookStateOf, type DifferenceKind } from '../../domain/books/books.ts';
import { correctableDays, daysBefore, yesterday } from '../../domain/books/import-schedule.ts';
import { badRequest, notFound } from '../../domain/errors.ts';
import { isUuid } from '../../domain/ids.ts';
import { type Cents, cents, reaisFromCents } from '../../domain/money.ts';
import { brasiliaIso } from '../../domain/time/brasilia.ts';
import { type BookEntry, listBookEntries } from '../../persistence/books/book-entries.ts';
import { type BookDifference, listDifferences } from '../../persistence/books/differences.ts';
import {
  hastenStatementDays,
  insertStatementDays,
  listStatementDays,
  type StatementDay,
} from '../../persistence/books/statement-days.ts';
import type { Database } from '../../persistence/database.ts';
import { findCredentialRow } from '../../persistence/providers/credentials.ts';
import { assertMay, type Caller } from '../caller.ts';
import { parse } from '../parse.ts';
import { csvLine } from '../reports/csv.ts';

/** Amounts in BRL. */
export interface DifferenceView {
  kind: DifferenceKind;
  endToEndId: string | null;
  paymentId: string | null;
  /** As the bank has it, and as we have it. */
  amount: number | null;
  ownAmount: number | null;
  foundAt: Date;
}

/** A day of a credential as its bank has it; the members with `own` as we have it. Amounts in BRL. */
export interface BookDayView {
  credentialId: string;
  provider: string;
  date: string;
  state: BookState;
  /** Why the day is unavailable. */
  problem: string | null;
  received: number;
  /** Null where the statement does not tell what has left again, as is each of the next two. */
  refunded: number | null;
  reversed: number | null;
  net: number | null;
  fee: number | null;
  pixCount: number;
  ownReceived: number;
  ownReturned: number;
  ownPixCount: number;
  importedAt: Date | null;
  differences: DifferenceView[];
}

export interface Books {
  /** Newest day first; by default the last 30. */
  list(caller: Caller, input: unknown): Promise<BookDayView[]>;
  /** A line for each Pix, in chunks. */
  csv(caller: Caller, input: unknown): AsyncGenerator<string>;
  /** Has the nodes import a day of all credentials again. */
  fetch(caller: Caller, input: unknown): Promise<void>;
}

interface Dependencies {
  db: Database;
  now: () => Date;
}

const dayRule = 'must be a date such as 2026-11-21';
const daySchema = z.iso.date({ error: dayRule });
const rangeSchema = z.strictObject({
  credentialId: z.string().optional(),
  from: daySchema.optional(),
  to: daySchema.optional(),
});

const defaultDays = 30;
const maximumDays = 366;
const pageSize = 1_000;

const reaisOrNull = (amountInCents: Cents | null): number | null =>
  amountInCents === null ? null : reaisFromCents(amountInCents);

/** Null if either is unknown. */
const difference = (from: bigint | null, less: bigint | null): Cents | null =>
  from === null || less === null ? null : cents(from - less);

const differenceView = ({
  amountInCents,
  ownAmountInCents,
  kind,
  ...rest
}: BookDifference): DifferenceView => ({
  kind,
  endToEndId: rest.endToEndId,
  paymentId: rest.paymentId,
  amount: reaisOrNull(amountInCents),
  ownAmount: reaisOrNull(ownAmountInCents),
  foundAt: rest.foundAt,
});

function dayView(day: StatementDay, differences: readonly BookDifference[]): BookDayView {
  const { receivedInCents, returnedInCents, reversedInCents } = day;
  return {
    credentialId: day.credentialId,
    provider: day.provider,
    date: day.day,
    state: bookStateOf(day),
    problem: day.problem,
    received: reaisFromCents(receivedInCents),
    refunded: reaisOrNull(difference(returnedInCents, reversedInCents)),
    reversed: reaisOrNull(reversedInCents),
    net: reaisOrNull(difference(receivedInCents, returnedInCents)),
    fee: reaisOrNull(day.feeInCents),
    pixCount: day.pixCount,
    ownReceived: reaisFromCents(day.ownReceivedInCents),
    ownReturned: reaisFromCents(day.ownReturnedInCents),
    ownPixCount: day.ownPixCount,
    importedAt: day.importedAt,
    differences: differences.filter(({ dayId }) => dayId === day.id).map(differenceView),
  };
}

const header = [
  'date',
  'credentialId',
  'provider',
  'receivedAt',
  'endToEndId',
  'pspReference',
  'paymentId',
  'externalId',
  'amount',
  'refunded',
  'reversed',
  'fee',
];

const amountCell = (inCents: bigint | null): string =>
  inCents === null ? '' : reaisFromCents(cents(inCents)).toFixed(2);

const cellsOf = ({ day, credentialId, provider }: StatementDay, entry: BookEntry): string[] => {
  const { returnedInCents, reversedInCents } = entry;
  return [
    day,
    credentialId,
    provider,
    brasiliaIso(entry.receivedAt),
    entry.endToEndId ?? '',
    entry.reference,
    entry.paymentId ?? '',
    entry.externalId ?? '',
    amountCell(entry.amountInCents),
    amountCell(difference(returnedInCents, reversedInCents)),
    amountCell(reversedInCents),
    amountCell(entry.feeInCents),
  ];
};

export function createBooks({ db, now }: Dependencies): Books {
  async function daysOf({ organizationId }: Caller, input: unknown): Promise<StatementDay[]> {
    const last = yesterday(now());
    const { credentialId, to = last, from = daysBefore(to, defaultDays - 1) } = parse(rangeSchema, input);
    if (from > to) throw badRequest('from must not be after to');
    if (from < daysBefore(to, maximumDays - 1))
      throw badRequest(`from must be at most ${maximumDays} days before to`);
    if (credentialId !== undefined) {
      const row = isUuid(credentialId) ? await findCredentialRow(db, credentialId) : null;
      if (row?.organizationId !== organizationId) throw notFound('Credential', credentialId);
    }
    return listStatementDays(db, { organizationId, credentialId, from, to });
  }

  return {
    async list(caller, input) {
      assertMay(caller, 'payments:read');
      const days = await daysOf(caller, input);
      const differing = days.filter(({ differenceCount }) => differenceCount > 0).map(({ id }) => id);
      const differences = differing.length > 0 ? await listDifferences(db, differing) : [];
      return days.map((day) => dayView(day, differences));
    },

    async *csv(caller, input) {
      assertMay(caller, 'payments:read');
      const days = await daysOf(caller, input);
      yield csvLine(header, ',');
      for (const day of days.toReversed()) {
        let after: string | undefined = '';
        while (after !== undefined) {
          const entries = await listBookEntries(db, day, { after, limit: pageSize });
          yield entries.map((entry) => csvLine(cellsOf(day, entry), ',')).join('');
          after = entries.length < pageSize ? undefined : entries.at(-1)?.reference;
        }
      }
    },

    async fetch(caller, input) {
      assertMay(caller, 'payments:read');
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
