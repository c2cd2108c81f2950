import { ServiceError } from '../../domain/errors.ts';
import { type Cents, cents } from '../../domain/money.ts';
import { refundable } from '../../domain/payments/refund.ts';
import { sumsOf } from '../../domain/payments/reversal.ts';
import type { Queryable } from '../../persistence/database.ts';
import { listRefunds } from '../../persistence/payments/refunds.ts';
import { listReversals } from '../../persistence/payments/reversals.ts';
import { findFirstReceivedPix, type SettledPayment } from '../../persistence/payments/settlement.ts';

/** Its money may be taken back, so that a refund could pay the same twice. */
export const paymentDisputed = () =>
  new ServiceError(
    'payment_disputed',
    'A payment with an open dispute cannot be refunded before it is closed',
  );

export interface KeptPix {
  pix: { endToEndId: string; attemptId: string };
  /** Without what has left again, and without what is about to be taken back. */
  keptInCents: Cents;
}

/** The Pix that paid, and what is left of it. Undefined when none was received. */
export async function keptPix(tx: Queryable, payment: SettledPayment): Promise<KeptPix | undefined> {
  const received = await findFirstReceivedPix(tx, payment);
  if (!received) return undefined;
  const { returnedInCents, ...pix } = received;
  const reversals = await listReversals(tx, { paymentId: payment.id, endToEndId: pix.endToEndId });
  const { pendingInCents } = sumsOf(reversals);
  return { pix, keptInCents: cents(payment.amountInCents - returnedInCents - pendingInCents) };
}

/** Whether what the payment's open refunds ask for is still there: nobody else has taken it, or claims it. */
export async function isStillThere(tx: Queryable, payment: SettledPayment): Promise<boolean> {
  if (payment.status !== 'completed' || payment.disputed) return false;
  const kept = await keptPix(tx, payment);
  return kept !== undefined && refundable(kept.keptInCents, await listRefunds(tx, payment.id)) >= 0n;
}
