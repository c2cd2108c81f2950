import { mayStillArrive } from '../settlement/rules/check-schedule.ts';
import { transactionIdOf } from '../base/ids.ts';
import type { Refund as PspRefund, RefundRequest } from '../providers/rules/charge.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import { isTakenBack } from '../payments/rules/reversal.ts';
import { isSafeToResend, refundStartedAt } from './rules/refund.ts';
import { signalInTrace } from '../../observability/trace.ts';
import type { Database } from '../../database/database.ts';
import { listRefunds, recordRefundSent, type RefundRow } from './store/refunds.ts';
import { listReversals } from './store/reversals.ts';
import { type ChargeAttempt, findChargeAttempt } from '../payments/store/charge-attempts.ts';
import { lockPayment } from '../payments/store/payment-changes.ts';
import { connectionTo, type Psps } from '../providers/psps.ts';
import { sendOnce } from '../idempotency/send-once.ts';
import { chargeIdsOf } from '../settlement/expiry.ts';
import { isMoneyStillThere } from './kept-pix.ts';

export interface RefundSender {
  /**
   * Executes a pending refund at the provider and returns its outcome. Idempotent. `lastSentAt` is null when
   * it cannot have been sent before. Fails with a PspError; `rejected` means that the money was not returned.
   */
  refund(refund: RefundRow, lastSentAt: Date | null): Promise<PspRefund>;
}

interface Dependencies {
  db: Database;
  psps: Psps;
  now: () => Date;
}

export const refundTimeoutMs = 12_000;

export function createRefundSender({ db, psps, now }: Dependencies): RefundSender {
  async function requestOf(refund: RefundRow, attempt: ChargeAttempt): Promise<RefundRequest> {
    const { paymentId, endToEndId } = refund;
    const refunds = (await listRefunds(db, paymentId)).filter(({ awaitingApproval }) => !awaitingApproval);
    const reversals = await listReversals(db, { paymentId, endToEndId });
    const made = refunds.map((each) => ({
      ...each,
      startedAt: refundStartedAt(each),
      refundId: transactionIdOf(each.id),
      isOpen: each.status === 'pending',
      isTakenBack: false,
    }));
    // What somebody returned in the PSP's panel does not belong to this request either.
    const elsewhere = reversals.map((each) => ({
      ...each,
      refundId: null,
      startedAt: null,
      isOpen: false,
      isTakenBack: isTakenBack(each),
    }));
    const others = [...made, ...elsewhere].filter(
      ({ id, status }) => id !== refund.id && status !== 'failed',
    );
    return {
      ...chargeIdsOf(attempt),
      refundId: transactionIdOf(refund.id),
      startedAt: refundStartedAt(refund),
      refundReference: refund.pspReference,
      otherRefunds: others.map((each) => ({
        refundId: each.refundId,
        startedAt: each.startedAt,
        reference: each.pspReference,
        amountInCents: each.amountInCents,
        isOpen: each.isOpen,
        isTakenBack: each.isTakenBack,
      })),
      endToEndId,
      amountInCents: refund.amountInCents,
      reason: refund.reason,
    };
  }

  return {
    async refund(refund, lastSentAt) {
      const attempt = await findChargeAttempt(db, refund.attemptId);
      if (!attempt) throw new Error(`refund ${refund.id} has no attempt`);
      const { adapter } = await connectionTo(psps, attempt);
      const request = await requestOf(refund, attempt);
      const signal = signalInTrace(AbortSignal.timeout(refundTimeoutMs), attempt.traceparent);
      const find = () => adapter.findRefund(request, signal);
      if (refund.pspReference !== null)
        return (await find()) ?? failAsUnknown('the provider does not show the refund that it accepted');
      if (lastSentAt) {
        // Others may have taken the money since the refund was first sent, or claim it: it would leave twice.
        const isThere = await db.$transaction(async (tx) => {
          const payment = await lockPayment(tx, refund.paymentId);
          return payment !== undefined && isMoneyStillThere(tx, payment, refund);
        });
        if (!isThere || !isSafeToResend(refund, adapter.capabilities, now())) {
          const earlier = await find();
          if (earlier) return earlier;
          if (mayStillArrive(lastSentAt, now()))
            return failAsUnknown('an earlier request may still take effect');
        }
        if (!isThere) return { reference: null, status: 'failed' };
      }
      // Recorded even for a new refund: while this process stalled, a worker may have taken over.
      const times = { lastSentAt: refund.sentAt, sentAt: now() };
      if (!(await recordRefundSent(db, refund.id, times))) {
        return failAsUnknown('another process is sending it');
      }
      const send = () =>
        adapter.refundCharge(request, signal).catch(async (error: unknown) => {
          // The PSP responded, so only the request before this one may still take effect.
          if (lastSentAt && error instanceof PspError && error.failure !== 'unknown')
            await recordRefundSent(db, refund.id, { lastSentAt: times.sentAt, sentAt: lastSentAt });
          throw error;
        });
      return sendOnce({ send, find, lastSentAt }, now);
    },
  };
}

function failAsUnknown(reason: string): never {
  throw new PspError('unknown', reason);
}
