import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { cents } from '../../src/core/base/money.ts';
import type { RawNotification } from '../../src/core/providers/rules/psp.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { woovi } from '../../src/psp/woovi/adapter.ts';
import { woovi as emulated } from '../support/psp-emulator/woovi.ts';
import { describeProvider } from './contract.ts';
import { chargeRequest, failureOf, payer, soon } from './contract-setup.ts';
import { fakeTools } from './fake-http.ts';

describeProvider('woovi', woovi, emulated, {
  'noTransactionId+noTransactions': ['money'],
});

const settings = parseSettings(woovi, { appId: 'app-id' });
const ourId = 'a'.repeat(32);
const name = { transactionId: ourId, reference: null };
const now = new Date('2026-11-20T12:00:00Z');

const charge = (changes: object = {}) => ({
  status: 'ACTIVE',
  value: 11010,
  correlationID: ourId,
  transactionID: 'd983a07836cf48ed9a65764d3c184273',
  expiresDate: '2026-11-20T13:00:00.000Z',
  brCode: 'code',
  ...changes,
});
interface Elsewhere {
  refunds?: object[];
  transactions?: object;
  dispute?: object;
}

/** What Woovi has on record, by path; what is in none of them does not exist. */
const having = (changes: object, { refunds = [], transactions = [], dispute }: Elsewhere = {}) =>
  fakeTools((asked) => {
    if (asked.endsWith('/refund')) return { json: { refunds } };
    if (asked.includes('/transaction?')) return { json: { transactions } };
    if (!asked.includes('/dispute/')) return { json: { charge: charge(changes) } };
    return dispute ? { json: { dispute } } : { status: 400, json: { error: 'Dispute not found' } };
  }, now);

const found = (changes: object, elsewhere: Elsewhere = {}) =>
  woovi.connect(settings, having(changes, elsewhere)).findCharge(name, soon());

