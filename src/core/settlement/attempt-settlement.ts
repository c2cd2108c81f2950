import {
  dueAgain,
  isLastLook,
  mayStillArrive,
  nextDebitCheck,
  nextDueCheck,
  nextLateCheck,
  nextPaymentCheck,
  nextUnknownCheck,
  nextWatchedCheck,
  soonAfterFailure,
} from './rules/check-schedule.ts';
import {
  isLastLookSpared,
  haveSweepsPassed,
  isLookSpared,
  nothingKnown,
  sweepBy,
  watchedSince,
} from './rules/polling-pace.ts';
import { dueUntil } from '../payments/rules/due/due.ts';
import type { CalendarDay } from '../base/time/calendar-day.ts';
import { notFound, ServiceError } from '../base/errors.ts';
import { hasBeenPaid, type Payment } from '../payments/rules/payment.ts';
import type { Charge } from '../providers/rules/charge.ts';
import { retryAfterMsOf } from '../providers/rules/psp-error.ts';
import type { Polling } from '../providers/rules/request-quota.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { inSpan, type Tracing } from '../../observability/tracing.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { findPaymentById } from '../payments/store/payments.ts';
import {
  changeLostAttempt,
  type ChargeAttempt,
  findChargeAttempt,
} from '../payments/store/charge-attempts.ts';
import {
  findWatchedAt,
  noMoreLooks,
  scheduleCheck,
  scheduleLateCheck,
  schedulePendingCheck,
} from '../payments/store/payment-checks.ts';
import { resumeRevision } from '../payments/store/revisions.ts';
import { hastenSweep } from './store/sweeps.ts';
import type { ChangePayments } from '../events/change-payments.ts';
import {
  conditionsOf,
  connectionTo,
  type PspConnection,
  type Psps,
  throwProviderError,
} from '../providers/psps.ts';
import type { TrafficObserver } from '../providers/credential-traffic.ts';
import { cancelActive, chargeIdsOf, createExpiry, lookupSignal } from './expiry.ts';
import { createDebits, type DebitAttempt, isDebit } from './debits.ts';
import { createOverdue } from './overdue.ts';
import { createRecordCharge, type Recorded } from './recording/record-charge.ts';
import { createRevise, isRevised, notChangeable } from './revise.ts';
import { thenSchedule } from './then-schedule.ts';

export interface Dependencies {
  db: Database;
  changePayments: ChangePayments;
  psps: Psps;
  traffic: TrafficObserver;
  /** The clock that the payments go by. */
  now: () => Date;
  /** Leases go by the real one, which nobody moves. */
  leaseNow: () => Date;
  logger: Logger;
  metrics: Pick<Metrics, 'confirmationRefused'>;
  tracing: Tracing;
}

/**
 * Why a charge is looked up, as its trace names it. `hint`, an unproven notification, proves neither that notifications arrive
 * nor that one was missed.
 */
type LookupReason = 'notification' | 'hint' | Polling;

/** Statuses that neither confirm a payment nor allow it to end unpaid. */
const undecided: readonly Charge['status'][] = ['paid', 'contested', 'unrecognised'];
/** Nobody can pay such a charge any more. */
const endedStatuses: readonly Charge['status'][] = ['cancelled', 'expired', 'failed'];

/** `Settlement` of attempts that have been found, at the time of one clock. */
export interface AttemptSettlement {
  lookUpNotified(
    attempt: ChargeAttempt,
    notified: { pixReference: string | undefined; cause: string | null },
  ): Promise<Recorded>;
  lookUpUnproven(attempt: ChargeAttempt, cause?: string): Promise<void>;
  lookUpListed(attempt: ChargeAttempt, pixReference?: string): Promise<void>;
  checkPayment(attempt: ChargeAttempt): Promise<void>;
  checkLatePayment(attempt: ChargeAttempt): Promise<void>;
  checkLostAttempt(attempt: ChargeAttempt): Promise<void>;
  revise(
    attempt: ChargeAttempt,
    stored: (tx: Queryable, payment: Payment) => Promise<void>,
    cause?: string,
  ): Promise<Payment>;
  retryDebit(
    attempt: ChargeAttempt,
    on: CalendarDay,
    stored: (tx: Queryable, payment: Payment) => Promise<void>,
    cause?: string,
  ): Promise<Payment>;
  cancel(
    attempt: ChargeAttempt,
    onCancelled: (tx: Queryable, payment: Payment) => Promise<void>,
    cause?: string,
  ): Promise<Payment>;
}

