import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { cents } from '../../src/core/base/money.ts';
import type { RawNotification } from '../../src/core/providers/rules/psp.ts';
import { asaas } from '../../src/psp/asaas/adapter.ts';
import { paymentBodyOf } from '../../src/psp/asaas/mapping.ts';
import { maximumOperationRequests } from '../../src/psp/http/operation-budget.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { checkAccount } from '../../src/core/providers/check-credential.ts';
import { asaas as emulated } from '../support/psp-emulator/asaas.ts';
import type { DefinePsp } from '../support/psp-emulator/psp.ts';
import { asaasRequests } from '../support/asaas-requests.ts';
import { describeProvider } from './contract.ts';
import {
  address,
  byOurIdOnly,
  chargeRequest,
  failureOf,
  newHexId,
  openSubject,
  payer,
  refundRequest,
  soon,
  type Subject,
} from './contract-setup.ts';
import { fakeTools } from './fake-http.ts';

describeProvider('asaas', asaas, emulated, {
  noPixTransaction: ['money'],
  noEndToEndId: ['money'],
});

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
const now = new Date('2026-11-22T12:00:00Z');
const found = (changes: object, pixTransaction: object = {}) => {
  const answer = (asked: string) => (asked.startsWith('GET /v3/pix/') ? pixTransaction : payment(changes));
  const tools = fakeTools((asked) => ({ json: answer(asked) }), now);
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
    ['CONFIRMED', 'contested'],
    ['RECEIVED_IN_CASH', 'cancelled'],
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
        isOnlyPix: true,
        amountInCents: cents(11010),
        returnedInCents: cents(0),
        reversals: [],
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
    const pending = [{ status: 'PENDING', value: 110.1 }];
    expect(await found({ status: 'REFUNDED', refunds: pending }, pix)).toMatchObject({ status: 'contested' });
  });

  test('lists what went back: our refunds by our id, others by when they were made', async () => {
    const refunds = [
      {
        status: 'DONE',
        value: 10,
        description: `Reembolso ${'b'.repeat(32)}`,
        effectiveDate: '2026-11-20 10:00:00',
      },
      { status: 'PENDING', value: 20, description: null, dateCreated: '2026-11-20 11:00:00' },
      { status: 'DONE', value: 1 },
    ];
    const [pix] = (await found({ status: 'RECEIVED', refunds }))?.receivedPix ?? [];
    expect(pix).toMatchObject({
      returnedInCents: cents(1100),
      reversals: [
        { reference: 'b'.repeat(32), status: 'completed', reversedAt: new Date('2026-11-20T13:00:00Z') },
        { reference: '2026-11-20 11:00:00', status: 'pending', reason: 'returned_at_psp' },
      ],
    });
  });

  test.each([
    ['REQUESTED', 'CHARGEBACK_REQUESTED', 'open', 'contested'],
    ['IN_DISPUTE', 'CHARGEBACK_DISPUTE', 'open', 'contested'],
    ['REVERSED', 'AWAITING_CHARGEBACK_REVERSAL', 'open', 'contested'],
    [undefined, 'CHARGEBACK_REQUESTED', 'open', 'contested'],
    ['REVERSED', 'RECEIVED', 'won', 'paid'],
    ['DONE', 'REFUNDED', 'lost', 'paid'],
    ['DISPUTE_LOST', 'REFUNDED', 'lost', 'paid'],
  ])(
    'with a chargeback that is %s and that is %s has a dispute that is %s',
    async (state, status, dispute, meaning) => {
      const about = {
        status: state,
        reason: 'FRAUD',
        value: 110.1,
        deadlineToSendDisputeDocuments: '2026-12-01',
      };
      const charge = await found({ status, ...(state && { chargeback: about }) });
      expect(charge?.status).toBe(meaning);
      expect(charge?.disputes).toEqual([
        {
          reference: 'chargeback',
          state: dispute,
          amountInCents: cents(11010),
          reason: state ? 'FRAUD' : null,
          defenceUntil: state ? new Date('2026-12-01T03:00:00Z') : null,
          openedAt: null,
        },
      ]);
      const [pix] = charge?.receivedPix ?? [];
      const taken = {
        reference: 'chargeback',
        reason: 'chargeback',
        status: 'completed',
        amountInCents: cents(11010),
      };
      expect(pix?.reversals ?? []).toMatchObject(dispute === 'lost' ? [taken] : []);
    },
  );

  test('of which a part went back before a chargeback lost the rest', async () => {
    const refunds = [{ status: 'DONE', value: 10, dateCreated: '2026-11-20 11:00:00' }];
    const charge = await found({ status: 'REFUNDED', refunds, chargeback: { status: 'DONE' } });
    expect(charge?.receivedPix[0]).toMatchObject({
      returnedInCents: cents(11010),
      reversals: [{ amountInCents: cents(1000) }, { reason: 'chargeback', amountInCents: cents(10010) }],
    });
  });

  const unnamed = { endToEndId: `ASAAS${ourId}`, isOnlyPix: true, amountInCents: cents(11010) };
  test.each([
    ['without its Pix transaction', {}, {}, '2026-11-21T02:59:59Z'],
    [
      'whose Pix has no id',
      { pixTransaction: 'c1f17d02' },
      { value: 110.1, effectiveDate: '2026-11-20 10:00:00' },
      '2026-11-20T13:00:00Z',
    ],
  ])('that is received, %s, is money received', async (_, changes, pix, paidAt) => {
    const charge = await found({ status: 'RECEIVED', paymentDate: '2026-11-20', ...changes }, pix);
    expect(charge).toMatchObject({ status: 'paid', receivedPix: [{ ...unnamed, paidAt: new Date(paidAt) }] });
  });

  test('that is received, whose Pix may not be seen, is money received', async () => {
    const tools = fakeTools((asked) =>
      asked.startsWith('GET /v3/pix/')
        ? { status: 401, json: { errors: [] } }
        : { json: payment({ status: 'RECEIVED', pixTransaction: 'c1f17d02' }) },
    );
    const charge = await asaas.connect(settings, tools).findCharge(name, soon());
    expect(charge).toMatchObject({ status: 'paid', receivedPix: [unnamed] });
  });

  test('that is received, whose Pix cannot be had now, is money received of which something is missing', async () => {
    const charge = await found({ status: 'RECEIVED', pixTransaction: 'c1f17d02' }, { value: 'odd' });
    expect(charge).toMatchObject({ status: 'paid', receivedPix: [unnamed], missing: { failure: 'unknown' } });
  });

  const pix = {
    endToEndIdentifier: 'E1',
    value: 110.1,
    status: 'DONE',
    type: 'CREDIT',
    payment: 'pay_1',
    effectiveDate: '2026-11-20 21:22:17',
  };
  const named = async (changes: object, status = 200) => {
    const tools = fakeTools(
      (asked) =>
        asked.startsWith('GET /v3/pix/')
          ? { status, json: { ...pix, ...changes } }
          : { json: payment({ status: 'RECEIVED', pixTransaction: 'c1f17d02' }) },
      new Date('2026-11-21T01:22:00Z'),
    );
    const adapter = asaas.connect(settings, tools);
    const charge = await adapter.findCharge({ ...name, pixReference: 'c1f17d02' }, soon());
    return { asked: tools.asked, charge };
  };

  test('whose Pix is named is confirmed by that alone', async () => {
    const { asked, charge } = await named({ refundedValue: 0 });
    expect(asked).toEqual(['GET /v3/pix/transactions/c1f17d02']);
    expect(charge).toMatchObject({ ...name, status: 'paid', receivedPix: [{ endToEndId: 'E1' }] });
  });

  test.each([
    ['of another payment', { payment: 'pay_2' }, 200],
    ['of no payment', { payment: null }, 200],
    ['received over an hour ago', { effectiveDate: '2026-11-20 21:21:59' }, 200],
    ['held for analysis', { status: 'AWAITING_CASH_IN_RISK_ANALYSIS_REQUEST' }, 200],
    ['money that left', { type: 'DEBIT' }, 200],
    ['returned in part', { refundedValue: 10 }, 200],
    ['returned, in a form that cannot be read', { refundedValue: '10' }, 200],
    ['not to be seen', {}, 403],
  ])('whose named Pix is %s is looked at itself, and the Pix not twice', async (_, changes, status) => {
    const { asked, charge } = await named(changes, status);
    expect(asked).toEqual(['GET /v3/pix/transactions/c1f17d02', 'GET /v3/payments/pay_1']);
    expect(charge?.status).toBe('paid');
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

  test('that Asaas has deleted is made again', async () => {
    const request = chargeRequest({ payer: { ...payer, document: '111.444.777-35' } });
    await subject.tools.customers?.keep('11144477735', 'cus_deleted');
    const before = created().length;
    expect((await subject.adapter.createCharge(request, soon())).status).toBe('active');
    expect(created()).toHaveLength(before + 1);
    expect(await subject.tools.customers?.find('11144477735')).not.toBe('cus_deleted');
  });

  test('that was perhaps not made leaves the charge certainly not made', async () => {
    const request = chargeRequest({ payer: { ...payer, document: '935.411.347-80' } });
    subject.emulator.faults.add({ kind: 'reset', operation: 'prepare' });
    const failure = await failureOf(subject.adapter.createCharge(request, soon()));
    expect(failure.failure).toBe('not_sent');
    expect(await subject.adapter.findCharge(byOurIdOnly(request.transactionId), soon())).toBeUndefined();
  });

  test('with an address has it', async () => {
    const somewhere = { ...payer, document: '390.533.447-05', address };
    await subject.adapter.createCharge(chargeRequest({ payer: somewhere }), soon());
    expect(created().at(-1)?.json).toMatchObject({
      address: 'Avenida Paulista',
      addressNumber: '1578',
      complement: 'Conjunto 2',
      province: 'Bela Vista',
      postalCode: '01310200',
    });
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

test.each([
  ['a forbidden address', [{ code: 'not_allowed_ip' }], 'address_not_allowed'],
  ['no body', undefined, 'address_not_allowed'],
  ['a missing permission', [{ code: 'insufficient_permission' }], 'scope_missing'],
])('a 403 for %s is told apart', async (_, errors, reason) => {
  const tools = fakeTools(() => ({ status: 403, json: errors && { errors } }));
  const failure = await failureOf(asaas.connect(settings, tools).findCharge(name, soon()));
  expect(failure).toMatchObject({ failure: 'rejected', reason });
});

describe('a refund', () => {
  const request = {
    ...name,
    refundId: 'b'.repeat(32),
    endToEndId: 'E1',
    amountInCents: cents(1005),
    refundReference: null,
    otherRefunds: [],
    startedAt: now,
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

  test.each(['AWAITING_CRITICAL_ACTION_AUTHORIZATION', 'AWAITING_CUSTOMER_EXTERNAL_AUTHORIZATION'])(
    'that is %s waits for somebody to authorize it',
    async (status) => {
      const { adapter } = against([{ status, value: 10.05, description: `Reembolso ${'b'.repeat(32)}` }]);
      expect(await adapter.refundCharge(request, soon())).toEqual({
        reference: 'b'.repeat(32),
        status: 'pending',
        needsAuthorization: true,
      });
    },
  );

  test.each([
    ['Não foi possível estornar, tente novamente em alguns instantes.', 'not_yet'],
    ['Saldo insuficiente para realizar o estorno.', 'rejected'],
  ])('refused with "%s" is refused %s', async (description, failure) => {
    const tools = fakeTools((asked) =>
      asked.startsWith('POST')
        ? { status: 400, json: { errors: [{ code: 'invalid_action', description }] } }
        : { json: payment() },
    );
    const refused = await failureOf(asaas.connect(settings, tools).refundCharge(request, soon()));
    expect(refused.failure).toBe(failure);
    expect(refused.message).not.toContain('estorn');
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
    [
      'received, with its Pix',
      { event: 'PAYMENT_RECEIVED', payment: { id: 'pay_1', status: 'RECEIVED', pixTransaction: 'c1f17d02' } },
      { reference: 'pay_1', transactionId: null, pixReference: 'c1f17d02' },
    ],
    [
      'refunded, without its Pix',
      { event: 'PAYMENT_REFUNDED', payment: { id: 'pay_1', status: 'REFUNDED', pixTransaction: 'c1f17d02' } },
      { ...name, transactionId: null },
    ],
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

test('reads the statement down to where it began the last time', async () => {
  const subject = await openSubject(asaas, emulated);
  const { adapter, emulator } = subject;
  const { ledger } = emulator;
  const payOne = () => {
    const reference = `pay_${newHexId()}`;
    const expiresAt = new Date(Date.now() + 60_000);
    return ledger.pay(ledger.add({ transactionId: '', reference, amountInCents: cents(500), expiresAt }));
  };
  const window = { since: new Date(), until: new Date() };
  const list = (bookmark: string | null) =>
    adapter.listReceived?.({ ...window, bookmark }, null, soon()) ?? Promise.reject(new Error('cannot list'));
  try {
    for (let count = 0; count < 120; count++) payOne();
    const first = await list(null);
    expect(first.nextCursor).toBe('100');
    for (let count = 0; count < 40; count++) payOne();
    const second = await list(first.bookmark);
    expect(second.nextCursor).toBeNull();
    expect(second.bookmark).not.toBe(first.bookmark);
    for (let count = 0; count < 60; count++) payOne();
    expect((await list(second.bookmark)).nextCursor).toBe('100');
  } finally {
    await subject.stop();
  }
});

describe('an account at Asaas', () => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject(asaas, emulated);
  });
  afterEach(() => {
    subject.emulator.switches.reset();
  });
  afterAll(() => subject.stop());

  test('that does not list our address says so in the check', async () => {
    subject.emulator.switches.turn('addressNotAllowed', true);
    const account = {
      connect: () => ({ adapter: subject.adapter, certificate: null }),
      notificationUrl: 'https://pay.example.com/psp/asaas/t',
      now: () => new Date(),
    };
    const { stages } = await checkAccount(account, soon());
    expect(stages.filter(({ outcome }) => outcome === 'failed')).toMatchObject([
      { stage: 'lookup', reason: 'address_not_allowed' },
    ]);
  });

  test('refuses less than the smallest amount of its capabilities, and no more', async () => {
    const { adapter, emulator } = subject;
    emulator.switches.turn('minimumAmount', true);
    const minimum = adapter.capabilities.amountInCents?.minimum ?? cents(0);
    const created = (amountInCents: bigint) =>
      adapter.createCharge(chargeRequest({ amountInCents: cents(amountInCents) }), soon());
    expect((await created(minimum)).status).toBe('active');
    const failure = await failureOf(created(minimum - 1n));
    expect(failure).toMatchObject({ failure: 'rejected', message: expect.stringContaining('invalid_value') });
  });
});

test('takes few requests of the quota for each operation', async () => {
  const subject = await openSubject(asaas, emulated);
  const { adapter, emulator } = subject;
  const requestsOf = async <T>(work: () => Promise<T>) => {
    const before = emulator.requests.length;
    const result = await work();
    return { result, requests: emulator.requests.length - before };
  };
  try {
    const create = () => adapter.createCharge(chargeRequest({ wasNeverSent: true }), soon());
    expect((await requestsOf(create)).requests).toBe(asaasRequests.createForNewPayer);
    const { result: made, requests } = await requestsOf(create);
    expect(requests).toBe(asaasRequests.create);
    const look = () => adapter.findCharge(made, soon());
    expect((await requestsOf(look)).requests).toBe(asaasRequests.look);
    const cancel = () => adapter.cancelCharge(made, soon());
    expect((await requestsOf(cancel)).requests).toBe(asaasRequests.cancel);
    const paid = await create();
    await emulator.pay(paid.transactionId);
    const confirmed = await requestsOf(() => adapter.findCharge(paid, soon()));
    expect(confirmed.requests).toBe(asaasRequests.confirm);
    const window = { since: new Date(), until: new Date(), bookmark: null };
    const listed = await requestsOf(async () => adapter.listReceived?.(window, null, soon()));
    expect(listed.requests).toBe(asaasRequests.sweep);
    const named = await requestsOf(() =>
      adapter.findCharge({ ...paid, pixReference: listed.result?.charges[0]?.pixReference }, soon()),
    );
    expect(named.requests).toBe(asaasRequests.confirmNamed);
    const [pix] = named.result?.receivedPix ?? [];
    expect(confirmed.result?.receivedPix).toEqual([{ ...pix, reversals: [] }]);
  } finally {
    await subject.stop();
  }
});
