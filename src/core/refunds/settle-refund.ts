import { cappedAtReceived, refunded } from './rules/refund.ts';
import { receivedOf } from '../payments/rules/payment.ts';
import type { Queryable } from '../../database/database.ts';
import {
  changePendingRefund,
  findRefund,
  listRefunds,
  type RefundChange,
  type RefundRow,
} from './store/refunds.ts';
import { lockPayment, type LockedPayment, type PaymentChange } from '../payments/store/payment-changes.ts';
import { lookAgainAt, scheduleCheck } from '../payments/store/payment-checks.ts';
import { findFirstReceivedPix } from '../payments/store/received-pix.ts';
import type { ChangePayment } from '../events/change-payments.ts';
import { uncountRefund } from './refund-limits.ts';

/** What a newly settled refund changes about its payment, and whether more would have left than was received. */
async function changeOf(
  tx: Queryable,
  payment: LockedPayment,
  { status, paymentId }: RefundRow,
): Promise<{ change: PaymentChange; isTooMuch: boolean }> {
  if (status !== 'completed') return { change: {}, isTooMuch: false };
  const pix = await findFirstReceivedPix(tx, payment);
  const leftInCents = refunded(await listRefunds(tx, paymentId)) + (pix?.returnedInCents ?? 0n);
  const receivedInCents = receivedOf(payment);
  const refundedInCents = cappedAtReceived(receivedInCents, leftInCents);
  const isWhole = payment.status === 'completed' && refundedInCents === receivedInCents;
  return {
    change: { refundedInCents, ...(isWhole && { status: 'refunded' }) },
    isTooMuch: leftInCents > receivedInCents,
  };
}

/**
 * Records the outcome of a refund under its payment's lock. An already settled refund stays unchanged. A
 * newly settled one emits an event with its payment, and is taken off its limit if it failed.
 */
export async function settleRefund(
  tx: Queryable,
  change: ChangePayment,
  { id, paymentId }: RefundRow,
  outcome: RefundChange | undefined,
  now: Date,
): Promise<{ refund: RefundRow; isSettled: boolean }> {
  const payment = await lockPayment(tx, paymentId);
  const isChanged = outcome !== undefined && (await changePendingRefund(tx, id, outcome));
  const refund = await findRefund(tx, id);
  if (!payment || !refund) throw new Error(`refund ${id} does not exist`);
  const isSettled = isChanged && refund.status !== 'pending';
  if (isSettled) {
    const { change: changed, isTooMuch } = await changeOf(tx, payment, refund);
    await change(payment, changed, [{ refund }]);
    if (refund.status === 'failed') await uncountRefund(tx, payment.organizationId, refund);
    // Looks again, because while the refund was open a report could not be explained, or was explained otherwise.
    if (isTooMuch) await lookAgainAt(tx, payment, now);
    else await scheduleCheck(tx, paymentId, now);
  }
  return { refund, isSettled };
}
