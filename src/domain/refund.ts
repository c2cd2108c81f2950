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

type RefundShare = Pick<Refund, 'amountInCents' | 'status'>;

const sumOf = (refunds: readonly RefundShare[]): Cents =>
  cents(refunds.reduce((sum, { amountInCents }) => sum + amountInCents, 0n));

/** What may still be refunded: refunds under way count as done, failed ones do not. */
export const refundable = (paidInCents: Cents, refunds: readonly RefundShare[]): Cents =>
  cents(paidInCents - sumOf(refunds.filter(({ status }) => status !== 'failed')));

/** What was given back: refunds under way do not count yet. */
export const refunded = (refunds: readonly RefundShare[]): Cents =>
  sumOf(refunds.filter(({ status }) => status === 'completed'));
