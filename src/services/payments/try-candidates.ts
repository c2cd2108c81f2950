import { BrCodeError, parseBrCode } from '../../domain/payments/br-code.ts';
import { nextPaymentCheck, nextUnknownCheck } from '../../domain/time/check-schedule.ts';
import { ServiceError, idempotencyKeyInFlight } from '../../domain/errors.ts';
import { transactionIdOf } from '../../domain/ids.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import {
  type Charge,
  type ChargeRequest,
  type Payer,
  type PspAdapter,
  PspError,
} from '../../domain/providers/psp.ts';
import { qrCodePngBase64 } from '../../domain/payments/qr-code.ts';
import type { Logger } from '../../observability/logger.ts';
import {
  advanceToAttempt,
  type Attempt,
  type AttemptOutcome,
  type AttemptResult,
  type ChargeCreated,
  type IdempotentOutcome,
  type KeyHolder,
  recordCreatedCharges,
  recordFailedCharge,
} from '../../persistence/payments/charging.ts';
import type { Database } from '../../persistence/database.ts';
import { gather } from '../../persistence/gather.ts';
import { settleIdempotencyKey } from '../../persistence/idempotency-keys.ts';
import { findPaymentById } from '../../persistence/payments/payments.ts';
import type { Psps } from '../providers/psps.ts';
import { sendOnce } from '../send-once.ts';

export interface ChargeTerms {
  /** An earlier holder may already have called a provider. */
  resumed: boolean;
  /** What the idempotency key stores, in the statement that stores the payment. */
  created(payment: Payment): IdempotentOutcome | null;
  /** Holder of the idempotency key to release in the statement that fails the payment. */
  keyHolder: KeyHolder | null;
}

export interface Charging {
  /**
   * Tries the candidates in order until one creates the charge and the payment is pending. If none does, the
   * payment fails and a ServiceError says why. Attempts left open by a crashed holder are first looked up
   * under the same transaction id.
   */
  charge(payment: Payment, attempts: readonly Attempt[], terms: ChargeTerms): Promise<Payment>;
}

interface Tried {
  result: AttemptResult;
  /** The copy-and-paste code, once the charge exists. */
  code?: string;
  /** A definite no because of the payer's data: other candidates would refuse too. */
  refusal?: ServiceError;
}

/** For all attempts of one create together. */
const budgetMs = 12_000;

const payerOf = ({ payerName, payerDocument, payerEmail, payerPhone }: Payment): Payer => ({
  name: payerName,
  document: payerDocument,
  email: payerEmail,
  phone: payerPhone,
});

const noProvider = () =>
  new ServiceError(
    'no_provider_available',
    'No provider could create the charge; try again later, with the same Idempotency-Key if you sent one',
  );

interface Dependencies {
  db: Database;
  psps: Psps;
  now: () => Date;
  logger: Logger;
}

