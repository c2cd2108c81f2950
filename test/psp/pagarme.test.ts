import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseBrCode } from '@pix-service/br-code';
import { cents } from '../../src/core/base/money.ts';
import type { RawNotification } from '../../src/core/providers/rules/psp.ts';
import { pagarme } from '../../src/psp/pagarme/adapter.ts';
import { maximumOperationRequests } from '../../src/psp/http/operation-budget.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { pagarme as emulated } from '../support/psp-emulator/pagarme.ts';
import { failingDescription } from '../support/psp-emulator/pagarme-wire.ts';
import type { DefinePsp } from '../support/psp-emulator/psp.ts';
import { describeProvider } from './contract.ts';
import {
  chargeRequest,
  failureOf,
  chargeIdsOf,
  openSubject,
  payer,
  payerData,
  refundRequest,
  soon,
  type Subject,
} from './contract-setup.ts';
import { fakeTools } from './fake-http.ts';

describeProvider('pagarme', pagarme, emulated, { 'noPaidAmount+partialRefunds': ['money'] });

const settings = parseSettings(pagarme, {
  secretKey: 'sk_1',
  webhookUser: 'user',
  webhookPassword: 'password',
});
const ourId = 'a'.repeat(32);
const now = new Date('2026-11-20T12:00:00Z');

const order = (charge: object = {}, transaction: object = {}) => ({
  id: 'or_1',
  code: ourId,
  amount: 11010,
  created_at: '2026-11-20T12:00:00Z',
  charges: [
    {
      id: 'ch_1',
      status: 'pending',
      amount: 11010,
      ...charge,
      last_transaction: {
        id: 'tran_1',
        status: 'waiting_payment',
        qr_code: 'code',
        expires_at: '2026-11-20T13:00:00Z',
        ...transaction,
      },
    },
  ],
});
const found = (charge: object, transaction: object = {}) => {
  const tools = fakeTools(() => ({ json: order(charge, transaction) }), now);
  return pagarme.connect(settings, tools).findCharge({ transactionId: ourId, reference: 'or_1' }, soon());
};

