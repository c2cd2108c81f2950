import { isDeepStrictEqual } from 'node:util';
import { attemptIdOf } from '../../base/ids.ts';
import { nextUnknownCheck } from '../rules/check-schedule.ts';
import { isEndToEndId } from '../../payments/rules/end-to-end-id.ts';
import { hasBeenPaid } from '../../payments/rules/payment.ts';
import { type Debit, debitAfter, toldOf, withoutRetry } from '../../recurrences/rules/debit.ts';
import { paysChange } from '../../payments/rules/due/paid.ts';
import type { Reversal } from '../../payments/rules/reversal.ts';
import type { ChargeOutcome, PspReceivedPix } from '../../providers/rules/charge.ts';
import { isKept, settle, type SettlementChange } from '../rules/settlement.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Metrics } from '../../../observability/metrics.ts';
import type { Queryable } from '../../../database/database.ts';
import { type ChargeAttempt, recordCancelled } from '../../payments/store/charge-attempts.ts';
import {
  countEvents,
  type LockedPayment,
  lockPayment,
  type PaymentChange,
} from '../../payments/store/payment-changes.ts';
import { lookAgainAt, noMoreLooks } from '../../payments/store/payment-checks.ts';
import {
  findFirstReceivedPix,
  findPixOwner,
  insertReceivedPix,
  type PixOwner,
} from '../../payments/store/received-pix.ts';
import { expiryOf, revisionOf, storeRevision } from '../../payments/store/revisions.ts';
import type { ChangePayment, EventSubject } from '../../events/change-payments.ts';
import { patienceMs } from '../rules/patience.ts';
import { createRecordPayers } from './record-payers.ts';
import { recordDisputes } from './record-disputes.ts';
import { earliestOf, isWhole, recordReversals } from './record-reversals.ts';
import type { UnmatchedPix } from './unmatched-pix.ts';

/**
 * What remains to be looked up about a charge. `done`: nothing that is not due already; `too_early`: everything, because the
 * payment is still being created; `pix_unreported`: which Pix paid it; `contested`: how a dispute or a reversal ends.
 */
export type Recorded = 'done' | 'too_early' | 'pix_unreported' | 'contested';

/** Records a provider's report of a charge in the transaction that settles the payment. */
export type RecordCharge = (
  tx: Queryable,
  change: ChangePayment,
  attempt: ChargeAttempt,
  charge: ChargeOutcome,
  options?: { isCancelRequested?: boolean },
) => Promise<Recorded>;

interface Dependencies {
  unmatchedPix: Pick<UnmatchedPix, 'close'>;
  now: () => Date;
  logger: Logger;
  metrics: Pick<Metrics, 'confirmationRefused'>;
}

interface RecordedPix {
  pix: PspReceivedPix;
  /** Whether nothing about this Pix has been recorded before. */
  isNew: boolean;
  /** Whether nobody had told before who paid it. */
  isPayerNew: boolean;
}

interface Report {
  attempt: ChargeAttempt;
  charge: ChargeOutcome;
  isChosen: boolean;
  /** Whether it was asked for before the payment's latest event, so that only the next report is sure to know of that. */
  isStale: boolean;
  received: readonly RecordedPix[];
  settled: SettlementChange;
}

