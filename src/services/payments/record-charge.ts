import { attemptIdOf } from '../../domain/ids.ts';
import type { Charge, PspReceivedPix } from '../../domain/providers/psp.ts';
import { cents } from '../../domain/money.ts';
import { refundable, refunded } from '../../domain/payments/refund.ts';
import { isKept, settle } from '../../domain/payments/settlement.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Queryable } from '../../persistence/database.ts';
import { listRefunds } from '../../persistence/payments/refunds.ts';
import {
  changeReturned,
  type ChargeAttempt,
  findFirstReceivedPix,
  insertReceivedPix,
  lockPayment,
  type SettledPayment,
} from '../../persistence/payments/settlement.ts';
import type { ChangePayment } from '../webhooks/events.ts';

/**
 * What remains to be looked up about a charge: nothing; everything, as the payment is still being created;
 * which Pix paid it; or how a dispute ends.
 */
export type Recorded = 'settled' | 'too_early' | 'pix_unreported' | 'contested';

/** Records a provider's report of a charge in the transaction that settles the payment. */
export type RecordCharge = (
  tx: Queryable,
  change: ChangePayment,
  attempt: ChargeAttempt,
  charge: Charge,
  options?: { isCancelRequested?: boolean },
) => Promise<Recorded>;

interface Dependencies {
  now: () => Date;
  logger: Logger;
  metrics: Pick<Metrics, 'confirmationRefused'>;
}

export function createRecordCharge({ now, logger, metrics }: Dependencies): RecordCharge {
  function refuse(reason: 'mismatch' | 'taken', { id, paymentId, provider }: ChargeAttempt, why: string) {
    metrics.confirmationRefused(provider, reason);
    logger.error({ paymentId, attemptId: id, provider }, why);
  }

  /** Returns whether the Pix is new. It confirms the payment only if transaction and amount match. */
  async function receive(
    tx: Queryable,
    { id: paymentId, organizationId, amountInCents }: SettledPayment,
    attempt: ChargeAttempt,
    { transactionId }: Charge,
    { createdAt, ...pix }: PspReceivedPix & { createdAt: Date },
  ): Promise<boolean> {
    if (attemptIdOf(transactionId) !== attempt.id || pix.amountInCents !== amountInCents) {
      refuse('mismatch', attempt, 'a Pix of another transaction or amount does not confirm the payment');
      return false;
    }
    const received = { ...pix, organizationId, paymentId, attemptId: attempt.id, createdAt };
    const owner = await insertReceivedPix(tx, received);
    if (owner === 'another payment') {
      refuse('taken', attempt, 'a Pix that was received for another payment does not confirm this one');
    }
    return owner === 'new';
  }

  /** Anything beyond our own refunds was returned another way: in the provider's panel, or by a bank. */
  async function giveBack(
    tx: Queryable,
    change: ChangePayment,
    payment: SettledPayment,
    { endToEndId, amountInCents, returnedInCents }: PspReceivedPix,
  ): Promise<void> {
    const first = await findFirstReceivedPix(tx, payment);
    if (first?.endToEndId !== endToEndId || returnedInCents <= first.returnedInCents) return;
    const refunds = await listRefunds(tx, payment.id);
    const ours = amountInCents - refundable(amountInCents, refunds);
    const elsewhere = cents(returnedInCents - ours);
    if (elsewhere <= first.returnedInCents) return;
    await changeReturned(tx, { organizationId: payment.organizationId, endToEndId }, elsewhere);
    const refundedInCents = cents(elsewhere + refunded(refunds));
    const isWhole = payment.status === 'completed' && refundedInCents >= payment.amountInCents;
    await change(payment, { refundedInCents, ...(isWhole && { status: 'refunded' as const }) });
    logger.warn({ paymentId: payment.id, isWhole }, 'money was returned outside of this service');
  }

  return async (tx, change, attempt, charge, { isCancelRequested = false } = {}) => {
    const payment = await lockPayment(tx, attempt.paymentId);
    // A notification can arrive before the response to the create.
    if (!payment || payment.status === 'creating') return 'too_early';
    const newPix: PspReceivedPix[] = [];
    // The first is the one that paid; prefers one that has not been fully returned.
    const reported = charge.receivedPix.toSorted((one, other) => Number(isKept(other)) - Number(isKept(one)));
    for (const [index, pix] of reported.entries()) {
      const createdAt = new Date(now().getTime() + index);
      if (await receive(tx, payment, attempt, charge, { ...pix, createdAt })) newPix.push(pix);
      else if (pix.returnedInCents > 0n) await giveBack(tx, change, payment, pix);
    }
    const isChosen = payment.attemptId === attempt.id;
    const settled = settle(payment, charge, { newPix, isChosen, isCancelRequested, now: now() });
    if (settled) {
      await change(payment, settled);
      logger.info({ paymentId: payment.id, from: payment.status, to: settled.status }, 'payment settled');
    }
    if (charge.status === 'contested') return 'contested';
    if (charge.status !== 'paid' || charge.receivedPix.length > 0) return 'settled';
    // It may have been reported earlier: not every provider still reports a Pix once it was returned.
    const known = await findFirstReceivedPix(tx, { id: payment.id, attemptId: attempt.id });
    return known ? 'settled' : 'pix_unreported';
  };
}
