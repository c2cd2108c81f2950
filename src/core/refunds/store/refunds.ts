import type { Refund, RefundFailure, RefundPendingReason, RefundStatus } from '../rules/refund.ts';
import { cents } from '../../base/money.ts';
import type { Queryable } from '../../../database/database.ts';
import type { Tenant } from '../../payments/store/payments.ts';

export interface RefundRow extends Refund {
  attemptId: string;
  credentialId: string | null;
  endToEndId: string;
  /** The last time the PSP may have received it. */
  sentAt: Date;
  /** The PSP's id of the refund, once accepted. */
  pspReference: string | null;
  nextCheckAt: Date | null;
  /** The key or person whose limit it counts against, and the day in Brasília. */
  countedFor: string | null;
  countedOn: Date | null;
  /** An owner wanted it although the money was claimed. */
  forced: boolean;
}

const withCents = <Row extends { amountInCents: bigint }>(row: Row) => ({
  ...row,
  amountInCents: cents(row.amountInCents),
});

const refundOf = <
  Row extends { amountInCents: bigint; failureReason: string | null; pendingReason: string | null },
>(
  row: Row,
) => ({
  ...withCents(row),
  failureReason: row.failureReason as RefundFailure | null,
  pendingReason: row.pendingReason as RefundPendingReason | null,
});

/** `actor` is whoever requested the refund. */
export async function insertRefund(
  tx: Queryable,
  { organizationId, mode }: Tenant,
  refund: RefundRow,
  actor: { userId: string | null; apiKeyId: string | null },
): Promise<void> {
  await tx.refund.create({ data: { ...refund, organizationId, mode, ...actor }, select: { id: true } });
}

export async function findRefund(db: Queryable, id: string): Promise<RefundRow | undefined> {
  const row = await db.refund.findUnique({ where: { id } });
  return row ? refundOf(row) : undefined;
}

type RefundSummary = Pick<
  RefundRow,
  'id' | 'amountInCents' | 'status' | 'pspReference' | 'awaitingApproval' | 'createdAt' | 'approvedAt'
>;

export async function listRefunds(db: Queryable, paymentId: string): Promise<RefundSummary[]> {
  const rows = await db.refund.findMany({
    where: { paymentId },
    select: {
      id: true,
      amountInCents: true,
      status: true,
      pspReference: true,
      awaitingApproval: true,
      createdAt: true,
      approvedAt: true,
    },
    orderBy: { id: 'asc' },
  });
  return rows.map(withCents);
}

/** The reasons of refunds and the references of their payments, read afresh because a copy could not be forgotten. */
export async function listRefundTexts(
  db: Queryable,
  ids: readonly string[],
): Promise<{ id: string; reason: string | null; externalId: string | null }[]> {
  const rows = await db.refund.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, reason: true, payment: { select: { externalId: true } } },
  });
  return rows.map(({ payment, ...row }) => ({ ...row, ...payment }));
}

/** Lists refunds in order of creation, after the one with the given id. */
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
      pendingReason: true,
      reason: true,
      createdAt: true,
      awaitingApproval: true,
      approvedAt: true,
    },
    orderBy: { id: 'asc' },
    take: limit,
  });
  return rows.map(refundOf);
}

/** To be called before sending a refund. Returns false when another process has sent it first. */
export async function recordRefundSent(
  db: Queryable,
  id: string,
  { lastSentAt, sentAt }: { lastSentAt: Date; sentAt: Date },
): Promise<boolean> {
  const where = { id, status: 'pending', sentAt: lastSentAt } as const;
  const { count } = await db.refund.updateMany({ where, data: { sentAt } });
  return count === 1;
}

/** How many wait for a person at a provider, by what they wait for; at most `limit` are counted. */
export async function countStuckRefunds(db: Queryable, limit: number): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ reason: string; count: number }[]>`
    SELECT reason, count(*)::int AS count FROM (
      SELECT pending_reason AS reason FROM refund
      WHERE status = 'pending' AND pending_reason IS NOT NULL AND credential_id IS NOT NULL LIMIT ${limit}::int) AS stuck
    GROUP BY reason`;
  return new Map(rows.map(({ reason, count }) => [reason, count]));
}

export interface RefundChange {
  status: RefundStatus;
  failureReason?: RefundFailure;
  /** Absent when the PSP did not respond; then what was known is kept. */
  pendingReason?: RefundPendingReason | null;
  /** Absent when the PSP reported none; then a known one is kept. */
  pspReference?: string;
  nextCheckAt: Date | null;
  awaitingApproval?: boolean;
  approvedAt?: Date;
  sentAt?: Date;
}

/** Changes a pending refund; returns false for a settled one, which stays unchanged. */
export async function changePendingRefund(tx: Queryable, id: string, change: RefundChange): Promise<boolean> {
  const { count } = await tx.refund.updateMany({ where: { id, status: 'pending' }, data: change });
  return count === 1;
}
