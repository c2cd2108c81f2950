import { idTimestamp } from '../base/ids.ts';
import { BrCodeError, parseBrCode } from '@pix-service/br-code';
import type { Charge } from '../providers/rules/charge.ts';
import { txidOf } from '../providers/rules/charge-code.ts';
import type { Database } from '../../database/database.ts';
import {
  type Attempt,
  type NewPayment,
  openPayments,
  recordCreatedCharges,
} from '../payments/store/charging.ts';
import { freeTextsOf } from '../payments/rules/payment.ts';
import { lockPayment } from '../payments/store/payment-changes.ts';
import { insertLostAttempt, type LiveCredential, reopenAttempt } from './store/lost-charges.ts';
import { maximumExpirationMinutes } from '../payments/rules/create-payment-input.ts';

/** A charge that a PSP lists and the database lacks, with what its transaction id tells. */
export interface LostCharge {
  credential: LiveCredential;
  transactionId: string;
  attemptId: string;
  paymentId: string;
  position: number;
}

interface Dependencies {
  db: Database;
  now: () => Date;
}

const minuteMs = 60_000;

/** Assumed for PSPs whose codes live for months, so that their expiry says nothing about the payment's. */
const guessedLifeMs = 24 * 60 * minuteMs;

function expiryOf({ expiresAt }: Charge, createdAt: Date): Date {
  // PSPs that are given minutes count them from when the request arrived.
  const latestMs = createdAt.getTime() + (maximumExpirationMinutes + 10) * minuteMs;
  if (expiresAt && expiresAt.getTime() <= latestMs) return expiresAt;
  return new Date(createdAt.getTime() + guessedLifeMs);
}

function codeOf({ pixCopyPaste }: Charge): string | null {
  try {
    if (pixCopyPaste !== null) parseBrCode(pixCopyPaste);
    return pixCopyPaste;
  } catch (error) {
    if (error instanceof BrCodeError) return null;
    throw error;
  }
}

/**
 * Records a lost charge with the payment that it was created for, under the ids that the client knows. What the PSP does
 * not keep stays empty: payer, external id, metadata. The payment is pending, and due to be looked up. False for a charge
 * that cannot belong to the payment: somebody else may have given it the id.
 */
export const createRecoverCharge =
  ({ db, now }: Dependencies) =>
  (lost: LostCharge, charge: Charge): Promise<boolean> =>
    db.$transaction(async (tx) => {
      const { paymentId, attemptId, position } = lost;
      const { id: credentialId, organizationId, provider } = lost.credential;
      const createdAt = idTimestamp(paymentId);
      const expiresAt = expiryOf(charge, createdAt);
      const payment: NewPayment = {
        id: paymentId,
        organizationId,
        mode: 'live',
        apiKeyId: null,
        amountInCents: charge.amountInCents,
        provider,
        payerName: null,
        payerDocument: null,
        payerEmail: null,
        payerPhone: null,
        payerAddress: null,
        metadata: null,
        createdAt,
        expiresAt,
        traceparent: null,
        returnUrl: null,
        due: null,
        dueDate: null,
        recurrenceId: null,
        debit: null,
        debitCycle: null,
        nextCheckAt: now(),
        ...freeTextsOf(() => null),
      };
      const account = { provider, credentialId };
      const attempt: Attempt = {
        ...account,
        id: attemptId,
        paymentId,
        position,
        reason: 'recovered',
        outcome: 'open',
        error: null,
        createdAt,
      };
      const [isNew] = await openPayments(tx, [{ payment, attempts: [attempt] }]);
      if (!isNew) {
        const known = await lockPayment(tx, paymentId);
        const isOurs = known?.organizationId === organizationId && known.mode === 'live';
        if (!isOurs || known.amountInCents !== charge.amountInCents) return false;
        if (!(await reopenAttempt(tx, attempt, now()))) return false;
      }
      const result = {
        attemptId,
        outcome: 'created' as const,
        error: null,
        pspReference: charge.reference,
        latencyMs: 0,
        nextCheckAt: null,
      };
      const [isRecorded] = await recordCreatedCharges(tx, [
        {
          ...result,
          ...account,
          paymentId,
          pixCopyPaste: codeOf(charge),
          txid: txidOf(charge),
          paymentNextCheckAt: now(),
          idempotent: null,
        },
      ]);
      // The payment already has the charge of a later attempt.
      if (!isRecorded) await insertLostAttempt(tx, attempt, now());
      return true;
    });
