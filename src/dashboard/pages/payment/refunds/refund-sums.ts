import { type Cents, cents, reaisFromCents } from '../../../../core/base/money.ts';
import { refundable, refunded } from '../../../../core/refunds/rules/refund.ts';
import type { RefundSnapshot } from '../base/documents.ts';

const centsOf = (amount: number): Cents => cents(Math.round(amount * 100));

/** The sums are in BRL. */
interface RefundSums {
  /** Only completed refunds count. */
  refunded: number;
  /** Pending refunds count as well. */
  requested: number;
  pending: number;
  left: number;
}

export function refundSumsOf({ payment, refunds, reversals }: RefundSnapshot): RefundSums {
  const gone = reversals.filter(({ status }) => status !== 'failed').map(({ amount }) => centsOf(amount));
  const received: bigint = centsOf(payment.amountPaid ?? payment.amount);
  const kept = cents(gone.reduce((rest, amount) => rest - amount, received));
  const shares = refunds.map(({ amount, status }) => ({ amountInCents: centsOf(amount), status }));
  const left = refundable(kept, shares);
  const done = refunded(shares);
  return {
    refunded: reaisFromCents(done),
    requested: reaisFromCents(cents(kept - left)),
    pending: reaisFromCents(cents(kept - left - done)),
    left: reaisFromCents(left),
  };
}
