import { newId, transactionIdOf } from '../../domain/ids.ts';
import { cents } from '../../domain/money.ts';
import { refunded } from '../../domain/payments/refund.ts';
import { type ReportedReversal, reversalsIn } from '../../domain/payments/reported-reversals.ts';
import { type Reversal, sumsOf } from '../../domain/payments/reversal.ts';
import type { PspReceivedPix } from '../../domain/providers/psp.ts';
import type { Queryable } from '../../persistence/database.ts';
import { listRefunds } from '../../persistence/payments/refunds.ts';
import { changeReversal, insertReversal, listReversals } from '../../persistence/payments/reversals.ts';
import {
  changeReturned,
  findFirstReceivedPix,
  type PaymentChange,
  type SettledPayment,
} from '../../persistence/payments/settlement.ts';

export interface RecordedReversals {
  /** Completed just now, each an event of its own. */
  completed: Reversal[];
  /** Of the payment, which shows what became of its first Pix. */
  change: Pick<PaymentChange, 'refundedInCents' | 'reversedInCents' | 'status'>;
  /** Some are still in progress. */
  isPending: boolean;
}

/** Nothing is reported to have left it. */
export const isWhole = ({ returnedInCents, reversals }: Omit<PspReceivedPix, 'endToEndId'>): boolean =>
  returnedInCents === 0n && !reversals?.length;

async function record(
  tx: Queryable,
  { id: paymentId, organizationId, mode }: SettledPayment,
  endToEndId: string,
  { reported, known, now }: { reported: ReportedReversal; known: readonly Reversal[]; now: Date },
): Promise<Reversal> {
  const { reference, replaces, reason, amountInCents, status, reversedAt } = reported;
  const earlier = known.find(({ pspReference }) => pspReference === (replaces ?? reference));
  if (earlier) {
    const change = { pspReference: reference, reason, status, reversedAt: reversedAt ?? earlier.reversedAt };
    await changeReversal(tx, earlier.id, change);
    return { ...earlier, ...change };
  }
  const reversal = {
    id: newId(now),
    paymentId,
    endToEndId,
    pspReference: reference,
    reason,
    amountInCents,
    status,
    reversedAt,
    createdAt: now,
  };
  await insertReversal(tx, { ...reversal, organizationId, mode });
  return reversal;
}

/**
 * Records what left a received Pix again other than through refunds made here, under the payment's lock. `status` is
 * the payment's as it will be.
 */
export async function recordReversals(
  tx: Queryable,
  payment: SettledPayment,
  status: SettledPayment['status'],
  { endToEndId, ...pix }: PspReceivedPix,
  now: Date,
): Promise<RecordedReversals> {
  const known = await listReversals(tx, { paymentId: payment.id, endToEndId });
  const none = { completed: [], change: {}, isPending: false };
  if (isWhole(pix) && known.length === 0) return none;
  const refunds = await listRefunds(tx, payment.id);
  const first = await findFirstReceivedPix(tx, payment);
  const isFirst = first?.endToEndId === endToEndId;
  // Refunds made here are refunds of the first Pix. Those that wait for approval are not made yet.
  const made = isFirst ? refunds.filter(({ awaitingApproval }) => !awaitingApproval) : [];
  const ownRefunds = made.map(({ id, ...refund }) => ({ ...refund, refundId: transactionIdOf(id) }));
  const reports = reversalsIn(pix, ownRefunds, known);
  const wasCompleted = new Set(known.filter((each) => each.status === 'completed').map(({ id }) => id));
  const changed: Reversal[] = [];
  for (const reported of reports)
    changed.push(await record(tx, payment, endToEndId, { reported, known, now }));
  const changedIds = new Set(changed.map(({ id }) => id));
  const { returnedInCents, takenBackInCents, pendingInCents } = sumsOf([
    ...known.filter(({ id }) => !changedIds.has(id)),
    ...changed,
  ]);
  const completed = changed.filter((each) => each.status === 'completed' && !wasCompleted.has(each.id));
  const isPending = pendingInCents > 0n;
  if (changed.length === 0) return { ...none, isPending };
  await changeReturned(tx, { organizationId: payment.organizationId, endToEndId }, returnedInCents);
  if (!isFirst) return { completed, change: {}, isPending };
  const refundedInCents = cents(refunded(refunds) + returnedInCents);
  const isAll = refundedInCents >= payment.amountInCents;
  return {
    completed,
    change: {
      refundedInCents,
      reversedInCents: takenBackInCents,
      ...(status === 'completed' && isAll && { status: 'refunded' }),
      // Money that came back, as after a chargeback that was won.
      ...(status === 'refunded' && !isAll && { status: 'completed' }),
    },
    isPending,
  };
}