describe('a charge', () => {
  test('is found by the reference alone, and tells our id', async () => {
    const adapter = woovi.connect(
      settings,
      fakeTools(() => ({ json: { charge: charge() } }), now),
    );
    const named = await adapter.findCharge(
      { transactionId: '', reference: 'd983a07836cf48ed9a65764d3c184273' },
      soon(),
    );
    expect(named).toMatchObject({ transactionId: ourId, status: 'active' });
  });

  const bodyOf = async (changes: Parameters<typeof chargeRequest>[0]) => {
    let sent: unknown;
    const tools = fakeTools((_, { body, headers }) => {
      expect(headers).toMatchObject({ authorization: 'app-id' });
      sent = body;
      return { json: { charge: charge(), correlationID: ourId, brCode: 'code' } };
    }, now);
    const request = chargeRequest({
      transactionId: ourId,
      expiresAt: new Date('2026-11-20T13:00:00Z'),
      ...changes,
    });
    await woovi.connect(settings, tools).createCharge(request, soon());
    expect(tools.asked).toEqual(['POST /api/v1/charge?return_existing=true']);
    return sent;
  };

  test('is asked for in centavos, by our id, for so many seconds', async () => {
    expect(await bodyOf({ description: 'é'.repeat(200) })).toEqual({
      correlationID: ourId,
      value: 11010,
      type: 'DYNAMIC',
      expiresIn: 3600,
      comment: 'é'.repeat(140),
      customer: { name: payer.name, taxID: '52998224725', email: payer.email, phone: '+5511987654321' },
    });
  });

  test.each([
    { ...payer, name: null },
    { ...payer, document: null, email: null, phone: '(11) 8765-4321' },
  ])('has no customer of whom too little is known', async (known) => {
    expect(await bodyOf({ payer: known })).not.toHaveProperty('customer');
  });

  test.each([
    ['ACTIVE', 'active'],
    ['COMPLETED', 'paid'],
    ['PAID', 'unrecognised'],
    ['A_WORD_OF_TOMORROW', 'unrecognised'],
  ])('that is %s is %s', async (status, meaning) => {
    expect((await found({ status }))?.status).toBe(meaning);
  });

  test('that has expired before its time was deleted', async () => {
    expect((await found({ status: 'EXPIRED' }))?.status).toBe('cancelled');
    expect((await found({ status: 'EXPIRED', expiresDate: '2026-11-20T12:00:00.000Z' }))?.status).toBe(
      'expired',
    );
  });

  const paid = { status: 'COMPLETED', paidAt: '2026-11-20T12:01:00.000Z' };
  const pix = {
    endToEndId: `WOOVI${ourId}`,
    amountInCents: cents(11010),
    returnedInCents: cents(0),
    reversals: [],
    paidAt: new Date(paid.paidAt),
  };

  test('stands for its Pix itself, and what went back is in a list of its own', async () => {
    const tools = having(paid);
    const told = await woovi.connect(settings, tools).findCharge(name, soon());
    expect(told).toMatchObject({ status: 'paid', receivedPix: [pix] });
    expect(tools.asked).toEqual([
      `GET /api/v1/charge/${ourId}`,
      `GET /api/v1/charge/${ourId}/refund`,
      `GET /api/v1/transaction?charge=${ourId}`,
    ]);
  });

  const endToEndId = 'E18236120202012032010s0133872GZA';
  const transactions = [
    { type: 'REFUND', endToEndId: 'D1' },
    { type: 'PAYMENT', endToEndId },
  ];

  test.each([
    ['a list', transactions],
    ['one, as in the example of the documentation', transactions[1] as object],
  ])('tells the end-to-end id of its Pix, from %s', async (_, given) => {
    const told = await found(paid, { transactions: given });
    expect(told?.receivedPix).toMatchObject([{ ...pix, reportedEndToEndId: endToEndId }]);
    expect(told?.disputes).toEqual([]);
  });

  test("has neither the id nor the dispute of another charge's Pix", async () => {
    const others = { type: 'PAYMENT', endToEndId, charge: { correlationID: 'b'.repeat(32) } };
    const dispute = { type: 'MED', status: 'ACCEPTED' };
    const told = await found(paid, { transactions: [others], dispute });
    expect(told?.receivedPix).toEqual([pix]);
    expect(told).not.toHaveProperty('disputes');
    const own = { ...others, charge: { correlationID: ourId } };
    const both = await found(paid, { transactions: [{ ...others, endToEndId: `${endToEndId}1` }, own] });
    expect(both?.receivedPix).toMatchObject([{ reportedEndToEndId: endToEndId }]);
  });

  test('lists what went back, by our ids where they are ours', async () => {
    const refunds = [
      { status: 'CONFIRMED', value: 1000, correlationID: 'b'.repeat(32), time: '2026-11-20T12:02:00.000Z' },
      { status: 'IN_PROCESSING', value: 1, endToEndId: 'D2' },
    ];
    const [received] = (await found(paid, { refunds }))?.receivedPix ?? [];
    expect(received?.reversals).toMatchObject([
      { reference: 'b'.repeat(32), status: 'completed', reversedAt: new Date('2026-11-20T12:02:00Z') },
      { reference: 'D2', status: 'pending' },
    ]);
  });

  test.each([
    ['OPENED', 'open', 'contested'],
    ['IN_REVIEW', 'open', 'contested'],
    ['CREATED', 'open', 'contested'],
    ['ACCEPTED', 'lost', 'paid'],
    ['REJECTED', 'won', 'paid'],
    ['CANCELED', 'won', 'paid'],
  ])('with a dispute that is %s has one that is %s, and is %s', async (status, state, meaning) => {
    const dispute = { type: 'CHARGEBACK', status, value: '11010', disputeReason: 'Golpe', name: 'Seu Jorge' };
    const told = await found(paid, { transactions, dispute });
    expect(told).toMatchObject({
      status: meaning,
      disputes: [{ reference: 'dispute', state, amountInCents: cents(11010), reason: 'CHARGEBACK' }],
    });
    const taken = { reference: 'dispute', reason: 'chargeback', status: 'completed' };
    expect(told?.receivedPix[0]?.reversals ?? []).toMatchObject(state === 'lost' ? [taken] : []);
    expect(JSON.stringify(told?.disputes, (_, value: unknown) => String(value))).not.toMatch(/Golpe|Jorge/);
  });

  test.each([
    ['without a value claims all of it', { type: 'MED', status: 'ACCEPTED' }, [], 11010],
    ['claims a part', { type: 'MED', status: 'ACCEPTED', value: 500 }, [], 500],
    [
      'that Woovi lists as a refund too counts once',
      { type: 'MED', status: 'ACCEPTED', value: 500 },
      [{ status: 'CONFIRMED', value: 500, endToEndId: 'D3' }],
      500,
    ],
    [
      'is not what was given back before it was opened',
      { type: 'MED', status: 'ACCEPTED', value: 500, createdAt: '2026-11-20T12:00:00.000Z' },
      [{ status: 'CONFIRMED', value: 500, endToEndId: 'D3', time: '2026-11-20T11:59:59.000Z' }],
      1000,
    ],
    [
      'is not what could not be given back',
      { type: 'MED', status: 'ACCEPTED', value: 500 },
      [{ status: 'REJECTED', value: 500, endToEndId: 'D3' }],
      500,
    ],
    [
      'is not one of our refunds',
      { type: 'MED', status: 'ACCEPTED', value: 500 },
      [{ status: 'CONFIRMED', value: 500, correlationID: 'b'.repeat(32) }],
      1000,
    ],
  ])('whose accepted dispute %s', async (_, dispute, refunds, returned) => {
    const [received] = (await found(paid, { transactions, dispute, refunds }))?.receivedPix ?? [];
    expect(received?.returnedInCents).toBe(cents(returned));
    const taken = received?.reversals?.filter(({ reason }) => reason === 'med_fraud');
    expect(taken).toHaveLength(1);
  });

  test('in a part of which there is an open dispute is paid', async () => {
    const dispute = { type: 'CHARGEBACK', status: 'OPENED', value: 500 };
    expect(await found(paid, { transactions, dispute })).toMatchObject({
      status: 'paid',
      disputes: [{ state: 'open', amountInCents: cents(500) }],
    });
  });

  test('with a dispute in a state that is not known yet says nothing about it', async () => {
    const told = await found(paid, { transactions, dispute: { status: 'A_WORD_OF_TOMORROW' } });
    expect(told).toMatchObject({ status: 'paid' });
    expect(told).not.toHaveProperty('disputes');
  });

  test('is found by the end-to-end id of its Pix', async () => {
    const tools = fakeTools((asked) => {
      if (asked.includes('/transaction/'))
        return { json: { transaction: { charge: { correlationID: ourId } } } };
      return asked.endsWith(ourId) ? { json: { charge: charge() } } : { status: 500, json: {} };
    }, now);
    const adapter = woovi.connect(settings, tools);
    const told = await adapter.findCharge({ transactionId: '', reference: endToEndId }, soon());
    expect(told).toMatchObject({ transactionId: ourId });
    expect(tools.asked[0]).toBe(`GET /api/v1/transaction/${endToEndId}`);
  });

  test.each([
    ['without the permission to see refunds is paid', 403, undefined],
    ['whose refunds cannot be read now is paid, and misses something', 200, { failure: 'unknown' }],
  ])('that is paid, %s', async (_, status, missing) => {
    const tools = fakeTools(
      (asked) =>
        asked.endsWith('/charge/' + ourId)
          ? { json: { charge: charge(paid) } }
          : { status, json: { error: 'no' } },
      now,
    );
    const found = await woovi.connect(settings, tools).findCharge(name, soon());
    expect(found).toMatchObject({ status: 'paid', receivedPix: [{ returnedInCents: cents(0) }] });
    expect(found?.missing).toEqual(missing && expect.objectContaining(missing));
  });

  test('that does not tell when it was paid was paid when it last changed', async () => {
    const changes = { ...paid, paidAt: null, updatedAt: paid.paidAt };
    expect((await found(changes))?.receivedPix).toEqual([pix]);
  });

  test.each([
    [400, 'Cobrança não encontrada', undefined],
    [400, 'Charge not found', undefined],
    [404, 'Not Found', undefined],
    [400, 'Aplicação sem permissão', 'rejected'],
    [401, 'appID inválido', 'rejected'],
  ])('that is answered with HTTP %d "%s"', async (status, error, failure) => {
    const adapter = woovi.connect(
      settings,
      fakeTools(() => ({ status, json: { error } }), now),
    );
    const call = adapter.findCharge(name, soon());
    if (failure) expect((await failureOf(call)).failure).toBe(failure);
    else expect(await call).toBeUndefined();
  });
});

