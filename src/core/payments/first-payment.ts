import type { Database, Queryable } from '../../database/database.ts';
import { BrCodeError, parseBrCode } from '@pix-service/br-code';
import type { Caller } from '../base/caller.ts';
import { transactionIdOf } from '../base/ids.ts';
import { assertCodeOf } from '../providers/rules/charge-code.ts';
import type { ChargeRequest } from '../providers/rules/charge.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import type { RoutedCandidate } from '../routing/routing.ts';
import { nextDueCheck, nextPaymentCheck } from '../settlement/rules/check-schedule.ts';
import { nothingKnown } from '../settlement/rules/polling-pace.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import { dueUntil, termsOf } from './rules/due/due.ts';
import type { Payment } from './rules/payment.ts';
import { planPayment } from './plan-payment.ts';
import {
  listAttempts,
  openPayments,
  type OpenedPayment,
  recordCreatedCharges,
  recordFailedCharge,
} from './store/charging.ts';
import { findPaymentById } from './store/payments.ts';
import { requestOf } from './try-candidate.ts';
import { parseCreatePayment } from './rules/create-payment-input.ts';

/** Fails with `invalid_request`. */
export function planFirstPayment(
  caller: Caller,
  body: object,
  { candidate, ...terms }: { paymentId: string; candidate: RoutedCandidate; createdAt: Date; clock: Date },
): OpenedPayment {
  return planPayment(caller, parseCreatePayment(caller.mode, body), [candidate], { ...terms, isKeyed: true });
}

/** The payment that a payer makes when permitting a recurrence: its provider makes the charge together with that. */
export interface FirstPayments {
  store(tx: Queryable, planned: OpenedPayment): Promise<void>;
  /** What the provider is asked for; null if the payment is not being created any more. */
  requestOf(paymentId: string, notificationUrl: string | null): Promise<ChargeRequest | null>;
  /**
   * Stores the code, which also permits the recurrence; null once that has been permitted. Fails with a PspError if it is not one of
   * this charge.
   */
  charged(db: Queryable, paymentId: string, code: string | null, pspReference: string | null): Promise<void>;
  /** Ends the payment. A charge that may exist all the same is looked for, and cancelled. */
  failed(paymentId: string, error: string, isUnknown: boolean): Promise<void>;
}

interface Dependencies {
  db: Database;
  testClocks: Pick<TestClocks, 'nowIn'>;
  now: () => Date;
}

export function createFirstPayments({ db, testClocks, now }: Dependencies): FirstPayments {
  function firstCheckOf(payment: Payment): Date {
    const clock = testClocks.nowIn(payment);
    if (!payment.due) return nextPaymentCheck(payment, clock);
    return nextDueCheck(
      { ...payment, dueUntil: dueUntil(payment.due), isOverdue: false },
      clock,
      nothingKnown,
    );
  }

  async function find(from: Queryable, paymentId: string) {
    const payment = await findPaymentById(from, paymentId);
    const [attempt] = payment ? await listAttempts(from, paymentId) : [];
    if (!payment || !attempt) throw new Error(`payment ${paymentId} does not exist`);
    return { payment, attempt };
  }

  return {
    async store(tx, planned) {
      await openPayments(tx, [planned]);
    },

    async requestOf(paymentId, notificationUrl) {
      const { payment, attempt } = await find(db, paymentId);
      if (payment.status !== 'creating') return null;
      return requestOf(payment, attempt, { position: 0, notificationUrl });
    },

    async charged(tx, paymentId, code, pspReference) {
      const { payment, attempt } = await find(tx, paymentId);
      const { amountInCents } = payment;
      const due = payment.due && termsOf(payment.due);
      try {
        if (code !== null)
          assertCodeOf(parseBrCode(code), { amountInCents, transactionId: transactionIdOf(attempt.id), due });
      } catch (error) {
        if (!(error instanceof BrCodeError)) throw error;
        throw new PspError('unknown', `the provider returned an invalid code: ${error.message}`);
      }
      await recordCreatedCharges(tx, [
        {
          attemptId: attempt.id,
          outcome: 'created',
          error: null,
          pspReference,
          latencyMs: 0,
          nextCheckAt: null,
          paymentId,
          provider: attempt.provider,
          credentialId: attempt.credentialId,
          pixCopyPaste: code,
          // A look tells it.
          txid: null,
          paymentNextCheckAt: firstCheckOf(payment),
          idempotent: null,
        },
      ]);
    },

    async failed(paymentId, error, isUnknown) {
      const { attempt } = await find(db, paymentId);
      await recordFailedCharge(db, {
        attemptId: attempt.id,
        outcome: isUnknown ? 'unknown' : 'rejected',
        error,
        pspReference: null,
        latencyMs: 0,
        nextCheckAt: isUnknown ? now() : null,
        paymentId,
        keyHolder: null,
      });
    },
  };
}
