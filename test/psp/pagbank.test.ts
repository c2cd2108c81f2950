import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { parseBrCode } from '@pix-service/br-code';
import { cents } from '../../src/core/base/money.ts';
import type { RefundRequest } from '../../src/core/providers/rules/charge.ts';
import type { RawNotification } from '../../src/core/providers/rules/psp.ts';
import { isReachable } from '../../src/network/reachable-url.ts';
import { pagbank } from '../../src/psp/pagbank/adapter.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { rawOf } from '../support/psp-emulator/notifier.ts';
import { pagbank as emulated } from '../support/psp-emulator/pagbank.ts';
import { describeProvider } from './contract.ts';
import {
  byOurIdOnly,
  chargeRequest,
  failureOf,
  chargeIdsOf,
  newHexId,
  openSubject,
  payer,
  refundRequest,
  soon,
  type Subject,
} from './contract-setup.ts';
import { type FakeReply, fakeTools } from './fake-http.ts';

describeProvider('pagbank', pagbank, emulated);

const settings = parseSettings(pagbank, { token: 'account-token' });
const ourId = 'a'.repeat(32);
const now = new Date('2026-11-20T12:00:00Z');

/** As the sandbox returned it on 2026-01-05 (escrita360/escrita360_sitereact, PAGBANK_SANDBOX_VALIDATION.md). */
const recordedCode =
  '00020101021226850014br.gov.bcb.pix2563api-h.pagseguro.com/pix/v2/6B3C3F24-7095-4B65-B076-7A5414BFE0A627600016BR.COM.PAGSEGURO01366B3C3F24-7095-4B65-B076-7A5414BFE0A6520482205303986540599.005802BR5916NI projetos LTDA6015Sao Bernardo do62070503***63049379';

const order = (charges?: object[]) => ({
  id: 'ORDE_1',
  reference_id: ourId,
  created_at: '2026-01-05T17:24:17.327-03:00',
  qr_codes: [
    {
      id: 'QRCO_1',
      expiration_date: '2026-01-05T18:24:16.000-03:00',
      amount: { value: 11010 },
      text: recordedCode,
      arrangements: ['PIX'],
    },
  ],
  ...(charges && { charges }),
});

/** What the sandbox returned on 2023-02-20, without an end-to-end id. */
const charge = (changes: object = {}, summary: object = {}) => ({
  id: 'CHAR_1',
  reference_id: ourId,
  status: 'PAID',
  created_at: '2023-02-20T14:39:48.112-03:00',
  paid_at: '2023-02-20T14:39:49.163-03:00',
  amount: { value: 11010, currency: 'BRL', summary: { total: 11010, paid: 11010, refunded: 0, ...summary } },
  payment_method: { type: 'PIX', pix: { notification_id: 'NTF_1' } },
  ...changes,
});

const answering = (reply: (asked: string) => FakeReply) => {
  const tools = fakeTools(reply, now);
  return { adapter: pagbank.connect(settings, tools), asked: tools.asked };
};

const found = (charges?: object[]) =>
  answering(() => ({ json: order(charges) })).adapter.findCharge(
    { transactionId: ourId, reference: 'ORDE_1' },
    soon(),
  );

