import { type Caller } from '../base/caller.ts';
import { attemptIdAt, maximumAttempts } from '../base/ids.ts';
import { cents, centsFromReais } from '../base/money.ts';
import type { Payer } from '../providers/rules/charge.ts';
import type { RoutedCandidate } from '../routing/routing.ts';
import { freeTextsOf, type Payment } from './rules/payment.ts';
import type { Attempt, NewPayment, OpenedPayment } from './store/charging.ts';
import { termsOf } from './rules/due/due.ts';
import { lastPayableDayOf } from './rules/due/due-terms.ts';
import { endOfBrasiliaDay } from '../base/time/brasilia.ts';
import type { CreatePaymentInput } from './rules/create-payment-input.ts';

export interface CreationTerms {
  paymentId: string;
  createdAt: Date;
  /** What the clock says by which the payment goes. */
  clock: Date;
  /** Whether the caller can finish it by sending the same key again. */
  isKeyed: boolean;
}

/** Longer than a create can take: a payment still being created after this was abandoned. */
export const creationLeaseMs = 60_000;

export const amountOf = ({ amount }: CreatePaymentInput) => centsFromReais(amount) ?? cents(0);

const payerOf = ({ payer }: CreatePaymentInput): Payer => ({
  name: payer?.name ?? null,
  document: payer?.document ?? null,
  email: payer?.email ?? null,
  phone: payer?.phone ?? null,
  address: payer?.address ?? null,
});

/** The fields that the choice of a credential depends on. */
export const routedBy = (input: CreatePaymentInput) => ({
  credentialId: input.credentialId,
  ruleSetId: input.ruleSetId,
  amountInCents: amountOf(input),
  due: input.due ? termsOf(input.due) : null,
  payer: payerOf(input),
});

const expiryOf = ({ due, expirationMinutes }: CreatePaymentInput, clock: Date): Date =>
  due
    ? endOfBrasiliaDay(lastPayableDayOf(termsOf(due)))
    : new Date(clock.getTime() + Math.round(expirationMinutes * 60_000));

/** The payment and its attempts as they are stored before any provider is called. */
export function planPayment(
  caller: Caller,
  input: CreatePaymentInput,
  candidates: readonly RoutedCandidate[],
  { paymentId, createdAt, clock, isKeyed }: CreationTerms,
): OpenedPayment {
  const payer = payerOf(input);
  const expiresAt = expiryOf(input, clock);
  const payment: NewPayment = {
    id: paymentId,
    organizationId: caller.organizationId,
    mode: caller.mode,
    apiKeyId: caller.kind === 'key' ? caller.keyId : null,
    amountInCents: amountOf(input),
    provider: candidates.find(({ skipped }) => !skipped)?.provider ?? '',
    payerName: payer.name,
    payerDocument: payer.document,
    payerEmail: payer.email,
    payerPhone: payer.phone,
    payerAddress: payer.address ?? null,
    metadata: input.metadata ?? null,
    due: input.due ?? null,
    dueDate: input.due?.date ?? null,
    recurrenceId: null,
    debit: null,
    debitCycle: null,
    createdAt,
    expiresAt,
    traceparent: caller.traceparent ?? null,
    returnUrl: input.returnUrl ?? null,
    nextCheckAt: isKeyed ? expiresAt : new Date(createdAt.getTime() + creationLeaseMs),
    ...freeTextsOf((name) => input[name]),
  };
  const linkId = caller.kind === 'link' ? caller.linkId : undefined;
  return { payment, attempts: planAttempts(candidates, paymentId, createdAt), linkId };
}

/**
 * The first candidate that is not skipped is called right away, so its attempt starts open. Of more than a payment can keep, those
 * that are skipped are left out.
 */
function planAttempts(routed: readonly RoutedCandidate[], paymentId: string, createdAt: Date): Attempt[] {
  const candidates =
    routed.length <= maximumAttempts
      ? routed
      : routed.filter(({ skipped }) => !skipped).slice(0, maximumAttempts);
  const first = candidates.findIndex(({ skipped }) => !skipped);
  return candidates.map(({ provider, credentialId, reason, skipped }, position) => ({
    id: attemptIdAt(paymentId, position),
    paymentId,
    position,
    provider,
    credentialId,
    reason,
    outcome: skipped ? 'skipped' : position === first ? 'open' : 'planned',
    error: skipped,
    createdAt,
  }));
}

/** Equals the row just stored, which saves reading it. */
export const paymentBeingCreated = ({ payment }: OpenedPayment): Payment => ({
  // The spread comes last because V8 is slow to add members after one.
  status: 'creating',
  pixCopyPaste: null,
  txid: null,
  confirmedAt: null,
  cancelledAt: null,
  refundedInCents: cents(0),
  reversedInCents: cents(0),
  disputed: false,
  pixId: null,
  paidBy: null,
  revision: 0,
  overdue: false,
  paidInCents: null,
  paidParts: null,
  ...payment,
});
