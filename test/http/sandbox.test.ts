import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Caller, operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { query } from '../support/database.ts';
import { expectError } from '../support/error-shape.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import {
  attemptsOf,
  insertCredential,
  insertRuleSet,
  type TestCredential,
  type TestRules,
} from '../support/routing.ts';

let app: TestApp;
let key: TestKey;
let client: Client;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
});

beforeEach(async () => {
  key = await createKey(app.services);
  client = createClient(app.baseUrl, key.key);
});

afterAll(() => app.stop());

/** What any provider demands of a payer. */
const payer = {
  name: 'Fulano de Tal',
  document: '123.456.789-09',
  email: 'fulano@example.com',
  phone: '+55 11 98765-4321',
};

const create = (input: object = {}): Promise<Answer> =>
  client.post('/v1/payments', { amount: 10, payer, ...input });

async function createdId(input: object = {}): Promise<string> {
  const { status, body } = await create(input);
  expect(status).toBe(201);
  return body.id;
}

const pay = (id: string, its = client): Promise<Answer> => its.post(`/v1/sandbox/payments/${id}/pay`);
const expire = (id: string, its = client): Promise<Answer> => its.post(`/v1/sandbox/payments/${id}/expire`);
const cancel = (id: string): Promise<Answer> => client.post(`/v1/payments/${id}/cancel`);

interface StoredPayment {
  status: string;
  provider: string;
  paidLate: boolean;
  duplicatePayment: boolean;
}

const stored = (): Promise<StoredPayment[]> =>
  query<StoredPayment>(
    app.databaseUrl,
    `SELECT status::text, provider, paid_late AS "paidLate", duplicate_payment AS "duplicatePayment"
     FROM payment WHERE organization_id = $1 ORDER BY id`,
    [key.organizationId],
  );

const receivedPix = (id: string) =>
  query<{ endToEndId: string; amount: string }>(
    app.databaseUrl,
    'SELECT end_to_end_id AS "endToEndId", amount_in_cents AS amount FROM received_pix WHERE payment_id = $1',
    [id],
  );

describe.each([
  ['pay', pay],
  ['expire', expire],
] as const)('sandbox %s', (_name, act) => {
  test('is refused for a live key with 403, whatever the payment', async () => {
    const live = await createKey(app.services, { mode: 'live', organizationId: key.organizationId });
    for (const id of [await createdId(), randomUUID(), 'x']) {
      const answer = await act(id, createClient(app.baseUrl, live.key));
      expectError(answer, 403, 'Forbidden');
      expect(answer.body.message).toBe('The sandbox accepts test keys only');
    }
    expect(await stored()).toMatchObject([{ status: 'pending' }]);
  });

  test("gets 404 for another organization's payment, which stays unchanged", async () => {
    const id = await createdId();
    const stranger = await createKey(app.services);
    const answer = await act(id, createClient(app.baseUrl, stranger.key));
    expectError(answer, 404, 'NotFound');
    expect(answer.body.details).toEqual({ resource: 'Payment', id });
    expect(await stored()).toMatchObject([{ status: 'pending' }]);
  });

  test('gets 409 for a payment that no provider has', async () => {
    await create({ metadata: { sandbox: 'reject' } });
    const { body } = await client.get('/v1/payments?status=failed');
    expectError(await act(body.data[0].id), 409, 'Conflict');
    expect(await stored()).toMatchObject([{ status: 'failed' }]);
  });

  test('needs no permission, as it changes what a payer would change', async () => {
    const id = await createdId();
    const reader = await createKey(app.services, { organizationId: key.organizationId, permissions: [] });
    expect((await act(id, createClient(app.baseUrl, reader.key))).status).toBe(200);
  });
});

test.each([
  { way: 'payment', end: (id: string) => pay(id) },
  { way: 'expiry', end: (id: string) => expire(id) },
  { way: 'cancellation', end: cancel },
])('after its $way a payment and its event have no picture of the code', async ({ end }) => {
  const { body: created } = await create();
  expect(created.pixQrCodeBase64).toMatch(/^iVBOR/);
  expect((await client.get(`/v1/payments/${created.id}`)).body.pixQrCodeBase64).toBe(created.pixQrCodeBase64);
  await end(created.id);
  const { body: ended } = await client.get(`/v1/payments/${created.id}`);
  expect(ended.pixCopyPaste).toBe(created.pixCopyPaste);
  expect(ended).not.toHaveProperty('pixQrCodeBase64');
  const { body: events } = await client.get('/v1/events');
  expect(events.data).toHaveLength(1);
  expect(JSON.stringify(events)).not.toContain('iVBOR');
});