describe('an order', () => {
  test('is found by the reference alone, and tells our id', async () => {
    const adapter = pagarme.connect(
      settings,
      fakeTools(() => ({ json: order() }), now),
    );
    const charge = await adapter.findCharge({ transactionId: '', reference: 'or_1' }, soon());
    expect(charge).toMatchObject({ transactionId: ourId, status: 'active' });
  });

  const bodyOf = async (changes: Parameters<typeof chargeRequest>[0] = {}) => {
    let sent: unknown;
    const tools = fakeTools((_, { body, headers }) => {
      expect(headers).toMatchObject({ authorization: 'Basic c2tfMTo=', 'idempotency-key': ourId });
      sent = body;
      return { json: order() };
    }, now);
    const request = chargeRequest({
      transactionId: ourId,
      expiresAt: new Date('2026-11-20T13:00:00Z'),
      ...changes,
    });
    await pagarme.connect(settings, tools).createCharge(request, soon());
    return sent;
  };

  test('is asked for in centavos, by our id, with all of the payer', async () => {
    expect(await bodyOf()).toEqual({
      code: ourId,
      items: [{ amount: 11010, description: 'Pedido 42', quantity: 1, code: '1' }],
      customer: {
        name: payer.name,
        email: payer.email,
        type: 'individual',
        document: '52998224725',
        document_type: 'CPF',
        phones: { mobile_phone: { country_code: '55', area_code: '11', number: '987654321' } },
      },
      payments: [{ payment_method: 'pix', pix: { expires_in: 3600 } }],
    });
  });

  test('of a company with a landline says so', async () => {
    const company = { ...payer, document: '12.ABC.345/01DE-35', phone: '(11) 3333-4444' };
    expect(await bodyOf({ payer: company })).toMatchObject({
      customer: {
        type: 'company',
        document: '12ABC34501DE35',
        document_type: 'CNPJ',
        phones: { home_phone: { country_code: '55', area_code: '11', number: '33334444' } },
      },
    });
  });

  test('takes a phone from abroad', async () => {
    expect(await bodyOf({ payer: { ...payer, phone: '+1 415 555 2671' } })).toMatchObject({
      customer: { phones: { mobile_phone: { country_code: '1', area_code: '41', number: '55552671' } } },
    });
  });

  test.each(['(11) 8765-4321', '00000000', '+()- ()-+'])(
    'is not sent with the impossible phone %s',
    async (phone) => {
      const tools = fakeTools(() => ({ json: order() }), now);
      const request = chargeRequest({ payer: { ...payer, phone } });
      const failure = await failureOf(pagarme.connect(settings, tools).createCharge(request, soon()));
      expect(failure).toMatchObject({
        failure: 'rejected_payer',
        message: expect.stringContaining('payer.phone'),
      });
      expect(tools.asked).toEqual([]);
    },
  );

  test.each([
    ['pending', 'active'],
    ['processing', 'active'],
    ['failed', 'failed'],
    ['a_word_of_tomorrow', 'unrecognised'],
  ])('whose charge is %s is %s', async (status, meaning) => {
    expect((await found({ status }))?.status).toBe(meaning);
  });

  test('whose transaction has expired has expired', async () => {
    expect((await found({ status: 'pending' }, { status: 'expired' }))?.status).toBe('expired');
  });

  test.each([
    ['before its expiry was cancelled', { canceled_at: '2026-11-20T12:59:59Z' }, 'cancelled'],
    ['at its expiry has expired', { canceled_at: '2026-11-20T13:00:00Z' }, 'expired'],
    [
      'after it was paid was paid',
      { canceled_at: '2026-11-20T12:30:00Z', paid_at: '2026-11-20T12:10:00Z' },
      'paid',
    ],
  ])('whose charge is canceled %s', async (_, charge, meaning) => {
    expect((await found({ status: 'canceled', ...charge }))?.status).toBe(meaning);
  });

  const address = 'https://digital.mundipagg.com/pix/';

  test('with an address for a code has none, and its create is not known to have failed', async () => {
    expect((await found({}, { qr_code: address }))?.pixCopyPaste).toBeNull();
    const tools = fakeTools(() => ({ json: order({}, { qr_code: address }) }), now);
    const request = chargeRequest({ transactionId: ourId });
    const failure = await failureOf(pagarme.connect(settings, tools).createCharge(request, soon()));
    expect(failure).toMatchObject({ failure: 'unknown', message: expect.stringContaining('an address') });
  });

  test('with an address for a code has one in a test account', async () => {
    const testSettings = { ...settings, secretKey: 'sk_test_1' };
    const tools = fakeTools(() => ({ json: order({}, { qr_code: address }) }), now);
    const request = chargeRequest({ transactionId: ourId });
    const charge = await pagarme.connect(testSettings, tools).createCharge(request, soon());
    expect(parseBrCode(charge.pixCopyPaste ?? '').get('26-25')).toBe('digital.mundipagg.com/pix/');
  });

  test('whose key is in use by another request may have been made', async () => {
    const tools = fakeTools(() => ({ status: 409, json: { message: 'Conflict' } }), now);
    const failure = await failureOf(pagarme.connect(settings, tools).createCharge(chargeRequest(), soon()));
    expect(failure.failure).toBe('unknown');
  });

  test("with members that are wrong names the payer's", async () => {
    const json = {
      message: 'The request is invalid.',
      errors: { 'order.customer.phones.mobile_phone.number': ['x'] },
    };
    const adapter = pagarme.connect(
      settings,
      fakeTools(() => ({ status: 422, json }), now),
    );
    const failure = await failureOf(adapter.createCharge(chargeRequest(), soon()));
    expect(failure).toMatchObject({
      failure: 'rejected_payer',
      message: expect.stringContaining('payer.phone'),
    });
  });
});

