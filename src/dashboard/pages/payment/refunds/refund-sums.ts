import { type Cents, cents, reaisFromCents } from '../../../../domain/money.ts';
import { refundable, refunded } from '../../../../domain/payments/refund.ts';
import type { RefundSnapshot } from '../documents.ts';

const centsOf = (amount: number): Cents => cents(Math.round(amount * 100));

/** In BRL. */
interface RefundSums {
  /** Completed. */
  refunded: number;
  /** Completed or pending. */
  requested: number;
  left: number;
}

export function refundSumsOf({ payment, refunds }: RefundSnapshot): RefundSums {
  const paid = centsOf(payment.amount);
  const shares = refunds.map(({ amount, status }) => ({ amountInCents: centsOf(amount), status }));
  const left = refundable(paid, shares);
  return {
    refunded: reaisFromCents(refunded(shares)),
    requested: reaisFromCents(cents(paid - left)),
    left: reaisFromCents(left),
  };
}