export function createAttemptSettlement(dependencies: Dependencies): AttemptSettlement {
  const { db, changePayments, psps, traffic, now, logger, metrics, tracing, leaseNow } = dependencies;
  const record = createRecordCharge({ now, logger, metrics });
  const expiry = createExpiry({ db, changePayments, record, now });
  const overdue = createOverdue({ changePayments, now });
  const debits = createDebits({ changePayments, record, now });
  const { finish: finishRevision } = createRevise({ db, changePayments, now, logger });

  /** Work on a payment continues the payment's trace, whatever the reason, and links to the reason's own trace if it has one. */
  function traced<T>(
    attempt: ChargeAttempt,
    reason: LookupReason | 'cancel' | 'revise',
    work: (attempt: ChargeAttempt) => Promise<T>,
    cause?: string | null,
  ): Promise<T> {
    const span = tracing.start('settle payment', {
      kind: 'internal',
      parent: attempt.traceparent,
      cause,
      attributes: { 'pix.payment.id': attempt.paymentId, 'pix.settle.reason': reason },
    });
    return inSpan(span, () => work({ ...attempt, traceparent: span.traceparent ?? null }));
  }

  async function lookUpAndRecord(
    attempt: ChargeAttempt,
    reason: LookupReason,
    connection: PspConnection,
    pixReference?: string,
  ): Promise<{ charge?: Charge; recorded: Recorded }> {
    // Somebody waits for what a notification or the PSP's list says, so that is not polling.
    const isPolling = reason === 'look' || reason === 'expiry';
    const adapter = isPolling ? connection.polling[reason] : connection.adapter;
    // Once the money is recorded, we ask what became of it, which the Pix tells only in part.
    const isPaid = hasBeenPaid({ status: attempt.paymentStatus });
    const sought = { ...chargeIdsOf(attempt, now()), ...(!isPaid && { pixReference }) };
    const charge = await adapter.findCharge(sought, lookupSignal(attempt));
    if (!charge) return { recorded: 'too_early' };
    // Once money is recorded, a report without its details would contradict what they said before.
    if (charge.missing && isPaid) throw charge.missing;
    const recorded = await changePayments(
      (tx, change) => record(tx, change, attempt, charge),
      attempt.traceparent,
    );
    if (charge.status === 'paid') {
      if (reason === 'notification') await traffic.confirmedByNotification(attempt, connection.traffic);
      else if (reason !== 'hint' && attempt.paymentStatus === 'pending')
        await traffic.confirmedByPolling(attempt, connection.traffic, { charge, by: reason });
    }
    if (charge.missing) throw charge.missing;
    return { charge, recorded };
  }

  const ageMsOf = ({ paymentCreatedAt }: ChargeAttempt) => now().getTime() - paymentCreatedAt.getTime();

  /** Has the account swept soon enough for the payment, where its provider lists what it received. */
  async function ensureSweepDue(
    attempt: ChargeAttempt,
    connection: PspConnection,
    isWatched: boolean,
  ): Promise<void> {
    const { provider, credentialId } = attempt;
    if (credentialId === null || !connection.polling.sweep.listReceived) return;
    const at = now();
    const conditions = conditionsOf(connection);
    const by = sweepBy({ ageMs: ageMsOf(attempt), isWatched }, conditions, at);
    if (conditions.nextSweepAt && conditions.nextSweepAt <= by) return;
    await hastenSweep(db, { provider, credentialId }, { now: at, by });
  }

  async function lookUpAndEnd(attempt: ChargeAttempt, connection: PspConnection): Promise<void> {
    const isOver = attempt.paymentEndsAt <= now();
    const isExpiring = isOver && !isLastLook(attempt.paymentEndsAt, now());
    const { cancelledAt } = attempt;
    // A Pix may have been in flight, so the check a minute later is the last.
    if (isExpiring && (cancelledAt || (await expiry.cancelUnseen(attempt, connection)))) return;
    if (cancelledAt && isLastLookSpared(ageMsOf(attempt), conditionsOf(connection), now())) {
      await expiry.endUnseen({ ...attempt, cancelledAt });
      return;
    }
    const { charge } = await lookUpAndRecord(attempt, isOver ? 'expiry' : 'look', connection);
    const { paymentId, provider } = attempt;
    const payment = await findPaymentById(db, paymentId);
    if (payment?.status !== 'pending') return;
    if (!charge && !isOver) logger.warn({ paymentId, provider }, 'charge not found at its provider');
    if (!isOver || (charge && undecided.includes(charge.status))) return;
    // The charge cannot be cancelled, so it may be paid until then.
    if (charge?.status === 'active' && isExpiring) return;
    await expiry.end(attempt, charge, connection);
  }

  /** Finishes what a node began to change, unless a Pix that paid the charge decides it. Returns the attempt as it is then. */
  async function finishAbandoned(attempt: ChargeAttempt, connection: PspConnection): Promise<ChargeAttempt> {
    const { id, paymentId } = attempt;
    if (!isRevised(attempt) || !(await resumeRevision(db, paymentId, leaseNow()))) return attempt;
    await traced(attempt, 'look', (each) => lookUpAndRecord(each, 'look', connection));
    const pending = await findChargeAttempt(db, id);
    if (pending && isRevised(pending)) await finishRevision(pending, connection);
    return (await findChargeAttempt(db, id)) ?? attempt;
  }

  async function checkPending(begun: ChargeAttempt): Promise<void> {
    const { paymentId, paymentCreatedAt: createdAt } = begun;
    let attempt = begun;
    let conditions = nothingKnown;
    const check = async () => {
      const connection = await connectionTo(psps, begun);
      conditions = conditionsOf(connection);
      attempt = await finishAbandoned(begun, connection);
      if (attempt.paymentStatus !== 'pending') return;
      const watchedAt = await findWatchedAt(db, paymentId);
      const isWatched = watchedAt !== null && watchedAt > watchedSince(now());
      await ensureSweepDue(attempt, connection, isWatched);
      const isOver = attempt.paymentEndsAt <= now();
      const passedAt = overdue.passedAt(attempt);
      const isSpared = isLookSpared({ id: attempt.id, createdAt, isWatched }, conditions, now());
      const isAsked = passedAt === null || haveSweepsPassed(passedAt, conditions, now());
      if (isOver || !isSpared || !isAsked)
        await traced(attempt, isOver ? 'expiry' : 'look', (each) => lookUpAndEnd(each, connection));
      if (passedAt) await overdue.tell(attempt);
    };
    await thenSchedule(check(), (failure) => {
      const at = now();
      const again = (next: Date, isUrgent = true) => dueAgain(next, retryAfterMsOf(failure), at, isUrgent);
      const { due, mode, paymentEndsAt: expiresAt } = attempt;
      const payment = { id: paymentId, mode, createdAt, expiresAt };
      const watched = { since: watchedSince(at), nextAt: again(nextWatchedCheck(payment, at, conditions)) };
      const hasPassed = overdue.passedAt(attempt) !== null;
      const isOverdue = hasPassed || attempt.overdue;
      // One that was looked at last night comes after those whose due date has just passed.
      const isUrgent = !due || hasPassed || expiresAt <= at || isRevised(attempt);
      const nextAt = again(
        due && !failure
          ? nextDueCheck({ ...payment, dueUntil: dueUntil(due), isOverdue }, at, conditions)
          : nextPaymentCheck(payment, at, conditions),
        isUrgent,
      );
      return schedulePendingCheck(db, paymentId, { nextAt, watched });
    });
  }

  /** What a debit becomes is nobody's to see but its provider's, so no sweep spares the look. */
  async function checkDebit(begun: DebitAttempt): Promise<void> {
    const { id, paymentId, mode, paymentCreatedAt: createdAt } = begun;
    let attempt: ChargeAttempt = begun;
    const check = async () => {
      const connection = await connectionTo(psps, begun);
      await traced(begun, 'look', (each) => lookUpAndRecord(each, 'look', connection));
      attempt = (await findChargeAttempt(db, id)) ?? begun;
      if (attempt.paymentStatus === 'pending' && isDebit(attempt))
        await debits.retryOrEnd(attempt, connection);
      attempt = (await findChargeAttempt(db, id)) ?? begun;
    };
    await thenSchedule(check(), (failure) => {
      const at = now();
      const { debit, paymentEndsAt: expiresAt } = attempt;
      const next = nextDebitCheck(
        { id: paymentId, mode, createdAt, expiresAt, debit: debit ?? begun.debit },
        at,
      );
      const nextAt = failure ? dueAgain(soonAfterFailure(at), retryAfterMsOf(failure), at) : next;
      return scheduleCheck(db, paymentId, nextAt);
    });
  }

  /** Recording the report schedules the next check, if there is one. */
  async function checkPaid(attempt: ChargeAttempt): Promise<void> {
    const { paymentId, paymentCreatedAt } = attempt;
    const scheduleIn = (retryAfterMs: number | null) =>
      scheduleCheck(db, paymentId, dueAgain(nextUnknownCheck(paymentCreatedAt, now()), retryAfterMs, now()));
    try {
      const connection = await connectionTo(psps, attempt);
      const { charge } = await traced(attempt, 'look', (each) => lookUpAndRecord(each, 'look', connection));
      if (!charge) await scheduleIn(null);
    } catch (error) {
      await scheduleIn(retryAfterMsOf(error));
      throw error;
    }
  }

  /** Cancels a charge that was never given out, or finds out what became of it. */
  async function withdraw(attempt: ChargeAttempt): Promise<void> {
    const connection = await connectionTo(psps, attempt);
    const { charge } = await lookUpAndRecord(attempt, 'look', connection);
    if (!charge) {
      const isSure = !mayStillArrive(attempt.createdAt, now());
      if (isSure) await changeLostAttempt(db, attempt.id, { outcome: 'not_created', nextCheckAt: null });
      return;
    }
    const end = await cancelActive(attempt, charge, connection.polling.look, {
      ways: ['unpaid', 'may_refund'],
      asOf: now(),
    });
    if (end.status === 'active' || end.status === 'unrecognised') return;
    await changePayments(async (tx, change) => {
      if ((await record(tx, change, attempt, end)) !== 'done') return;
      const outcome = end.status === 'paid' ? 'created' : 'withdrawn';
      await changeLostAttempt(tx, attempt.id, { outcome, nextCheckAt: null });
    }, attempt.traceparent);
  }

  return {
    async lookUpNotified(notified, { pixReference, cause }) {
      const connection = await connectionTo(psps, notified);
      const lookUp = (attempt: ChargeAttempt) =>
        lookUpAndRecord(attempt, 'notification', connection, pixReference);
      return (await traced(notified, 'notification', lookUp, cause)).recorded;
    },

    async lookUpUnproven(notified, cause) {
      const connection = await connectionTo(psps, notified);
      await traced(notified, 'hint', (attempt) => lookUpAndRecord(attempt, 'hint', connection), cause);
    },

    async lookUpListed(listed, pixReference) {
      const connection = await connectionTo(psps, listed);
      await traced(listed, 'sweep', (attempt) => lookUpAndRecord(attempt, 'sweep', connection, pixReference));
    },

    async checkPayment(attempt) {
      if (hasBeenPaid({ status: attempt.paymentStatus })) return checkPaid(attempt);
      // A node of 1.0 that ended the payment did not know of its check.
      if (attempt.paymentStatus !== 'pending') return noMoreLooks(db, attempt.paymentId);
      return isDebit(attempt) ? checkDebit(attempt) : checkPending(attempt);
    },

    async checkLatePayment(attempt) {
      const { cancelledAt, paymentId } = attempt;
      const endedAt = cancelledAt ?? attempt.paymentEndsAt;
      let hasEnded = false;
      const check = async () => {
        const connection = await connectionTo(psps, attempt);
        hasEnded = cancelledAt !== null && haveSweepsPassed(cancelledAt, conditionsOf(connection), now());
        if (hasEnded) return;
        const { charge } = await traced(attempt, 'look', (each) => lookUpAndRecord(each, 'look', connection));
        hasEnded = charge !== undefined && endedStatuses.includes(charge.status);
      };
      await thenSchedule(check(), (failure) => {
        const next = failure ? nextUnknownCheck(endedAt, now()) : nextLateCheck(endedAt, now());
        const nextCheckAt = hasEnded ? null : next && dueAgain(next, retryAfterMsOf(failure), now());
        return scheduleLateCheck(db, paymentId, nextCheckAt);
      });
    },

    async checkLostAttempt(attempt) {
      await thenSchedule(traced(attempt, 'look', withdraw), (failure) => {
        const next = nextUnknownCheck(attempt.createdAt, now());
        const nextCheckAt = dueAgain(next, retryAfterMsOf(failure), now());
        return changeLostAttempt(db, attempt.id, { nextCheckAt });
      });
    },

    async revise(attempt, stored, cause) {
      const connection = await connectionTo(psps, attempt);
      const finish = async (each: ChargeAttempt) => {
        if (!isRevised(each)) throw notChangeable(`it is ${each.paymentStatus}`);
        return finishRevision(each, connection, stored);
      };
      return traced(attempt, 'revise', finish, cause);
    },

    async retryDebit(attempt, on, stored, cause) {
      if (!isDebit(attempt)) throw notFound('Payment', attempt.paymentId);
      const retry = async (each: ChargeAttempt) => {
        await debits.choose(attempt, on, stored);
        const chosen = await findChargeAttempt(db, each.id);
        const connection = await connectionTo(psps, each);
        if (chosen && isDebit(chosen)) await debits.retryOrEnd(chosen, connection).catch(throwProviderError);
        const payment = await findPaymentById(db, each.paymentId);
        if (!payment) throw notFound('Payment', each.paymentId);
        return payment;
      };
      return traced(attempt, 'revise', retry, cause);
    },

    async cancel(attempt, onCancelled, cause) {
      const { paymentId } = attempt;
      const { adapter } = await connectionTo(psps, attempt);
      if (adapter.capabilities.cancel === 'none')
        throw new ServiceError('cancellation_not_supported', `${attempt.provider} cannot cancel a payment`);
      const end = async (each: ChargeAttempt) => {
        const charge = await adapter
          .cancelCharge(chargeIdsOf(each, now()), lookupSignal(each))
          .catch(throwProviderError);
        return changePayments(async (tx, change) => {
          await record(tx, change, each, charge, { isCancelRequested: true });
          const payment = await findPaymentById(tx, paymentId);
          if (!payment) throw notFound('Payment', paymentId);
          if (payment.status === 'cancelled') await onCancelled(tx, payment);
          return payment;
        }, each.traceparent);
      };
      return traced(attempt, 'cancel', end, cause);
    },
  };
}