describe('the Pix of a charge', () => {
  const paid = { status: 'paid', paid_at: '2026-11-20T12:10:00Z', paid_amount: 11010 };
  const pix = { amountInCents: cents(11010), paidAt: new Date('2026-11-20T12:10:00Z') };

  test.each([
    ['before its end-to-end id is told', {}, { status: 'paid' }, undefined],
    ['once that is told', {}, { status: 'paid', end_to_end_id: 'E1' }, 'E1'],
    [
      'when something went back',
      { canceled_amount: 100 },
      { status: 'refunded', end_to_end_id: 'D1' },
      undefined,
    ],
  ])('is the same %s', async (_, charge, transaction, reportedEndToEndId) => {
    const told = await found({ ...paid, ...charge }, transaction);
    expect(told).toMatchObject({
      status: 'paid',
      receivedPix: [{ ...pix, endToEndId: `PAGARME${ourId}`, reportedEndToEndId }],
    });
  });

  test.each([
    ['a part', { status: 'paid', canceled_amount: 1_000 }, {}, 'paid', cents(1_000)],
    ['the whole', { status: 'canceled', canceled_amount: 11_010 }, {}, 'paid', cents(11_010)],
    ['the whole, without saying so', { status: 'canceled' }, {}, 'paid', cents(11_010)],
    [
      'the whole, and nothing is shown as paid',
      { status: 'canceled', paid_amount: 0 },
      {},
      'paid',
      cents(11_010),
    ],
    ['the whole, taken by a bank', { status: 'chargedback' }, {}, 'paid', cents(11_010)],
    ['nothing yet', { status: 'canceled' }, { status: 'pending_refund' }, 'contested', cents(0)],
  ])('of which %s went back says so', async (_, charge, transaction, status, returnedInCents) => {
    const told = await found({ ...paid, ...charge }, transaction);
    expect([told?.status, told?.receivedPix[0]?.returnedInCents]).toEqual([status, returnedInCents]);
  });

  test.each([
    ['paid', 1],
    ['underpaid', 11009],
    ['overpaid', 11011],
    ['underpaid', undefined],
    ['overpaid', undefined],
  ])('that is %s with %d centavos is not believed', async (status, paid_amount) => {
    const charge = await found({ ...paid, status, paid_amount }, { status: 'paid', end_to_end_id: 'E1' });
    expect(charge).toMatchObject({ status: 'unrecognised', receivedPix: [] });
  });

  test.each(['partial_refunded', 'partial_canceled'])('that is %s keeps the rest', async (status) => {
    const charge = await found({ ...paid, status, canceled_amount: 1_000 });
    expect(charge).toMatchObject({ status: 'paid', receivedPix: [{ returnedInCents: cents(1_000) }] });
  });

  test.each([
    [undefined, 11_010],
    [1_000, 10_010],
    [11_010, 11_010],
  ])('that was charged back after refunds of %d lost the rest', async (canceled_amount, taken) => {
    const charge = await found({ ...paid, status: 'chargedback', canceled_amount });
    expect(charge?.receivedPix).toMatchObject([
      {
        returnedInCents: cents(11_010),
        reversals: [{ reference: 'chargeback', reason: 'chargeback', amountInCents: cents(taken) }],
      },
    ]);
  });
});

describe('against the emulator', () => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject(pagarme, emulated);
  });
  afterAll(() => subject.stop());

  test('an order that was made and failed at the gateway is rejected, with a reason that is not personal', async () => {
    const request = chargeRequest({ description: failingDescription });
    const failure = await failureOf(subject.adapter.createCharge(request, soon()));
    expect(failure.failure).toBe('rejected');
    expect(failure.message).toContain('is not allowed to pay');
    for (const secret of [...payerData, '52998224725']) expect(failure.message).not.toContain(secret);
    // The same id does not make a second one.
    await failureOf(subject.adapter.createCharge(request, soon()));
    subject.chargeAt(request.transactionId);
  });

  test('two refunds of a charge are found apart by their amounts', async () => {
    const made = await subject.adapter.createCharge(chargeRequest(), soon());
    await subject.emulator.pay(made.transactionId);
    const first = refundRequest(made, { amountInCents: cents(100) });
    const second = refundRequest(made, { amountInCents: cents(200) });
    await subject.adapter.refundCharge(first, soon());
    expect(await subject.adapter.findRefund(second, soon())).toBeUndefined();
    await subject.adapter.refundCharge(second, soon());
    expect(await subject.adapter.findRefund(first, soon())).toMatchObject({ status: 'completed' });
    expect((await subject.adapter.findCharge(chargeIdsOf(made), soon()))?.receivedPix).toHaveLength(1);
  });
});

test('an account of the test gateway gets a code made of its address, and charges that expire', async () => {
  const { adapter, emulator, stop } = await openSubject(pagarme, emulated, [
    'testAccount',
    'addressCodes',
    'expiredTransactions',
  ]);
  try {
    const made = await adapter.createCharge(chargeRequest(), soon());
    expect(parseBrCode(made.pixCopyPaste ?? '').get('54')).toBe('110.10');
    emulator.expire(made.transactionId);
    expect((await adapter.findCharge(chargeIdsOf(made), soon()))?.status).toBe('expired');
  } finally {
    await stop();
  }
});

