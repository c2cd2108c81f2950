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
 * What is left to ask about a charge: nothing; everything, as its payment is still being created; by which Pix it
 * was paid; or whether that stays.
 */
export type Recorded = 'settled' | 'too_early' | 'pix_untold' | 'contested';

/** Records what a provider says of a charge, in the transaction in which it settles the payment. */
export type RecordCharge = (
  tx: Queryable,
  change: ChangePayment,
  attempt: ChargeAttempt,
  charge: Charge,
  options?: { isCallersCancel?: boolean },
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

  /** Whether the Pix is new. It counts for the payment only when transaction and amount are its own. */
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

  /** What a provider tells beyond our own refunds went back otherwise: in its panel, or taken by a bank. */
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
    logger.warn({ paymentId: payment.id, isWhole }, 'money went back otherwise than by a refund made here');
  }

  return async (tx, change, attempt, charge, { isCallersCancel = false } = {}) => {
    const payment = await lockPayment(tx, attempt.paymentId);
    // A notification may overtake the answer to the create.
    if (!payment || payment.status === 'creating') return 'too_early';
    const newPix: PspReceivedPix[] = [];
    // The first is what the payment was paid with: one of which something is left, if there is any.
    const told = charge.receivedPix.toSorted((one, other) => Number(isKept(other)) - Number(isKept(one)));
    for (const [index, pix] of told.entries()) {
      const createdAt = new Date(now().getTime() + index);
      if (await receive(tx, payment, attempt, charge, { ...pix, createdAt })) newPix.push(pix);
      else if (pix.returnedInCents > 0n) await giveBack(tx, change, payment, pix);
    }
    const isChosen = payment.attemptId === attempt.id;
    const settled = settle(payment, charge, { newPix, isChosen, isCallersCancel, now: now() });
    if (settled) {
      await change(payment, settled);
      logger.info({ paymentId: payment.id, from: payment.status, to: settled.status }, 'payment settled');
    }
    if (charge.status === 'contested') return 'contested';
    if (charge.status !== 'paid' || charge.receivedPix.length > 0) return 'settled';
    // Told before, perhaps: not every provider tells it again once the money went back.
    const known = await findFirstReceivedPix(tx, { id: payment.id, attemptId: attempt.id });
    return known ? 'settled' : 'pix_untold';
  };
}
