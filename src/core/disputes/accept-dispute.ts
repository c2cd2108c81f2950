import type { Queryable } from '../../database/database.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../base/caller.ts';
import { ServiceError } from '../base/errors.ts';
import { reaisFromCents } from '../base/money.ts';
import type { GuardedChange } from '../people/approvals/approval-gate.ts';
import { isAnythingLeft, isBeingRefunded } from '../refunds/kept-pix.ts';
import { returnNeedsApproval } from '../refunds/refund-approval.ts';
import { countReturn } from '../refunds/refund-limits.ts';
import type { DisputeAnswers } from './answer-dispute.ts';
import type { DisputeToWatch } from './rules/dispute.ts';
import { changeDispute, findDispute } from './store/disputes.ts';

export interface DisputeToAccept {
  disputeId: string;
}

interface Dependencies {
  audit: { record: RecordAudit };
  disputeAnswers: Pick<DisputeAnswers, 'begin'>;
  now: () => Date;
}

/** An acceptance gives money back, so it is limited and approved as a refund of the amount is. */
export function createDisputeAcceptance({
  audit,
  disputeAnswers,
  now,
}: Dependencies): GuardedChange<DisputeToAccept, DisputeToWatch> {
  async function find(tx: Queryable, caller: Caller, disputeId: string): Promise<DisputeToWatch> {
    const dispute = await findDispute(tx, caller, disputeId);
    if (dispute?.state === 'open') return dispute;
    throw new ServiceError('dispute_not_open', `The dispute is ${dispute?.state ?? 'gone'}, not open`);
  }

  return {
    action: 'dispute.accept',

    async waits(tx, caller, { disputeId }) {
      const { amountInCents } = await find(tx, caller, disputeId);
      return returnNeedsApproval(tx, caller, amountInCents);
    },

    isAskedOnce: true,

    async describe(tx, caller, { disputeId }) {
      const { paymentId, amountInCents } = await find(tx, caller, disputeId);
      const after = { disputeId, amount: reaisFromCents(amountInCents) };
      return { subject: paymentId, before: null, after };
    },

    async apply(tx, caller, { disputeId }) {
      await find(tx, caller, disputeId);
      const dispute = await disputeAnswers.begin(tx, disputeId, 'acceptance');
      const { amountInCents, paymentId } = dispute;
      if (await isBeingRefunded(tx, paymentId))
        throw new ServiceError(
          'refund_in_progress',
          'A refund of the payment is in progress: the money could leave twice',
        );
      if (!(await isAnythingLeft(tx, paymentId)))
        throw new ServiceError(
          'payment_not_refundable',
          'Everything that was paid has been given back already',
        );
      await changeDispute(tx, disputeId, await countReturn(tx, caller, { amountInCents, createdAt: now() }));
      const amount = reaisFromCents(amountInCents);
      await audit.record(tx, caller, 'dispute.accept', paymentId, { disputeId, amount });
      return dispute;
    },
  };
}
