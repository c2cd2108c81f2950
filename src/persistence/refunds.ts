import type { Refund, RefundStatus } from '../domain/refund.ts';
import { type Cents, cents } from '../domain/money.ts';
import type { Queryable } from './database.ts';

export interface RefundRow extends Refund {
  attemptId: string;
  endToEndId: string;
  nextCheckAt: Date | null;
}

const refundOf = <Row extends { amountInCents: bigint }>(row: Row) => ({
  ...row,
  amountInCents: cents(row.amountInCents),
});

export async function insertRefund(tx: Queryable, refund: RefundRow): Promise<void> {
  await tx.refund.create({ data: refund, select: { id: true } });
}

export async function findRefund(db: Queryable, id: string): Promise<RefundRow | undefined> {
  const row = await db.refund.findUnique({ where: { id }, omit: { pspReference: true } });
  return row ? refundOf(row) : undefined;
}

export async function listRefunds(
  db: Queryable,
  paymentId: string,
): Promise<{ id: string; amountInCents: Cents; status: RefundStatus }[]> {
  const rows = await db.refund.findMany({
    where: { paymentId },
    select: { id: true, amountInCents: true, status: true },
    orderBy: { id: 'asc' },
  });
  return rows.map(refundOf);
}

export async function listWholeRefunds(db: Queryable, paymentId: string): Promise<Refund[]> {
  const rows = await db.refund.findMany({
    where: { paymentId },
    select: { id: true, paymentId: true, amountInCents: true, status: true, createdAt: true },
    orderBy: { id: 'asc' },
  });
  return rows.map(refundOf);
}

/** Settles a refund once; answers whether this did it. */
export async function settleRefund(
  tx: Queryable,
  id: string,
  settled: { status: RefundStatus; pspReference: string | null; nextCheckAt: Date | null },
): Promise<boolean> {
  const { count } = await tx.refund.updateMany({ where: { id, status: 'pending' }, data: settled });
  return count === 1;
}
