import { lostRequestMs } from './check-schedule.ts';
import { type Cents, cents } from './money.ts';
import type { PspCapabilities } from './psp.ts';

export type RefundStatus = 'pending' | 'completed' | 'failed';

export interface Refund {
  id: string;
  paymentId: string;
  amountInCents: Cents;
  status: RefundStatus;
  createdAt: Date;
}

/** Whether the PSP will still know the refund by its id when a request that is sent now arrives, however late. */
export const isKnownAgain = (
  { createdAt }: Pick<Refund, 'createdAt'>,
  { refundIdKeptHours }: PspCapabilities,
  now: Date,
): boolean => now.getTime() + lostRequestMs < createdAt.getTime() + refundIdKeptHours * 3_600_000;

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