/** The service goes by what it takes for PostgreSQL's clock. */
const clockErrorMs = 1_000;

function expectSince(before: number, time: string): void {
  expect(Date.parse(time)).toBeGreaterThanOrEqual(before - clockErrorMs);
  expect(Date.parse(time)).toBeLessThanOrEqual(Date.now() + clockErrorMs);
}

describe('sandbox pay', () => {
  test('completes a pending payment and says when', async () => {
    const id = await createdId({ amount: 12.34 });
    const before = Date.now();
    const { status, body } = await pay(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'completed', amount: 12.34 });
    expectSince(before, body.confirmedAt);
    expect((await client.get(`/v1/payments/${id}`)).body).toEqual(body);
    expect(await receivedPix(id)).toEqual([
      { endToEndId: expect.stringMatching(/^E\d{20}\w{11}$/), amount: '1234' },
    ]);
    expect(await stored()).toMatchObject([{ paidLate: false, duplicatePayment: false }]);
  });

  test('twice leaves it completed at the first instant and flags the second Pix as a duplicate', async () => {
    const id = await createdId();
    const first = await pay(id);
    const second = await pay(id);
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(await receivedPix(id)).toHaveLength(2);
    expect(await stored()).toMatchObject([{ status: 'completed', duplicatePayment: true }]);
  });

  test('several times at once completes it once', async () => {
    const id = await createdId();
    const answers = await Promise.all(Array.from({ length: 4 }, () => pay(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await receivedPix(id)).toHaveLength(4);
    expect(await stored()).toMatchObject([{ status: 'completed', duplicatePayment: true, paidLate: false }]);
  });

  test.each([
    ['expired', expire],
    ['cancelled', cancel],
  ])('completes even what is %s, as paid late', async (status, end) => {
    const id = await createdId();
    expect((await end(id)).body.status).toBe(status);
    const { body } = await pay(id);
    expect(body).toMatchObject({ id, status: 'completed', confirmedAt: expect.any(String) });
    expect(await stored()).toMatchObject([{ status: 'completed', paidLate: true, duplicatePayment: false }]);
  });

  test('takes the path of a notification, which is stored as received', async () => {
    const id = await createdId();
    await pay(id);
    const [pix] = await receivedPix(id);
    const text = 'SELECT provider, body, processed_at FROM psp_notification WHERE body LIKE $1';
    const [notification] = await query(app.databaseUrl, text, [`%${pix?.endToEndId}%`]);
    expect(notification).toMatchObject({ provider: 'sandbox', processed_at: expect.any(Date) });
    expect(JSON.parse(String(notification?.['body']))).toMatchObject({ pix: [{ valor: '10.00' }] });
  });
});

describe('a refund that may be meant for a part', () => {
  test.each([
    [{ amout: 1 }, 'body has unknown members: amout'],
    [{ amount: 1, currency: 'BRL' }, 'body has unknown members: currency'],
    [{ amount: '1' }, 'amount must be a number'],
    [[1], 'body must be a JSON object'],
  ])('is refused: %j', async (body, message) => {
    const id = await createdId();
    await pay(id);
    const answer = await client.post(`/v1/payments/${id}/refunds`, body);
    expectError(answer, 400, 'BadRequest');
    expect(answer.body.message).toBe(message);
    expect((await client.get(`/v1/payments/${id}/refunds`)).body.data).toEqual([]);
  });
});

describe('sandbox expire', () => {
  test('sets the expiry to now', async () => {
    const id = await createdId({ expirationMinutes: 60 });
    const before = Date.now();
    const { status, body } = await expire(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'expired' });
    expect(body).not.toHaveProperty('confirmedAt');
    expectSince(before, body.expiresAt);
    expect((await client.get(`/v1/payments/${id}`)).body).toEqual(body);
  });

  test.each([
    ['completed', pay],
    ['cancelled', cancel],
    ['expired', expire],
  ])('gets 409 for what is %s', async (status, end) => {
    const id = await createdId();
    const { body } = await end(id);
    const answer = await expire(id);
    expectError(answer, 409, 'Conflict');
    expect(answer.body.message).toBe(`A payment that is ${status} cannot be expired`);
    expect((await client.get(`/v1/payments/${id}`)).body).toEqual(body);
  });

  test('leaves nothing to cancel', async () => {
    const id = await createdId();
    await expire(id);
    expectError(await cancel(id), 409, 'Conflict');
  });
});

