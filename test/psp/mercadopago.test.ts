import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { cents } from '../../src/core/base/money.ts';
import type { OtherRefund, RefundRequest } from '../../src/core/providers/rules/charge.ts';
import type { RawNotification } from '../../src/core/providers/rules/psp.ts';
import type { ChargesPage, ReceivedPage } from '../../src/core/providers/rules/psp-lists.ts';
import { mercadopago } from '../../src/psp/mercadopago/adapter.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { mercadopago as emulated } from '../support/psp-emulator/mercadopago.ts';
import { describeProvider } from './contract.ts';
import { chargeRequest, failureOf, payer, soon } from './contract-setup.ts';
import { fakeTools } from './fake-http.ts';

describeProvider('mercadopago', mercadopago, emulated);

const settings = parseSettings(mercadopago, { accessToken: 'token', webhookSecret: 'your_secret_key_here' });
const now = new Date('2026-11-20T12:00:00Z');

const payment = (changes: object = {}) => ({
  id: 5466310457,
  status: 'pending',
  status_detail: 'pending_waiting_transfer',
  external_reference: 'a'.repeat(32),
  transaction_amount: 110.1,
  date_created: '2026-11-20T08:00:00.000-04:00',
  date_approved: null,
  date_last_updated: '2026-11-20T08:00:00.000-04:00',
  date_of_expiration: '2026-11-20T09:00:00.000-04:00',
  point_of_interaction: { transaction_data: { qr_code: 'code' } },
  ...changes,
});
const request = chargeRequest({ transactionId: 'a'.repeat(32), createdAt: now });
const found = async (changes: object) => {
  const adapter = mercadopago.connect(
    settings,
    fakeTools(() => ({ json: payment(changes) }), now),
  );
  return adapter.findCharge({ transactionId: 'a'.repeat(32), reference: '5466310457' }, soon());
};

