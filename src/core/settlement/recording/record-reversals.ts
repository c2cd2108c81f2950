import { newId, transactionIdOf } from '../../base/ids.ts';
import { cappedAtReceived, refunded, refundStartedAt } from '../../refunds/rules/refund.ts';
import { explainReport, type ReportedReversal } from '../../refunds/rules/reported-reversals.ts';
import { receivedOf } from '../../payments/rules/payment.ts';
import { type Reversal, sumsOf } from '../../payments/rules/reversal.ts';
import type { PspReceivedPix } from '../../providers/rules/charge.ts';
import type { Queryable } from '../../../database/database.ts';
import { listRefunds } from '../../refunds/store/refunds.ts';
import { changeReversal, insertReversal, listReversals } from '../../refunds/store/reversals.ts';
import type { LockedPayment, PaymentChange } from '../../payments/store/payment-changes.ts';
import { changeReturned, findFirstReceivedPix } from '../../payments/store/received-pix.ts';

export interface RecordedReversals {
  /** Reversals that completed just now, or whose amount has changed since; each gets an event of its own. */
  completed: Reversal[];
  /** What changes about the payment, which shows what became of its first Pix. */
  change: Pick<PaymentChange, 'refundedInCents' | 'reversedInCents' | 'status'>;
  /** Since when the oldest pending reversal has been known, or a refund that may be the same; null if there is neither. */
  openSince: Date | null;
}

type WithStatus = Pick<Reversal, 'status'>;

const isCompleted = ({ status }: WithStatus): boolean => status === 'completed';
const isPending = ({ status }: WithStatus): boolean => status === 'pending';

/** Null if there is none. */
export const earliestOf = (instants: readonly Date[]): Date | null =>
  instants.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;

/** True if nothing is reported to have left the Pix again. */
export const isWhole = ({ returnedInCents, reversals }: Omit<PspReceivedPix, 'endToEndId'>): boolean =>
  returnedInCents === 0n && !reversals?.length;

async function record(
  tx: Queryable,
  { id: paymentId, organizationId, mode }: LockedPayment,
  endToEndId: string,
  { reported, known, now }: { reported: ReportedReversal; known: readonly Reversal[]; now: Date },
): Promise<Reversal> {
  const { reference, replaces, reason, amountInCents, status, reversedAt } = reported;
  const earlier = known.find(({ pspReference }) => pspReference === (replaces ?? reference));
  if (earlier) {
    const change = {
      pspReference: reference,
      reason,
      amountInCents,
      status,
      reversedAt: reversedAt ?? earlier.reversedAt,
    };
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
 * Records what left a received Pix again other than through refunds made here, under the payment's lock. `status` is the one
 * that the payment will have after this report.
 */
export async function recordReversals(
  tx: Queryable,
  payment: LockedPayment,
  status: LockedPayment['status'],
  { endToEndId, ...pix }: PspReceivedPix,
  now: Date,
): Promise<RecordedReversals> {
  const known = await listReversals(tx, { paymentId: payment.id, endToEndId });
  if (isWhole(pix) && known.length === 0) return { completed: [], change: {}, openSince: null };
  const refunds = await listRefunds(tx, payment.id);
  const first = await findFirstReceivedPix(tx, payment);
  const isFirst = first?.endToEndId === endToEndId;
  // Refunds made here are refunds of the first Pix. Those that wait for approval are not made yet.
  const made = isFirst ? refunds.filter(({ awaitingApproval }) => !awaitingApproval) : [];
  const ownRefunds = made.map((refund) => ({
    ...refund,
    refundId: transactionIdOf(refund.id),
    startedAt: refundStartedAt(refund),
  }));
  const { changes, isUndecided, arrivingInCents } = explainReport(pix, ownRefunds, known);
  const announcedAmounts = new Map(
    known.filter(isCompleted).map(({ id, amountInCents }) => [id, amountInCents]),
  );
  const changed: Reversal[] = [];
  for (const reported of changes)
    changed.push(await record(tx, payment, endToEndId, { reported, known, now }));
  const changedIds = new Set(changed.map(({ id }) => id));
  const all = [...known.filter(({ id }) => !changedIds.has(id)), ...changed];
  const { returnedInCents, takenBackInCents } = sumsOf(all);
  const completed = changed.filter(
    (each) => isCompleted(each) && announcedAmounts.get(each.id) !== each.amountInCents,
  );
  const openSince = earliestOf([
    ...all.filter(isPending).map(({ createdAt }) => createdAt),
    ...(isUndecided ? made.filter(isPending).map(refundStartedAt) : []),
  ]);
  if (changed.length === 0) return { completed, change: {}, openSince };
  await changeReturned(tx, { organizationId: payment.organizationId, endToEndId }, returnedInCents);
  if (!isFirst) return { completed, change: {}, openSince };
  const receivedInCents = receivedOf(payment);
  const refundedInCents = cappedAtReceived(receivedInCents, refunded(refunds) + returnedInCents);
  const isAll = refundedInCents >= receivedInCents;
  return {
    completed,
    change: {
      refundedInCents,
      reversedInCents: takenBackInCents,
      ...(status === 'completed' && isAll && { status: 'refunded' }),
      // Money that came back, as after a chargeback that was won: not where a refund makes up for it.
      ...(status === 'refunded' &&
        refundedInCents + arrivingInCents < receivedInCents && { status: 'completed' }),
    },
    openSince,
  };
}
