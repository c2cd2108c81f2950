import { attemptIdOf } from '../base/ids.ts';
import { nextUnknownCheck } from './rules/check-schedule.ts';
import { isEndToEndId } from '../payments/rules/end-to-end-id.ts';
import { hasBeenPaid } from '../payments/rules/payment.ts';
import type { ChargeOutcome, PspReceivedPix } from '../providers/rules/psp.ts';
import { isKept, settle, type SettlementChange } from './rules/settlement.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Queryable } from '../../database/database.ts';
import {
  type ChargeAttempt,
  findFirstReceivedPix,
  findLastEvent,
  findPixOwner,
  insertReceivedPix,
  lockPayment,
  lookAgainAt,
  noMoreLooks,
  type PaymentChange,
  type PixOwner,
  recordCancelled,
  type SettledPayment,
} from '../payments/store/payment-changes.ts';
import type { ChangePayment, EventSubject } from '../events/change-payments.ts';
import { recordDisputes } from './record-disputes.ts';
import { earliestOf, isWhole, recordReversals } from './record-reversals.ts';

/**
 * What remains to be looked up about a charge: nothing that is not due already; everything, as the payment is still being
 * created; which Pix paid it; or how a dispute or a reversal ends.
 */
export type Recorded = 'settled' | 'too_early' | 'pix_unreported' | 'contested';

/** Records a provider's report of a charge in the transaction that settles the payment. */
export type RecordCharge = (
  tx: Queryable,
  change: ChangePayment,
  attempt: ChargeAttempt,
  charge: ChargeOutcome,
  options?: { isCancelRequested?: boolean },
) => Promise<Recorded>;

interface Dependencies {
  now: () => Date;
  logger: Logger;
  metrics: Pick<Metrics, 'confirmationRefused'>;
}

interface RecordedPix {
  pix: PspReceivedPix;
  /** Nothing of it can be recorded yet. */
  isNew: boolean;
}

interface Report {
  charge: ChargeOutcome;
  isChosen: boolean;
  /** Asked for before the payment's latest event, so that it may not know what that tells: the next one knows. */
  isStale: boolean;
  received: readonly RecordedPix[];
  settled: SettlementChange;
}

