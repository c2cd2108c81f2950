import { ServiceError } from '../base/errors.ts';
import { idTimestamp } from '../base/ids.ts';
import { type Cents, reaisFromCents } from '../base/money.ts';
import { refundable } from './rules/refund.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { storeIdempotentOutcome } from '../idempotency/store/idempotency-keys.ts';
import { findOrganizationSettings } from '../people/store/organization-settings.ts';
import { findRefund, insertRefund, listRefunds, type RefundRow } from './store/refunds.ts';
import { lockPayment, type LockedPayment } from '../payments/store/payment-changes.ts';
import type { ApprovalGate, GuardedChange } from '../people/approvals/approval-gate.ts';
import { actorOf, type RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../base/caller.ts';
import type { IdempotentWork } from '../idempotency/idempotency.ts';
import { type RefundToApprove, refundNeedsApproval, wasForced } from './refund-approval.ts';
import { isClaimed, keptPix, paymentDisputed } from './kept-pix.ts';
import { countRefund } from './refund-limits.ts';
import { refundView, withoutReason } from './views/refund-view.ts';
import { refundTimeoutMs } from './send-refund.ts';

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  gate: Pick<ApprovalGate, 'ask'>;
  approval: GuardedChange<RefundToApprove, RefundRow>;
  now: () => Date;
}

export interface RequestedRefund {
  /** Undefined for all that is left. */
  amountInCents: Cents | undefined;
  reason: string | null;
  /** Refund although the money is claimed. */
  forced: boolean;
}

/**
 * Decides on a refund and stores it under the payment's lock, before the provider is called. Returns a refund that an earlier
 * holder of the key began as it is. For one that needs approval, the response of the key is stored at once.
 */
export type BeginRefund = (
  caller: Caller,
  claim: IdempotentWork,
  paymentId: string,
  requested: RequestedRefund,
) => Promise<{ refund: RefundRow; isNew: boolean }>;

/** The amount to refund, the charge that received it, and the total refunded afterwards. Fails if it cannot be refunded. */
async function decideRefund(
  tx: Queryable,
  payment: LockedPayment | undefined,
  { amountInCents: requested, forced }: RequestedRefund,
) {
  const received = payment && (await keptPix(tx, payment));
  if (payment?.status !== 'completed' || !received) {
    throw new ServiceError(
      'payment_not_refundable',
      `A payment that is ${payment?.status ?? 'unknown'} cannot be refunded`,
    );
  }
  if (await isClaimed(tx, payment, { forced })) throw paymentDisputed();
  const { pix, keptInCents } = received;
  const left = refundable(keptInCents, await listRefunds(tx, payment.id));
  const amountInCents = requested ?? left;
  if (left <= 0n) {
    throw new ServiceError('refund_in_progress', 'The whole amount is already being returned');
  }
  if (amountInCents > left) {
    throw new ServiceError(
      'refund_exceeds_amount',
      `amount must be at most ${reaisFromCents(left)}, the remaining refundable amount`,
    );
  }
  const charge = { ...pix, credentialId: payment.credentialId };
  return { charge, amountInCents, totalRefundedInCents: keptInCents - left + amountInCents };
}

export function createBeginRefund(dependencies: Dependencies): BeginRefund {
  const { db, audit, gate, approval, now } = dependencies;
  return (caller, claim, paymentId, requested) =>
    db.$transaction(async (tx) => {
      const payment = await lockPayment(tx, paymentId);
      const refundId = claim.subjectId;
      const begun = await findRefund(tx, refundId);
      if (begun) return { refund: begun, isNew: false };
      const { reason } = requested;
      const { charge, amountInCents, totalRefundedInCents } = await decideRefund(tx, payment, requested);
      const forced = payment?.disputed === true;
      const settings = await findOrganizationSettings(tx, caller.organizationId);
      const awaitingApproval = refundNeedsApproval(caller, settings, totalRefundedInCents);
      // Lists go by the id, which an earlier holder of the key made.
      const createdAt = claim.takenOver ? now() : idTimestamp(refundId);
      const refund: RefundRow = {
        id: refundId,
        paymentId,
        ...charge,
        amountInCents,
        status: 'pending',
        failureReason: null,
        pendingReason: null,
        reason,
        createdAt,
        sentAt: createdAt,
        pspReference: null,
        nextCheckAt: awaitingApproval ? null : new Date(createdAt.getTime() + refundTimeoutMs * 2),
        awaitingApproval,
        approvedAt: null,
        forced,
        ...(await countRefund(tx, caller, settings, { amountInCents, createdAt })),
      };
      await insertRefund(tx, caller, refund, actorOf(caller));
      if (awaitingApproval) {
        await gate.ask(tx, caller, approval, { refundId });
        const outcome = claim.outcomeOf(withoutReason(refundView(refund)));
        if (outcome) await storeIdempotentOutcome(tx, outcome);
      } else {
        const amount = reaisFromCents(amountInCents);
        const isRule = caller.kind === 'operator' && caller.isRule;
        const why = isRule ? { rule: 'otherPayer' } : {};
        const details = { refundId, amount, ...wasForced(refund), ...why };
        await audit.record(tx, caller, 'payment.refund', paymentId, details);
      }
      return { refund, isNew: true };
    });
}
