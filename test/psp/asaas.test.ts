import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cents } from '../../src/domain/money.ts';
import type { RawNotification } from '../../src/domain/providers/psp.ts';
import { asaas } from '../../src/psp/asaas/adapter.ts';
import { paymentBodyOf } from '../../src/psp/asaas/mapping.ts';
import { maximumOperationRequests } from '../../src/psp/http/operation-budget.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { asaas as emulated } from '../support/psp-emulator/asaas.ts';
import type { DefinePsp } from '../support/psp-emulator/psp.ts';
import { describeProvider } from './contract.ts';
import {
  byOurIdOnly,
  chargeRequest,
  failureOf,
  openSubject,
  payer,
  refundRequest,
  soon,
  type Subject,
} from './contract-setup.ts';
import { fakeTools } from './fake-http.ts';

describeProvider('asaas', asaas, emulated);

const settings = parseSettings(asaas, { apiKey: '$aact_key', webhookToken: 'token' });
const ourId = 'a'.repeat(32);
const name = { transactionId: ourId, reference: 'pay_1' };

const payment = (changes: object = {}) => ({
  object: 'payment',
  id: 'pay_1',
  status: 'PENDING',
  value: 110.1,
  dueDate: '2026-11-20',
  externalReference: ourId,
  deleted: false,
  pixTransaction: null,
  ...changes,
});
const found = (changes: object, pixTransaction: object = {}) => {
  const tools = fakeTools((asked) => ({
    json: asked.startsWith('GET /v3/pix/') ? pixTransaction : payment(changes),
  }));
  return asaas.connect(settings, tools).findCharge(name, soon());
};

describe('a payment', () => {
  test('is found by the reference alone, and tells our id', async () => {
    const adapter = asaas.connect(
      settings,
      fakeTools(() => ({ json: payment() })),
    );
    const charge = await adapter.findCharge({ transactionId: '', reference: 'pay_1' }, soon());
    expect(charge).toMatchObject({ transactionId: ourId, status: 'active' });
  });

  test.each([
    ['PENDING', 'active'],
    ['OVERDUE', 'active'],
    ['RECEIVED', 'paid'],
    ['REFUNDED', 'paid'],
    ['REFUND_REQUESTED', 'contested'],
    ['REFUND_IN_PROGRESS', 'contested'],
    ['CHARGEBACK_REQUESTED', 'contested'],
    ['CHARGEBACK_DISPUTE', 'contested'],
    ['AWAITING_CHARGEBACK_REVERSAL', 'contested'],
    ['CONFIRMED', 'unrecognised'],
    ['RECEIVED_IN_CASH', 'unrecognised'],
    ['A_WORD_OF_TOMORROW', 'unrecognised'],
  ])('that is %s is %s', async (status, meaning) => {
    expect((await found({ status }))?.status).toBe(meaning);
  });

  test('that is deleted was cancelled, unless it was paid', async () => {
    expect((await found({ deleted: true }))?.status).toBe('cancelled');
    expect((await found({ deleted: true, status: 'RECEIVED' }))?.status).toBe('paid');
  });

  test('shows the Pix that Asaas tells in another call, at the time of Brasília', async () => {
    const pix = {
      endToEndIdentifier: 'E1',
      value: 110.1,
      effectiveDate: '2026-11-20 21:22:17',
      status: 'DONE',
    };
    const paid = await found({ status: 'RECEIVED', pixTransaction: 'c1f17d02' }, pix);
    expect(paid?.receivedPix).toEqual([
      {
        endToEndId: 'E1',
        amountInCents: cents(11010),
        returnedInCents: cents(0),
        paidAt: new Date('2026-11-21T00:22:17Z'),
      },
    ]);
  });

  test('tells what went back of its Pix', async () => {
    const pix = { endToEndIdentifier: 'E1', value: 110.1, effectiveDate: '2026-11-20 21:22:17' };
    const returned = async (changes: object) =>
      (await found({ pixTransaction: 'c1f17d02', ...changes }, pix))?.receivedPix[0]?.returnedInCents;
    const refunds = [
      { status: 'DONE', value: 10 },
      { status: 'CANCELLED', value: 20 },
      { status: 'AWAITING_CRITICAL_ACTION_AUTHORIZATION', value: 30 },
    ];
    expect(await returned({ status: 'RECEIVED', refunds })).toBe(cents(1000));
    expect(await returned({ status: 'REFUNDED' })).toBe(cents(11010));
  });

  test('that is paid, by a Pix that is not told yet, is paid without one', async () => {
    expect(await found({ status: 'RECEIVED' })).toMatchObject({ status: 'paid', receivedPix: [] });
  });

  test('whose Pix is of another amount is not believed', async () => {
    const pix = { endToEndIdentifier: 'E1', value: 1, effectiveDate: '2026-11-20 21:22:17' };
    const paid = await found({ status: 'RECEIVED', pixTransaction: 'c1f17d02' }, pix);
    expect(paid).toMatchObject({ status: 'unrecognised', receivedPix: [] });
  });

  test.each([
    ['the day of its expiry in Brasília', '2026-11-21T02:59:00Z', '2026-11-20'],
    ['today when it is late', '2026-11-01T00:00:00Z', '2026-11-20'],
    ['at most 30 days ahead', '2027-11-20T12:00:00Z', '2026-12-20'],
  ])('is due %s', (_, expiresAt, dueDate) => {
    const request = chargeRequest({ expiresAt: new Date(expiresAt) });
    expect(paymentBodyOf(request, 'cus_1', new Date('2026-11-20T12:00:00Z')).dueDate).toBe(dueDate);
  });
});

