import { lostRequestMs } from '../time/check-schedule.ts';
import { type Cents, cents } from '../money.ts';
import type { PspCapabilities } from '../providers/psp.ts';

export const refundStatuses = ['pending', 'completed', 'failed'] as const;

export type RefundStatus = (typeof refundStatuses)[number];

/** Why the money stayed: as far as the provider tells, or because nobody approved it. */
export const refundFailures = [
  'insufficient_balance',
  'refused_by_provider',
  'not_carried_out',
  'not_approved',
] as const;

export type RefundFailure = (typeof refundFailures)[number];

export interface Refund {
  id: string;
  paymentId: string;
  amountInCents: Cents;
  status: RefundStatus;
  /** Null unless it failed, and where that is not known of an old one. */
  failureReason: RefundFailure | null;
  createdAt: Date;
  /** It waits for a second person; the provider was not asked yet. */
  awaitingApproval: boolean;
  /** When a second person let it go on; null for one that needed none. */
  approvedAt: Date | null;
}

/** When the provider may have been asked for the first time. */
export const begunAt = ({ createdAt, approvedAt }: Pick<Refund, 'createdAt' | 'approvedAt'>): Date =>
  approvedAt ?? createdAt;

/** `reason` is what the provider said when it refused; undefined when it had taken the refund and did not do it. */
export function refundFailureOf(reason: string | undefined): RefundFailure {
  if (reason === undefined) return 'not_carried_out';
  return /saldo|balance|insufficient|insuficiente/i.test(reason)
    ? 'insufficient_balance'
    : 'refused_by_provider';
}

/** Whether the PSP will still know the refund by its id when a request that is sent now arrives, however late. */
export const isKnownAgain = (
  refund: Pick<Refund, 'createdAt' | 'approvedAt'>,
  { refundIdKeptHours }: PspCapabilities,
  now: Date,
): boolean => now.getTime() + lostRequestMs < begunAt(refund).getTime() + refundIdKeptHours * 3_600_000;

type RefundShare = Pick<Refund, 'amountInCents' | 'status'>;

const sumOf = (refunds: readonly RefundShare[]): Cents =>
  cents(refunds.reduce((sum, { amountInCents }) => sum + amountInCents, 0n));

/** What may still be refunded: refunds under way count as done, failed ones do not. */
export const refundable = (paidInCents: Cents, refunds: readonly RefundShare[]): Cents =>
  cents(paidInCents - sumOf(refunds.filter(({ status }) => status !== 'failed')));

/** What was given back: refunds under way do not count yet. */
export const refunded = (refunds: readonly RefundShare[]): Cents =>
  sumOf(refunds.filter(({ status }) => status === 'completed'));
