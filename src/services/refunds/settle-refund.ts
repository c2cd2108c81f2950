import { cents } from '../../domain/money.ts';
import { refunded } from '../../domain/payments/refund.ts';
import type { Queryable } from '../../persistence/database.ts';
import {
  changePendingRefund,
  findRefund,
  listRefunds,
  type RefundChange,
  type RefundRow,
} from '../../persistence/payments/refunds.ts';
import {
  findFirstReceivedPix,
  lockPayment,
  type PaymentChange,
  type SettledPayment,
} from '../../persistence/payments/settlement.ts';
import type { ChangePayment } from '../webhooks/events.ts';
import { uncountRefund } from './refund-limits.ts';

/** What a newly settled refund changes about its payment. */
async function changeOf(
  tx: Queryable,
  payment: SettledPayment,
  { status, paymentId }: RefundRow,
): Promise<PaymentChange> {
  if (status !== 'completed') return {};
  const pix = await findFirstReceivedPix(tx, payment);
  const refundedHere = refunded(await listRefunds(tx, paymentId));
  const refundedInCents = cents(refundedHere + (pix?.returnedInCents ?? 0n));
  const isWhole = payment.status === 'completed' && refundedInCents >= payment.amountInCents;
  return { refundedInCents, ...(isWhole && { status: 'refunded' }) };
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
): Promise<{ refund: RefundRow; isSettled: boolean }> {
  const payment = await lockPayment(tx, paymentId);
  const isChanged = outcome !== undefined && (await changePendingRefund(tx, id, outcome));
  const refund = await findRefund(tx, id);
  if (!payment || !refund) throw new Error(`refund ${id} does not exist`);
  const isSettled = isChanged && refund.status !== 'pending';
  if (isSettled) {
    await change(payment, await changeOf(tx, payment, refund), [{ refund }]);
    if (refund.status === 'failed') await uncountRefund(tx, payment.organizationId, refund);
  }
  return { refund, isSettled };
}
