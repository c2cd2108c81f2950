import { randomUUID } from 'node:crypto';
import { buildDynamicBrCode } from '@pix-service/br-code';
import { cents } from '../../../src/core/base/money.ts';
import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import { payableUntil } from './due.ts';
import type { EmulatedCharge, Ledger } from './ledger.ts';
import type { Exchange, Reply } from './psp.ts';
import { dayOf, dueDateOf, type DueRules, isPossible, termsOf, waysOf } from './woovi-due.ts';
import { chargeBody, patchBody, refused, type WooviSwitch } from './woovi-wire.ts';

interface Options {
  ledger: Ledger;
  has: (name: WooviSwitch) => boolean;
  printed: (charge: EmulatedCharge) => object;
}

/** How charges are made and changed. */
export function wooviCharges({ ledger, has, printed }: Options) {
  /** Of those who sent it with a charge: a customer's address is kept. */
  const withAddress = new Set<string>();

  const answered = (charge: EmulatedCharge): Reply => ({
    status: 200,
    body: { charge: printed(charge), correlationID: charge.transactionId, brCode: charge.details['code'] },
  });

  /** A charge that can be paid late needs a customer with a document and an address. */
  function refusalOf({ customer }: { customer?: { taxID?: string; address?: object } }): Reply | undefined {
    const { taxID, address } = customer ?? {};
    if (taxID === undefined) return refused('customer.taxID é obrigatório');
    if (address) withAddress.add(taxID);
    return withAddress.has(taxID) ? undefined : refused('O cliente precisa de um endereço');
  }

  function datesOf(rules: DueRules, now: Date) {
    const due = termsOf(rules, now, has);
    return { due, expiresAt: payableUntil(due, waysOf(has)) };
  }

  function create({ json, query }: Exchange): Reply {
    const parsed = chargeBody.safeParse(json);
    if (!parsed.success) return refused(`${parsed.error.issues[0]?.path.join('.') ?? 'body'} inválido`);
    const { correlationID, value, type, expiresIn = 86_400, comment, customer, ...rules } = parsed.data;
    const existing = ledger.find(correlationID);
    if (existing && query.get('return_existing') === 'true') return answered(existing);
    if (existing) return refused('Já existe uma cobrança com o correlationID fornecido');
    const now = ledger.now();
    const isDue = type === 'OVERDUE';
    const refusal = isDue ? refusalOf(parsed.data) : undefined;
    if (refusal) return refusal;
    if (isDue && !isPossible(dueDateOf(rules, brasiliaDay(now)), brasiliaDay(now))) {
      return refused('dueDate inválido');
    }
    const amountInCents = cents(value);
    const reference = randomUUID().replaceAll('-', '');
    const code = buildDynamicBrCode({
      location: `qr-h.woovi.example/qr/v2/${isDue ? 'cobv' : 'cob'}/${reference}`,
      merchantName: 'WOOVI',
      merchantCity: 'Sao Paulo',
      amountInCents,
    });
    const dates = isDue ? datesOf(rules, now) : { expiresAt: new Date(now.getTime() + expiresIn * 1000) };
    const charge = { transactionId: correlationID, reference, amountInCents, ...dates };
    return answered(ledger.add({ ...charge, details: { code, comment, customer, rules } }));
  }

  /** "Edit expiration date of a charge", which of a charge of type OVERDUE is its due date. */
  function patch(charge: EmulatedCharge, { json }: Exchange): Reply {
    const parsed = patchBody.safeParse(json);
    if (!parsed.success) return refused('expiresDate inválido');
    if (charge.pix.length > 0 || charge.isCancelled) return refused('A cobrança não está ativa');
    const [expiresAt, now] = [new Date(parsed.data.expiresDate), ledger.now()];
    const dueDate = dayOf(parsed.data.expiresDate);
    if (charge.due ? !isPossible(dueDate, brasiliaDay(now)) : expiresAt <= now) {
      return refused('expiresDate inválido');
    }
    const rules: DueRules = { ...(charge.details['rules'] as DueRules), dueDate };
    Object.assign(charge, charge.due ? datesOf(rules, charge.createdAt) : { expiresAt });
    return { status: 200, body: { charge: printed(charge) } };
  }

  return { answered, create, patch };
}
