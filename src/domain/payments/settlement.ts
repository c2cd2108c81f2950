import { canBecome, type PaymentStatus } from './payment.ts';
import type { Cents } from '../money.ts';
import type { Charge, PspReceivedPix } from '../providers/psp.ts';

export interface SettlementChange {
  status?: PaymentStatus;
  confirmedAt?: Date;
  expiresAt?: Date;
  paidLate?: true;
  duplicatePayment?: true;
  refundedInCents?: Cents;
  nextCheckAt?: null;
}

export interface SettlementCircumstances {
  newPix: readonly PspReceivedPix[];
  /** Whether the code of this charge left the service. */
  isChosen: boolean;
  /** Whether a caller has just had it cancelled. */
  isCallersCancel: boolean;
  now: Date;
}

/** Of a Pix that was given back wholly nothing is left. */
export const isKept = ({ amountInCents, returnedInCents }: PspReceivedPix): boolean =>
  returnedInCents < amountInCents;

/**
 * What the provider's answer changes about a payment. Money received is the truth, however late. A Pix
 * beyond the first, and one for a charge whose code never left the service, is for a person to refund. A Pix that
 * was given back wholly before it was seen leaves the payment refunded; it has never been completed.
 */
export function settle(
  payment: { status: PaymentStatus; expiresAt: Date },
  charge: Pick<Charge, 'status' | 'expiresAt'>,
  { newPix, isChosen, isCallersCancel, now }: SettlementCircumstances,
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
      confirmedAt: first.paidAt,
      nextCheckAt: null,
      ...(first.returnedInCents > 0n && { refundedInCents: first.returnedInCents }),
      ...(payment.status !== 'pending' && { paidLate: true }),
      ...(kept.length > 1 && { duplicatePayment: true }),
    };
  }
  if (!isChosen || payment.status !== 'pending') return undefined;
  // What is found cancelled once its time is over is what we did at the expiry.
  const isCancelled = charge.status === 'cancelled' && (isCallersCancel || now < payment.expiresAt);
  if (isCancelled) return { status: 'cancelled', nextCheckAt: null };
  if (charge.status === 'cancelled' || charge.status === 'expired' || charge.status === 'failed') {
    const earlier = charge.expiresAt < payment.expiresAt ? charge.expiresAt : payment.expiresAt;
    return { status: 'expired', expiresAt: earlier, nextCheckAt: null };
  }
  return undefined;
}
