import { ServiceError } from '../base/errors.ts';
import { reaisFromCents } from '../base/money.ts';
import { receivedOf } from '../payments/rules/payment.ts';
import { findOrganizationSettings } from '../people/store/organization-settings.ts';
import type { OrganizationSettings } from '../people/rules/organization-settings.ts';
import type { Queryable } from '../../database/database.ts';
import { changePendingRefund, findRefund, type RefundRow } from './store/refunds.ts';
import { lockPayment, type LockedPayment } from '../payments/store/payment-changes.ts';
import type { GuardedChange } from '../people/approvals/approval-gate.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../base/caller.ts';
import { isClaimed, isMoneyStillThere, paymentDisputed } from './kept-pix.ts';
import { refundTimeoutMs } from './send-refund.ts';
import { settleRefund } from './settle-refund.ts';

interface Dependencies {
  audit: { record: RecordAudit };
  now: () => Date;
}

/** The refund already exists and reserves its amount; only the call to the provider waits. */
export interface RefundToApprove {
  refundId: string;
}

/** What the audit log and approvers are told of it. */
export const wasForced = ({ forced }: Pick<RefundRow, 'forced'>) => (forced ? { forced } : {});

/** Counts earlier refunds too, so that a large one cannot pass in small parts. */
export const refundNeedsApproval = (
  caller: Caller,
  { refundApprovalAboveInCents: above }: OrganizationSettings,
  totalRefundedInCents: bigint,
): boolean =>
  caller.mode === 'live' &&
  !(caller.kind === 'operator' && !caller.isRule) &&
  above !== null &&
  totalRefundedInCents > above;

/** The same for money that is given back in another way. */
export const returnNeedsApproval = async (
  tx: Queryable,
  caller: Caller,
  amountInCents: bigint,
): Promise<boolean> =>
  refundNeedsApproval(caller, await findOrganizationSettings(tx, caller.organizationId), amountInCents);

export function createRefundApproval({
  audit,
  now,
}: Dependencies): GuardedChange<RefundToApprove, RefundRow> {
  /** Locks the payment. */
  async function lockAwaiting(tx: Queryable, { organizationId }: Caller, refundId: string) {
    const named = await findRefund(tx, refundId);
    const payment = named && (await lockPayment(tx, named.paymentId));
    const refund = payment && (await findRefund(tx, refundId));
    if (!refund?.awaitingApproval || payment?.organizationId !== organizationId) {
      throw new Error(`refund ${refundId} is not awaiting approval`);
    }
    return { refund, payment };
  }

  async function assertRefundable(tx: Queryable, payment: LockedPayment, refund: RefundRow): Promise<void> {
    if (await isClaimed(tx, payment, refund)) throw paymentDisputed();
    if (await isMoneyStillThere(tx, payment, refund)) return;
    throw new ServiceError('payment_not_refundable', 'The payment can no longer be refunded');
  }

  return {
    action: 'payment.refund',

    async describe(tx, caller, { refundId }) {
      const { refund, payment } = await lockAwaiting(tx, caller, refundId);
      const amount = reaisFromCents(refund.amountInCents);
      const paymentAmount = reaisFromCents(receivedOf(payment));
      return {
        subject: payment.id,
        before: null,
        after: { refundId, amount, paymentAmount, ...wasForced(refund) },
      };
    },

    async apply(tx, caller, { refundId }) {
      const { refund, payment } = await lockAwaiting(tx, caller, refundId);
      await assertRefundable(tx, payment, refund);
      const approvedAt = now();
      const approved = {
        status: 'pending',
        awaitingApproval: false,
        approvedAt,
        sentAt: approvedAt,
        nextCheckAt: new Date(approvedAt.getTime() + refundTimeoutMs * 2),
      } as const;
      await changePendingRefund(tx, refundId, approved);
      const amount = reaisFromCents(refund.amountInCents);
      const details = { refundId, amount, ...wasForced(refund) };
      await audit.record(tx, caller, 'payment.refund', payment.id, details);
      return { ...refund, ...approved };
    },

    async dismiss(tx, changePayment, { refundId }) {
      const refund = typeof refundId === 'string' ? await findRefund(tx, refundId) : undefined;
      if (!refund?.awaitingApproval) return;
      const dismissed = {
        status: 'failed',
        failureReason: 'not_approved',
        awaitingApproval: false,
        nextCheckAt: null,
      } as const;
      await settleRefund(tx, changePayment, refund, dismissed, now());
    },
  };
}