export function createRecordCharge({ now, logger, metrics }: Dependencies): RecordCharge {
  function refuse(reason: 'mismatch' | 'taken', { id, paymentId, provider }: ChargeAttempt, why: string) {
    metrics.confirmationRefused(provider, reason);
    logger.error({ paymentId, attemptId: id, provider }, why);
  }

  /** Gives it the id that it was first recorded with, if the provider may report it under another one later. */
  async function identified(
    tx: Queryable,
    attempt: ChargeAttempt,
    pix: PspReceivedPix,
  ): Promise<PspReceivedPix> {
    if (!pix.isOnlyPix) return pix;
    const { paymentId: id, id: attemptId } = attempt;
    const known = await findFirstReceivedPix(tx, { id, attemptId });
    if (!known || known.endToEndId === pix.endToEndId) return pix;
    const reported = isEndToEndId(pix.endToEndId) ? { reportedEndToEndId: pix.endToEndId } : {};
    return { ...pix, ...reported, endToEndId: known.endToEndId };
  }

  /**
   * A Pix confirms the payment only if transaction and amount match, and not before it is decided whether it is kept;
   * undefined if it does not.
   */
  async function receive(
    tx: Queryable,
    { id: paymentId, organizationId, amountInCents }: SettledPayment,
    attempt: ChargeAttempt,
    { transactionId, status }: ChargeOutcome,
    { createdAt, isContested = status === 'contested', ...pix }: PspReceivedPix & { createdAt: Date },
  ): Promise<PixOwner | undefined> {
    if (attemptIdOf(transactionId) !== attempt.id || pix.amountInCents !== amountInCents) {
      refuse('mismatch', attempt, 'a Pix of another transaction or amount does not confirm the payment');
      return undefined;
    }
    const paidAt = pix.paidAt ?? createdAt;
    const received = { ...pix, paidAt, organizationId, paymentId, attemptId: attempt.id, createdAt };
    const owner = await (isContested ? findPixOwner(tx, received) : insertReceivedPix(tx, received));
    if (owner === 'new' && !pix.paidAt) {
      const about = { paymentId, attemptId: attempt.id, provider: attempt.provider };
      logger.warn(
        about,
        'the provider tells no time of a Pix that can be read: the time of its report counts',
      );
    }
    if (owner === 'another payment') {
      refuse('taken', attempt, 'a Pix that was received for another payment does not confirm this one');
    }
    return owner;
  }

  /**
   * Changes the payment as settled, and by what left its Pix again or is claimed. Returns since when some of that is
   * undecided; null if none is.
   */
  async function recordWhatLeft(
    tx: Queryable,
    change: ChangePayment,
    payment: SettledPayment,
    { charge, isChosen, isStale, received, settled }: Report,
  ): Promise<Date | null> {
    if (isStale) {
      if (Object.keys(settled).length > 0) await change(payment, settled);
      if (received.every(({ pix }) => isWhole(pix)) && !charge.disputes?.length) return null;
      if (!isChosen) return now();
      await lookAgainAt(tx, payment, now());
      return null;
    }
    let changes: PaymentChange = settled;
    const subjects: EventSubject[] = [];
    const openSince: (Date | null)[] = [];
    for (const { pix, isNew } of received) {
      if (isNew && isWhole(pix)) continue;
      const status = changes.status ?? payment.status;
      const recorded = await recordReversals(tx, payment, status, pix, now());
      changes = { ...changes, ...recorded.change };
      subjects.push(...recorded.completed.map((reversal) => ({ reversal })));
      openSince.push(recorded.openSince);
    }
    const disputes = await recordDisputes(tx, payment, { charge, isChosen }, now());
    const disputed = disputes.openSince !== null;
    if (disputed !== payment.disputed) changes = { ...changes, disputed };
    subjects.push(...disputes.changed.map((dispute) => ({ dispute })));
    if (Object.keys(changes).length > 0 || subjects.length > 0) await change(payment, changes, subjects);
    for (const { reversal } of subjects) {
      if (reversal)
        logger.warn({ paymentId: payment.id, reason: reversal.reason }, 'money left a received Pix again');
    }
    const heldSince = charge.status === 'contested' ? (payment.confirmedAt ?? now()) : null;
    const openSinces = [...openSince, disputes.openSince].filter((each) => each !== null);
    const isMissing = charge.missing && !hasBeenPaid(payment);
    const since = earliestOf(openSinces) ?? heldSince ?? (isMissing ? now() : null);
    const isPaid = hasBeenPaid({ status: changes.status ?? payment.status });
    if (!isChosen || !isPaid) return since;
    if (since) await lookAgainAt(tx, payment, nextUnknownCheck(since, now()));
    else if (hasBeenPaid(payment)) await noMoreLooks(tx, payment.id);
    return null;
  }

  return async (tx, change, attempt, charge, { isCancelRequested = false } = {}) => {
    const payment = await lockPayment(tx, attempt.paymentId);
    // A notification can arrive before the response to the create.
    if (!payment || payment.status === 'creating') return 'too_early';
    const received: RecordedPix[] = [];
    // The first is the one that paid; prefers one that has not been fully returned.
    const reported = charge.receivedPix.toSorted((one, other) => Number(isKept(other)) - Number(isKept(one)));
    for (const [index, each] of reported.entries()) {
      const pix = await identified(tx, attempt, each);
      const createdAt = new Date(now().getTime() + index);
      const owner = await receive(tx, payment, attempt, charge, { ...pix, createdAt });
      if (owner === 'new' || owner === 'this payment') received.push({ pix, isNew: owner === 'new' });
    }
    const isChosen = payment.attemptId === attempt.id;
    const newPix = received.flatMap(({ pix, isNew }) => (isNew ? [pix] : []));
    const isOther = (each: PspReceivedPix) => isKept(each) && each.amountInCents !== payment.amountInCents;
    const hasOtherMoney = charge.hasOtherMoney === true || reported.some(isOther);
    const context = { newPix, hasOtherMoney, isChosen, isCancelRequested, now: now() };
    const settled = settle(payment, charge, context);
    const isFollowed = hasBeenPaid(payment) || payment.disputed;
    const isStale = isFollowed && (await findLastEvent(tx, payment.id)) !== attempt.lastEvent;
    const report = { charge, isChosen, isStale, received, settled: settled ?? {} };
    const openSince = await recordWhatLeft(tx, change, payment, report);
    // What a later look reckons from.
    if (settled?.status === 'cancelled' && settled.nextCheckAt) await recordCancelled(tx, attempt.id, now());
    if (settled) {
      logger.info({ paymentId: payment.id, from: payment.status, to: settled.status }, 'payment settled');
    }
    if (openSince) return 'contested';
    if (charge.status !== 'paid' || charge.receivedPix.length > 0) return 'settled';
    // It may have been reported earlier: not every provider still reports a Pix once it was returned.
    const known = await findFirstReceivedPix(tx, { id: payment.id, attemptId: attempt.id });
    return known ? 'settled' : 'pix_unreported';
  };
}
