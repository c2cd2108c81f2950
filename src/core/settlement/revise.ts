import { BrCodeError, parseBrCode } from '@pix-service/br-code';
import { ServiceError } from '../base/errors.ts';
import { cents } from '../base/money.ts';
import { endOfBrasiliaDay } from '../base/time/brasilia.ts';
import type { ChangePayments } from '../events/change-payments.ts';
import type { Queryable, Database } from '../../database/database.ts';
import type { Logger } from '../../observability/logger.ts';
import { dueUntil, termsOf } from '../payments/rules/due/due.ts';
import { lastPayableDayOf } from '../payments/rules/due/due-terms.ts';
import type { Payment } from '../payments/rules/payment.ts';
import type { ChargeAttempt } from '../payments/store/charge-attempts.ts';
import { lockPayment } from '../payments/store/payment-changes.ts';
import { findPaymentById } from '../payments/store/payments.ts';
import {
  dropRevision,
  type Revision,
  storeRevision,
  type StoredRevision,
} from '../payments/store/revisions.ts';
import { dueNotAccepted, unsupportedTerms } from '../providers/rules/due-support.ts';
import { assertCodeOf } from '../providers/rules/charge-code.ts';
import type { Charge } from '../providers/rules/psp.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import { type PspConnection, throwProviderError } from '../providers/psps.ts';
import { chargeIdsOf, lookupSignal } from './expiry.ts';

/** Takes the terms of charges with a due date to their providers. */
export interface Revise {
  /**
   * Makes the charge what was begun, then the payment; `stored` runs in the transaction that does. Sending it again changes nothing
   * more. Fails if the provider refuses, which drops it, or does not respond, which leaves it to a worker.
   */
  finish(
    attempt: Revised,
    connection: PspConnection,
    stored?: (tx: Queryable, payment: Payment) => Promise<void>,
  ): Promise<Payment>;
}

type Revised = ChargeAttempt & { revising: StoredRevision };

/** Whether a change of it has begun and is not finished. */
export const isRevised = (attempt: ChargeAttempt): attempt is Revised => attempt.revising !== null;

interface Dependencies {
  db: Database;
  changePayments: ChangePayments;
  now: () => Date;
  logger: Logger;
}

const notChangeable = (why: string) =>
  new ServiceError('payment_not_changeable', `The payment cannot be changed: ${why}`);

/** Null if it is that of another charge: the payment keeps the one it has. */
function codeOf({ pixCopyPaste, transactionId }: Charge, { amountInCents, due }: Revision): string | null {
  if (pixCopyPaste === null) return null;
  try {
    assertCodeOf(parseBrCode(pixCopyPaste), { amountInCents, transactionId, due: termsOf(due) });
    return pixCopyPaste;
  } catch (error) {
    if (error instanceof BrCodeError) return null;
    throw error;
  }
}

export function createRevise({ db, changePayments, now, logger }: Dependencies): Revise {
  async function send(
    attempt: ChargeAttempt,
    { adapter }: PspConnection,
    { amountInCents, due, description }: Revision,
  ): Promise<Charge> {
    if (!adapter.reviseCharge) {
      await dropRevision(db, attempt.paymentId);
      throw notChangeable(`${attempt.provider} changes no charges`);
    }
    const terms = termsOf(due);
    const unsupported = unsupportedTerms(adapter.capabilities.due, terms);
    if (unsupported.length > 0) {
      await dropRevision(db, attempt.paymentId);
      throw dueNotAccepted(attempt.provider, unsupported);
    }
    const expiresAt = endOfBrasiliaDay(lastPayableDayOf(terms));
    const request = { ...chargeIdsOf(attempt, now()), amountInCents, due: terms, expiresAt, description };
    try {
      return await adapter.reviseCharge(request, lookupSignal(attempt));
    } catch (error) {
      const isRefused = error instanceof PspError && error.failure.startsWith('rejected');
      if (isRefused) {
        logger.warn(
          { paymentId: attempt.paymentId, reason: error.message },
          'the provider refused new terms',
        );
        await dropRevision(db, attempt.paymentId);
      }
      return throwProviderError(error);
    }
  }

  return {
    async finish(attempt, connection, stored) {
      const { paymentId, revising } = attempt;
      const revision: Revision = { ...revising, amountInCents: cents(revising.amountInCents) };
      const charge = await send(attempt, connection, revision);
      return changePayments(async (tx, change) => {
        const payment = await lockPayment(tx, paymentId);
        if (payment?.status !== 'pending') {
          await dropRevision(tx, paymentId);
          throw notChangeable(`it is ${payment?.status ?? 'gone'}`);
        }
        const terms = termsOf(revision.due);
        const expiresAt = endOfBrasiliaDay(lastPayableDayOf(terms));
        await storeRevision(tx, paymentId, revision, { expiresAt, pixCopyPaste: codeOf(charge, revision) });
        const overdue = payment.overdue && dueUntil(revision.due) < now();
        await change(payment, { overdue }, [{ isUpdated: true }]);
        const changed = await findPaymentById(tx, paymentId);
        if (!changed) throw new Error(`payment ${paymentId} does not exist`);
        await stored?.(tx, changed);
        return changed;
      }, attempt.traceparent);
    },
  };
}