export function createCharging({ db, psps, now, logger }: Dependencies): Charging {
  const recordCreated = gather((created: readonly ChargeCreated[]) => recordCreatedCharges(db, created));

  /**
   * After a lost response the charge is looked up under the same transaction id, which never creates a second
   * one.
   */
  async function makeCharge(
    adapter: PspAdapter,
    request: ChargeRequest,
    { lastSentAt, signal }: { lastSentAt: Date | null; signal: AbortSignal },
  ): Promise<Charge> {
    const find = async () => {
      const found = await adapter.findCharge(
        { transactionId: request.transactionId, reference: null },
        signal,
      );
      return found && usable(found, request);
    };
    const earlier = lastSentAt ? await find() : undefined;
    return earlier ?? sendOnce({ send: () => adapter.createCharge(request, signal), find, lastSentAt }, now);
  }

  async function tryAttempt(
    payment: Payment,
    attempt: Attempt,
    request: ChargeRequest,
    { resumed, signal }: { resumed: boolean; signal: AbortSignal },
  ): Promise<Tried> {
    const startedAt = performance.now();
    const resultOf = (outcome: AttemptOutcome, error: string | null, charge?: Charge): AttemptResult => ({
      attemptId: attempt.id,
      outcome,
      error,
      pspReference: charge?.reference ?? null,
      latencyMs: Math.round(performance.now() - startedAt),
      nextCheckAt: outcome === 'unknown' ? nextUnknownCheck(attempt.createdAt, now()) : null,
    });
    try {
      const connection = await psps[payment.mode](attempt);
      if (!connection) throw new PspError('not_sent', `no adapter for ${attempt.provider}`);
      const { adapter, notificationUrl } = connection;
      const lastSentAt = resumed && attempt.outcome === 'open' ? attempt.createdAt : null;
      const charge = await makeCharge(adapter, { ...request, notificationUrl }, { lastSentAt, signal });
      const code = charge.pixCopyPaste ?? '';
      parseBrCode(code);
      return { result: resultOf('created', null, charge), code };
    } catch (error) {
      if (error instanceof BrCodeError) {
        return { result: resultOf('unknown', `the provider returned an invalid code: ${error.message}`) };
      }
      if (!(error instanceof PspError)) throw error;
      if (error.failure !== 'rejected_payer') return { result: resultOf(error.failure, error.message) };
      return {
        result: resultOf('rejected', error.message),
        refusal: new ServiceError('provider_refused_payer', error.message),
      };
    }
  }

  async function succeed(
    payment: Payment,
    attempt: Attempt,
    { result, code }: { result: AttemptResult; code: string },
    terms: ChargeTerms,
  ): Promise<Payment> {
    const pending: Payment = {
      ...payment,
      status: 'pending',
      provider: attempt.provider,
      pixCopyPaste: code,
      pixQrCodeBase64: qrCodePngBase64(code),
    };
    const wasCreating = await recordCreated({
      ...result,
      paymentId: payment.id,
      provider: attempt.provider,
      credentialId: attempt.credentialId,
      pixCopyPaste: code,
      pixQrCodeBase64: pending.pixQrCodeBase64 ?? '',
      // Only the sandbox reliably notifies us of every payment.
      paymentNextCheckAt: payment.mode === 'test' ? payment.expiresAt : nextPaymentCheck(payment, now()),
      idempotent: terms.created(pending),
    });
    return wasCreating ? pending : asStored(payment.id, terms);
  }

  /** Another holder of the key ended the payment: the one presumed dead, or the one that took over. */
  async function asStored(paymentId: string, terms: ChargeTerms): Promise<Payment> {
    const stored = await findPaymentById(db, paymentId);
    if (!stored || stored.status === 'creating') throw idempotencyKeyInFlight();
    if (stored.status === 'failed') throw noProvider();
    const outcome = terms.created(stored);
    if (outcome) await settleIdempotencyKey(db, outcome);
    return stored;
  }

  return {
    async charge(payment, attempts, terms) {
      // After a takeover it may have a charge already, or have been abandoned with candidates left untried.
      if (payment.status !== 'creating') return asStored(payment.id, terms);
      const signal = AbortSignal.timeout(budgetMs);
      const candidates = attempts.filter(({ outcome }) => outcome !== 'skipped');
      for (const [position, attempt] of candidates.entries()) {
        if (attempt.outcome !== 'open' && attempt.outcome !== 'planned') continue;
        const request: ChargeRequest = {
          transactionId: transactionIdOf(attempt.id),
          position,
          amountInCents: payment.amountInCents,
          createdAt: payment.createdAt,
          expiresAt: payment.expiresAt,
          description: payment.description,
          payer: payerOf(payment),
          metadata: payment.metadata,
          notificationUrl: null,
        };
        const { resumed } = terms;
        const { result, code, refusal } = await tryAttempt(payment, attempt, request, { resumed, signal });
        if (code !== undefined) return succeed(payment, attempt, { result, code }, terms);
        logger.warn(
          {
            paymentId: payment.id,
            provider: attempt.provider,
            outcome: result.outcome,
            reason: result.error,
          },
          'attempt failed',
        );
        const next = refusal ? undefined : candidates[position + 1];
        if (next) {
          if (await advanceToAttempt(db, result, next.id)) continue;
          break;
        }
        const { keyHolder } = terms;
        if (await recordFailedCharge(db, { ...result, paymentId: payment.id, keyHolder })) {
          throw refusal ?? noProvider();
        }
        break;
      }
      return asStored(payment.id, terms);
    },
  };
}

/** A charge found by lookup may have ended or belong to another request: its code must not be given out. */
function usable(charge: Charge, { amountInCents }: ChargeRequest): Charge {
  const isOpenOrPaid = ['active', 'paid', 'contested'].includes(charge.status);
  if (isOpenOrPaid && charge.amountInCents === amountInCents) return charge;
  throw new PspError('unknown', 'the charge found is not the one requested');
}
