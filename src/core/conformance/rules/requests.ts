import { type Cents, cents } from '../../base/money.ts';
import { newId, transactionIdOf } from '../../base/ids.ts';
import { brasiliaDay, endOfBrasiliaDay } from '../../base/time/brasilia.ts';
import { addDays } from '../../base/time/calendar-day.ts';
import { type DueTerms, lastPayableDayOf } from '../../payments/rules/due/due-terms.ts';
import type { ChargeRequest, Payer } from '../../providers/rules/charge.ts';
import type { PspCapabilities } from '../../providers/rules/psp.ts';
import type { RecurrenceRequest } from '../../providers/rules/psp-recurrence.ts';

/** Is nobody, though the CPF has valid check digits. */
export const testPayer: Payer = {
  name: 'Teste de Conformidade',
  document: '52998224725',
  email: 'conformidade@example.com',
  phone: '+55 11 98765-4321',
  address: {
    street: 'Avenida Paulista',
    number: '1578',
    district: 'Bela Vista',
    city: 'São Paulo',
    state: 'SP',
    postalCode: '01310200',
  },
};

export const nobody: Payer = { name: null, document: null, email: null, phone: null };

/**
 * Nobody is meant to pay these, and their codes are not shown. Test environments pay what is less by themselves: one up to
 * R$ 10.00, another up to R$ 500.00.
 */
export const unpaidAmount = cents(501_00);
export const revisedAmount = cents(502_00);

/** At most R$ 1.00, unless the provider takes no less than more. */
export function paidAmount({ amountInCents: { minimum = cents(0) } = {} }: PspCapabilities): Cents {
  const usual = cents(1_00);
  return minimum > usual ? minimum : usual;
}

interface Terms {
  amountInCents: Cents;
  minutes: number;
  payer: Payer;
  notificationUrl: string | null;
}

export function chargeRequest(now: Date, { minutes, ...terms }: Terms): ChargeRequest {
  return {
    transactionId: transactionIdOf(newId(now)),
    position: 0,
    createdAt: now,
    expiresAt: new Date(now.getTime() + minutes * 60_000),
    due: null,
    description: 'Teste de conformidade',
    metadata: null,
    ...terms,
  };
}

export function dueRequest(now: Date, terms: Omit<Terms, 'minutes'>): ChargeRequest & { due: DueTerms } {
  const due = { date: addDays(brasiliaDay(now), 10), payableDaysAfter: 5 };
  return {
    ...chargeRequest(now, { ...terms, minutes: 0 }),
    expiresAt: endOfBrasiliaDay(lastPayableDayOf(due)),
    due,
  };
}

/** With a first payment only where there is no other way. */
export function recurrenceRequest(
  now: Date,
  { authorizations, ...terms }: Omit<Terms, 'minutes'> & { authorizations: readonly string[] },
): RecurrenceRequest | undefined {
  const { payer, amountInCents } = terms;
  if (payer.name === null || payer.document === null) return undefined;
  const authorization = (['qr', 'qr_with_payment'] as const).find((each) => authorizations.includes(each));
  if (!authorization) return undefined;
  const first = authorization === 'qr' ? null : chargeRequest(now, { ...terms, minutes: 60 });
  const recurrenceId = newId(now);
  return {
    recurrenceId,
    reference: null,
    firstTransactionId: first?.transactionId ?? null,
    authorization,
    contract: `teste-${recurrenceId.slice(-12)}`,
    payer: { ...payer, name: payer.name, document: payer.document },
    createdAt: now,
    amountInCents,
    minimumAmountInCents: null,
    frequency: 'monthly',
    startDate: addDays(brasiliaDay(now), 40),
    endDate: null,
    retries: 'none',
    schedule: 'automatic',
    description: 'Teste de conformidade',
    payerAccount: null,
    expiresAt: new Date(now.getTime() + 3_600_000),
    first,
  };
}
