import type { Caller } from '../base/caller.ts';
import { newPaymentId } from '../base/ids.ts';
import { type Cents, cents, centsFromReais } from '../base/money.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import { termsOf } from '../payments/rules/due/due.ts';
import { planFirstPayment } from '../payments/first-payment.ts';
import type { OpenedPayment } from '../payments/store/charging.ts';
import type { RoutedCandidate } from '../routing/routing.ts';
import { nextDebitDay } from './rules/cycle.ts';
import type { Recurrence } from './rules/recurrence.ts';
import type { CreateRecurrenceInput } from './views/recurrence-input.ts';

/** How long a payer has to permit one that comes without a payment. */
const consentDays = 30;
const dayMs = 24 * 3_600_000;

const centsOf = (amount: number | undefined): Cents | null =>
  amount === undefined ? null : (centsFromReais(amount) ?? null);

const personOf = ({ payer }: CreateRecurrenceInput) => ({
  name: payer.name ?? '',
  document: payer.document ?? '',
});

/** The fields that the choice of a credential depends on. */
export const routedBy = (input: CreateRecurrenceInput) => ({
  credentialId: input.credentialId,
  ruleSetId: input.ruleSetId,
  amountInCents: centsOf(input.firstPayment?.amount ?? input.amount ?? input.minimumAmount) ?? cents(1),
  due: input.firstPayment?.due ? termsOf(input.firstPayment.due) : null,
  authorization: input.authorization,
  payer: { ...personOf(input), email: null, phone: null },
});

export interface PlannedRecurrence {
  recurrence: Recurrence;
  first: OpenedPayment | null;
}

/** The recurrence and its first payment as they are stored before its provider is called. */
export function planRecurrence(
  caller: Caller,
  input: CreateRecurrenceInput,
  candidate: RoutedCandidate,
  { id, createdAt, clock }: { id: string; createdAt: Date; clock: Date },
): PlannedRecurrence {
  const { firstPayment, frequency, startDate, endDate = null } = input;
  const payer = personOf(input);
  const first = firstPayment
    ? planFirstPayment(
        caller,
        { ...firstPayment, payer, description: input.description },
        { paymentId: newPaymentId(createdAt), candidate, createdAt, clock },
      )
    : null;
  const schedule = input.schedule ?? (input.amount === undefined ? 'manual' : 'automatic');
  const cycles = { startDate, frequency, endDate };
  const recurrence: Recurrence = {
    id,
    organizationId: caller.organizationId,
    mode: caller.mode,
    apiKeyId: caller.kind === 'key' ? caller.keyId : null,
    status: 'creating',
    statusReason: null,
    endedBy: null,
    provider: candidate.provider,
    credentialId: candidate.credentialId,
    reference: null,
    amountInCents: centsOf(input.amount),
    minimumAmountInCents: centsOf(input.minimumAmount),
    ...cycles,
    retries: input.retries,
    authorization: input.authorization,
    schedule,
    contract: input.contract,
    description: input.description ?? null,
    externalId: input.externalId ?? null,
    payerName: payer.name,
    payerDocument: payer.document,
    payerAccount: input.payerAccount ?? null,
    pixCopyPaste: null,
    firstPaymentId: first?.payment.id ?? null,
    createdAt,
    expiresAt: first?.payment.expiresAt ?? new Date(clock.getTime() + consentDays * dayMs),
    activatedAt: null,
    endRequestedAt: null,
    endedAt: null,
    nextDebitOn: schedule === 'automatic' ? (nextDebitDay(cycles, brasiliaDay(clock)) ?? null) : null,
    traceparent: caller.traceparent ?? null,
  };
  return { recurrence, first };
}
