import type { DifferenceKind } from '../../domain/books/books.ts';
import { type Cents, cents } from '../../domain/money.ts';
import type { Queryable } from '../database.ts';

export interface BookDifference {
  dayId: string;
  kind: DifferenceKind;
  endToEndId: string | null;
  paymentId: string | null;
  /** As the PSP has it, and as we have it; null where one says nothing. */
  amountInCents: Cents | null;
  ownAmountInCents: Cents | null;
  foundAt: Date;
}

const centsOrNull = (value: bigint | null): Cents | null => (value === null ? null : cents(value));

/** In the order in which they were found. */
export async function listDifferences(db: Queryable, dayIds: readonly string[]): Promise<BookDifference[]> {
  const rows = await db.bookDifference.findMany({
    where: { dayId: { in: [...dayIds] } },
    orderBy: [{ foundAt: 'asc' }, { kind: 'asc' }, { reference: 'asc' }],
    omit: { reference: true },
  });
  return rows.map((row) => ({
    ...row,
    amountInCents: centsOrNull(row.amountInCents),
    ownAmountInCents: centsOrNull(row.ownAmountInCents),
  }));
}
