import { mayStillArrive, nextPaymentCheck, nextUnknownCheck } from '../domain/check-schedule.ts';
import { conflict, notFound } from '../domain/errors.ts';
import { attemptIdOf, transactionIdOf } from '../domain/ids.ts';
import type { Payment } from '../domain/payment.ts';
import type { Charge, ChargeName, PspReceivedPix } from '../domain/psp.ts';
import { settle } from '../domain/settlement.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Database, Queryable } from '../persistence/database.ts';
import { findPaymentById } from '../persistence/payments.ts';
import {
  changeLostAttempt,
  changePayment,
  type ChargeAttempt,
  findChargeAttempt,
  findChosenAttempt,
  insertReceivedPix,
  lockPayment,
  type SettledPayment,
} from '../persistence/settlement.ts';
import type { ChangePayment, EventService } from './events.ts';
import { adapterOf, type Psps, refusedByProvider } from './psps.ts';

/** Makes payments agree with what their providers say. */
export interface Settlement {
  /**
   * Asks the provider about an attempt and records what it says. False when it is too early: the payment is
   * still being created.
   */
  askAbout(attempt: ChargeAttempt): Promise<boolean>;
  /** Asks about a payment; one whose time is over is asked about for the last time, and expires. */
  refresh(paymentId: string): Promise<void>;
  /** Settles an attempt whose answer was lost: a charge that nobody got is cancelled at its provider. */
  settleLost(attemptId: string): Promise<void>;
  /**
   * Cancels the charge at the provider. The payment that is answered was perhaps paid first; `cancelled` runs
   * in the transaction that cancels it.
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

const askTimeoutMs = 12_000;

export const nameOf = ({ id, pspReference }: Pick<ChargeAttempt, 'id' | 'pspReference'>): ChargeName => ({
  transactionId: transactionIdOf(id),
  reference: pspReference,
});

export function createSettlement({ db, events, psps, now, logger, metrics }: Dependencies): Settlement {
  async function chosenAttempt(paymentId: string): Promise<ChargeAttempt> {
    const attempt = await findChosenAttempt(db, paymentId);
    if (!attempt) throw notFound('Payment', paymentId);
    return attempt;
  }

  /** A Pix counts for the payment only when transaction and amount are its own. */
  function isOurs(
    payment: SettledPayment,
    attempt: ChargeAttempt,
    charge: Charge,
    pix: PspReceivedPix,
  ): boolean {
    const isMatch =
      attemptIdOf(charge.transactionId) === attempt.id && pix.amountInCents === payment.amountInCents;
    if (isMatch) return true;
    metrics.confirmationRefused(attempt.provider, 'mismatch');
    logger.error(
      { paymentId: payment.id, attemptId: attempt.id, provider: attempt.provider },
      'a Pix of another transaction or amount does not confirm the payment',
    );
    return false;
  }

  async function record(
    tx: Queryable,
    change: ChangePayment,
    attempt: ChargeAttempt,
    charge: Charge,
  ): Promise<boolean> {
    const payment = await lockPayment(tx, attempt.paymentId);
    // A notification may overtake the answer to the create.
    if (!payment || payment.status === 'creating') return false;
    const newPix = [];
    for (const pix of charge.receivedPix) {
      if (!isOurs(payment, attempt, charge, pix)) continue;
      const received = { ...pix, paymentId: payment.id, attemptId: attempt.id, createdAt: now() };
      if (await insertReceivedPix(tx, received)) newPix.push(pix);
    }
    const isChosen = payment.attemptId === attempt.id;
    const settled = settle(payment, charge, { newPix, isChosen });
    if (!settled) return true;
    await change(payment, settled);
    logger.info({ paymentId: payment.id, from: payment.status, to: settled.status }, 'payment settled');
    return true;
  }

