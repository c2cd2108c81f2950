import { type Cents, cents, reaisFromCents } from '../../../../domain/money.ts';
import { refundable, refunded } from '../../../../domain/payments/refund.ts';
import type { SeenRefunds } from '../documents.ts';

const centsOf = (amount: number): Cents => cents(Math.round(amount * 100));

/** In BRL, as the service counts. */
interface RefundSums {
  /** Given back. */
  refunded: number;
  /** Given back, or about to be. */
  requested: number;
  /** What can still be refunded. */
  left: number;
}

export function refundSumsOf({ payment, refunds }: SeenRefunds): RefundSums {
  const paid = centsOf(payment.amount);
  const shares = refunds.map(({ amount, status }) => ({ amountInCents: centsOf(amount), status }));
  const left = refundable(paid, shares);
  return {
    refunded: reaisFromCents(refunded(shares)),
    requested: reaisFromCents(cents(paid - left)),
    left: reaisFromCents(left),
  };
}