describe('a payment', () => {
  test('is found by the reference alone, and tells our id', async () => {
    const adapter = mercadopago.connect(
      settings,
      fakeTools(() => ({ json: payment() }), now),
    );
    const charge = await adapter.findCharge({ transactionId: '', reference: '5466310457' }, soon());
    expect(charge).toMatchObject({ transactionId: 'a'.repeat(32), status: 'active' });
  });

  test('is asked for in reais, by our id, until the nearest expiry, in the name of the payer', async () => {
    const expiresAt = new Date(now.getTime() + 30 * 60_000);
    const tools = fakeTools((_, { headers, body }) => {
      expect(headers).toMatchObject({ authorization: 'Bearer token', 'x-idempotency-key': 'a'.repeat(32) });
      expect(body).toEqual({
        transaction_amount: 19.99,
        description: 'Pedido 42',
        payment_method_id: 'pix',
        external_reference: 'a'.repeat(32),
        // Signed notifications only.
        notification_url: 'https://example.com/psp/mercadopago/t?source_news=webhooks',
        date_of_expiration: '2026-11-20T09:31:00.000-03:00',
        payer: {
          email: payer.email,
          first_name: 'Gumercindo',
          last_name: 'Albuquerque',
          identification: { type: 'CPF', number: '52998224725' },
        },
      });
      return { status: 201, json: payment({ transaction_amount: 19.99 }) };
    }, now);
    const notificationUrl = 'https://example.com/psp/mercadopago/t';
    const asked = { ...request, amountInCents: cents(1999), expiresAt, notificationUrl };
    await mercadopago.connect(settings, tools).createCharge(asked, soon());
    expect(tools.asked).toEqual(['POST /v1/payments']);
  });

  test.each([
    'http://example.com/psp/mercadopago/t',
    'http://localhost:3000/psp/mercadopago/t',
    'https://localhost/psp/mercadopago/t',
    'https://10.0.0.7/psp/mercadopago/t',
    'https://pay.internal/psp/mercadopago/t',
  ])('leaves out a notification URL that Mercado Pago cannot reach: %s', async (notificationUrl) => {
    const tools = fakeTools((_, { body }) => {
      expect(body).not.toHaveProperty('notification_url');
      return { status: 201, json: payment() };
    }, now);
    await mercadopago.connect(settings, tools).createCharge({ ...request, notificationUrl }, soon());
    expect(tools.asked).toHaveLength(1);
  });

  test('whose notification URL is refused says which setting is wrong', async () => {
    const description = 'notification_url attribute must be url valid';
    const json = {
      message: description,
      error: 'bad_request',
      status: 400,
      cause: [{ code: 4020, description }],
    };
    const tools = fakeTools(() => ({ status: 400, json }), now);
    const failure = await failureOf(mercadopago.connect(settings, tools).createCharge(request, soon()));
    expect(failure).toMatchObject({ failure: 'rejected', reason: 'webhook_refused' });
    expect(failure.message).toContain('PUBLIC_URL must be an https address on the internet (code 4020)');
  });

  test('needs no e-mail of the payer when the credential has one', async () => {
    const withFallback = { ...settings, payerEmailFallback: 'store@example.com' };
    const tools = fakeTools((_, { body }) => {
      expect(body).toMatchObject({ payer: { email: 'store@example.com' } });
      return { status: 201, json: payment() };
    }, now);
    const adapter = mercadopago.connect(withFallback, tools);
    expect(adapter.capabilities.needsPayer).toEqual([]);
    expect(mercadopago.capabilitiesOf?.(withFallback).needsPayer).toEqual([]);
    expect(mercadopago.capabilitiesOf?.(settings).needsPayer).toEqual(['email']);
    const nobody = { name: null, document: null, email: null, phone: null };
    await adapter.createCharge({ ...request, payer: nobody }, soon());
  });

  test.each([
    ['pending', 'active'],
    ['in_process', 'active'],
    ['approved', 'paid'],
    ['refunded', 'paid'],
    ['charged_back', 'paid'],
    ['in_mediation', 'contested'],
    ['rejected', 'failed'],
    ['authorized', 'unrecognised'],
    ['constructor', 'unrecognised'],
    ['a_word_of_tomorrow', 'unrecognised'],
  ])('that is %s is %s', async (word, status) => {
    expect((await found({ status: word }))?.status).toBe(status);
  });

  test.each([
    [{ status: 'refunded' }, 110_10],
    [{ status: 'charged_back', status_detail: 'settled' }, 110_10],
    [{ status: 'charged_back', status_detail: 'reimbursed' }, 0],
    [{ status: 'approved', transaction_amount_refunded: 10.05 }, 10_05],
    [{ status: 'approved', transaction_amount_refunded: 0 }, 0],
    [{ status: 'refunded', transaction_amount_refunded: 110.1 }, 110_10],
    [{ status: 'charged_back', status_detail: 'settled', transaction_amount_refunded: 110.1 }, 110_10],
  ])('that is %j says what went back: %d', async (changes, returned) => {
    const charge = await found({ date_approved: '2026-11-20T08:10:00.000-04:00', ...changes });
    expect(charge).toMatchObject({ status: 'paid', receivedPix: [{ returnedInCents: cents(returned) }] });
  });

  const approved = { date_approved: '2026-11-20T08:10:00.000-04:00' };
  const refunds = [
    { id: 7, amount: 10.05, status: 'approved', date_created: '2026-11-20T09:00:00.000-04:00' },
    { id: 8, amount: 1, status: 'rejected' },
  ];

  test('lists its refunds by their ids, and what no refund explains is not named', async () => {
    const charge = await found({
      ...approved,
      status: 'approved',
      transaction_amount_refunded: 15.05,
      refunds,
    });
    expect(charge?.receivedPix[0]).toMatchObject({
      returnedInCents: cents(1505),
      reversals: [
        {
          reference: '7',
          amountInCents: cents(1005),
          status: 'completed',
          reason: 'returned_at_psp',
          reversedAt: new Date('2026-11-20T13:00:00Z'),
        },
        { reference: '8', status: 'failed' },
      ],
    });
  });

  test('of which all is on its way back is contested', async () => {
    const all = [{ id: 7, amount: 110.1, status: 'in_process' }];
    const charge = await found({ ...approved, status: 'approved', refunds: all });
    expect(charge).toMatchObject({ status: 'contested', receivedPix: [{ returnedInCents: cents(0) }] });
  });

  test.each([
    ['charged_back', 'in_process', 'contested', 'open', undefined],
    ['charged_back', 'settled', 'paid', 'lost', 'completed'],
    ['charged_back', 'reimbursed', 'paid', 'won', 'failed'],
    ['in_mediation', 'pending', 'contested', 'open', undefined],
  ])('that is %s (%s) is %s, with a dispute that is %s', async (status, detail, meaning, state, taken) => {
    const charge = await found({
      ...approved,
      status,
      status_detail: detail,
      transaction_amount_refunded: 10.05,
      refunds,
    });
    expect(charge).toMatchObject({
      status: meaning,
      disputes: [{ reference: 'dispute', state, amountInCents: cents(10005), reason: detail }],
    });
    const chargebacks =
      charge?.receivedPix[0]?.reversals?.filter(({ reason }) => reason === 'chargeback') ?? [];
    const expected = { reference: 'chargeback', status: taken, amountInCents: cents(10005) };
    expect(chargebacks).toMatchObject(taken ? [expected] : []);
  });

  test('that ended by itself has expired, and one that was ended was cancelled', async () => {
    const at = (time: string) => ({
      status: 'cancelled',
      status_detail: 'by_collector',
      date_last_updated: time,
    });
    expect((await found(at('2026-11-20T08:59:59.000-04:00')))?.status).toBe('cancelled');
    expect((await found(at('2026-11-20T09:00:00.000-04:00')))?.status).toBe('expired');
    expect((await found({ status: 'cancelled', status_detail: 'expired' }))?.status).toBe('expired');
  });

  test('shows the same Pix in every response', async () => {
    const paid = { status: 'approved', date_approved: '2026-11-20T08:10:00.000-04:00' };
    const pix = {
      endToEndId: 'MP5466310457',
      amountInCents: cents(11010),
      returnedInCents: cents(0),
      reversals: [],
      paidAt: new Date('2026-11-20T12:10:00Z'),
    };
    const reportedEndToEndId = 'E18236120202611201210s15536c561e';
    const late = { transaction_details: { transaction_id: `PIX${reportedEndToEndId}` } };
    const elsewhere = { point_of_interaction: { transaction_data: { e2e_id: reportedEndToEndId } } };
    const cut = { transaction_details: { transaction_id: 'PIXE1823612020261120s15536c561e' } };
    expect((await found(paid))?.receivedPix).toEqual([pix]);
    expect((await found({ ...paid, ...cut }))?.receivedPix).toEqual([pix]);
    for (const told of [late, elsewhere]) {
      expect((await found({ ...paid, ...told }))?.receivedPix).toEqual([{ ...pix, reportedEndToEndId }]);
    }
  });

  test('of another reference is not believed', async () => {
    const paid = { status: 'approved', date_approved: '2026-11-20T08:10:00.000-04:00' };
    const other = await found({ ...paid, external_reference: 'b'.repeat(32) });
    expect(other).toMatchObject({ status: 'unrecognised', receivedPix: [] });
  });

  test.each([{ transaction_amount: '110.1' }, { transaction_amount: 1.001 }])(
    'that cannot be read has neither succeeded nor failed: %j',
    async (changes) => {
      const failure = await failureOf(found(changes));
      expect(failure.failure).toBe('unknown');
      expect(failure.message).toContain(Object.keys(changes)[0]);
    },
  );

  test('that was made and rejected at once is rejected, with its word', async () => {
    const json = payment({ status: 'rejected', status_detail: 'rejected_by_bank' });
    const adapter = mercadopago.connect(
      settings,
      fakeTools(() => ({ status: 201, json }), now),
    );
    const failure = await failureOf(adapter.createCharge(request, soon()));
    expect(failure).toMatchObject({
      failure: 'rejected',
      message: expect.stringContaining('rejected_by_bank'),
    });
  });

  test('whose key is at work already has neither succeeded nor failed', async () => {
    const adapter = mercadopago.connect(
      settings,
      fakeTools(() => ({ status: 409, json: {} }), now),
    );
    expect((await failureOf(adapter.createCharge(request, soon()))).failure).toBe('unknown');
  });

  test.each([
    ['payer.email must be a valid email', 4050, 'payer.email'],
    ['Invalid user identification number', 2067, 'payer.document'],
  ])('refused because "%s" names the field', async (description, code, field) => {
    const json = { message: description, error: 'bad_request', status: 400, cause: [{ code, description }] };
    const adapter = mercadopago.connect(
      settings,
      fakeTools(() => ({ status: 400, json }), now),
    );
    const failure = await failureOf(adapter.createCharge(request, soon()));
    expect(failure).toMatchObject({ failure: 'rejected_payer', message: expect.stringContaining(field) });
  });
});

