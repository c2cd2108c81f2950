import { describe, expect, test } from '@jest/globals';
import { cents } from '../../src/core/base/money.ts';
import type { Charge } from '../../src/core/providers/rules/psp.ts';
import { asaas } from '../../src/psp/asaas/adapter.ts';
import type { PspProvider } from '../../src/psp/kit/provider.ts';
import { mercadopago } from '../../src/psp/mercadopago/adapter.ts';
import { pagarme } from '../../src/psp/pagarme/adapter.ts';
import { pagbank } from '../../src/psp/pagbank/adapter.ts';
import { parseSettings } from '../../src/psp/providers.ts';
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
    .findCharge({ transactionId: ourId, reference: 'r1' }, soon());

/** Puts a value in place of a member, named by its path. */
function withMember(body: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(body);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce<unknown>((each, name) => (each as Record<string, unknown>)[name], copy);
  (parent as Record<string, unknown>)[last] = value;
  return copy;
}

interface Wire {
  paid: unknown;
  /** The members whose times decide nothing. */
  moments: string[];
  read(body: unknown): Promise<Charge | undefined>;
}

const wires: Record<string, Wire> = {
  bacen: {
    paid: paidCob(ourId, '110.10'),
    moments: ['pix.0.horario', 'calendario', 'calendario.criacao', 'calendario.expiracao'],
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
    read: (json) => look(mercadopago, { accessToken: 't', webhookSecret: 's' }, () => ({ json })),
  },
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
    read: (body) =>
      look(asaas, { apiKey: '$aact_key', webhookToken: 'token' }, (asked) => ({
        json: (body as Record<string, unknown>)[asked.startsWith('GET /v3/pix/') ? 'pix' : 'payment'],
      })),
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
    read: (charge) =>
      look(woovi, { appId: 'app-id' }, (asked) => {
        if (asked.endsWith('/refund')) return { json: { refunds: [] } };
        return { json: asked.includes('/transaction?') ? { transactions: [] } : { charge } };
      }),
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
    read: (json) =>
      look(pagarme, { secretKey: 'sk_1', webhookUser: 'u', webhookPassword: 'p' }, () => ({ json })),
  },
  pagbank: {
    paid: {
      id: 'ORDE_1',
      reference_id: ourId,
      created_at: at,
      qr_codes: [{ amount: { value: 11010 }, expiration_date: at }],
      charges: [{ id: 'CHAR_1', status: 'PAID', created_at: at, paid_at: at, amount: { value: 11010 } }],
    },
    moments: ['created_at', 'qr_codes.0.expiration_date', 'charges.0.created_at', 'charges.0.paid_at'],
    read: (json) => look(pagbank, { token: 'account-token' }, () => ({ json })),
  },
};

const odd: unknown[] = [
  '0000-00-00',
  '0000-00-00 00:00:00',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '20255-11-20T12:00:00Z',
  '2026-13-41T12:00:00Z',
  'ontem',
  '',
  ' ',
  null,
  undefined,
  0,
  1_795_176_000_000,
  -1,
  true,
  {},
  [],
];

describe.each(Object.entries(wires))('money received at %s', (_, { paid, moments, read }) => {
  const received = {
    status: 'paid',
    receivedPix: [{ amountInCents: cents(11010), returnedInCents: cents(0) }],
  };

  test.each(moments)('is not held up by whatever is in %s', async (member) => {
    for (const value of odd) expect(await read(withMember(paid, member, value))).toMatchObject(received);
  });

  test('has no time if none can be read', async () => {
    const body = moments.reduce((each, member) => {
      // A member of one that is replaced as a whole.
      if (moments.some((other) => member.startsWith(`${other}.`))) return each;
      return withMember(each, member, 'ontem');
    }, paid);
    const charge = await read(body);
    expect(charge).toMatchObject({ ...received, expiresAt: null });
    expect(charge?.receivedPix[0]?.paidAt).toBeNull();
  });
});

describe('a cancelled charge whose time of payment cannot be read', () => {
  test.each([
    ['pagarme', 'canceled', 'charges.0.paid_amount'],
    ['pagbank', 'CANCELED', 'charges.0.amount.summary'],
  ] as const)('at %s is neither paid nor unpaid', async (name, status, sum) => {
    const { paid, read } = wires[name] as Wire;
    const cancelled = withMember(withMember(paid, 'charges.0.status', status), sum, null);
    expect(await read(withMember(cancelled, 'charges.0.paid_at', 'ontem'))).toMatchObject({
      status: 'unrecognised',
      receivedPix: [],
    });
    for (const none of [null, '', undefined])
      expect(await read(withMember(cancelled, 'charges.0.paid_at', none))).toMatchObject({
        status: 'cancelled',
      });
  });
});
