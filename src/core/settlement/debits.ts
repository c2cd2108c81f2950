import type { Database, Queryable } from '../../database/database.ts';
import { notFound, ServiceError } from '../base/errors.ts';
import type { CalendarDay } from '../base/time/calendar-day.ts';
import type { ChangePayment, ChangePayments } from '../events/change-payments.ts';
import { type ChargeAttempt, findChargeAttempt } from '../payments/store/charge-attempts.ts';
import { isEndDecided } from '../payments/store/debits.ts';
import { scheduleCheck } from '../payments/store/payment-checks.ts';
import { lockPayment } from '../payments/store/payment-changes.ts';
import type { Payment } from '../payments/rules/payment.ts';
import { findPaymentById } from '../payments/store/payments.ts';
import { connectionTo, type PspConnection, type Psps, throwProviderError } from '../providers/psps.ts';
import type { Charge } from '../providers/rules/charge.ts';
import { PspError, retryAfterMsOf } from '../providers/rules/psp-error.ts';
import { firstRetryDay, isAskedFor, mayRetryOn, withoutRetry } from '../recurrences/rules/debit.ts';
import { chargeIdsOf, lookupSignal } from './expiry.ts';
import type { RecordCharge } from './recording/record-charge.ts';
import { dueAgain, isLastLook, nextDebitCheck, soonAfterFailure } from './rules/check-schedule.ts';
import type { LookUp } from './look-up.ts';
import { thenSchedule } from './then-schedule.ts';
import { cancelDebit, type DebitAttempt, isDebit } from './withdraw-debit.ts';

/** Debits of recurrences, of which only their provider tells. */
interface Debits {
  /** Asks what became of it, and then has it retried or ends it. */
  check(attempt: DebitAttempt): Promise<void>;
  /** Has the payer's bank asked again on a day that somebody chose; `stored` runs in the transaction that notes it. */
  retry(
    attempt: ChargeAttempt,
    on: CalendarDay,
    stored: (tx: Queryable, payment: Payment) => Promise<void>,
    cause?: string,
  ): Promise<Payment>;
}

interface Dependencies {
  db: Database;
  changePayments: ChangePayments;
  psps: Psps;
  record: RecordCharge;
  lookUp: LookUp;
  now: () => Date;
}

const notRetriable = (why: string) =>
  new ServiceError('payment_not_retriable', `The debit cannot be tried again: ${why}`);

export function createDebits({ db, changePayments, psps, record, lookUp, now }: Dependencies): Debits {
  const { traced, lookUpAndRecord } = lookUp;

  async function fail(
    tx: Queryable,
    change: ChangePayment,
    { paymentId, debit }: DebitAttempt,
  ): Promise<void> {
    const payment = await lockPayment(tx, paymentId);
    if (payment?.status !== 'pending') return;
    const failed = { ...withoutRetry(payment.debit ?? debit), reason: 'unknown' } as const;
    await change(payment, { status: 'failed', debit: failed, nextCheckAt: null }, [{ debit: 'failed' }]);
  }

  async function end(attempt: DebitAttempt, { adapter }: PspConnection): Promise<void> {
    const after = await cancelDebit(attempt, adapter, now());
    await changePayments(async (tx, change) => {
      if (after && after.status !== 'cancelled') await record(tx, change, attempt, after);
      else await fail(tx, change, attempt);
    }, attempt.traceparent);
  }

  /** Notes the day that somebody chose, unless somebody else has chosen another one meanwhile. */
  const choose = (
    { paymentId, traceparent }: DebitAttempt,
    on: CalendarDay,
    stored: (tx: Queryable, payment: Payment) => Promise<void>,
  ): Promise<void> =>
    changePayments(async (tx, change) => {
      const locked = await lockPayment(tx, paymentId);
      if (!locked?.debit) throw notFound('Payment', paymentId);
      const { status, debit } = locked;
      if (status !== 'pending') throw notRetriable(`it is ${status}`);
      if (await isEndDecided(tx, paymentId)) throw notRetriable('its recurrence is being ended');
      if (!isAskedFor(debit, on)) {
        if (!mayRetryOn(debit, on, firstRetryDay(now())))
          throw notRetriable(
            'a retry needs a failed attempt that another day may mend, a recurrence that allows it, and a day from tomorrow (by 22:00) to seven days after the due date',
          );
        await change(locked, { debit: { ...debit, state: 'retrying', retryOn: on } });
      }
      const payment = await findPaymentById(tx, paymentId);
      if (payment) await stored(tx, payment);
    }, traceparent);

  /** Has the payer's bank asked again on the day that was chosen, or ends what can no longer be paid. */
  async function retryOrEnd(attempt: DebitAttempt, connection: PspConnection, seen?: Charge): Promise<void> {
    const { debit, traceparent } = attempt;
    if (isLastLook(attempt.paymentEndsAt, now())) {
      // Money that is held back is decided later.
      if (!seen || seen.status === 'active') await end(attempt, connection);
      return;
    }
    const { adapter } = connection;
    const { retryOn } = debit;
    if (!retryOn || !adapter.retryDebit) return;
    try {
      const charge = await adapter.retryDebit(chargeIdsOf(attempt, now()), retryOn, lookupSignal(attempt));
      await changePayments((tx, change) => record(tx, change, attempt, charge), traceparent);
    } catch (error) {
      if (!(error instanceof PspError) || error.failure !== 'rejected') throw error;
      const latest = await findChargeAttempt(db, attempt.id);
      // Of two who command the same day, the second is refused.
      if (latest?.debit?.retryOn === retryOn) await end(attempt, connection);
    }
  }

  return {
    async check(begun) {
      const { id, paymentId, mode, paymentCreatedAt: createdAt } = begun;
      let attempt: ChargeAttempt = begun;
      const check = async () => {
        const connection = await connectionTo(psps, begun);
        const { charge } = await traced(begun, 'look', (each) => lookUpAndRecord(each, 'look', connection));
        attempt = (await findChargeAttempt(db, id)) ?? begun;
        if (attempt.paymentStatus === 'pending' && isDebit(attempt))
          await retryOrEnd(attempt, connection, charge);
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
    },

    async retry(attempt, on, stored, cause) {
      if (!isDebit(attempt)) throw notFound('Payment', attempt.paymentId);
      const retry = async (each: ChargeAttempt) => {
        const connection = await connectionTo(psps, each);
        if (!connection.adapter.retryDebit)
          throw notRetriable(`${each.provider} does so by itself, on days of its own`);
        await choose(attempt, on, stored);
        const chosen = await findChargeAttempt(db, each.id);
        if (chosen && isDebit(chosen)) await retryOrEnd(chosen, connection).catch(throwProviderError);
        const payment = await findPaymentById(db, each.paymentId);
        if (!payment) throw notFound('Payment', each.paymentId);
        return payment;
      };
      return traced(attempt, 'revise', retry, cause);
    },
  };
}
