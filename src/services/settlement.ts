import { notFound } from '../domain/errors.ts';
import { attemptIdOf, newId, transactionIdOf } from '../domain/ids.ts';
import type { Payment } from '../domain/payment.ts';
import type { Charge, ChargeName, PspAdapter } from '../domain/psp.ts';
import { settle } from '../domain/settlement.ts';
import type { Logger } from '../observability/logger.ts';
import type { IdempotentOutcome } from '../persistence/charging.ts';
import type { Database, Queryable } from '../persistence/database.ts';
import { settleIdempotencyKey } from '../persistence/idempotency-keys.ts';
import { findPaymentById } from '../persistence/payments.ts';
import {
  changePayment,
  type ChargeAttempt,
  claimDuePayments,
  findChargeAttempt,
  findCreatedAttempt,
  insertPspNotification,
  insertReceivedPix,
  lockPayment,
  markPspNotificationProcessed,
} from '../persistence/settlement.ts';
import type { Psps } from './psps.ts';

export interface PspNotification {
  provider: string;
  /** As it was sent. */
  body: string;
  /** The charges it speaks of. What it says of them is not believed: the PSP is asked. */
  transactionIds: readonly string[];
}

/** Makes payments agree with what their providers say. */
export interface Settlement {
  /** Stores the notification, then asks the PSP about each charge that it names. */
  notified(notification: PspNotification): Promise<void>;
  /** Asks the provider about a payment now. */
  refresh(paymentId: string): Promise<void>;
  /** Cancels the charge at the provider. The payment that is answered was perhaps paid first. */
  cancel(paymentId: string, idempotent: (cancelled: Payment) => IdempotentOutcome | null): Promise<Payment>;
  /** Asks about payments whose check is due, the expired ones for the last time; answers how many. */
  refreshDue(limit: number): Promise<number>;
}

const leaseMs = 30_000;
const askTimeoutMs = 12_000;

const nameOf = ({ id, pspReference }: ChargeAttempt): ChargeName => ({
  transactionId: transactionIdOf(id),
  reference: pspReference,
});

export function createSettlement({
  db,
  psps,
  now,
  logger,
}: {
  db: Database;
  psps: Psps;
  now: () => Date;
  logger: Logger;
}): Settlement {
  const adapterOf = (attempt: ChargeAttempt): PspAdapter => {
    const adapter = psps[attempt.mode](attempt);
    if (!adapter) throw new Error(`no adapter serves ${attempt.provider}`);
    return adapter;
  };

  async function chargedAttempt(paymentId: string): Promise<ChargeAttempt> {
    const attempt = await findCreatedAttempt(db, paymentId);
    if (!attempt) throw notFound('Payment', paymentId);
    return attempt;
  }

  async function record(tx: Queryable, attempt: ChargeAttempt, charge: Charge): Promise<void> {
    const payment = await lockPayment(tx, attempt.paymentId);
    // A notification may overtake the answer to the create; the check that follows the create sees it.
    if (!payment || payment.status === 'creating') return;
    const newPix = [];
    for (const pix of charge.receivedPix) {
      const received = { ...pix, paymentId: payment.id, attemptId: attempt.id, createdAt: now() };
      if (await insertReceivedPix(tx, received)) newPix.push(pix);
    }
    const change = settle(payment, charge, newPix);
    if (!change) return;
    await changePayment(tx, payment.id, change);
    logger.info({ paymentId: payment.id, from: payment.status, to: change.status }, 'payment settled');
  }

  async function askAbout(attempt: ChargeAttempt): Promise<void> {
    const charge = await adapterOf(attempt).findCharge(nameOf(attempt), AbortSignal.timeout(askTimeoutMs));
    if (!charge) {
      logger.warn(
        { paymentId: attempt.paymentId, provider: attempt.provider },
        'charge is not at its provider',
      );
      return;
    }
    await db.$transaction((tx) => record(tx, attempt, charge));
  }

  async function askAboutTransaction(transactionId: string): Promise<void> {
    const attemptId = attemptIdOf(transactionId);
    const attempt = attemptId && (await findChargeAttempt(db, attemptId));
    if (attempt) await askAbout(attempt);
    else logger.warn('notification names no charge of ours');
  }

  const refresh = async (paymentId: string) => askAbout(await chargedAttempt(paymentId));

  return {
    refresh,

    async notified({ provider, body, transactionIds }) {
      const receivedAt = now();
      const id = newId(receivedAt);
      await insertPspNotification(db, { id, provider, body, receivedAt });
      for (const transactionId of transactionIds) await askAboutTransaction(transactionId);
      await markPspNotificationProcessed(db, id, now());
    },

    async cancel(paymentId, idempotent) {
      const attempt = await chargedAttempt(paymentId);
      const charge = await adapterOf(attempt).cancelCharge(
        nameOf(attempt),
        AbortSignal.timeout(askTimeoutMs),
      );
      return db.$transaction(async (tx) => {
        await record(tx, attempt, charge);
        const payment = await findPaymentById(tx, paymentId);
        if (!payment) throw notFound('Payment', paymentId);
        const outcome = payment.status === 'cancelled' ? idempotent(payment) : null;
        if (outcome) await settleIdempotencyKey(tx, outcome);
        return payment;
      });
    },

    async refreshDue(limit) {
      const due = await claimDuePayments(db, { now: now(), leaseMs, limit });
      for (const paymentId of due) {
        try {
          await refresh(paymentId);
        } catch (error) {
          logger.error({ paymentId, error }, 'check of a payment failed');
        }
      }
      return due.length;
    },
  };
}