describe('an order', () => {
  const bodyOf = async (changes: Parameters<typeof chargeRequest>[0] = {}) => {
    let sent: unknown;
    const tools = fakeTools((_, { body, headers }) => {
      expect(headers).toMatchObject({ authorization: 'Bearer account-token', 'x-idempotency-key': ourId });
      sent = body;
      return { json: order() };
    }, now);
    const expiresAt = new Date('2026-11-20T13:00:00Z');
    const request = chargeRequest({ transactionId: ourId, expiresAt, ...changes });
    const made = await pagbank.connect(settings, tools).createCharge(request, soon());
    expect(made.pixCopyPaste).toBe(recordedCode);
    return sent;
  };

  test('is asked for in centavos, by our id, with the payer', async () => {
    expect(await bodyOf({ notificationUrl: 'https://pay.example.com/psp/pagbank/t' })).toEqual({
      reference_id: ourId,
      customer: {
        name: payer.name,
        email: payer.email,
        tax_id: '52998224725',
        phones: [{ country: '55', area: '11', number: '987654321', type: 'MOBILE' }],
      },
      items: [{ name: 'Pedido 42', quantity: 1, unit_amount: 11010 }],
      qr_codes: [{ amount: { value: 11010 }, expiration_date: '2026-11-20T10:00:00.000-03:00' }],
      notification_urls: ['https://pay.example.com/psp/pagbank/t'],
    });
  });

  test('has a code with templates of its own, which is valid', () => {
    expect(() => parseBrCode(recordedCode)).not.toThrow();
  });

  test('of a company has no character in its name that PagBank refuses', async () => {
    const company = {
      ...payer,
      name: 'Pão & Cia. Ltda – Matriz',
      document: '12.ABC.345/01DE-35',
      phone: null,
    };
    expect(await bodyOf({ payer: company, description: null })).toMatchObject({
      customer: { name: 'Pão Cia Ltda Matriz', tax_id: '12ABC34501DE35' },
      items: [{ name: 'Pix' }],
    });
  });

  test('is not sent when nothing is left of the name', async () => {
    const request = chargeRequest({ payer: { ...payer, name: '--- ***' } });
    const { adapter, asked } = answering(() => ({ json: order() }));
    expect(await failureOf(adapter.createCharge(request, soon()))).toMatchObject({
      failure: 'rejected_payer',
      message: expect.stringContaining('payer.name'),
    });
    expect(asked).toEqual([]);
  });

  test.each([
    ['a landline', '(11) 3333-4444', [{ country: '55', area: '11', number: '33334444', type: 'HOME' }]],
    ['a phone from abroad', '+1 415 555 2671', undefined],
    ['no phone', null, undefined],
  ])('of a payer with %s', async (_, phone, phones) => {
    const sent = (await bodyOf({ payer: { ...payer, phone } })) as { customer: { phones?: unknown } };
    expect(sent.customer.phones).toEqual(phones);
  });

  test.each([
    ['http://pay.example.com/n', false],
    ['https://localhost/n', false],
    ['https://pay/n', false],
    ['https://pay.local/n', false],
    ['https://pay.local./n', false],
    ['https://pay.home.arpa/n', false],
    ['https://10.0.0.7/n', false],
    ['https://[::1]:3000/n', false],
    ['https://pay.example.com:8443/n', true],
    ['https://203.0.113.9/n', false],
    ['https://8.8.8.8/n', true],
  ])('with the notification URL %s', async (notificationUrl, isSent) => {
    expect(isReachable(notificationUrl)).toBe(isSent);
    expect(JSON.stringify(await bodyOf({ notificationUrl })).includes('notification_urls')).toBe(isSent);
  });

  test.each([
    ['none', undefined, 'active'],
    ['one that waits', [charge({ status: 'WAITING', paid_at: null })], 'active'],
    ['one that was declined', [charge({ status: 'DECLINED', paid_at: null })], 'active'],
    ['one in analysis', [charge({ status: 'IN_ANALYSIS', paid_at: null })], 'unrecognised'],
    ['one of a word of tomorrow', [charge({ status: 'SETTLED' })], 'unrecognised'],
    [
      'one cancelled before it was paid',
      [charge({ status: 'CANCELED', paid_at: null }, { paid: 0, refunded: 0 })],
      'cancelled',
    ],
    [
      'one cancelled that only its sum calls paid',
      [charge({ status: 'CANCELED', paid_at: null }, { paid: 11_010, refunded: 0 })],
      'contested',
    ],
    ['one given back beside a paid one', [charge({ status: 'CANCELED' }, { refunded: 0 }), charge()], 'paid'],
    ['one that was declined before another was paid', [charge({ status: 'DECLINED' }), charge()], 'paid'],
    ['one that was paid by card', [charge({ payment_method: { type: 'CREDIT_CARD' } })], 'active'],
    [
      'one that was paid and cancelled, and whose sum says that nothing went back',
      [charge({ status: 'CANCELED' }, { refunded: 0 })],
      'contested',
    ],
    ['one whose method is not told', [charge({ payment_method: null })], 'paid'],
  ])('whose charge is %s', async (_, charges, status) => {
    expect((await found(charges))?.status).toBe(status);
  });

  test('without a code is not one of ours', async () => {
    const { qr_codes: _, ...without } = order([charge()]);
    const { adapter } = answering(() => ({ json: without }));
    const name = { transactionId: '', reference: 'ORDE_1' };
    expect(await adapter.findCharge(name, soon())).toMatchObject({ status: 'unrecognised', receivedPix: [] });
  });
});