describe('a signature', () => {
  const keysOf = () =>
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
  const first = keysOf();
  const second = keysOf();
  const completed = JSON.stringify({
    event: 'OPENPIX:CHARGE_COMPLETED',
    charge: charge({ status: 'COMPLETED' }),
  });
  const raw = (body: string, privateKey?: string): RawNotification => ({
    headers: privateKey
      ? { 'x-webhook-signature': sign('RSA-SHA256', Buffer.from(body), privateKey).toString('base64') }
      : {},
    query: new URLSearchParams(),
    body: Buffer.from(body),
    hasTrustedCertificate: false,
  });
  const publishing = (at: Date, ...keys: string[]) =>
    fakeTools(
      () => ({ json: { public_keys: keys.map((key) => ({ key_identifier: 'k', is_current: true, key })) } }),
      at,
    );
  const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

  test("is good under a key of the list, which is asked for anew when Woovi's keys change", async () => {
    const sandbox = { ...settings, baseUrl: 'https://api.rotating.example' };
    const tools = publishing(now, first.publicKey);
    expect(await woovi.notifications.verify(raw(completed, first.privateKey), sandbox, tools)).toBe(true);
    expect(await woovi.notifications.verify(raw(completed, first.privateKey), sandbox, tools)).toBe(true);
    expect(tools.asked).toEqual(['GET /api/v1/webhook/public-keys']);
    const rotated = publishing(later(2), 'no key at all', second.publicKey);
    expect(await woovi.notifications.verify(raw(completed, second.privateKey), sandbox, rotated)).toBe(true);
  });

  test('that is bad does not make us ask for keys more than once a minute', async () => {
    const sandbox = { ...settings, baseUrl: 'https://api.attacked.example' };
    const tools = publishing(now, first.publicKey);
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(await woovi.notifications.verify(raw(completed, second.privateKey), sandbox, tools)).toBe(false);
    }
    expect(tools.asked).toHaveLength(1);
  });

  test('that is bad makes us ask once, also when many come at once and the list cannot be had', async () => {
    const sandbox = { ...settings, baseUrl: 'https://api.flooded.example' };
    const tools = fakeTools(() => ({ status: 403, json: {} }), now);
    const forged = raw(completed, second.privateKey);
    const verify = async () => woovi.notifications.verify(forged, sandbox, tools);
    const flood = () => Promise.all([1, 2, 3].map(() => failureOf(verify())));
    for (const failure of [...(await flood()), ...(await flood())]) expect(failure.failure).toBe('rejected');
    expect(tools.asked).toHaveLength(1);
    const soonAfter = publishing(later(0.2), first.publicKey);
    expect(await woovi.notifications.verify(raw(completed, first.privateKey), sandbox, soonAfter)).toBe(true);
  });

  test('is asked for anew where a hundred others have been since, so that keys are kept for few', async () => {
    const genuine = raw(completed, first.privateKey);
    const tools = publishing(now, first.publicKey);
    for (const origin of [...Array(101).keys(), 0]) {
      const sandbox = { ...settings, baseUrl: `https://api.${origin}.example` };
      expect(await woovi.notifications.verify(genuine, sandbox, tools)).toBe(true);
    }
    expect(tools.asked).toHaveLength(102);
  });

  test('covers every byte', async () => {
    const sandbox = { ...settings, baseUrl: 'https://api.exact.example' };
    const tools = publishing(now, first.publicKey);
    const altered = {
      ...raw(completed, first.privateKey),
      body: Buffer.from(completed.replace('11010', '11011')),
    };
    expect(await woovi.notifications.verify(altered, sandbox, tools)).toBe(false);
  });

  test("in production is tried with the published key first, and a stranger's fails", async () => {
    const tools = publishing(now);
    expect(await woovi.notifications.verify(raw(completed, first.privateKey), settings, tools)).toBe(false);
    expect(tools.asked).toHaveLength(1);
  });

  test.each(['', 'no base64!', 'AAAA'])('that is %j is none', async (signature) => {
    const notification = { ...raw(completed), headers: { 'x-webhook-signature': signature } };
    expect(await woovi.notifications.verify(notification, settings, publishing(now))).toBe(false);
  });

  test.each([
    '{"data_criacao":"2021-08-10T20:32:14.429Z","evento":"teste_webhook"}',
    '{"data_criacao":"2024-01-23T20:32:14.429Z","event":"OPENPIX:CHARGE_COMPLETED"}',
    '{}',
  ])('may be missing from a ping, which names nothing: %s', async (body) => {
    expect(await woovi.notifications.verify(raw(body), settings, publishing(now))).toBe(true);
    expect(woovi.notifications.charges(raw(body))).toEqual([]);
  });

  test('may not be missing from what names a charge', async () => {
    const disguised = JSON.stringify({ evento: 'teste_webhook', charge: charge() });
    expect(await woovi.notifications.verify(raw(disguised), settings, publishing(now))).toBe(false);
  });

  test.each([
    [
      'OPENPIX:DISPUTE_CREATED',
      { dispute: { endToEndId: 'E3524a995bbd54034b6d07c1c36014557', value: 1000 } },
    ],
    [
      'PIX_TRANSACTION_REFUND_SENT_CONFIRMED',
      { originalTransaction: { endToEndId: 'E3524a995bbd54034b6d07c1c36014557' } },
    ],
  ])('of %s names the Pix, and has to be signed', async (event, about) => {
    const body = JSON.stringify({ event, ...about });
    expect(woovi.notifications.charges(raw(body))).toEqual([
      { transactionId: null, reference: 'E3524a995bbd54034b6d07c1c36014557' },
    ]);
    expect(await woovi.notifications.verify(raw(body), settings, publishing(now))).toBe(false);
  });

  test('of a charge that is not ours names none', () => {
    const body = JSON.stringify({
      event: 'OPENPIX:CHARGE_COMPLETED',
      charge: charge({ correlationID: 'order-7' }),
    });
    expect(woovi.notifications.charges(raw(body))).toEqual([]);
  });
});
