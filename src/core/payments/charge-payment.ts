import { ServiceError, idempotencyKeyInFlight, providerRestSeconds } from '../base/errors.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { Payment } from './rules/payment.ts';
import type { Logger } from '../../observability/logger.ts';
import { signalInTrace } from '../../observability/trace.ts';
import {
  advanceToAttempt,
  type Attempt,
  type ChargeCreated,
  recordCreatedCharges,
  recordFailedCharge,
} from './store/charging.ts';
import type { IdempotentOutcome, KeyHolder } from '../idempotency/rules/key-holder.ts';
import type { Database } from '../../database/database.ts';
import { gather } from '../../database/gather.ts';
import { storeIdempotentOutcome } from '../idempotency/store/idempotency-keys.ts';
import { findPaymentById } from './store/payments.ts';
import type { Psps } from '../providers/psps.ts';
import { type Charged, createTryCandidate } from './try-candidate.ts';

/** A payment that is stored and has no charge yet. */
export interface StoredPayment {
  payment: Payment;
  /** Ordered by the routing. */
  attempts: readonly Attempt[];
  /** An earlier holder of the idempotency key stored it, and may already have called a provider. */
  resumed: boolean;
}

interface ChargeTerms {
  /** Stored with the code in one statement, so that a replay never finds one without the other. */
  outcomeOf(payment: Payment): IdempotentOutcome | null;
  /** Releases the key in the statement that fails the payment, so that a retry starts afresh. */
  keyHolder: KeyHolder | null;
  /** Taken from the request that creates the payment. */
  traceparent: string | undefined;
}

/**
 * Tries the candidates in order until one creates the charge and the payment is pending. If none does, the payment fails and
 * a ServiceError says why. Attempts left open by a crashed holder are first looked up under the same transaction id.
 */
export type ChargePayment = (stored: StoredPayment, terms: ChargeTerms) => Promise<Payment>;

/** Shared by all attempts: a create must end in time, however many candidates it has. */
const budgetMs = 12_000;

const noProvider = () =>
  new ServiceError(
    'no_provider_available',
    'No provider could create the charge; try again later, with the same Idempotency-Key if you sent one',
    { retryAfterSeconds: providerRestSeconds },
  );

interface Dependencies {
  db: Database;
  psps: Psps;
  now: () => Date;
  testClocks: Pick<TestClocks, 'nowIn'>;
  logger: Logger;
}

export function createChargePayment({ db, psps, now, testClocks, logger }: Dependencies): ChargePayment {
  const tryCandidate = createTryCandidate({ psps, now, testClocks });
  const recordCreated = gather((created: readonly ChargeCreated[]) => recordCreatedCharges(db, created));

  async function succeed(
    payment: Payment,
    attempt: Attempt,
    { result, code, txid, firstCheckAt }: Charged,
    terms: ChargeTerms,
  ): Promise<Payment> {
    const pending: Payment = {
      ...payment,
      status: 'pending',
      provider: attempt.provider,
      pixCopyPaste: code,
      txid,
    };
    const wasCreating = await recordCreated({
      paymentId: payment.id,
      provider: attempt.provider,
      credentialId: attempt.credentialId,
      pixCopyPaste: code,
      txid,
      // Only the sandbox reliably notifies us of every payment.
      paymentNextCheckAt:
        payment.mode === 'test' && !payment.due && !payment.debit ? payment.expiresAt : firstCheckAt,
      idempotent: terms.outcomeOf(pending),
      ...result,
    });
    return wasCreating ? pending : asStored(payment.id, terms);
  }

  /** Another holder of the idempotency key finished this payment: the original one after all, or whoever took over. */
  async function asStored(paymentId: string, terms: ChargeTerms): Promise<Payment> {
    const stored = await findPaymentById(db, paymentId);
    if (!stored || stored.status === 'creating') throw idempotencyKeyInFlight();
    if (stored.status === 'failed') throw noProvider();
    const outcome = terms.outcomeOf(stored);
    if (outcome) await storeIdempotentOutcome(db, outcome);
    return stored;
  }

  async function tryInOrder(
    { payment, attempts, resumed }: StoredPayment,
    terms: ChargeTerms,
    signal: AbortSignal,
  ): Promise<Payment> {
    const candidates = attempts.filter(({ outcome }) => outcome !== 'skipped');
    for (const [position, attempt] of candidates.entries()) {
      if (attempt.outcome !== 'open' && attempt.outcome !== 'planned') continue;
      const tried = await tryCandidate(payment, attempt, { position, resumed, signal });
      if (tried.kind === 'charged') return succeed(payment, attempt, tried, terms);
      const { result, refusal } = tried;
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
      if (await recordFailedCharge(db, { ...result, paymentId: payment.id, keyHolder: terms.keyHolder })) {
        throw refusal ?? noProvider();
      }
      break;
    }
    return asStored(payment.id, terms);
  }

  return async (stored, terms) => {
    const { payment } = stored;
    // After a takeover it may have a charge already, or have been abandoned with candidates left untried.
    if (payment.status !== 'creating') return asStored(payment.id, terms);
    // `AbortSignal.timeout` cannot be cleared: its timer would live for the whole budget after every create.
    const budget = new AbortController();
    const timer = setTimeout(() => {
      budget.abort(new DOMException('The budget of the attempts is used up', 'TimeoutError'));
    }, budgetMs);
    try {
      return await tryInOrder(stored, terms, signalInTrace(budget.signal, terms.traceparent));
    } finally {
      clearTimeout(timer);
    }
  };
}
