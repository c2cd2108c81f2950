import { dueAgain, mayStillArrive, nextLateCheck, nextUnknownCheck } from './rules/check-schedule.ts';
import { haveSweepsPassed } from './rules/polling-pace.ts';
import { notFound, ServiceError } from '../base/errors.ts';
import { hasBeenPaid, type Payment } from '../payments/rules/payment.ts';
import type { Charge, PspDispute } from '../providers/rules/charge.ts';
import { retryAfterMsOf } from '../providers/rules/psp-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { type Tracing } from '../../observability/tracing.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { findPaymentById } from '../payments/store/payments.ts';
import { changeLostAttempt, type ChargeAttempt } from '../payments/store/charge-attempts.ts';
import { noMoreLooks, scheduleCheck, scheduleLateCheck } from '../payments/store/payment-checks.ts';
import type { ChangePayments } from '../events/change-payments.ts';
import { conditionsOf, connectionTo, type Psps, throwProviderError } from '../providers/psps.ts';
import type { TrafficObserver } from '../providers/credential-traffic.ts';
import { cancelActive, chargeIdsOf, createExpiry, lookupSignal } from './expiry.ts';
import { createCheckPending } from './check-pending.ts';
import { createDebits } from './debits.ts';
import { createLookUp } from './look-up.ts';
import { createOverdue } from './overdue.ts';
import { createRecordCharge, type Recorded } from './recording/record-charge.ts';
import type { UnmatchedPix } from './recording/unmatched-pix.ts';
import { createRevise, isRevised, notChangeable } from './revise.ts';
import { thenSchedule } from './then-schedule.ts';
import { isDebit } from './withdraw-debit.ts';

export interface Dependencies {
  db: Database;
  changePayments: ChangePayments;
  psps: Psps;
  traffic: TrafficObserver;
  unmatchedPix: Pick<UnmatchedPix, 'close'>;
  /** The clock that the payments go by. */
  now: () => Date;
  /** Leases go by the real one, which nobody moves. */
  leaseNow: () => Date;
  logger: Logger;
  metrics: Pick<Metrics, 'confirmationRefused' | 'paymentConfirmed'>;
  tracing: Tracing;
}

/** Runs in the transaction that stores the payment. */
type Stored = (tx: Queryable, payment: Payment) => Promise<void>;

/** Nobody can pay such a charge any more. */
const endedStatuses: readonly Charge['status'][] = ['cancelled', 'expired', 'failed'];

export type AttemptSettlement = ReturnType<typeof createAttemptSettlement>;

/** `Settlement` of attempts that have been found, at the time of one clock. */
export function createAttemptSettlement(dependencies: Dependencies) {
  const { db, changePayments, psps, traffic, now, logger, tracing, metrics, leaseNow } = dependencies;
  const record = createRecordCharge(dependencies);
  const expiry = createExpiry({ db, changePayments, record, now });
  const overdue = createOverdue({ changePayments, now });
  const revise = createRevise({ db, changePayments, now, logger });
  const lookUp = createLookUp({ changePayments, record, traffic, tracing, metrics, now });
  const { traced, lookUpAndRecord } = lookUp;
  const debits = createDebits({ db, changePayments, psps, record, lookUp, now });
  const checkPending = createCheckPending({
    db,
    psps,
    lookUp,
    expiry,
    overdue,
    revise,
    now,
    leaseNow,
    logger,
  });

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
    async lookUpNotified(
      notified: ChargeAttempt,
      { pixReference, cause }: { pixReference: string | undefined; cause: string | null },
    ): Promise<Recorded> {
      const connection = await connectionTo(psps, notified);
      const lookUp = (attempt: ChargeAttempt) =>
        lookUpAndRecord(attempt, 'notification', connection, { pixReference });
      return (await traced(notified, 'notification', lookUp, cause)).recorded;
    },

    async lookUpUnproven(notified: ChargeAttempt, cause?: string): Promise<void> {
      const connection = await connectionTo(psps, notified);
      await traced(notified, 'hint', (attempt) => lookUpAndRecord(attempt, 'hint', connection), cause);
    },

    async lookUpClaimed(claimed: ChargeAttempt, claims: readonly PspDispute[]): Promise<void> {
      const connection = await connectionTo(psps, claimed);
      await traced(claimed, 'sweep', (attempt) => lookUpAndRecord(attempt, 'sweep', connection, { claims }));
    },

    async lookUpListed(listed: ChargeAttempt, pixReference?: string): Promise<void> {
      const connection = await connectionTo(psps, listed);
      await traced(listed, 'sweep', (attempt) =>
        lookUpAndRecord(attempt, 'sweep', connection, { pixReference }),
      );
    },

    async checkPayment(attempt: ChargeAttempt): Promise<void> {
      if (hasBeenPaid({ status: attempt.paymentStatus })) return checkPaid(attempt);
      // A node of 1.0 that ended the payment did not know of its check.
      if (attempt.paymentStatus !== 'pending') return noMoreLooks(db, attempt.paymentId);
      return isDebit(attempt) ? debits.check(attempt) : checkPending(attempt);
    },

    async checkLatePayment(attempt: ChargeAttempt): Promise<void> {
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

    async checkLostAttempt(attempt: ChargeAttempt): Promise<void> {
      await thenSchedule(traced(attempt, 'look', withdraw), (failure) => {
        const next = nextUnknownCheck(attempt.createdAt, now());
        const nextCheckAt = dueAgain(next, retryAfterMsOf(failure), now());
        return changeLostAttempt(db, attempt.id, { nextCheckAt });
      });
    },

    async revise(attempt: ChargeAttempt, stored: Stored, cause?: string): Promise<Payment> {
      const connection = await connectionTo(psps, attempt);
      const finish = async (each: ChargeAttempt) => {
        if (!isRevised(each)) throw notChangeable(`it is ${each.paymentStatus}`);
        return revise.finish(each, connection, stored);
      };
      return traced(attempt, 'revise', finish, cause);
    },

    retryDebit: debits.retry,

    async cancel(attempt: ChargeAttempt, onCancelled: Stored, cause?: string): Promise<Payment> {
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