describe('the Pix of an order', () => {
  const endToEndId = 'E12345678202611201200abcdefghijk';
  const pix = (end_to_end_id: string) => ({ payment_method: { type: 'PIX', pix: { end_to_end_id } } });

  test.each([
    ['without an end-to-end id', charge(), undefined],
    ['with one', charge(pix(endToEndId)), endToEndId],
    ['with the id of a return', charge(pix('D123')), undefined],
  ])('is the same %s', async (_, given, reportedEndToEndId) => {
    expect((await found([given]))?.receivedPix).toEqual([
      {
        endToEndId: `PAGBANK${ourId}`,
        reportedEndToEndId,
        amountInCents: cents(11010),
        returnedInCents: cents(0),
        paidAt: new Date('2023-02-20T17:39:49.163Z'),
      },
    ]);
  });

  test.each([
    ['a part', charge({}, { refunded: 1_000 }), cents(1_000)],
    ['a part, and less counts as paid', charge({}, { paid: 10_010, refunded: 1_000 }), cents(1_000)],
    ['a part, and it counts as cancelled', charge({ status: 'CANCELED' }, { refunded: 1_000 }), cents(1_000)],
    ['the whole', charge({ status: 'CANCELED' }, { refunded: 11_010 }), cents(11_010)],
    [
      'the whole, and nothing counts as paid',
      charge({ status: 'CANCELED' }, { paid: 0, refunded: 11_010 }),
      cents(11_010),
    ],
    ['the whole, without a sum', charge({ status: 'CANCELED', amount: { value: 11010 } }), cents(11_010)],
    ['nothing, without a summary', charge({ amount: { value: 11010 } }), cents(0)],
  ])('of which %s went back', async (_, given, returnedInCents) => {
    expect(await found([given])).toMatchObject({
      status: 'paid',
      receivedPix: [{ amountInCents: cents(11010), returnedInCents }],
    });
  });

  test.each([
    ['another amount', charge({}, { paid: 100 })],
    ['another value', charge({ amount: { value: 100 } })],
  ])('of %s is not believed', async (_, given) => {
    expect(await found([given])).toMatchObject({ status: 'unrecognised', receivedPix: [] });
  });
});

describe('an order whose creation got no response', () => {
  test('is created again with the same key, which returns its code', async () => {
    let requestCount = 0;
    const keys: unknown[] = [];
    const tools = fakeTools((_, { headers }) => {
      keys.push(headers?.['x-idempotency-key']);
      requestCount += 1;
      return { json: requestCount === 1 ? {} : order() };
    }, now);
    const request = chargeRequest({ transactionId: ourId });
    const made = await pagbank.connect(settings, tools).createCharge(request, soon());
    expect(made).toMatchObject({ reference: 'ORDE_1', pixCopyPaste: recordedCode });
    expect(keys).toEqual([ourId, ourId]);
  });

  test.each([
    ['a conflict', { status: 409, json: { error_messages: [{ code: '40005' }] } }],
    ['a key in use', { status: 400, json: { error_messages: [{ code: '40005' }] } }],
    ['no sense', { status: 200, json: {} }],
  ])('stays unknown when it is answered with %s', async (_, reply) => {
    const { adapter, asked } = answering(() => reply);
    expect((await failureOf(adapter.createCharge(chargeRequest(), soon()))).failure).toBe('unknown');
    expect(asked).toHaveLength(2);
  });

  test('is found by our id once it is paid', async () => {
    const { adapter, asked } = answering((path) => ({
      json: path.startsWith('GET /charges')
        ? [charge({ reference_id: 'other' }), charge()]
        : order([charge()]),
    }));
    expect(await adapter.findCharge(byOurIdOnly(ourId), soon())).toMatchObject({
      reference: 'ORDE_1',
      status: 'paid',
    });
    expect(asked).toEqual([`GET /charges?reference_id=${ourId}`, 'GET /orders?charge_id=CHAR_1']);
  });

  test.each([
    ['no charge', { status: 404, json: { error_messages: [] } }],
    ['an empty list', { json: [] }],
    ['a charge of another reference', { json: charge({ reference_id: 'other' }) }],
  ])('is not there while the search finds %s', async (_, reply) => {
    const { adapter } = answering(() => reply);
    expect(await adapter.findCharge(byOurIdOnly(ourId), soon())).toBeUndefined();
  });
});