describe('a refund that is looked for', () => {
  const refund = (id: number, minutes: number) => ({
    id,
    amount: 10.05,
    status: 'approved',
    date_created: new Date(now.getTime() + minutes * 60_000).toISOString(),
  });
  const find = (refunds: object[], changes: Partial<RefundRequest> = {}) => {
    const tools = fakeTools(() => ({ json: refunds }), now);
    const wanted: RefundRequest = {
      transactionId: 'a'.repeat(32),
      reference: '5466310457',
      // Made an hour before somebody approved it.
      refundId: `${(now.getTime() - 3_600_000).toString(16).padStart(12, '0')}7${'0'.repeat(19)}`,
      endToEndId: 'MP5466310457',
      amountInCents: cents(1005),
      refundReference: null,
      otherRefunds: [],
      startedAt: now,
      ...changes,
    };
    return mercadopago.connect(settings, tools).findRefund(wanted, soon());
  };

  const other = (amount: number, more: Partial<OtherRefund> = {}): OtherRefund => ({
    refundId: 'a'.repeat(32),
    startedAt: now,
    reference: null,
    amountInCents: cents(amount),
    isOpen: true,
    isTakenBack: false,
    ...more,
  });

  test('is the one of its amount that came after it was asked for', async () => {
    expect(await find([refund(1, -5), { ...refund(2, 1), amount: 10.06 }])).toBeUndefined();
    expect(await find([refund(1, -5), refund(2, 1)])).toEqual({ reference: '2', status: 'completed' });
  });

  test('is the first of two that could both be it', async () => {
    expect(await find([refund(2, 2), refund(1, 1)])).toMatchObject({ reference: '1' });
  });

  test('is the one whose name is known, whatever else there is', async () => {
    const found = await find([refund(1, 1), refund(2, 1)], { refundReference: '1' });
    expect(found).toEqual({ reference: '1', status: 'completed' });
    expect(await find([refund(2, 1)], { refundReference: '1' })).toBeUndefined();
  });

  test('whose name is known and that is of another amount is not believed', async () => {
    const other = find([{ ...refund(1, 1), amount: 10.06 }], { refundReference: '1' });
    expect((await failureOf(other)).failure).toBe('unknown');
  });

  test('is none that bears the name of another of ours', async () => {
    const otherRefunds = [other(1005, { reference: '1' })];
    expect(await find([refund(1, 1)], { otherRefunds })).toBeUndefined();
    expect(await find([refund(1, 1), refund(2, 1)], { otherRefunds })).toMatchObject({ reference: '2' });
  });

  test('is decided together with another of ours whose name is not known either: the earlier is first', async () => {
    const earlier = { otherRefunds: [other(1005, { refundId: '0'.repeat(32) })] };
    const later = { otherRefunds: [other(1005, { refundId: 'f'.repeat(32) })] };
    expect(await find([refund(1, 1)], earlier)).toBeUndefined();
    expect(await find([refund(1, 1)], later)).toMatchObject({ reference: '1' });
    expect(await find([refund(1, 1), refund(2, 2)], earlier)).toMatchObject({ reference: '2' });
    expect(await find([refund(1, 1), refund(2, 2)], later)).toMatchObject({ reference: '1' });
    expect(await find([], earlier)).toBeUndefined();
    const smaller = [other(1004, { refundId: '0'.repeat(32) })];
    expect(await find([refund(1, 1)], { otherRefunds: smaller })).toMatchObject({ reference: '1' });
  });

  test.each([1005, 8995])('is not mistaken for the %i centavos that a chargeback took', async (amount) => {
    const chargeback = { refundId: null, reference: 'chargeback', isOpen: false, isTakenBack: true };
    const otherRefunds = [other(amount, chargeback)];
    expect(await find([refund(1, 1)], { otherRefunds })).toMatchObject({ reference: '1' });
  });

  test('is not told apart from a return that was known as a part of a sum', async () => {
    const otherRefunds = [other(2000, { refundId: null, reference: 'total:1', isOpen: false })];
    expect((await failureOf(find([refund(1, 1)], { otherRefunds }))).failure).toBe('unknown');
    expect(await find([], { otherRefunds })).toBeUndefined();
    expect(await find([refund(1, -60)], { otherRefunds })).toBeUndefined();
    const whole = { ...refund(2, -60), amount: 20 };
    expect(await find([refund(1, 1), whole], { otherRefunds })).toMatchObject({ reference: '1' });
    const rest = { ...refund(3, -60), amount: 9.95 };
    expect(await find([refund(1, 1), rest], { otherRefunds })).toBeUndefined();
    expect((await failureOf(find([refund(1, 1), whole, rest], { otherRefunds }))).failure).toBe('unknown');
    const same = [other(1005, { refundId: null, reference: 'total:1', isOpen: false })];
    expect(await find([refund(1, 1)], { otherRefunds: same })).toBeUndefined();
    expect(await find([refund(1, 1), refund(2, 2)], { otherRefunds: same })).toMatchObject({
      reference: '2',
    });
  });
});

