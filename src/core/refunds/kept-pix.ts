import { ServiceError } from '../base/errors.ts';
import { type Cents, cents } from '../base/money.ts';
import { refundable } from './rules/refund.ts';
import { receivedOf } from '../payments/rules/payment.ts';
import { sumsOf } from '../payments/rules/reversal.ts';
import { listDisputes } from '../disputes/store/disputes.ts';
import type { Queryable } from '../../database/database.ts';
import { listRefunds } from './store/refunds.ts';
import { listReversals } from './store/reversals.ts';
import type { LockedPayment } from '../payments/store/payment-changes.ts';
import { findFirstReceivedPix, sumKept } from '../payments/store/received-pix.ts';

/** The money of a disputed payment may be taken back, so that a refund could pay it out a second time. */
export const paymentDisputed = () =>
  new ServiceError(
    'payment_disputed',
    'A payment with an open dispute cannot be refunded before it is closed, unless an owner forces it',
  );

/** Whether a refund has to wait for the end of a dispute. Once one was accepted, its money is leaving: then also if it is `forced`. */
export async function isClaimed(
  tx: Queryable,
  payment: LockedPayment,
  { forced }: { forced: boolean },
): Promise<boolean> {
  if (!payment.disputed || !forced) return payment.disputed;
  const disputes = await listDisputes(tx, payment.id);
  return disputes.some(({ state, answer }) => state === 'open' && answer === 'acceptance');
}

export interface KeptPix {
  pix: { endToEndId: string; attemptId: string };
  /** Leaves out what was returned, and what is about to be taken back. */
  keptInCents: Cents;
}

/** The Pix that paid, and what is left of it. Undefined when none was received. */
export async function keptPix(tx: Queryable, payment: LockedPayment): Promise<KeptPix | undefined> {
  const received = await findFirstReceivedPix(tx, payment);
  if (!received) return undefined;
  const { returnedInCents, ...pix } = received;
  const reversals = await listReversals(tx, { paymentId: payment.id, endToEndId: pix.endToEndId });
  const { pendingInCents } = sumsOf(reversals);
  return { pix, keptInCents: cents(receivedOf(payment) - returnedInCents - pendingInCents) };
}

/** Whether a refund of the payment may still be taking effect. */
export const isBeingRefunded = async (tx: Queryable, paymentId: string): Promise<boolean> =>
  (await listRefunds(tx, paymentId)).some(({ status }) => status === 'pending');

/** Whether anything is left of what was received for the payment, whichever Pix it came with. */
export async function isAnythingLeft(tx: Queryable, paymentId: string): Promise<boolean> {
  const refunds = await listRefunds(tx, paymentId);
  return refundable(await sumKept(tx, paymentId), refunds) > 0n;
}

/** Whether the money for the payment's open refunds is still there: nobody else has taken it, or claims it. */
export async function isMoneyStillThere(
  tx: Queryable,
  payment: LockedPayment,
  refund: { forced: boolean },
): Promise<boolean> {
  if (payment.status !== 'completed' || (await isClaimed(tx, payment, refund))) return false;
  const kept = await keptPix(tx, payment);
  return kept !== undefined && refundable(kept.keptInCents, await listRefunds(tx, payment.id)) >= 0n;
}