export function createRecordCharge(dependencies: Dependencies): RecordCharge {
  const { unmatchedPix, now, logger, metrics } = dependencies;
  const recordPayers = createRecordPayers({ now });

  function refuse(reason: 'mismatch' | 'taken', { id, paymentId, provider }: ChargeAttempt, why: string) {
    metrics.confirmationRefused(provider, reason);
    logger.error({ paymentId, attemptId: id, provider }, why);
  }

  /** Gives the Pix the id with which it was first recorded, because some providers report it under another one later. */
  async function withFirstId(
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
   * Records a Pix, unless it is undecided whether it is kept. Undefined if it does not confirm the payment, because its
   * transaction is another, or its amount, which only a due date changes.
   */
  async function receive(
    tx: Queryable,
    { id: paymentId, organizationId, amountInCents, due }: LockedPayment,
    attempt: ChargeAttempt,
    { transactionId, status }: ChargeOutcome,
    { createdAt, isContested = status === 'contested', payer, ...pix }: PspReceivedPix & { createdAt: Date },
  ): Promise<{ owner: PixOwner; isPayerNew: boolean } | undefined> {
    if (attemptIdOf(transactionId) !== attempt.id || (!due && pix.amountInCents !== amountInCents)) {
      refuse('mismatch', attempt, 'a Pix of another transaction or amount does not confirm the payment');
      return undefined;
    }
    const paidAt = pix.paidAt ?? createdAt;
    // Whoever was forgotten stays so.
    const who = attempt.forgottenAs === null && payer ? { payer } : {};
    const received = { ...pix, ...who, paidAt, organizationId, paymentId, attemptId: attempt.id, createdAt };
    const found = await (isContested ? findPixOwner(tx, received) : insertReceivedPix(tx, received));
    const owner = found?.owner;
    // Until then nobody was told that it has no payment.
    if (owner === 'new' && createdAt.getTime() - paidAt.getTime() > patienceMs) {
      const { endToEndId } = received;
      await unmatchedPix.close(tx, { organizationId, endToEndId, paymentId, at: createdAt });
    }
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
    return found;
  }

  /** The payment as it was being changed, if a Pix shows that its provider had made the charge that. */
  async function withPaidChange(
    tx: Queryable,
    change: ChangePayment,
    payment: LockedPayment,
    pix: PspReceivedPix | undefined,
  ): Promise<LockedPayment> {
    const { id, due, revising, amountInCents } = payment;
    if (!pix || !due || !revising || payment.status !== 'pending') return payment;
    const revision = revisionOf(revising);
    const paid = { ...pix, paidAt: pix.paidAt ?? now() };
    if (!paysChange(paid, { amountInCents, due }, revision)) return payment;
    await storeRevision(tx, id, revision, null);
    await change(payment, {}, [{ isUpdated: true }]);
    return { ...payment, ...revision, expiresAt: expiryOf(revision.due), revising: null };
  }

  /** What has become of a debit. One that no retry can help fails for good. */
  function recordDebit(
    { debit, status }: LockedPayment,
    { status: settled }: PaymentChange,
    { attempts }: ChargeOutcome,
  ): { change: PaymentChange; told: ('scheduled' | 'failed')[] } {
    if (!debit || !attempts) return { change: {}, told: [] };
    const reported = debitAfter(debit, attempts, now());
    const after: Debit = settled === 'failed' ? withoutRetry(reported) : reported;
    if (isDeepStrictEqual(after, debit)) return { change: {}, told: [] };
    const hasEnded = after.state === 'failed' && settled === undefined && status === 'pending';
    const end = hasEnded ? ({ status: 'failed', nextCheckAt: null } as const) : {};
    return { change: { debit: after, ...end }, told: toldOf(debit, after) };
  }

  /** Changes the payment as `settled` says, and records what left its Pix again or is claimed. */
  async function recordChanges(
    tx: Queryable,
    change: ChangePayment,
    payment: LockedPayment,
    { attempt, charge, isChosen, received, settled }: Report,
  ): Promise<{ isPaid: boolean; openSince: Date | null }> {
    let changes: PaymentChange = settled;
    const reversals: Reversal[] = [];
    const openSince: (Date | null)[] = [];
    for (const { pix, isNew } of received) {
      if (isNew && isWhole(pix)) continue;
      const status = changes.status ?? payment.status;
      const recorded = await recordReversals(tx, payment, status, pix, now());
      changes = { ...changes, ...recorded.change };
      reversals.push(...recorded.completed);
      openSince.push(recorded.openSince);
    }
    const disputes = await recordDisputes(tx, payment, { charge, isChosen, attempt }, now());
    openSince.push(disputes.openSince);
    const disputed = disputes.openSince !== null;
    if (disputed !== payment.disputed) changes = { ...changes, disputed };
    const { change: debited, told } = recordDebit(payment, changes, charge);
    changes = { ...changes, ...debited };
    const subjects: EventSubject[] = [
      ...reversals.map((reversal) => ({ reversal })),
      ...disputes.changed.map((dispute) => ({ dispute })),
      ...told.map((debit) => ({ debit })),
    ];
    if (Object.keys(changes).length > 0 || subjects.length > 0) await change(payment, changes, subjects);
    for (const { reason } of reversals)
      logger.warn({ paymentId: payment.id, reason }, 'money left a received Pix again');
    return {
      isPaid: hasBeenPaid({ status: changes.status ?? payment.status }),
      openSince: earliestOf(openSince.filter((each) => each !== null)) ?? undecidedSince(payment, charge),
    };
  }

  /** Since when the charge itself is undecided, whatever is known of its reversals and disputes. */
  function undecidedSince(payment: LockedPayment, { status, missing }: ChargeOutcome): Date | null {
    if (status === 'contested') return payment.confirmedAt ?? now();
    return missing && !hasBeenPaid(payment) ? now() : null;
  }

  /** What left its Pix again or is claimed is for the next report to tell. */
  async function recordStale(
    tx: Queryable,
    change: ChangePayment,
    payment: LockedPayment,
    { charge, isChosen, received, settled }: Report,
  ): Promise<boolean> {
    if (Object.keys(settled).length > 0) await change(payment, settled);
    if (received.every(({ pix }) => isWhole(pix)) && !charge.disputes?.length) return false;
    if (isChosen) await lookAgainAt(tx, payment, now());
    return !isChosen;
  }

  /**
   * Records the report and schedules the checks of a paid payment. Returns whether something is undecided that nothing is
   * scheduled for.
   */
  async function recordReport(
    tx: Queryable,
    change: ChangePayment,
    payment: LockedPayment,
    report: Report,
  ): Promise<boolean> {
    if (report.isStale) return recordStale(tx, change, payment, report);
    const { isPaid, openSince } = await recordChanges(tx, change, payment, report);
    if (!report.isChosen || !isPaid) return openSince !== null;
    if (openSince) await lookAgainAt(tx, payment, nextUnknownCheck(openSince, now()));
    else if (hasBeenPaid(payment)) await noMoreLooks(tx, payment.id);
    return false;
  }

  return async (tx, change, attempt, charge, { isCancelRequested = false } = {}) => {
    const locked = await lockPayment(tx, attempt.paymentId);
    // A notification can arrive before the response to the create.
    if (!locked || locked.status === 'creating') return 'too_early';
    const received: RecordedPix[] = [];
    // The first one counts as the one that paid, so those that were not fully returned come first.
    const reported = charge.receivedPix.toSorted((one, other) => Number(isKept(other)) - Number(isKept(one)));
    for (const [index, each] of reported.entries()) {
      const pix = await withFirstId(tx, attempt, each);
      const createdAt = new Date(now().getTime() + index);
      const found = await receive(tx, locked, attempt, charge, { ...pix, createdAt });
      if (!found || found.owner === 'another payment') continue;
      received.push({ pix, isNew: found.owner === 'new', isPayerNew: found.isPayerNew });
    }
    const isChosen = locked.attemptId === attempt.id;
    const newPix = received.flatMap(({ pix, isNew }) => (isNew ? [pix] : []));
    const payment = isChosen ? await withPaidChange(tx, change, locked, newPix[0]) : locked;
    const isOther = (each: PspReceivedPix) =>
      !payment.due && isKept(each) && each.amountInCents !== payment.amountInCents;
    const hasOtherMoney = charge.hasOtherMoney === true || reported.some(isOther);
    const context = { newPix, hasOtherMoney, isChosen, isCancelRequested, now: now() };
    const settled = settle(payment, charge, context);
    const isFollowed = hasBeenPaid(payment) || payment.disputed;
    const isStale = isFollowed && (await countEvents(tx, payment.id)) !== attempt.events;
    const { txid } = charge;
    const named = settled && isChosen && payment.txid === null && txid ? { txid } : {};
    const payers = isChosen ? await recordPayers(tx, payment, received) : {};
    const report = {
      attempt,
      charge,
      isChosen,
      isStale,
      received,
      settled: { ...settled, ...named, ...payers },
    };
    const isLeftOpen = await recordReport(tx, change, payment, report);
    // What a later look reckons from.
    if (settled?.status === 'cancelled' && settled.nextCheckAt) await recordCancelled(tx, attempt.id, now());
    if (settled) {
      logger.info({ paymentId: payment.id, from: payment.status, to: settled.status }, 'payment settled');
    }
    if (isLeftOpen) return 'contested';
    if (charge.status !== 'paid' || charge.receivedPix.length > 0) return 'done';
    // A Pix may have been reported earlier: not every provider still reports it once it was returned.
    const known = await findFirstReceivedPix(tx, { id: payment.id, attemptId: attempt.id });
    return known ? 'done' : 'pix_unreported';
  };
}