describe('a signature', () => {
  const published = {
    'x-request-id': '2066ca19-c6f1-498a-be75-1923005edd06',
    'x-signature': 'ts=1742505638683,v1=633f91233312dd391ec75fa0bea539cfc2d6c4918873305b84a96cc1c58db71c',
  };
  const raw = (changes: Partial<RawNotification> = {}): RawNotification => ({
    headers: published,
    query: new URLSearchParams({ 'data.id': 'ord01jq4s4ky8hwq6na5pxb65b3d3', type: 'payment' }),
    body: Buffer.from('{}'),
    hasTrustedCertificate: false,
    ...changes,
  });
  const verify = (notification: RawNotification, at = 1742505638683) =>
    mercadopago.notifications.verify(
      notification,
      settings,
      fakeTools(() => ({ json: {} }), new Date(at)),
    );
  const signed = (ts: string, manifest: string) => ({
    'x-signature': `ts=${ts}, v1=${createHmac('sha256', 'your_secret_key_here').update(manifest).digest('hex')}`,
  });

  test('as published is good', () => {
    expect(verify(raw())).toBe(true);
  });

  test('may give its time in seconds', () => {
    const headers = { ...signed('1704908010', 'id:123;request-id:r;ts:1704908010;'), 'x-request-id': 'r' };
    const query = new URLSearchParams({ 'data.id': '123' });
    expect(verify(raw({ headers, query }), 1704908010_000 + 60_000)).toBe(true);
  });

  test('of an order has its id in lower case, however the address has it', () => {
    const query = new URLSearchParams({ 'data.id': 'ORD01JQ4S4KY8HWQ6NA5PXB65B3D3', type: 'payment' });
    expect(verify(raw({ query }))).toBe(true);
  });

  test('leaves out what is not there', () => {
    const headers = signed('1742505638683', 'id:123;ts:1742505638683;');
    expect(verify(raw({ headers, query: new URLSearchParams({ 'data.id': '123' }) }))).toBe(true);
  });

  test.each([
    ['of another payment', { query: new URLSearchParams({ 'data.id': '124' }) }],
    ['of another request', { headers: { ...published, 'x-request-id': 'another' } }],
    ['empty', { headers: { 'x-signature': '' } }],
    ['without a time', { headers: { 'x-signature': 'v1=00' } }],
    ['with a time that is none', { headers: { 'x-signature': 'ts=soon,v1=00' } }],
  ])('that is %s is not', (_, changes) => {
    expect(verify(raw(changes))).toBe(false);
  });

  test('may be hours old, as that of a retry is', () => {
    expect(verify(raw(), 1742505638683 + 6 * 3_600_000)).toBe(true);
  });

  test('that is missing makes the notification unproven', () => {
    expect(verify(raw({ headers: {} }))).toBe('unproven');
  });

  test('proves nothing as long as the credential lacks the secret', async () => {
    const incomplete = parseSettings(mercadopago, { accessToken: 'token' });
    const tools = { http: undefined as never, now: () => new Date() };
    expect(await mercadopago.notifications.verify(raw(), incomplete, tools)).toBe('unproven');
  });

  test.each([
    ['topic=payment&id=123', ''],
    ['topic=payment&id=123', '{"resource":"https://api.mercadopago.com/v1/payments/123","topic":"payment"}'],
    ['', '{"resource":"https://api.mercadopago.com/v1/payments/123","topic":"payment"}'],
    ['', '{"resource":123,"topic":"payment"}'],
  ])('is not part of the older form, which names the payment in "%s" or %s', (query, body) => {
    const older = raw({ headers: {}, query: new URLSearchParams(query), body: Buffer.from(body) });
    expect(mercadopago.notifications.charges(older)).toEqual([{ transactionId: null, reference: '123' }]);
  });

  test('covers the query string, so that is where the payment is named', () => {
    const body = Buffer.from('{"type":"payment","data":{"id":"999"}}');
    const query = new URLSearchParams({ 'data.id': '123', type: 'payment' });
    expect(mercadopago.notifications.charges(raw({ body, query }))).toEqual([
      { transactionId: null, reference: '123' },
    ]);
  });

  test.each(['{"type":"merchant_order","data":{"id":"1"}}', '{"type":"payment","data":{"id":"../1"}}', '{}'])(
    'of something else names no payment: %s',
    (body) => {
      const other = raw({ body: Buffer.from(body), query: new URLSearchParams() });
      expect(mercadopago.notifications.charges(other)).toEqual([]);
    },
  );
});