describe('a refusal', () => {
  const refusedWith = async (status: number, ...error_messages: object[]) => {
    const { adapter } = answering(() => ({ status, json: { error_messages } }));
    return failureOf(adapter.createCharge(chargeRequest(), soon()));
  };

  test.each([
    ['customer.name', 'payer.name'],
    ['customer.tax_id', 'payer.document'],
    ['customer.email', 'payer.email'],
    ['customer.phones[0].number', 'payer.phone'],
  ])('of %s names the field of the payer', async (parameter_name, field) => {
    const failure = await refusedWith(400, {
      code: '40002',
      description: 'invalid_parameter',
      parameter_name,
    });
    expect(failure).toMatchObject({ failure: 'rejected_payer', message: expect.stringContaining(field) });
  });

  test.each([
    [{ code: '40002', error: 'invalid_parameter', parameter_name: 'items[0].name' }, 'about items[0].name'],
    [{ code: '40001', description: 'required_parameter' }, 'required_parameter'],
    [{ code: 40003, description: 'a sentence about Gumercindo' }, 'code 40003'],
    [{ error: 'invalid_value', description: 'Field has an invalid value.' }, 'invalid_value'],
  ])('%j keeps its words for the operator, and no prose', async (message, words) => {
    const failure = await refusedWith(400, message);
    expect(failure).toMatchObject({ failure: 'rejected', message: expect.stringContaining(words) });
    expect(failure.message).not.toMatch(/sentence|Field/);
  });

  test.each([
    { code: 'ACCESS_DENIED', description: 'whitelist access required. Contact PagSeguro' },
    { error: 'allowlist_access_required', description: 'Allowlist access required. Contact PagBank' },
  ])('of an account that may not use the API says what to do: %j', async (message) => {
    expect(await refusedWith(403, message)).toMatchObject({
      failure: 'rejected',
      message: expect.stringContaining('ask its support'),
      reason: 'account_not_enabled',
    });
  });

  test('of a proxy in front of PagBank is one of the credential', async () => {
    expect(await refusedWith(403)).toMatchObject({
      failure: 'rejected',
      message: expect.stringContaining('credential'),
    });
  });

  test('for too much usage may be sent later', async () => {
    const failure = await refusedWith(400, { code: '40004' });
    expect(failure).toMatchObject({ failure: 'rate_limited', retryAfterMs: 60_000 });
  });
});