describe('a customer', () => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject(asaas, emulated);
  });
  afterAll(() => subject.stop());

  const created = () =>
    subject.emulator.requests.filter(({ method, path }) => method === 'POST' && path === '/v3/customers');

  test('is made once for a document, and Asaas is told to leave the payer alone', async () => {
    await subject.adapter.createCharge(chargeRequest(), soon());
    await subject.adapter.createCharge(
      chargeRequest({ payer: { ...payer, document: '52998224725' } }),
      soon(),
    );
    expect(created().map(({ json }) => json)).toEqual([
      {
        name: payer.name,
        cpfCnpj: '52998224725',
        email: payer.email,
        mobilePhone: '11987654321',
        notificationDisabled: true,
      },
    ]);
  });

  test('that was perhaps not made leaves the charge certainly not made', async () => {
    const request = chargeRequest({ payer: { ...payer, document: '111.444.777-35' } });
    // The first of these calls looks for the customer.
    subject.emulator.faults.add({ kind: 'slow', operation: 'prepare', milliseconds: 1 });
    subject.emulator.faults.add({ kind: 'reset', operation: 'prepare' });
    const failure = await failureOf(subject.adapter.createCharge(request, soon()));
    expect(failure.failure).toBe('not_sent');
    expect(await subject.adapter.findCharge(byOurIdOnly(request.transactionId), soon())).toBeUndefined();
  });

  test('with a phone that cannot be has none', async () => {
    const odd = { ...payer, document: '11.222.333/0001-81', phone: '(11) 8765-4321', email: null };
    await subject.adapter.createCharge(chargeRequest({ payer: odd }), soon());
    expect(created().at(-1)?.json).toEqual({
      name: payer.name,
      cpfCnpj: '11222333000181',
      notificationDisabled: true,
    });
  });
});

test('our id is looked up before every creation, for Asaas knows no idempotency', async () => {
  const tools = fakeTools((asked) => ({
    json: asked.includes('pixQrCode') ? { payload: 'code' } : { data: [payment()] },
  }));
  const charge = await asaas
    .connect(settings, tools)
    .createCharge(chargeRequest({ transactionId: ourId }), soon());
  expect(charge.reference).toBe('pay_1');
  expect(tools.asked.filter((asked) => asked.startsWith('POST'))).toEqual([]);
});

