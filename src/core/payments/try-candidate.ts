import { BrCodeError, parseBrCode } from '@pix-service/br-code';
import type { TestClocks } from '../clock/test-clocks.ts';
import {
  dueAgain,
  firstPaymentCheck,
  nextDebitCheck,
  nextDueCheck,
  nextUnknownCheck,
} from '../settlement/rules/check-schedule.ts';
import { ServiceError } from '../base/errors.ts';
import { transactionIdOf } from '../base/ids.ts';
import { assertCodeOf, txidOf } from '../providers/rules/charge-code.ts';
import { dueUntil, termsOf } from './rules/due/due.ts';
import type { AttemptOutcome, Payment } from './rules/payment.ts';
import { type Charge, type ChargeRequest, kindOf, type Payer } from '../providers/rules/charge.ts';
import { type PspAdapter } from '../providers/rules/psp.ts';
import { PspError, type PspFailure, reasonOf } from '../providers/rules/psp-error.ts';
import type { Attempt, AttemptResult } from './store/charging.ts';
import { conditionsOf, type Psps } from '../providers/psps.ts';
import { sendOnce } from '../idempotency/send-once.ts';

export interface Charged {
  kind: 'charged';
  result: AttemptResult;
  /** The copy-and-paste code; null for a debit. */
  code: string | null;
  txid: string | null;
  /** When to look at the charge for the first time. */
  firstCheckAt: Date;
}

interface NotCharged {
  kind: 'not_charged';
  result: AttemptResult;
  /** A definite no because of the payer's data, which other candidates would refuse too. */
  refusal?: ServiceError;
}

interface Try {
  /** Index among the candidates that are not skipped. */
  position: number;
  /** An earlier holder may already have called this provider. */
  resumed: boolean;
  signal: AbortSignal;
}

const outcomes: Record<PspFailure, AttemptOutcome> = {
  rejected: 'rejected',
  rejected_payer: 'rejected',
  rate_limited: 'not_sent',
  not_yet: 'rejected',
  not_sent: 'not_sent',
  unknown: 'unknown',
};

/** What the caller can do something about. The debits of a recurrence can be made by no other provider. */
function refusalOf({ debit }: Payment, error: PspError): ServiceError | undefined {
  if (error.failure === 'rejected_payer') return new ServiceError('provider_refused_payer', error.message);
  if (!debit || error.failure !== 'rejected' || reasonOf(error) !== 'request_refused') return undefined;
  return new ServiceError('provider_refused', `The provider refused the debit: ${error.message}`);
}

const payerOf = ({ payerName, payerDocument, payerEmail, payerPhone, payerAddress }: Payment): Payer => ({
  name: payerName,
  document: payerDocument,
  email: payerEmail,
  phone: payerPhone,
  address: payerAddress,
});

export const requestOf = (
  payment: Payment,
  attempt: Pick<Attempt, 'id'>,
  { position, notificationUrl }: Pick<ChargeRequest, 'position' | 'notificationUrl'>,
): ChargeRequest => ({
  transactionId: transactionIdOf(attempt.id),
  position,
  amountInCents: payment.amountInCents,
  createdAt: payment.createdAt,
  expiresAt: payment.expiresAt,
  due: payment.due && termsOf(payment.due),
  debit: payment.debit,
  description: payment.description,
  payer: payerOf(payment),
  metadata: payment.metadata,
  notificationUrl,
});

/** A charge found by lookup may have ended or belong to another request: its code must not be given out. */
function usable(charge: Charge, { amountInCents }: ChargeRequest): Charge {
  const isOpenOrPaid = ['active', 'paid', 'contested'].includes(charge.status);
  if (isOpenOrPaid && charge.amountInCents === amountInCents) return charge;
  throw new PspError('unknown', 'the charge found is not the one requested');
}

interface Dependencies {
  psps: Psps;
  now: () => Date;
  testClocks: Pick<TestClocks, 'nowIn'>;
}

export function createTryCandidate({ psps, now, testClocks }: Dependencies) {
  /** After a lost response, looks the charge up under the same transaction id, so that no second one is created. */
  async function makeCharge(
    adapter: PspAdapter,
    request: ChargeRequest,
    { lastSentAt, signal }: { lastSentAt: Date | null; signal: AbortSignal },
  ): Promise<Charge> {
    const find = async () => {
      const found = await adapter.findCharge(
        { transactionId: request.transactionId, reference: null, kind: kindOf(request) },
        signal,
      );
      return found && usable(found, request);
    };
    const earlier = lastSentAt ? await find() : undefined;
    return earlier ?? sendOnce({ send: () => adapter.createCharge(request, signal), find, lastSentAt }, now);
  }

  return async function tryCandidate(
    payment: Payment,
    attempt: Attempt,
    { position, resumed, signal }: Try,
  ): Promise<Charged | NotCharged> {
    const startedAt = performance.now();
    const resultOf = (
      outcome: AttemptOutcome,
      error: string | null,
      { charge, retryAfterMs = null }: { charge?: Charge; retryAfterMs?: number | null } = {},
    ): AttemptResult => {
      const nextCheckAt = dueAgain(nextUnknownCheck(attempt.createdAt, now()), retryAfterMs, now());
      return {
        attemptId: attempt.id,
        outcome,
        error,
        pspReference: charge?.reference ?? null,
        latencyMs: Math.round(performance.now() - startedAt),
        nextCheckAt: outcome === 'unknown' ? nextCheckAt : null,
      };
    };
    try {
      const connection = await psps[payment.mode](attempt);
      if (!connection) throw new PspError('not_sent', `no adapter for ${attempt.provider}`);
      const { adapter, notificationUrl } = connection;
      const lastSentAt = resumed && attempt.outcome === 'open' ? attempt.createdAt : null;
      // The order may have been stored long ago, by a holder that died: what that one may have made is looked for, and cancelled.
      // A debit has no other credential.
      if (!connection.isEnabled && !payment.debit)
        throw new PspError(lastSentAt ? 'unknown' : 'not_sent', 'the credential has been disabled meanwhile');
      const request = requestOf(payment, attempt, { position, notificationUrl });
      const wasNeverSent = lastSentAt === null;
      const charge = await makeCharge(adapter, { wasNeverSent, ...request }, { lastSentAt, signal });
      const code = payment.debit ? null : (charge.pixCopyPaste ?? '');
      if (code !== null) assertCodeOf(parseBrCode(code), request);
      const isListed = connection.polling.sweep.listReceived !== undefined;
      const conditions = conditionsOf(connection);
      const clock = testClocks.nowIn(payment);
      const firstCheckAt = () => {
        if (payment.debit) return nextDebitCheck({ ...payment, debit: payment.debit }, clock);
        return payment.due
          ? nextDueCheck({ ...payment, dueUntil: dueUntil(payment.due), isOverdue: false }, clock, conditions)
          : firstPaymentCheck(payment, clock, { isListed, conditions });
      };
      return {
        kind: 'charged',
        result: resultOf('created', null, { charge }),
        code,
        txid: txidOf(charge),
        firstCheckAt: firstCheckAt(),
      };
    } catch (error) {
      if (error instanceof BrCodeError) {
        const problem = `the provider returned an invalid code: ${error.message}`;
        return { kind: 'not_charged', result: resultOf('unknown', problem) };
      }
      if (!(error instanceof PspError)) throw error;
      const result = resultOf(outcomes[error.failure], error.message, error);
      const refusal = refusalOf(payment, error);
      return { kind: 'not_charged', result, ...(refusal && { refusal }) };
    }
  };
}
