import { randomUUID } from 'node:crypto';
import { buildDynamicBrCode } from '@pix-service/br-code';
import { type Cents, cents, centsFromReais } from '../../../src/core/base/money.ts';
import type { asaasAutomatic } from './asaas-automatic.ts';
import { type DueRules, termsOf } from './asaas-due.ts';
import {
  type AsaasSwitch,
  type Customer,
  dayOf,
  paymentBody,
  refused,
  updateBody,
  violation,
  yearAfter,
} from './asaas-wire.ts';
import type { EmulatedCharge, Ledger } from './ledger.ts';
import type { Exchange, Reply } from './psp.ts';

interface Options {
  ledger: Ledger;
  customers: readonly Customer[];
  has: (name: AsaasSwitch) => boolean;
  newId: (prefix: string) => string;
  printed: (charge: EmulatedCharge) => object;
  automatic: Pick<ReturnType<typeof asaasAutomatic>, 'refusalOfDebit' | 'born' | 'isDebited'>;
}

const codeOf = (reference: string, amountInCents: Cents): string =>
  buildDynamicBrCode({
    location: `pix.asaas.example/qr/cobv/${reference}`,
    merchantName: 'ASAAS',
    merchantCity: 'Joinville',
    amountInCents,
  });

/** How payments are made and changed. */
export function asaasPayments({ ledger, customers, has, newId, printed, automatic }: Options) {
  function refusalOf({ value, dueDate }: { value: number; dueDate: string }): Reply | undefined {
    if (dueDate < dayOf(ledger.now())) return refused('invalid_dueDate', 'Vencimento no passado.');
    if (has('minimumAmount') && value < 5) {
      return refused('invalid_value', 'O valor da cobrança não pode ser menor que R$ 5,00.');
    }
    return undefined;
  }

  function create({ json }: Exchange): Reply {
    const parsed = paymentBody.safeParse(json);
    if (!parsed.success) return violation(parsed.error);
    const { customer, billingType: _, value, description, externalReference = '', ...rest } = parsed.data;
    const { daysAfterDueDateToRegistrationCancellation: daysAfterDueDate, ...others } = rest;
    const { pixAutomaticAuthorizationId: authorization, ...rules } = others;
    const { dueDate } = rules;
    if (!customers.some(({ id }) => id === customer))
      return refused('invalid_customer', 'Customer inválido.');
    const refusal =
      refusalOf(parsed.data) ??
      (authorization && automatic.refusalOfDebit(authorization, customer, value, dueDate));
    if (refusal) return refusal;
    const amountInCents = centsFromReais(value) ?? cents(0);
    const reference = newId('pay');
    const code = codeOf(reference, amountInCents);
    const dates = { dueDate, originalDueDate: dueDate, daysAfterDueDate };
    // Nothing is unique here: two payments may bear one externalReference.
    const charge = ledger.add({
      transactionId: externalReference,
      reference,
      amountInCents,
      expiresAt: yearAfter(dueDate),
      due: termsOf(rules),
      details: { customer, ...dates, rules, description, code, pixTransaction: randomUUID() },
    });
    if (authorization) automatic.born(charge, authorization);
    return { status: 200, body: printed(charge) };
  }

  /** "Somente é possível atualizar cobranças aguardando pagamento ou vencidas" ("Atualizar cobrança existente"). */
  function update(charge: EmulatedCharge, { json }: Exchange): Reply {
    const parsed = updateBody.safeParse(json);
    if (!parsed.success) return violation(parsed.error);
    if (charge.pix.length > 0 || charge.isCancelled || automatic.isDebited(charge)) {
      return refused('invalid_action', 'A cobrança não pode ser atualizada.');
    }
    const refusal = refusalOf(parsed.data);
    if (refusal) return refusal;
    const { billingType: _, value, description = charge.details['description'], ...changes } = parsed.data;
    const amountInCents = centsFromReais(value) ?? cents(0);
    // What an update leaves out stays.
    const rules: DueRules = { ...(charge.details['rules'] as DueRules), ...changes };
    const { dueDate } = rules;
    const code = codeOf(charge.reference, amountInCents);
    Object.assign(charge, { amountInCents, due: termsOf(rules), expiresAt: yearAfter(dueDate) });
    Object.assign(charge.details, { dueDate, rules, description, code });
    return { status: 200, body: printed(charge) };
  }

  return { create, update };
}