  async function ask(attempt: ChargeAttempt): Promise<{ charge?: Charge; isRecorded: boolean }> {
    const adapter = await adapterOf(psps, attempt);
    const charge = await adapter.findCharge(nameOf(attempt), AbortSignal.timeout(askTimeoutMs));
    if (!charge) return { isRecorded: false };
    const isRecorded = await events.transact((tx, change) => record(tx, change, attempt, charge));
    return { charge, isRecorded };
  }

  /** At the expiry a code must not stay payable, so the charge is cancelled where the PSP can. */
  async function endAtExpiry(attempt: ChargeAttempt, charge: Charge | undefined): Promise<void> {
    const adapter = await adapterOf(psps, attempt);
    const name = nameOf(attempt);
    const ended =
      charge?.status === 'active' && adapter.capabilities.cancel
        ? await adapter.cancelCharge(name, AbortSignal.timeout(askTimeoutMs))
        : charge;
    await events.transact(async (tx, change) => {
      if (ended) {
        const status = ended.status === 'paid' ? 'paid' : 'expired';
        await record(tx, change, attempt, { ...ended, status });
        return;
      }
      const payment = await lockPayment(tx, attempt.paymentId);
      if (payment?.status === 'pending') await change(payment, { status: 'expired', nextCheckAt: null });
    });
  }

  return {
    askAbout: async (attempt) => (await ask(attempt)).isRecorded,

    async refresh(paymentId) {
      const attempt = await chosenAttempt(paymentId);
      const { charge } = await ask(attempt);
      if (!charge) {
        logger.warn({ paymentId, provider: attempt.provider }, 'charge is not at its provider');
      }
      const payment = await findPaymentById(db, paymentId);
      if (payment?.status !== 'pending') return;
      const isOver = payment.expiresAt <= now();
      const isUndecided = charge?.status === 'unrecognised' || charge?.status === 'paid';
      if (isOver && !isUndecided) await endAtExpiry(attempt, charge);
      else await changePayment(db, paymentId, { nextCheckAt: nextPaymentCheck(payment, now()) });
    },

    async settleLost(attemptId) {
      const attempt = await findChargeAttempt(db, attemptId);
      if (!attempt) return;
      const { charge } = await ask(attempt);
      const again = { nextCheckAt: nextUnknownCheck(attempt.createdAt, now()) };
      if (!charge) {
        const isSure = !mayStillArrive(attempt.createdAt, now());
        await changeLostAttempt(
          db,
          attemptId,
          isSure ? { outcome: 'not_created', nextCheckAt: null } : again,
        );
        return;
      }
      const adapter = await adapterOf(psps, attempt);
      const isPayable = charge.status === 'active' && adapter.capabilities.cancel;
      const ended = isPayable
        ? await adapter.cancelCharge(nameOf(attempt), AbortSignal.timeout(askTimeoutMs))
        : charge;
      const isUndecided = ended.status === 'active' || ended.status === 'unrecognised';
      await events.transact(async (tx, change) => {
        const isRecorded = await record(tx, change, attempt, ended);
        const outcome = ended.status === 'paid' ? 'created' : 'withdrawn';
        const isOver = isRecorded && !isUndecided;
        await changeLostAttempt(tx, attemptId, isOver ? { outcome, nextCheckAt: null } : again);
      });
    },

    async cancel(paymentId, cancelled) {
      const attempt = await chosenAttempt(paymentId);
      const adapter = await adapterOf(psps, attempt);
      if (!adapter.capabilities.cancel) throw conflict(`${attempt.provider} cannot cancel a payment`);
      const charge = await adapter
        .cancelCharge(nameOf(attempt), AbortSignal.timeout(askTimeoutMs))
        .catch(refusedByProvider);
      return events.transact(async (tx, change) => {
        await record(tx, change, attempt, charge);
        const payment = await findPaymentById(tx, paymentId);
        if (!payment) throw notFound('Payment', paymentId);
        if (payment.status === 'cancelled') await cancelled(tx, payment);
        return payment;
      });
    },
  };
}
