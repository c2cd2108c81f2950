import { canBecome, type PaymentStatus } from './payment.ts';
import type { Charge, PspReceivedPix } from './psp.ts';

export interface SettlementChange {
  status?: PaymentStatus;
  confirmedAt?: Date;
  expiresAt?: Date;
  paidLate?: true;
  duplicatePayment?: true;
  nextCheckAt?: null;
}

/**
 * What the provider's answer changes about a payment. Money received is the truth, however late; a Pix
 * beyond the first is for a person to refund.
 */
export function settle(
  payment: { status: PaymentStatus; expiresAt: Date; confirmedAt: Date | null },
  charge: Charge,
  newPix: readonly PspReceivedPix[],
): SettlementChange | undefined {
  const [first, ...more] = newPix;
  if (first) {
    if (!canBecome(payment.status, 'completed')) return { duplicatePayment: true };
    return {
      status: 'completed',
      confirmedAt: first.paidAt,
      nextCheckAt: null,
      ...(payment.status !== 'pending' && { paidLate: true }),
      ...(more.length > 0 && { duplicatePayment: true }),
    };
  }
  if (payment.status !== 'pending') return undefined;
  if (charge.status === 'cancelled') return { status: 'cancelled', nextCheckAt: null };
  if (charge.status === 'expired') {
    const earlier = charge.expiresAt < payment.expiresAt ? charge.expiresAt : payment.expiresAt;
    return { status: 'expired', expiresAt: earlier, nextCheckAt: null };
  }
  return undefined;
}
