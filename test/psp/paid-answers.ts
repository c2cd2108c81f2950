import type { Charge } from '../../src/core/providers/rules/charge.ts';
import type { PspProvider } from '../../src/psp/kit/provider.ts';
import { asaas } from '../../src/psp/asaas/adapter.ts';
import { mercadopago } from '../../src/psp/mercadopago/adapter.ts';
import { pagarme } from '../../src/psp/pagarme/adapter.ts';
import { pagbank } from '../../src/psp/pagbank/adapter.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import type * as registry from '../../src/psp/registry.ts';
import { woovi } from '../../src/psp/woovi/adapter.ts';
import { chargeRead, paidCob } from './bacen-setup.ts';
import { soon } from './contract-setup.ts';
import { type FakeReply, fakeTools } from './fake-http.ts';

const ourId = 'a'.repeat(32);
const at = '2026-11-20T12:00:00.000Z';
const now = new Date('2026-11-20T12:05:00Z');

const look = <Settings>(
  provider: PspProvider<Settings>,
  settings: object,
  reply: (asked: string) => FakeReply,
): Promise<Charge | undefined> =>
  provider
    .connect(parseSettings(provider, settings), fakeTools(reply, now))
    .findCharge({ transactionId: ourId, reference: 'pay_1' }, soon());

/** Puts a value in place of a member, named by its path. */
export function withMember(body: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(body);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce<unknown>(
    (each, name) => ((each as Record<string, unknown>)[name] ??= {}),
    copy,
  );
  (parent as Record<string, unknown>)[last] = value;
  return copy;
}

export interface Wire {
  paid: unknown;
  /** The members whose times decide nothing. */
  moments: string[];
  /** Other members that decide nothing. */
  details: string[];
  /** A list of what went back of the money, and one item of it. */
  returns?: { at: string; good: object };
  read(body: unknown): Promise<Charge | undefined>;
}

/** A provider without an entry does not compile. The sandbox has no wire. */
export const wires: Record<Exclude<keyof typeof registry, 'sandbox'>, Wire> = {
  asaas: {
    paid: {
      payment: {
        id: 'pay_1',
        status: 'RECEIVED',
        value: 110.1,
        dueDate: '2026-11-20',
        paymentDate: '2026-11-20',
        externalReference: ourId,
        pixTransaction: 'pix_1',
      },
      pix: { endToEndIdentifier: 'E1', value: 110.1, effectiveDate: '2026-11-20 09:00:00', dateCreated: at },
    },
    moments: ['payment.dueDate', 'payment.paymentDate', 'pix.effectiveDate', 'pix.dateCreated'],
    details: [
      'payment.pixTransaction',
      'payment.deleted',
      'payment.chargeback',
      'pix.endToEndIdentifier',
      'pix',
    ],
    returns: {
      at: 'payment.refunds',
      good: { value: 10.1, status: 'DONE', dateCreated: '2026-11-20 09:10:00' },
    },
    read: (body) =>
      look(asaas, { apiKey: '$aact_key', webhookToken: 'token' }, (asked) => ({
        json: (body as Record<string, unknown>)[asked.startsWith('GET /v3/pix/') ? 'pix' : 'payment'],
      })),
  },
  bacen: {
    paid: paidCob(ourId, '110.10'),
    moments: ['pix.0.horario', 'calendario', 'calendario.criacao', 'calendario.expiracao'],
    details: [
      'location',
      'loc',
      'loc.location',
      'pixCopiaECola',
      'brcode',
      'textoImagemQRcode',
      'emv',
      'revisao',
    ],
    returns: { at: 'pix.0.devolucoes', good: { id: 'd1', valor: '10.10', status: 'DEVOLVIDO' } },
    read: (body) => chargeRead(JSON.stringify(body), ourId),
  },
  mercadopago: {
    paid: {
      id: 1,
      status: 'approved',
      external_reference: ourId,
      transaction_amount: 110.1,
      date_created: at,
      date_approved: at,
      date_last_updated: at,
      date_of_expiration: at,
    },
    moments: ['date_created', 'date_approved', 'date_last_updated', 'date_of_expiration'],
    details: [
      'status_detail',
      'transaction_amount_refunded',
      'transaction_details',
      'point_of_interaction',
      'point_of_interaction.transaction_data',
      'point_of_interaction.transaction_data.qr_code',
    ],
    returns: { at: 'refunds', good: { id: 1, amount: 10.1, status: 'approved' } },
    read: (json) => look(mercadopago, { accessToken: 't', webhookSecret: 's' }, () => ({ json })),
  },
  pagarme: {
    paid: {
      id: 'or_1',
      code: ourId,
      amount: 11010,
      created_at: at,
      charges: [
        {
          id: 'ch_1',
          status: 'paid',
          amount: 11010,
          paid_amount: 11010,
          paid_at: at,
          last_transaction: { status: 'paid', created_at: at, expires_at: at },
        },
      ],
    },
    moments: [
      'created_at',
      'charges.0.paid_at',
      'charges.0.canceled_at',
      'charges.0.last_transaction.created_at',
      'charges.0.last_transaction.expires_at',
    ],
    details: [
      'amount',
      'charges.0.last_transaction',
      'charges.0.last_transaction.id',
      'charges.0.last_transaction.amount',
      'charges.0.last_transaction.qr_code',
      'charges.0.last_transaction.end_to_end_id',
    ],
    read: (json) =>
      look(pagarme, { secretKey: 'sk_1', webhookUser: 'u', webhookPassword: 'p' }, () => ({ json })),
  },
  pagbank: {
    paid: {
      id: 'ORDE_1',
      reference_id: ourId,
      created_at: at,
      qr_codes: [{ amount: { value: 11010 }, expiration_date: at }],
      charges: [
        {
          id: 'CHAR_1',
          status: 'PAID',
          created_at: at,
          paid_at: at,
          amount: { value: 11010 },
          payment_method: {},
        },
      ],
    },
    moments: ['created_at', 'qr_codes.0.expiration_date', 'charges.0.created_at', 'charges.0.paid_at'],
    details: ['qr_codes.0.text', 'charges.0.amount.summary', 'charges.0.payment_method.pix', 'charges.1'],
    read: (json) => look(pagbank, { token: 'account-token' }, () => ({ json })),
  },
  woovi: {
    paid: {
      status: 'COMPLETED',
      value: 11010,
      correlationID: ourId,
      expiresDate: at,
      paidAt: at,
      updatedAt: at,
    },
    moments: ['expiresDate', 'paidAt', 'updatedAt'],
    details: ['transactionID', 'identifier', 'brCode'],
    read: (charge) =>
      look(woovi, { appId: 'app-id' }, (asked) => {
        if (asked.endsWith('/refund')) return { json: { refunds: [] } };
        return { json: asked.includes('/transaction?') ? { transactions: [] } : { charge } };
      }),
  },
};
