import { attemptIdOf } from '../domain/ids.ts';
import type { Charge, PspReceivedPix } from '../domain/psp.ts';
import { settle } from '../domain/settlement.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Queryable } from '../persistence/database.ts';
import {
  type ChargeAttempt,
  findFirstReceivedPix,
  insertReceivedPix,
  lockPayment,
  type SettledPayment,
} from '../persistence/settlement.ts';
import type { ChangePayment } from './events.ts';

/**
 * What is left to ask about a charge: nothing; everything, as its payment is still being created; or by
 * which Pix it was paid.
 */
export type Recorded = 'settled' | 'too_early' | 'pix_untold';

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
    pix: PspReceivedPix,
  ): Promise<boolean> {
    if (attemptIdOf(transactionId) !== attempt.id || pix.amountInCents !== amountInCents) {
      refuse('mismatch', attempt, 'a Pix of another transaction or amount does not confirm the payment');
      return false;
    }
    const received = { ...pix, organizationId, paymentId, attemptId: attempt.id, createdAt: now() };
    const owner = await insertReceivedPix(tx, received);
    if (owner === 'another payment') {
      refuse('taken', attempt, 'a Pix that was received for another payment does not confirm this one');
    }
    return owner === 'new';
  }

  return async (tx, change, attempt, charge, { isCallersCancel = false } = {}) => {
    const payment = await lockPayment(tx, attempt.paymentId);
    // A notification may overtake the answer to the create.
    if (!payment || payment.status === 'creating') return 'too_early';
    const newPix: PspReceivedPix[] = [];
    for (const pix of charge.receivedPix) {
      if (await receive(tx, payment, attempt, charge, pix)) newPix.push(pix);
    }
    const isChosen = payment.attemptId === attempt.id;
    const settled = settle(payment, charge, { newPix, isChosen, isCallersCancel, now: now() });
    if (settled) {
      await change(payment, settled);
      logger.info({ paymentId: payment.id, from: payment.status, to: settled.status }, 'payment settled');
    }
    if (charge.status !== 'paid' || charge.receivedPix.length > 0) return 'settled';
    // Told before, perhaps: not every provider tells it again once the money went back.
    const told = await findFirstReceivedPix(tx, { id: payment.id, attemptId: attempt.id });
    return told ? 'settled' : 'pix_untold';
  };
}
