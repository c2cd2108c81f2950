import { type Cents, cents } from './money.ts';

export type RefundStatus = 'pending' | 'completed' | 'failed';

export interface Refund {
  id: string;
  paymentId: string;
  amountInCents: Cents;
  status: RefundStatus;
  createdAt: Date;
}

/** What may still be refunded: refunds under way count as done, failed ones do not. */
export function refundable(
  paidInCents: Cents,
  refunds: readonly Pick<Refund, 'amountInCents' | 'status'>[],
): Cents {
  const taken = refunds
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, { amountInCents }) => sum + amountInCents, 0n);
  return cents(paidInCents - taken);
}

/** Whether refunds that are done reach the amount. */
export function isWhollyRefunded(
  paidInCents: Cents,
  refunds: readonly Pick<Refund, 'amountInCents' | 'status'>[],
): boolean {
  const done = refunds
    .filter(({ status }) => status === 'completed')
    .reduce((sum, { amountInCents }) => sum + amountInCents, 0n);
  return done >= paidInCents;
}
