import type { Refund, RefundFailure, RefundStatus } from '../../domain/payments/refund.ts';
import { type Cents, cents } from '../../domain/money.ts';
import type { Queryable } from '../database.ts';

export interface RefundRow extends Refund {
  attemptId: string;
  credentialId: string | null;
  endToEndId: string;
  /** When the PSP was last asked to make it, at the latest. */
  sentAt: Date;
  /** What the PSP calls a refund that it has taken. */
  pspReference: string | null;
  nextCheckAt: Date | null;
  /** The key or the person against whose limit it counts, and the day of Brasília. */
  countedFor: string | null;
  countedOn: Date | null;
}

const withCents = <Row extends { amountInCents: bigint }>(row: Row) => ({
  ...row,
  amountInCents: cents(row.amountInCents),
});

const refundOf = <Row extends { amountInCents: bigint; failureReason: string | null }>(row: Row) => ({
  ...withCents(row),
  failureReason: row.failureReason as RefundFailure | null,
});

/** `actor`: who asked for it. */
export async function insertRefund(
  tx: Queryable,
  refund: RefundRow,
  actor: { userId: string | null; apiKeyId: string | null },
): Promise<void> {
  await tx.refund.create({ data: { ...refund, ...actor }, select: { id: true } });
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
  return rows.map(withCents);
}

/** In the order of creation, those after the one of an id. */
export async function listWholeRefunds(
  db: Queryable,
  paymentId: string,
  { afterId, limit }: { afterId?: string | undefined; limit: number },
): Promise<Refund[]> {
  const rows = await db.refund.findMany({
    where: { paymentId, ...(afterId !== undefined && { id: { gt: afterId } }) },
    select: {
      id: true,
      paymentId: true,
      amountInCents: true,
      status: true,
      failureReason: true,
      createdAt: true,
      awaitingApproval: true,
      approvedAt: true,
    },
    orderBy: { id: 'asc' },
    take: limit,
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
  failureReason?: RefundFailure;
  /** Left out where the PSP told none: one that is known stays. */
  pspReference?: string;
  nextCheckAt: Date | null;
  awaitingApproval?: boolean;
  approvedAt?: Date;
  sentAt?: Date;
}

/** Changes a refund that is pending; answers false for one that is settled, which stays as it is. */
export async function changePendingRefund(tx: Queryable, id: string, change: RefundChange): Promise<boolean> {
  const { count } = await tx.refund.updateMany({ where: { id, status: 'pending' }, data: change });
  return count === 1;
}