describe('a refund', () => {
  const request = {
    ...name,
    refundId: 'b'.repeat(32),
    endToEndId: 'E1',
    amountInCents: cents(1005),
    refundReference: null,
    otherRefunds: [],
  };

  const against = (refunds: object[]) => {
    const tools = fakeTools((asked, { body }) => {
      if (asked.startsWith('POST')) {
        expect(body).toEqual({ value: 10.05, description: `Reembolso ${'b'.repeat(32)}` });
      }
      return { json: asked.includes('/refunds?') ? { data: refunds } : payment() };
    });
    return { adapter: asaas.connect(settings, tools), tools };
  };

  test('bears our id in its description, and is found by it', async () => {
    const refund = { status: 'DONE', value: 10.05, description: `Reembolso ${'b'.repeat(32)}` };
    const { adapter } = against([{ ...refund, description: 'another' }, refund]);
    expect(await adapter.findRefund(request, soon())).toEqual({
      reference: 'b'.repeat(32),
      status: 'completed',
    });
  });

  test('that is taken and not to be seen yet is pending, by a name that tells that it was taken', async () => {
    const { adapter, tools } = against([]);
    expect(await adapter.refundCharge(request, soon())).toEqual({
      reference: 'b'.repeat(32),
      status: 'pending',
    });
    expect(tools.asked).toContain('POST /v3/payments/pay_1/refund');
  });
});

describe('a notification', () => {
  const raw = (body: string, token: string | undefined = 'token'): RawNotification => ({
    headers: { 'asaas-access-token': token },
    query: new URLSearchParams(),
    body: Buffer.from(body),
    hasTrustedCertificate: false,
  });
  const verify = (token: string | undefined) =>
    asaas.notifications.verify(
      { ...raw('{}'), headers: { 'asaas-access-token': token } },
      settings,
      fakeTools(() => ({ json: {} })),
    );

  test.each([undefined, '', 'toke', 'token ', 'TOKEN', 'tokenn'])('with the token %j is refused', (token) => {
    expect(verify(token)).toBe(false);
  });

  test('with the token is taken', () => {
    expect(verify('token')).toBe(true);
  });

  test.each([
    ['ours', { event: 'PAYMENT_RECEIVED', payment: { id: 'pay_1', externalReference: ourId } }, name],
    [
      'one without a reference',
      { event: 'PAYMENT_RECEIVED', payment: { id: 'pay_1' } },
      { ...name, transactionId: null },
    ],
    [
      "somebody else's",
      { event: 'PAYMENT_RECEIVED', payment: { id: 'pay_1', externalReference: 'order 7' } },
      undefined,
    ],
    ['another kind of event', { event: 'TRANSFER_DONE', transfer: { id: 'tr_1' } }, undefined],
  ])('of a payment that is %s', (_, body, named) => {
    expect(asaas.notifications.charges(raw(JSON.stringify(body)))).toEqual(named ? [named] : []);
  });
});

test('a list of refunds without an end leaves the refund unknown, and is not read for long', async () => {
  const endless: DefinePsp = (ledger) => {
    const page = {
      operation: 'find_refund',
      method: 'GET',
      path: /\/v3\/payments\/(\w+)\/refunds/,
      reply: () => ({
        status: 200,
        body: { hasMore: true, data: Array.from({ length: 100 }, () => ({ status: 'DONE', value: 1 })) },
      }),
    } as const;
    const psp = emulated(ledger);
    return { ...psp, routes: [page, ...psp.routes] };
  };
  const subject = await openSubject(asaas, endless);
  try {
    const made = await subject.adapter.createCharge(chargeRequest(), soon());
    await subject.emulator.pay(made.transactionId);
    const failure = await failureOf(subject.adapter.findRefund(refundRequest(made), soon()));
    expect(failure).toMatchObject({ failure: 'unknown', message: expect.stringContaining('has no end') });
    const pages = subject.emulator.requests.filter(({ operation }) => operation === 'find_refund');
    expect(pages.length).toBeLessThan(maximumOperationRequests);
  } finally {
    await subject.stop();
  }
});
