import { notFound, ServiceError } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import { reaisFromCents } from '../base/money.ts';
import { needsTwoPeople } from '../people/rules/organization-settings.ts';
import type { Queryable } from '../../database/database.ts';
import { findRefund, type RefundRow } from './store/refunds.ts';
import { lockPayment } from '../payments/store/payment-changes.ts';
import { shareOrganizationSettings } from '../people/store/organization-settings.ts';
import type { GuardedChange } from '../people/approvals/approval-gate.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../base/caller.ts';
import { settleRefund } from './settle-refund.ts';

/** What somebody saw in the provider's panel. */
export interface SeenOutcome {
  refundId: string;
  /** Whether the money was returned. */
  isMade: boolean;
}

interface Dependencies {
  audit: { record: RecordAudit };
  now: () => Date;
}

/** Settles a refund whose outcome its provider does not tell. If somebody errs, the money leaves twice, or not at all. */
export function createSettleByHand({ audit, now }: Dependencies): GuardedChange<SeenOutcome, RefundRow> {
  /** Locks the payment. */
  async function lockStuck(tx: Queryable, { organizationId, mode }: Caller, refundId: string) {
    const named = isUuid(refundId) ? await findRefund(tx, refundId) : undefined;
    const payment = named && (await lockPayment(tx, named.paymentId));
    const refund = payment && (await findRefund(tx, refundId));
    if (!refund || payment?.organizationId !== organizationId || payment.mode !== mode)
      throw notFound('Refund', refundId);
    if (refund.status === 'pending' && refund.pendingReason === 'no_outcome_from_provider')
      return { refund, payment, amount: reaisFromCents(refund.amountInCents) };
    throw new ServiceError(
      'changed_meanwhile',
      'Only a refund that is pending with no_outcome_from_provider is settled by hand',
    );
  }

  return {
    action: 'payment.settle_refund',

    waits: async (tx, { organizationId, mode }) =>
      mode === 'live' && needsTwoPeople(await shareOrganizationSettings(tx, organizationId)),

    async describe(tx, caller, { refundId, isMade }) {
      const { refund, payment, amount } = await lockStuck(tx, caller, refundId);
      return {
        subject: payment.id,
        before: null,
        after: { refundId: refund.id, amount, isMade },
      };
    },

    async apply(tx, caller, { refundId, isMade }, change) {
      const { refund, payment, amount } = await lockStuck(tx, caller, refundId);
      const outcome = isMade
        ? ({ status: 'completed' } as const)
        : ({ status: 'failed', failureReason: 'not_carried_out' } as const);
      const refundChange = { ...outcome, pendingReason: null, nextCheckAt: null };
      const settled = await settleRefund(tx, change, refund, refundChange, now());
      const about = { refundId: refund.id, amount, isMade };
      await audit.record(tx, caller, 'payment.settle_refund', payment.id, about);
      return settled.refund;
    },
  };
}