describe('a refund', () => {
  const request: RefundRequest = {
    transactionId: ourId,
    reference: 'ORDE_1',
    refundId: 'b'.repeat(32),
    refundReference: null,
    otherRefunds: [],
    startedAt: now,
    endToEndId: `PAGBANK${ourId}`,
    amountInCents: cents(200),
  };
  const known = (refunded: number, changes: Partial<RefundRequest> = {}) => {
    const { adapter } = answering(() => ({ json: order([charge({}, { refunded })]) }));
    return adapter.findRefund({ ...request, ...changes }, soon());
  };
  const done = { reference: request.refundId, status: 'completed' };
  const other = (amount: number, reference: string | null = 'c', refundId: string | null = null) => ({
    refundId,
    startedAt: refundId === null ? null : now,
    reference,
    amountInCents: cents(amount),
    isOpen: reference === null,
    isTakenBack: false,
  });
  const [earlier, later] = ['0'.repeat(32), 'f'.repeat(32)];

  test('is sent with its amount and its id, and told by the sum', async () => {
    const tools = fakeTools((asked, { body, headers }) => {
      if (!asked.startsWith('POST')) return { json: order([charge()]) };
      expect(asked).toBe('POST /charges/CHAR_1/cancel');
      expect(headers).toMatchObject({ 'x-idempotency-key': request.refundId });
      expect(body).toEqual({ amount: { value: 200 } });
      return { status: 201, json: charge({}, { refunded: 200 }) };
    }, now);
    expect(await pagbank.connect(settings, tools).refundCharge(request, soon())).toEqual(done);
  });

  test('that is not in the sum yet is pending', async () => {
    const { adapter } = answering((asked) => ({
      json: asked.startsWith('POST') ? charge() : order([charge()]),
    }));
    const refund = await adapter.refundCharge(request, soon());
    expect(refund).toEqual({ ...done, status: 'pending' });
    const accepted = { refundReference: refund.reference };
    expect(await known(0, accepted)).toEqual(refund);
    expect(await known(200, accepted)).toEqual(done);
  });

  test.each<[string, number, RefundRequest['otherRefunds'], object | undefined]>([
    ['nothing went back', 0, [], undefined],
    ['its amount went back', 200, [], done],
    ['less went back', 199, [], undefined],
    ['only another went back', 300, [other(300)], undefined],
    ['another and it went back', 500, [other(300)], done],
    ['another whose answer was lost did not go back either', 0, [other(300, null, earlier)], undefined],
    ['another whose answer was lost went back too', 500, [other(300, null, earlier)], done],
    ['only another whose answer was lost went back', 300, [other(300, null, earlier)], undefined],
    ['only this went back, no other whose answer was lost', 200, [other(300, null, earlier)], done],
    ['of two of an amount, the earlier went back', 200, [other(200, null, earlier)], undefined],
    ['of two of an amount, this is the earlier', 200, [other(200, null, later)], done],
    ['more went back than we know of', 500, [], done],
  ])('whose answer was lost is found by the sum: %s', async (_, refunded, otherRefunds, refund) => {
    expect(await known(refunded, { otherRefunds })).toEqual(refund);
  });

  test('is unknown when the sum is none of those of the refunds whose answers were lost', async () => {
    const otherRefunds = [other(300, null, earlier)];
    expect((await failureOf(known(400, { otherRefunds }))).failure).toBe('unknown');
  });

  test('of an order that was not paid is rejected', async () => {
    const { adapter, asked } = answering(() => ({ json: order() }));
    expect((await failureOf(adapter.refundCharge(request, soon()))).failure).toBe('rejected');
    expect(asked).toEqual(['GET /orders/ORDE_1']);
  });
});

describe('a notification', () => {
  const raw = (body: string, signature?: string): RawNotification => ({
    headers: { 'x-authenticity-token': signature, 'x-product-id': 'ORDE_1' },
    query: new URLSearchParams(),
    body: Buffer.from(body),
    hasTrustedCertificate: false,
  });
  const verify = (body: string, signature?: string) =>
    pagbank.notifications.verify(
      raw(body, signature),
      settings,
      fakeTools(() => ({ json: {} })),
    );
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const body = '{"id":"ORDE_1","customer":{"name":"José"}}';
  const signature = hash(`account-token-${body}`);

  test('is verified byte by byte with the token of the account', () => {
    expect(verify(body, signature)).toBe(true);
    expect(verify(body, signature.toUpperCase())).toBe(true);
  });

  test('without a signature is unproven', () => {
    expect(verify(body)).toBe('unproven');
  });

  test.each([
    ['an empty signature', body, ''],
    ['another token', body, hash(`another-token-${body}`)],
    ['the token after the body', body, hash(`${body}-account-token`)],
    ['a byte more in its body', `${body} `, signature],
    ['its body written anew', body.replace('é', '\\u00e9'), signature],
  ])('with %s is refused', (_, given, by) => {
    expect(verify(given, by)).toBe(false);
  });

  const ours = { transactionId: ourId, reference: 'ORDE_1' };
  test.each([
    [{ id: 'ORDE_1', reference_id: ourId, charges: [charge()] }, [ours]],
    [{ id: 'ORDE_1', reference_id: ourId }, [ours]],
    [charge(), [{ ...ours, reference: null }]],
    [{ id: 'ORDE_1', reference_id: 'SHOP-7' }, []],
    [{ id: 'CHEC_1', reference_id: ourId }, []],
    [{ id: 'CBKS_1' }, []],
    [{ notificationCode: '1' }, []],
    [{}, []],
  ])('%j names our charges only', (named, charges) => {
    expect(pagbank.notifications.charges(raw(JSON.stringify(named)))).toEqual(charges);
  });
});

