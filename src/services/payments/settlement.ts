import {
  isLastLook,
  mayStillArrive,
  nextPaymentCheck,
  nextUnknownCheck,
} from '../../domain/time/check-schedule.ts';
import { notFound, ServiceError } from '../../domain/errors.ts';
import { transactionIdOf } from '../../domain/ids.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { type Charge, type ChargeIds, type PspCapabilities, PspError } from '../../domain/providers/psp.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Database, Queryable } from '../../persistence/database.ts';
import { findPaymentById } from '../../persistence/payments/payments.ts';
import {
  changeLostAttempt,
  type ChargeAttempt,
  checkPendingPayment,
  findChargeAttempt,
  findChosenAttempt,
  lockPayment,
} from '../../persistence/payments/settlement.ts';
import type { EventService } from '../webhooks/events.ts';
import { adapterOf, type Psps, providerError } from '../providers/psps.ts';
import { createRecordCharge, type Recorded } from './record-charge.ts';

/** Brings payments in line with what their providers report. */
export interface Settlement {
  /**
   * Looks up an attempt's charge and records the result. `too_early` when the provider does not know it yet.
   */
  lookUpCharge(attempt: ChargeAttempt): Promise<Recorded>;
  /**
   * Looks up a payment. One that is overdue is cancelled at its provider, looked up a last time, and expired.
   */
  refresh(paymentId: string): Promise<void>;
  /** Settles an attempt whose response was lost: a charge that was never given out is cancelled. */
  settleLost(attemptId: string): Promise<void>;
  /**
   * Cancels the charge at the provider. The returned payment may have been paid first; `cancelled` runs in
   * the cancelling transaction.
   */
  cancel(paymentId: string, cancelled: (tx: Queryable, payment: Payment) => Promise<void>): Promise<Payment>;
}

interface Dependencies {
  db: Database;
  events: Pick<EventService, 'transact'>;
  psps: Psps;
  now: () => Date;
  logger: Logger;
  metrics: Pick<Metrics, 'confirmationRefused'>;
}

const lookupTimeoutMs = 12_000;

/** Statuses that neither confirm a payment nor allow it to end unpaid. */
const undecided: readonly Charge['status'][] = ['paid', 'contested', 'unrecognised'];

export const nameOf = ({ id, pspReference }: Pick<ChargeAttempt, 'id' | 'pspReference'>): ChargeIds => ({
  transactionId: transactionIdOf(id),
  reference: pspReference,
});

