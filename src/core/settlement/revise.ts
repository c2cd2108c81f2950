import { BrCodeError, parseBrCode } from '@pix-service/br-code';
import { ServiceError } from '../base/errors.ts';
import type { ChangePayments } from '../events/change-payments.ts';
import type { Queryable, Database } from '../../database/database.ts';
import type { Logger } from '../../observability/logger.ts';
import { dueUntil, termsOf } from '../payments/rules/due/due.ts';
import type { Payment } from '../payments/rules/payment.ts';
import type { ChargeAttempt } from '../payments/store/charge-attempts.ts';
import { lockPayment } from '../payments/store/payment-changes.ts';
import { findPaymentById } from '../payments/store/payments.ts';
import {
  dropRevision,
  expiryOf,
  isMade,
  type Revision,
  revisionOf,
  storeRevision,
  type StoredRevision,
} from '../payments/store/revisions.ts';
import { dueNotAccepted, unsupportedTerms } from '../providers/rules/due-support.ts';
import { assertCodeOf } from '../providers/rules/charge-code.ts';
import type { Charge } from '../providers/rules/charge.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import { type PspConnection, throwProviderError } from '../providers/psps.ts';
import { chargeIdsOf, lookupSignal } from './expiry.ts';

/** Takes the terms of charges with a due date to their providers. */
export interface Revise {
  /**
   * Makes the charge what was begun, then the payment, unless a Pix or another node has made it that; `stored` runs in the
   * transaction that does. Sending it again changes nothing more. Fails if the provider refuses, which drops it, or does not respond,
   * which leaves it to a worker.
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

export const notChangeable = (why: string) =>
  new ServiceError('payment_not_changeable', `The payment cannot be changed: ${why}`);

const changedMeanwhile = () =>
  new ServiceError('changed_meanwhile', 'The payment has another revision, or is just being changed');

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
    attempt: Revised,
    { adapter }: PspConnection,
    { amountInCents, due, description }: Revision,
  ): Promise<Charge> {
    const refuse = async (error: Error): Promise<never> => {
      await dropRevision(db, attempt.paymentId, attempt.revising);
      throw error;
    };
    if (!adapter.reviseCharge) return refuse(notChangeable(`${attempt.provider} changes no charges`));
    const terms = termsOf(due);
    const unsupported = unsupportedTerms(adapter.capabilities.due, terms);
    if (unsupported.length > 0) return refuse(dueNotAccepted(attempt.provider, unsupported));
    const request = {
      ...chargeIdsOf(attempt, now()),
      amountInCents,
      due: terms,
      expiresAt: expiryOf(due),
      description,
    };
    try {
      return await adapter.reviseCharge(request, lookupSignal(attempt));
    } catch (error) {
      const isRefused = error instanceof PspError && error.failure.startsWith('rejected');
      if (isRefused) {
        logger.warn(
          { paymentId: attempt.paymentId, reason: error.message },
          'the provider refused new terms',
        );
        await dropRevision(db, attempt.paymentId, attempt.revising);
      }
      return throwProviderError(error);
    }
  }

  return {
    async finish(attempt, connection, stored) {
      const { paymentId, revising } = attempt;
      const revision = revisionOf(revising);
      const charge = await send(attempt, connection, revision);
      return changePayments(async (tx, change) => {
        const payment = await lockPayment(tx, paymentId);
        if (payment?.status === 'pending' && payment.revising?.startedAt === revising.startedAt) {
          await storeRevision(tx, paymentId, revision, codeOf(charge, revision));
          const overdue = payment.overdue && dueUntil(revision.due) < now();
          await change(payment, { overdue }, [{ isUpdated: true }]);
        }
        const changed = await findPaymentById(tx, paymentId);
        if (!changed) throw new Error(`payment ${paymentId} does not exist`);
        if (!isMade(revision, changed))
          throw changed.status === 'pending' ? changedMeanwhile() : notChangeable(`it is ${changed.status}`);
        await stored?.(tx, changed);
        return changed;
      }, attempt.traceparent);
    },
  };
}