describe('a refund', () => {
  const paid = order({ status: 'paid', paid_at: '2026-11-20T12:10:00Z', paid_amount: 11010 });
  const request = {
    transactionId: ourId,
    reference: 'or_1',
    refundId: 'b'.repeat(32),
    refundReference: null,
    otherRefunds: [],
    startedAt: now,
    endToEndId: 'E1',
    amountInCents: cents(200),
  };
  const refunded = (transaction: object) => {
    const tools = fakeTools((asked, { body }) => {
      if (!asked.startsWith('DELETE')) return { json: paid };
      expect(body).toEqual({ amount: 200 });
      return { json: { ...paid.charges[0], last_transaction: transaction } };
    }, now);
    return pagarme.connect(settings, tools).refundCharge(request, soon());
  };

  test('is told by its transaction', async () => {
    const transaction = { id: 'tran_2', status: 'pending_refund', amount: 200 };
    expect(await refunded(transaction)).toEqual({ reference: 'tran_2', status: 'pending' });
    expect(await refunded({ ...transaction, status: 'a_word_of_tomorrow' })).toEqual({
      reference: 'tran_2',
      status: 'unrecognised',
    });
  });

  test.each([
    ['partial_refunded', 'completed'],
    ['withError', 'failed'],
    ['with_error', 'failed'],
    ['not_authorized', 'failed'],
  ])('whose transaction is %s is %s', async (status, outcome) => {
    const refund = await refunded({ id: 'tran_2', status, amount: 200 });
    expect(refund).toEqual({ reference: 'tran_2', status: outcome });
  });

  test('that has no transaction yet is pending, and is not taken for the one of the payer', async () => {
    const transaction = { id: 'tran_1', status: 'paid', amount: 11010 };
    expect(await refunded(transaction)).toEqual({ reference: null, status: 'pending' });
  });

  test('of another amount than was asked for is unknown: money has left', async () => {
    const call = refunded({ id: 'tran_2', status: 'refunded', amount: 201 });
    expect((await failureOf(call)).failure).toBe('unknown');
  });
});

describe('a notification', () => {
  const raw = (authorization: string | undefined, body: object = {}): RawNotification => ({
    headers: { authorization },
    query: new URLSearchParams(),
    body: Buffer.from(JSON.stringify(body)),
    hasTrustedCertificate: false,
  });
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const verify = (authorization: string | undefined) =>
    pagarme.notifications.verify(
      raw(authorization),
      settings,
      fakeTools(() => ({ json: {} })),
    );

  test.each([
    undefined,
    '',
    'Basic',
    basic('user'),
    basic('user:passwor'),
    basic('user:password '),
    basic('User:password'),
    basic(':'),
    'Bearer dXNlcjpwYXNzd29yZA==',
  ])('that comes with %j is refused', (authorization) => {
    expect(verify(authorization)).toBe(false);
  });

  test('that comes with user and password is taken, however the scheme is written', () => {
    expect(verify(basic('user:password'))).toBe(true);
    expect(verify('basic dXNlcjpwYXNzd29yZA==')).toBe(true);
  });

  const ours = { transactionId: ourId, reference: 'or_1' };
  test.each([
    ['order.paid', { id: 'or_1', code: ourId }, [ours]],
    ['charge.paid', { id: 'ch_1', code: ourId, order: { id: 'or_1', code: ourId } }, [ours]],
    ['charge.refunded', { id: 'ch_1', code: ourId }, [{ ...ours, reference: null }]],
    ['order.paid', { id: 'or_1', code: 'SHOP-7' }, []],
    ['customer.created', { id: 'cus_1', code: ourId }, []],
  ])('of %s about %j', (type, data, named) => {
    expect(pagarme.notifications.charges(raw(undefined, { id: 'hook_1', type, data }))).toEqual(named);
  });
});

test('a list of refunds without an end leaves the refund unknown, and is not read for long', async () => {
  const endless: DefinePsp = (ledger) => {
    const page = {
      operation: 'find_refund',
      method: 'GET',
      path: /\/core\/v5\/charges\/(\w+)\/transactions/,
      reply: () => ({
        status: 200,
        body: { data: Array.from({ length: 30 }, () => ({ status: 'refunded' })), paging: { total: 1e9 } },
      }),
    } as const;
    const psp = emulated(ledger);
    return { ...psp, routes: [page, ...psp.routes] };
  };
  const subject = await openSubject(pagarme, endless);
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