export function createSettlement({ db, events, psps, now, logger, metrics }: Dependencies): Settlement {
  const record = createRecordCharge({ now, logger, metrics });

  async function chosenAttempt(paymentId: string): Promise<ChargeAttempt> {
    const attempt = await findChosenAttempt(db, paymentId);
    if (!attempt) throw notFound('Payment', paymentId);
    return attempt;
  }

  async function ask(attempt: ChargeAttempt): Promise<{ charge?: Charge; recorded: Recorded }> {
    const adapter = await adapterOf(psps, attempt);
    const charge = await adapter.findCharge(nameOf(attempt), AbortSignal.timeout(lookupTimeoutMs));
    if (!charge) return { recorded: 'too_early' };
    const recorded = await events.transact((tx, change) => record(tx, change, attempt, charge));
    return { charge, recorded };
  }

  /**
   * Returns the charge, cancelled first if it was payable and its PSP supports one of these ways to cancel.
   */
  async function ended(
    attempt: ChargeAttempt,
    charge: Charge,
    ways: readonly PspCapabilities['cancel'][],
  ): Promise<Charge> {
    const adapter = await adapterOf(psps, attempt);
    if (charge.status !== 'active' || !ways.includes(adapter.capabilities.cancel)) return charge;
    return adapter.cancelCharge(nameOf(attempt), AbortSignal.timeout(lookupTimeoutMs));
  }

  /** An expired code must not stay payable, but expiry alone never triggers a refund. */
  async function endAtExpiry(attempt: ChargeAttempt, charge: Charge | undefined): Promise<void> {
    const end =
      charge &&
      (await ended(attempt, charge, ['unpaid']).catch((error: unknown) => {
        if (error instanceof PspError && error.failure === 'rejected') return charge;
        throw error;
      }));
    // A Pix may have been in flight when it was cancelled: the check within the next minute is the last.
    if (end?.status === 'cancelled') return;
    if (end?.status === 'active' && !isLastLook(attempt.paymentExpiresAt, now())) return;
    await events.transact(async (tx, change) => {
      if (end && end.status !== 'active') {
        await record(tx, change, attempt, end);
        return;
      }
      const payment = await lockPayment(tx, attempt.paymentId);
      if (payment?.status === 'pending') await change(payment, { status: 'expired', nextCheckAt: null });
    });
  }

  async function lookUpAndEnd(attempt: ChargeAttempt): Promise<void> {
    const { charge } = await ask(attempt);
    const { paymentId, provider } = attempt;
    const payment = await findPaymentById(db, paymentId);
    if (payment?.status !== 'pending') return;
    const isOver = payment.expiresAt <= now();
    if (!charge && !isOver) logger.warn({ paymentId, provider }, 'charge not found at its provider');
    if (isOver && !(charge && undecided.includes(charge.status))) await endAtExpiry(attempt, charge);
  }

  /** Cancels a charge that was never given out, or finds out what became of it. */
  async function withdraw(attempt: ChargeAttempt): Promise<void> {
    const { charge } = await ask(attempt);
    if (!charge) {
      const isSure = !mayStillArrive(attempt.createdAt, now());
      if (isSure) await changeLostAttempt(db, attempt.id, { outcome: 'not_created', nextCheckAt: null });
      return;
    }
    const end = await ended(attempt, charge, ['unpaid', 'may_refund']);
    if (end.status === 'active' || end.status === 'unrecognised') return;
    await events.transact(async (tx, change) => {
      if ((await record(tx, change, attempt, end)) !== 'settled') return;
      const outcome = end.status === 'paid' ? 'created' : 'withdrawn';
      await changeLostAttempt(tx, attempt.id, { outcome, nextCheckAt: null });
    });
  }

  return {
    lookUpCharge: async (attempt) => (await ask(attempt)).recorded,

    async refresh(paymentId) {
      const attempt = await chosenAttempt(paymentId);
      try {
        await lookUpAndEnd(attempt);
      } finally {
        // By the schedule rather than the lease, so that a refused credential is not polled constantly.
        const { paymentCreatedAt: createdAt, paymentExpiresAt: expiresAt } = attempt;
        await checkPendingPayment(db, paymentId, nextPaymentCheck({ createdAt, expiresAt }, now()));
      }
    },

    async settleLost(attemptId) {
      const attempt = await findChargeAttempt(db, attemptId);
      if (!attempt) return;
      try {
        await withdraw(attempt);
      } finally {
        await changeLostAttempt(db, attemptId, { nextCheckAt: nextUnknownCheck(attempt.createdAt, now()) });
      }
    },

    async cancel(paymentId, cancelled) {
      const attempt = await chosenAttempt(paymentId);
      const adapter = await adapterOf(psps, attempt);
      if (adapter.capabilities.cancel === 'none')
        throw new ServiceError('cancellation_not_supported', `${attempt.provider} cannot cancel a payment`);
      const charge = await adapter
        .cancelCharge(nameOf(attempt), AbortSignal.timeout(lookupTimeoutMs))
        .catch(providerError);
      return events.transact(async (tx, change) => {
        await record(tx, change, attempt, charge, { isCancelRequested: true });
        const payment = await findPaymentById(tx, paymentId);
        if (!payment) throw notFound('Payment', paymentId);
        if (payment.status === 'cancelled') await cancelled(tx, payment);
        return payment;
      });
    },
  };
}