describe('sandbox pix', () => {
  const receive = (input?: unknown, its = client): Promise<Answer> => its.post('/v1/sandbox/pix', input);

  test('is refused for a live key with 403, whatever the body', async () => {
    const live = await createKey(app.services, { mode: 'live', organizationId: key.organizationId });
    for (const body of [{ amount: 7.77 }, { amount: -1 }, undefined]) {
      const answer = await receive(body, createClient(app.baseUrl, live.key));
      expectError(answer, 403, 'Forbidden');
      expect(answer.body.message).toBe('The sandbox accepts test keys only');
    }
  });

  test.each([
    [undefined, 'amount is required'],
    [{}, 'amount is required'],
    [{ amount: null }, 'amount is required'],
    [{ amount: '10' }, 'amount must be a number'],
    [{ amount: 0 }, 'amount must be at least 0.01'],
    [{ amount: 0.001 }, 'amount must be at least 0.01; amount must have at most two decimals'],
    [{ amount: 1.005 }, 'amount must have at most two decimals'],
    [{ amount: 1e10 }, 'amount must be at most 9999999999.99'],
    [[1], 'body must be a JSON object'],
  ])('refuses %j', async (body, message) => {
    const answer = await receive(body);
    expectError(answer, 400, 'BadRequest');
    expect(answer.body.message).toBe(message);
  });

  test('returns the Pix, which belongs to no payment, and needs no permission', async () => {
    const reader = await createKey(app.services, { organizationId: key.organizationId, permissions: [] });
    const { status, body } = await receive({ amount: 7.77 }, createClient(app.baseUrl, reader.key));
    expect(status).toBe(201);
    expect(body).toEqual({
      endToEndId: expect.stringMatching(/^E\d{20}\w{11}$/),
      amount: 7.77,
      receivedAt: expect.stringMatching(/Z$/),
    });
    expect((await client.get('/v1/payments')).body.data).toEqual([]);
  });
});

