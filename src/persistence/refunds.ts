import type { Refund, RefundStatus } from '../domain/refund.ts';
import { type Cents, cents } from '../domain/money.ts';
import type { Queryable } from './database.ts';

export interface RefundRow extends Refund {
  attemptId: string;
  endToEndId: string;
  /** When the PSP was last asked to make it, at the latest. */
  sentAt: Date;
  /** What the PSP calls a refund that it has taken. */
  pspReference: string | null;
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
  const row = await db.refund.findUnique({ where: { id } });
  return row ? refundOf(row) : undefined;
}

export async function listRefunds(
  db: Queryable,
  paymentId: string,
): Promise<{ id: string; amountInCents: Cents; status: RefundStatus; pspReference: string | null }[]> {
  const rows = await db.refund.findMany({
    where: { paymentId },
    select: { id: true, amountInCents: true, status: true, pspReference: true },
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

/** Before a refund is sent again; answers false when somebody else did so first. */
export async function recordRefundSent(
  db: Queryable,
  id: string,
  { lastSentAt, sentAt }: { lastSentAt: Date; sentAt: Date },
): Promise<boolean> {
  const where = { id, status: 'pending', sentAt: lastSentAt } as const;
  const { count } = await db.refund.updateMany({ where, data: { sentAt } });
  return count === 1;
}

export interface RefundChange {
  status: RefundStatus;
  /** Left out where the PSP told none: one that is known stays. */
  pspReference?: string;
  nextCheckAt: Date | null;
}

/** Changes a refund that is pending; one that is settled stays as it is. */
export async function changePendingRefund(tx: Queryable, id: string, change: RefundChange): Promise<void> {
  await tx.refund.updateMany({ where: { id, status: 'pending' }, data: change });
}