test('a payment that leaves the list of received ones while it is read makes none after it be passed over', async () => {
  const approved = Array.from({ length: 6 }, (_, at) => ({ id: at + 1, external_reference: null }));
  const tools = fakeTools((asked) => {
    const offset = Number(new URL(`http://x${asked.split(' ')[1] ?? ''}`).searchParams.get('offset'));
    const json = { results: approved.slice(offset, offset + 2), paging: { total: approved.length } };
    // The first is refunded once the first page was read.
    if (offset === 0) approved.shift();
    return { json };
  }, now);
  const adapter = mercadopago.connect(settings, tools);
  const window = { since: now, until: now, bookmark: null };
  const listed = new Set<string | null>();
  for (let cursor: string | null = null, pages = 0; pages === 0 || cursor !== null; pages++) {
    const page: ReceivedPage | undefined = await adapter.listReceived?.(window, cursor, soon());
    for (const { reference } of page?.charges ?? []) listed.add(reference);
    cursor = page?.nextCursor ?? null;
    expect(pages).toBeLessThan(6);
  }
  expect(listed).toEqual(new Set(['1', '2', '3', '4', '5', '6']));
});

test.each(['listReceived', 'listCharges'] as const)(
  'a list of more than Mercado Pago lets one page through is read to its end: %s',
  async (list) => {
    const total = 2_345;
    const at = (nth: number) => new Date(now.getTime() + Math.floor(nth / 3) * 1_000).toISOString();
    const all = Array.from({ length: total }, (_, nth) => ({
      id: nth + 1,
      external_reference: null,
      date_created: at(nth),
      date_last_updated: at(nth),
    }));
    const tools = fakeTools((asked) => {
      const query = new URL(`http://x${asked.split(' ')[1] ?? ''}`).searchParams;
      const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
      if (offset >= 1_000) return { status: 400, json: { cause: [{ code: 1000 }] } };
      const begin = query.get('begin_date') ?? '';
      const found = all.filter(({ date_created }) => date_created >= begin);
      return { json: { results: found.slice(offset, offset + limit), paging: { total: found.length } } };
    }, now);
    const adapter = mercadopago.connect(settings, tools);
    const window = { since: now, until: new Date(now.getTime() + 86_400_000), bookmark: null };
    const listed = new Set<string | null>();
    let cursor: string | null = null;
    do {
      const page: ChargesPage | undefined = await adapter[list]?.(window, cursor, soon());
      for (const { reference } of page?.charges ?? []) listed.add(reference);
      cursor = page?.nextCursor ?? null;
    } while (cursor !== null && tools.asked.length < 100);
    expect(listed.size).toBe(total);
  },
);
