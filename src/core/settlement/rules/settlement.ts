import { canBecome, type PaymentStatus } from '../../payments/rules/payment.ts';
import type { Due } from '../../payments/rules/due/due.ts';
import { type Debit, debitAfter } from '../../recurrences/rules/debit.ts';
import { type Paid, paidWith } from '../../payments/rules/due/paid.ts';
import type { Mode } from '../../base/mode.ts';
import type { Cents } from '../../base/money.ts';
import type { Charge, PspReceivedPix } from '../../providers/rules/charge.ts';
import { lastLookAfter } from './check-schedule.ts';

export interface SettlementChange extends Partial<Paid> {
  status?: PaymentStatus;
  confirmedAt?: Date;
  cancelledAt?: Date;
  expiresAt?: Date;
  paidLate?: true;
  duplicatePayment?: true;
  otherPayer?: true;
  returnDueAt?: Date;
  txid?: string;
  refundedInCents?: Cents;
  nextCheckAt?: Date | null;
}

export interface SettlementContext {
  newPix: readonly PspReceivedPix[];
  /** Whether a Pix of another amount arrived and was kept. */
  hasOtherMoney?: boolean;
  /** Whether the caller was given this charge's code. */
  isChosen: boolean;
  /** Whether a caller has just requested the cancellation. */
  isCancelRequested: boolean;
  now: Date;
}

/** False for a Pix that was returned in full. */
export const isKept = ({ amountInCents, returnedInCents }: PspReceivedPix): boolean =>
  returnedInCents < amountInCents;

interface SettleablePayment {
  status: PaymentStatus;
  mode: Mode;
  amountInCents: Cents;
  due: Due | null;
  debit: Debit | null;
  createdAt: Date;
  expiresAt: Date;
  duplicatePayment?: boolean;
}

const paidOf = ({ due, ...payment }: SettleablePayment, pix: PspReceivedPix, now: Date): Partial<Paid> =>
  due ? paidWith({ ...pix, paidAt: pix.paidAt ?? now }, { ...payment, due }) : {};

/** Whether no day helps a debit any more: then we had its charge cancelled. */
const hasFailed = (
  { debit }: SettleablePayment,
  { attempts = [] }: Pick<Charge, 'attempts'>,
  now: Date,
): boolean => debit !== null && debitAfter(debit, attempts, now).state === 'failed';

/**
 * Decides how the provider's response changes a payment. Received money wins, however late. Any Pix after the first, and any
 * for a charge whose code was never given out, is left for a person to refund. A Pix that was returned in full before we saw it
 * makes the payment refunded; the payment never counts as completed.
 */
export function settle(
  payment: SettleablePayment,
  charge: Pick<Charge, 'status' | 'expiresAt' | 'attempts'>,
  { newPix, hasOtherMoney = false, isChosen, isCancelRequested, now }: SettlementContext,
): SettlementChange | undefined {
  const kept = newPix.filter(isKept);
  const [first] = kept.length > 0 ? kept : newPix;
  if (first) {
    const status = isKept(first) ? 'completed' : 'refunded';
    if (!isChosen || !canBecome(payment.status, 'completed')) {
      return kept.length > 0 ? { duplicatePayment: true } : undefined;
    }
    return {
      status,
      confirmedAt: first.paidAt ?? now,
      ...paidOf(payment, first, now),
      nextCheckAt: null,
      ...(first.returnedInCents > 0n && { refundedInCents: first.returnedInCents }),
      ...(payment.status !== 'pending' && { paidLate: true }),
      ...((kept.length > 1 || hasOtherMoney) && { duplicatePayment: true }),
    };
  }
  if (hasOtherMoney && !payment.duplicatePayment) return { duplicatePayment: true };
  if (!isChosen || payment.status !== 'pending') return undefined;
  // If a charge is found cancelled after its expiry, we cancelled it because it expired, unless it is a debit that somebody stopped.
  const isStopped = charge.attempts?.at(-1)?.state === 'cancelled';
  const isOthers =
    isCancelRequested || isStopped || (now < payment.expiresAt && !hasFailed(payment, charge, now));
  const isCancelled = charge.status === 'cancelled' && isOthers;
  if (isCancelled) {
    // A Pix may have been in flight, except in the sandbox.
    const nextCheckAt = payment.mode === 'live' ? lastLookAfter(now) : null;
    return { status: 'cancelled', cancelledAt: now, nextCheckAt };
  }
  if (charge.status === 'cancelled' || charge.status === 'expired' || charge.status === 'failed') {
    const { expiresAt } = charge;
    const earlier = expiresAt && expiresAt < payment.expiresAt ? expiresAt : payment.expiresAt;
    return { status: payment.debit ? 'failed' : 'expired', expiresAt: earlier, nextCheckAt: null };
  }
  return undefined;
}