describe('against the emulator', () => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject(pagbank, emulated);
  });
  afterEach(() => {
    subject.emulator.faults.clear();
    subject.emulator.switches.reset();
  });
  afterAll(() => subject.stop());

  test.each(['reset', 'error', 'truncate', 'cut'] as const)(
    'an order whose creation was answered badly once has its code all the same: %s',
    async (kind) => {
      const { adapter, emulator, chargeAt } = subject;
      const request = chargeRequest();
      emulator.faults.add({ kind, isDone: true, operation: 'create' });
      const { pixCopyPaste } = await adapter.createCharge(request, soon());
      expect(pixCopyPaste).toBe(chargeAt(request.transactionId).details['code']);
    },
  );

  test('an order is not made twice with other contents', async () => {
    const request = chargeRequest();
    await subject.adapter.createCharge(request, soon());
    const other = { ...request, amountInCents: cents(1) };
    expect((await failureOf(subject.adapter.createCharge(other, soon()))).failure).toBe('unknown');
    subject.chargeAt(request.transactionId);
  });

  test('a paid order whose charge comes late is paid at the second look', async () => {
    const { adapter, emulator } = subject;
    emulator.switches.turn('lateCharges', true);
    const made = await adapter.createCharge(chargeRequest(), soon());
    await emulator.pay(made.transactionId);
    expect((await adapter.findCharge(chargeIdsOf(made), soon()))?.status).toBe('active');
    expect((await adapter.findCharge(chargeIdsOf(made), soon()))?.status).toBe('paid');
  });

  test('the end-to-end id is told when PagBank shows it', async () => {
    const { adapter, emulator } = subject;
    emulator.switches.turn('endToEndId', true);
    const made = await adapter.createCharge(chargeRequest(), soon());
    const { endToEndId } = await emulator.pay(made.transactionId);
    const [pix] = (await adapter.findCharge(chargeIdsOf(made), soon()))?.receivedPix ?? [];
    expect(pix).toMatchObject({
      endToEndId: `PAGBANK${made.transactionId}`,
      reportedEndToEndId: endToEndId,
    });
  });

  test('a notification without a signature is unproven', async () => {
    const { adapter, emulator, provider, settings: own, tools } = subject;
    emulator.switches.turn('unsigned', true);
    const made = await adapter.createCharge(chargeRequest(), soon());
    await emulator.pay(made.transactionId);
    const notification = emulator.notifier.sent.at(-1);
    expect(notification && (await provider.notifications.verify(rawOf(notification), own, tools))).toBe(
      'unproven',
    );
  });

  test('an account that PagBank has not enabled is told so at the first charge', async () => {
    const { adapter, emulator } = subject;
    emulator.switches.turn('notEnabled', true);
    const failure = await failureOf(adapter.createCharge(chargeRequest(), soon()));
    expect(failure).toMatchObject({ failure: 'rejected', message: expect.stringContaining('Orders API') });
  });

  test('a second refund is sent once the first is known, and neither twice', async () => {
    const { adapter, emulator, chargeAt } = subject;
    const made = await adapter.createCharge(chargeRequest(), soon());
    await emulator.pay(made.transactionId);
    const first = refundRequest(made, { amountInCents: cents(100), refundId: newHexId() });
    const { reference } = await adapter.refundCharge(first, soon());
    const second = refundRequest(made, {
      amountInCents: cents(100),
      otherRefunds: [{ ...first, reference, isOpen: false, isTakenBack: false }],
    });
    expect(await adapter.findRefund(second, soon())).toBeUndefined();
    emulator.faults.add({ kind: 'reset', isDone: true, operation: 'refund' });
    expect((await failureOf(adapter.refundCharge(second, soon()))).failure).toBe('unknown');
    expect(await adapter.findRefund(second, soon())).toMatchObject({ status: 'completed' });
    expect(chargeAt(made.transactionId).refunds).toHaveLength(2);
  });
});
