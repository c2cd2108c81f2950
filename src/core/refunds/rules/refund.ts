import { lostRequestMs } from '../../settlement/rules/check-schedule.ts';
import { type Cents, cents } from '../../base/money.ts';
import type { PspCapabilities } from '../../providers/rules/psp.ts';

export const refundStatuses = ['pending', 'completed', 'failed'] as const;

export type RefundStatus = (typeof refundStatuses)[number];

/** The provider's reasons, where it reports one; only `not_approved` is ours. */
export const refundFailures = [
  'insufficient_balance',
  'refused_by_provider',
  'not_carried_out',
  'not_approved',
] as const;

export type RefundFailure = (typeof refundFailures)[number];

/** Why a pending refund needs a person, who has to look at the provider's panel. */
export const refundPendingReasons = ['authorization_at_provider', 'no_outcome_from_provider'] as const;

export type RefundPendingReason = (typeof refundPendingReasons)[number];

export interface Refund {
  id: string;
  paymentId: string;
  amountInCents: Cents;
  status: RefundStatus;
  /** Null unless the refund failed, and for old refunds whose reason was not recorded. */
  failureReason: RefundFailure | null;
  /** Null unless the refund is pending. */
  pendingReason: RefundPendingReason | null;
  /** Given by whoever requested it. */
  reason: string | null;
  createdAt: Date;
  /** Waiting for a second person; the provider has not been called yet. */
  awaitingApproval: boolean;
  /** When a second person approved it; null if no approval was needed. */
  approvedAt: Date | null;
}

/** The earliest time at which the provider may have been called. */
export const refundStartedAt = ({ createdAt, approvedAt }: Pick<Refund, 'createdAt' | 'approvedAt'>): Date =>
  approvedAt ?? createdAt;

/** The clocks of two machines differ by less. */
const clockSkewMs = 120_000;

/** Whether what a provider says to have left then may be a refund that it was asked for no earlier than that. */
export const mayBeSince = (startedAt: Date, at: Date | null | undefined): boolean =>
  !at || at.getTime() >= startedAt.getTime() - clockSkewMs;

/** How long to wait for a provider's word on a refund before a person has to look. A return takes seconds. */
const patienceMs = 3_600_000;

export const isOverdue = (refund: Pick<Refund, 'createdAt' | 'approvedAt'>, now: Date): boolean =>
  now.getTime() - refundStartedAt(refund).getTime() >= patienceMs;

/** `reason` is the provider's if it refused; undefined if it accepted the refund but never carried it out. */
export function refundFailureOf(reason: string | undefined): RefundFailure {
  if (reason === undefined) return 'not_carried_out';
  return /saldo|balance|insufficient|insuficiente/i.test(reason)
    ? 'insufficient_balance'
    : 'refused_by_provider';
}

/**
 * Whether the PSP will still recognise the refund id when a request sent now arrives, however late. Only then can it not refund
 * twice.
 */
export const isSafeToResend = (
  refund: Pick<Refund, 'createdAt' | 'approvedAt'>,
  { refundIdRetentionHours }: PspCapabilities,
  now: Date,
): boolean =>
  now.getTime() + lostRequestMs < refundStartedAt(refund).getTime() + refundIdRetentionHours * 3_600_000;

type RefundShare = Pick<Refund, 'amountInCents' | 'status'>;

const sumOf = (refunds: readonly RefundShare[]): Cents =>
  cents(refunds.reduce((sum, { amountInCents }) => sum + amountInCents, 0n));

/**
 * How much of what is left of a Pix can still be refunded: pending refunds count as done, failed ones do not. Negative when
 * others took what a pending refund asks for.
 */
export const refundable = (keptInCents: Cents, refunds: readonly RefundShare[]): Cents =>
  cents(keptInCents - sumOf(refunds.filter(({ status }) => status !== 'failed')));

/** The amount refunded so far: pending refunds do not count. */
export const refunded = (refunds: readonly RefundShare[]): Cents =>
  sumOf(refunds.filter(({ status }) => status === 'completed'));

/**
 * No more can leave a payment than came in. A greater sum shows that a provider reported the whole amount when it took only the
 * rest; its next report says which.
 */
export const cappedAtReceived = (receivedInCents: Cents, leftInCents: bigint): Cents =>
  leftInCents < receivedInCents ? cents(leftInCents) : receivedInCents;
