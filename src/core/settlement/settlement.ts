import type { CalendarDay } from '../base/time/calendar-day.ts';
import { notFound } from '../base/errors.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { Payment } from '../payments/rules/payment.ts';
import type { PspDispute } from '../providers/rules/charge.ts';
import type { Queryable } from '../../database/database.ts';
import {
  type ChargeAttempt,
  findChargeAttempt,
  findChosenAttempt,
} from '../payments/store/charge-attempts.ts';
import {
  type AttemptSettlement,
  createAttemptSettlement,
  type Dependencies as AttemptDependencies,
} from './attempt-settlement.ts';
import type { Recorded } from './recording/record-charge.ts';

/** Brings payments in line with what their providers report. */
export interface Settlement {
  /**
   * Looks up the charge of an attempt that a notification names, and records what the provider says of it; `too_early` while it
   * does not know the charge. `pixReference` is the provider's id of the Pix said to have paid it, `cause` the notification's
   * place in its trace.
   */
  lookUpNotified(
    attempt: ChargeAttempt,
    notified: { pixReference: string | undefined; cause: string | null },
  ): Promise<Recorded>;
  /** The same for an attempt that an unproven notification names. */
  lookUpUnproven(attempt: ChargeAttempt, cause?: string): Promise<void>;
  /** The same for an attempt that the provider lists as paid. */
  lookUpListed(attempt: ChargeAttempt, pixReference?: string): Promise<void>;
  /** The same for an attempt on whose money the provider lists claims, which its charge does not tell of. */
  lookUpClaimed(attempt: ChargeAttempt, claims: readonly PspDispute[]): Promise<void>;
  /** Checks a payment. An overdue one is cancelled at its provider, looked up a last time, and expired. */
  checkPayment(paymentId: string): Promise<void>;
  /** Checks an expired or cancelled payment, which may have been paid all the same. */
  checkLatePayment(paymentId: string): Promise<void>;
  /** Checks an attempt whose response was lost: a charge that was never given out is cancelled. */
  checkLostAttempt(attemptId: string): Promise<void>;
  /**
   * Makes the charge what was begun with `beginRevision`, then the payment. `stored` runs in the transaction that does; `cause` is
   * the request's place in its trace. Fails if the provider refuses or does not respond.
   */
  revise(
    paymentId: string,
    stored: (tx: Queryable, payment: Payment) => Promise<void>,
    cause?: string,
  ): Promise<Payment>;
  /**
   * Has the payer's bank asked again for a debit on that day. `stored` runs in the transaction that notes it; should the provider
   * not respond, a worker asks it.
   */
  retryDebit(
    paymentId: string,
    on: CalendarDay,
    stored: (tx: Queryable, payment: Payment) => Promise<void>,
    cause?: string,
  ): Promise<Payment>;
  /**
   * Cancels the charge at the provider. The returned payment may have been paid first. `onCancelled` runs in the cancelling
   * transaction; `cause` is the request's place in its trace.
   */
  cancel(
    paymentId: string,
    onCancelled: (tx: Queryable, payment: Payment) => Promise<void>,
    cause?: string,
  ): Promise<Payment>;
}

interface Dependencies extends Omit<AttemptDependencies, 'leaseNow'> {
  testClocks: Pick<TestClocks, 'aheadMsOf'>;
}

export function createSettlement(given: Dependencies): Settlement {
  const { db, testClocks, now } = given;
  const dependencies = { ...given, leaseNow: now };
  const inRealTime = createAttemptSettlement(dependencies);

  function at(attempt: ChargeAttempt): AttemptSettlement {
    const aheadMs = testClocks.aheadMsOf(attempt);
    if (aheadMs === 0) return inRealTime;
    return createAttemptSettlement({ ...dependencies, now: () => new Date(now().getTime() + aheadMs) });
  }

  async function chosenAttempt(paymentId: string): Promise<ChargeAttempt> {
    const attempt = await findChosenAttempt(db, paymentId);
    if (!attempt) throw notFound('Payment', paymentId);
    return attempt;
  }

  return {
    lookUpNotified: (attempt, notified) => at(attempt).lookUpNotified(attempt, notified),
    lookUpUnproven: (attempt, cause) => at(attempt).lookUpUnproven(attempt, cause),
    lookUpListed: (attempt, pixReference) => at(attempt).lookUpListed(attempt, pixReference),
    lookUpClaimed: (attempt, claims) => at(attempt).lookUpClaimed(attempt, claims),

    async checkPayment(paymentId) {
      const attempt = await chosenAttempt(paymentId);
      return at(attempt).checkPayment(attempt);
    },

    async checkLatePayment(paymentId) {
      const attempt = await chosenAttempt(paymentId);
      return at(attempt).checkLatePayment(attempt);
    },

    async checkLostAttempt(attemptId) {
      const attempt = await findChargeAttempt(db, attemptId);
      if (attempt) await at(attempt).checkLostAttempt(attempt);
    },

    async revise(paymentId, ...rest) {
      const attempt = await chosenAttempt(paymentId);
      return at(attempt).revise(attempt, ...rest);
    },

    async retryDebit(paymentId, ...rest) {
      const attempt = await chosenAttempt(paymentId);
      return at(attempt).retryDebit(attempt, ...rest);
    },

    async cancel(paymentId, ...rest) {
      const attempt = await chosenAttempt(paymentId);
      return at(attempt).cancel(attempt, ...rest);
    },
  };
}