describe('metadata.sandbox', () => {
  test.each([
    ['reject', 'rejected'],
    ['unavailable', 'not_sent'],
    ['timeout', 'unknown'],
  ])('%s fails the create with 500, and the attempt is %s', async (script, outcome) => {
    const answer = await create({ metadata: { sandbox: script } });
    expectError(answer, 500, 'InternalError');
    expect(answer.body.message).toBe(
      'No provider could create the charge; try again later, with the same Idempotency-Key if you sent one',
    );
    expect(await attemptsOf(app.databaseUrl, key.organizationId)).toEqual([
      { provider: 'sandbox', credentialId: null, reason: 'no_credential', outcome },
    ]);
    expect(await stored()).toMatchObject([{ status: 'failed' }]);
  });

  test('keeps a failed payment for the record, without a code', async () => {
    await create({ externalId: 'order-1', metadata: { sandbox: 'timeout' } });
    const { body } = await client.get('/v1/payments?externalId=order-1');
    expect(body.data).toMatchObject([{ status: 'failed', externalId: 'order-1' }]);
    expect(body.data[0]).not.toHaveProperty('pixCopyPaste');
    expect((await client.get(`/v1/payments/${body.data[0].id}`)).body).toEqual(body.data[0]);
  });

  test('timeout_then_created finds the charge by its id: 201, one charge', async () => {
    const { status, body } = await create({ metadata: { sandbox: 'timeout_then_created' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'pending', metadata: { sandbox: 'timeout_then_created' } });
    expect(await attemptsOf(app.databaseUrl, key.organizationId)).toMatchObject([{ outcome: 'created' }]);
    expect((await pay(body.id)).body.status).toBe('completed');
  });

  test.each([['explode'], [1], [null], [{ reject: true }], [[]], [['explode']], ['REJECT']])(
    '%j is not a script: 201',
    async (sandbox) => {
      expect((await create({ metadata: { sandbox } })).status).toBe(201);
    },
  );
});

describe('routing with a test key', () => {
  let first: TestCredential;
  let second: TestCredential;
  let third: TestCredential;

  const insert = (provider: string, options: { enabled?: boolean; isDefault?: boolean } = {}) =>
    insertCredential(app.databaseUrl, key.organizationId, { provider, ...options });
  const ruleSet = (rules: TestRules) => insertRuleSet(app.databaseUrl, key.organizationId, rules);
  const attempts = () => attemptsOf(app.databaseUrl, key.organizationId);

  beforeEach(async () => {
    first = await insert('bacen');
    second = await insert('asaas');
    third = await insert('woovi');
  });

  test('refuses ids unknown to the organization, and stores nothing', async () => {
    const stranger = await createKey(app.services);
    const theirs = await insertCredential(app.databaseUrl, stranger.organizationId, { provider: 'bacen' });
    const theirRules = await insertRuleSet(app.databaseUrl, stranger.organizationId, { default: theirs });
    const disabled = await insert('bacen', { enabled: false });
    for (const credentialId of [theirs.id, disabled.id, randomUUID(), 'x']) {
      const answer = await create({ credentialId });
      expectError(answer, 400, 'BadRequest');
      expect(answer.body.message).toBe('credentialId must be an enabled credential of your organization');
    }
    for (const ruleSetId of [theirRules, randomUUID(), first.id]) {
      const answer = await create({ ruleSetId });
      expectError(answer, 400, 'BadRequest');
      expect(answer.body.message).toBe('ruleSetId must be a rule set of your organization');
    }
    expect(await stored()).toEqual([]);
  });

  test('follows the default rule set of the mode if a payment names neither credential nor rule set', async () => {
    const { ruleSets } = app.services;
    const testing = operatorFor(key.organizationId, 'test');
    const live = operatorFor(key.organizationId, 'live');
    await insert('pagarme', { isDefault: true });
    const id = await ruleSet({ default: second });
    const other = await ruleSet({ default: third });
    const providerOf = async (input: object) => (await create(input)).body.provider as string;
    await ruleSets.setDefault(live, other);
    expect(await providerOf({})).toBe('pagarme');
    await ruleSets.setDefault(testing, id);
    expect(await providerOf({})).toBe('asaas');
    expect(await providerOf({ ruleSetId: other })).toBe('woovi');
    expect(await providerOf({ credentialId: first.id })).toBe('bacen');
    const defaults = async (caller: Caller) =>
      (await ruleSets.list(caller)).filter(({ isDefault }) => isDefault).map((each) => each.id);
    expect([await defaults(testing), await defaults(live)]).toEqual([[id], [other]]);
    await ruleSets.setDefault(testing, null);
    expect(await providerOf({})).toBe('pagarme');
  });

  test("cannot follow a rule set of somebody else's by default", async () => {
    const stranger = await createKey(app.services);
    const theirs = await insertRuleSet(app.databaseUrl, stranger.organizationId, {});
    const caller = operatorFor(key.organizationId, 'test');
    for (const id of [theirs, randomUUID(), 'x']) {
      await expect(app.services.ruleSets.setDefault(caller, id)).rejects.toMatchObject({
        code: 'rule_set_not_found',
      });
    }
  });

  test('fails if every candidate is disabled', async () => {
    const disabled = await insert('bacen', { enabled: false, isDefault: true });
    const ruleSetId = await ruleSet({ default: disabled, fallbacks: [disabled] });
    for (const input of [{}, { ruleSetId }]) {
      const answer = await create(input);
      expectError(answer, 400, 'BadRequest');
      expect(answer.body.message).toContain('no enabled credential');
    }
    expect(await stored()).toEqual([]);
  });

  test('a list scripts one candidate after the other: the first that works is the provider', async () => {
    const ruleSetId = await ruleSet({ default: first, fallbacks: [second, third] });
    const { status, body } = await create({ ruleSetId, metadata: { sandbox: ['reject', 'timeout'] } });
    expect(status).toBe(201);
    expect(body.provider).toBe('woovi');
    expect(await attempts()).toEqual([
      { provider: 'bacen', credentialId: first.id, reason: 'default', outcome: 'rejected' },
      { provider: 'asaas', credentialId: second.id, reason: 'fallback', outcome: 'unknown' },
      { provider: 'woovi', credentialId: third.id, reason: 'fallback', outcome: 'created' },
    ]);
    expect((await client.get(`/v1/payments/${body.id}`)).body.provider).toBe('woovi');
    expect((await pay(body.id)).body).toMatchObject({ status: 'completed', provider: 'woovi' });
  });

  test('candidates after the first that works are not called', async () => {
    const ruleSetId = await ruleSet({ default: first, fallbacks: [second, third] });
    const { body } = await create({
      ruleSetId,
      metadata: { sandbox: ['unavailable', 'timeout_then_created', 'reject'] },
    });
    expect(body.provider).toBe('asaas');
    expect((await attempts()).map(({ outcome }) => outcome)).toEqual(['not_sent', 'created', 'planned']);
  });

  test('if none works it is 500, and every attempt is recorded', async () => {
    const ruleSetId = await ruleSet({ default: first, fallbacks: [second, third] });
    const answer = await create({ ruleSetId, metadata: { sandbox: ['timeout', 'reject', 'unavailable'] } });
    expectError(answer, 500, 'InternalError');
    expect((await attempts()).map(({ outcome }) => outcome)).toEqual(['unknown', 'rejected', 'not_sent']);
    expect(await stored()).toMatchObject([{ status: 'failed' }]);
  });

  test('a word scripts every candidate', async () => {
    const ruleSetId = await ruleSet({ default: first, fallbacks: [second] });
    expectError(await create({ ruleSetId, metadata: { sandbox: 'reject' } }), 500, 'InternalError');
    expect((await attempts()).map(({ outcome }) => outcome)).toEqual(['rejected', 'rejected']);
  });

  test('disabled credentials are skipped and recorded, and use no entry of the list', async () => {
    const disabled = await insert('pagarme', { enabled: false });
    const ruleSetId = await ruleSet({
      ranges: [{ from: 0.01, to: 100, credential: disabled }],
      default: first,
      fallbacks: [disabled, second],
    });
    const { body } = await create({ ruleSetId, metadata: { sandbox: ['reject'] } });
    expect(body.provider).toBe('asaas');
    expect(await attempts()).toEqual([
      { provider: 'pagarme', credentialId: disabled.id, reason: 'price_range', outcome: 'skipped' },
      { provider: 'bacen', credentialId: first.id, reason: 'default', outcome: 'rejected' },
      { provider: 'asaas', credentialId: second.id, reason: 'fallback', outcome: 'created' },
    ]);
  });

  test('no candidate is called twice', async () => {
    const ruleSetId = await ruleSet({
      ranges: [{ from: 0.01, to: 100, credential: first }],
      default: first,
      fallbacks: [second, first, second],
    });
    expectError(await create({ ruleSetId, metadata: { sandbox: 'reject' } }), 500, 'InternalError');
    expect((await attempts()).map(({ credentialId }) => credentialId)).toEqual([first.id, second.id]);
  });

  test.each([
    [9.99, 'asaas'],
    [10, 'bacen'],
    [55.5, 'bacen'],
    [100, 'bacen'],
    [100.01, 'asaas'],
  ])('an amount of %d goes to %s: ranges include both ends', async (amount, provider) => {
    const ruleSetId = await ruleSet({ ranges: [{ from: 10, to: 100, credential: first }], default: second });
    expect((await create({ amount, ruleSetId })).body.provider).toBe(provider);
  });

  test('overlapping ranges are tried in order', async () => {
    const ruleSetId = await ruleSet({
      ranges: [
        { from: 5, to: 50, credential: second },
        { from: 60, to: 90, credential: third },
        { from: 1, to: 20, credential: first },
      ],
    });
    expect((await create({ ruleSetId, metadata: { sandbox: ['reject'] } })).body.provider).toBe('bacen');
    expect((await attempts()).map(({ credentialId }) => credentialId)).toEqual([second.id, first.id]);
  });

  test("without a default of its own a rule set uses the organization's", async () => {
    const ownDefault = await insert('mercadopago', { isDefault: true });
    const ruleSetId = await ruleSet({ fallbacks: [first] });
    expect((await create({ ruleSetId, metadata: { sandbox: ['reject'] } })).body.provider).toBe('bacen');
    expect((await attempts()).map(({ credentialId }) => credentialId)).toEqual([ownDefault.id, first.id]);
  });

  test('credentialId takes precedence over ruleSetId, which is not even validated', async () => {
    for (const ruleSetId of [await ruleSet({ default: first, fallbacks: [second] }), randomUUID()]) {
      expect((await create({ credentialId: third.id, ruleSetId })).body.provider).toBe('woovi');
    }
    expect(new Set((await attempts()).map(({ reason }) => reason))).toEqual(new Set(['requested']));
  });

  test('a requested credential has no fallback', async () => {
    await insert('mercadopago', { isDefault: true });
    expectError(
      await create({ credentialId: first.id, metadata: { sandbox: ['reject'] } }),
      500,
      'InternalError',
    );
    expect(await attempts()).toEqual([
      { provider: 'bacen', credentialId: first.id, reason: 'requested', outcome: 'rejected' },
    ]);
  });

  test("with neither, only the organization's default is tried", async () => {
    const ownDefault = await insert('mercadopago', { isDefault: true });
    expect((await create()).body.provider).toBe('mercadopago');
    expectError(await create({ metadata: { sandbox: ['reject'] } }), 500, 'InternalError');
    expect(await attempts()).toEqual([
      { provider: 'mercadopago', credentialId: ownDefault.id, reason: 'default', outcome: 'created' },
      { provider: 'mercadopago', credentialId: ownDefault.id, reason: 'default', outcome: 'rejected' },
    ]);
  });

  test('without any default the sandbox itself is the provider', async () => {
    expect((await create()).body.provider).toBe('sandbox');
    expect((await create({ ruleSetId: await ruleSet({}) })).body.provider).toBe('sandbox');
  });
});
