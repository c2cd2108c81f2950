import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { openSession } from '../support/people.ts';

let databaseUrl: string;
let app: TestApp;
let other: TestApp;
let owner: TestKey;
let client: Client;
let clock: Date;

const payer = { name: 'João Souza', document: '529.982.247-25' };

async function runAll(...nodes: TestApp[]): Promise<void> {
  for (;;) {
    const made = await Promise.all(nodes.map(({ services }) => services.batchRunner.runNext()));
    if (made.every((count) => count === 0)) return;
  }
}

interface Batch {
  id: string;
  state: string;
  count: number;
  created: number;
  failed: number;
  every?: string;
  items: { position: number; state: string; paymentId?: string; code?: string; message?: string }[];
}

const batchOf = async (id: string) => (await client.get(`/v1/payment-batches/${id}`)).body as Batch;

async function createBatch(body: object, headers?: Record<string, string>): Promise<Batch> {
  const created = await client.post('/v1/payment-batches', body, headers);
  expect(created).toMatchObject({ status: 202 });
  return created.body as Batch;
}

const paymentsOf = async ({ items }: Batch) =>
  Promise.all(items.map(async ({ paymentId }) => (await client.get(`/v1/payments/${paymentId}`)).body));

const countPayments = async (): Promise<number> => {
  const [row] = await query<{ count: number }>(
    databaseUrl,
    'SELECT count(*)::int AS count FROM payment WHERE organization_id = $1',
    [owner.organizationId],
  );
  return row?.count ?? 0;
};

beforeAll(async () => {
  clock = new Date('2026-12-01T15:00:00Z');
  databaseUrl = await freshDatabase();
  const env = { DATABASE_URL: databaseUrl, ROLE: 'api', RATE_LIMIT_PER_MINUTE: '100000' };
  app = await startTestApp(env, { now: () => clock });
  other = await startTestApp(env, { now: () => clock });
});

afterAll(() => Promise.all([app.stop(), other.stop()]));

beforeEach(async () => {
  clock = new Date('2026-12-01T15:00:00Z');
  owner = await createKey(app.services);
  client = createClient(app.baseUrl, owner.key);
});

describe('a batch', () => {
  test('makes each of its payments, which succeed or fail on their own', async () => {
    const payments = [{ amount: 1 }, { amount: 0 }, { amount: 3, externalId: 'third' }];
    const { id, state, count } = await createBatch({ payments });
    expect({ state, count }).toEqual({ state: 'processing', count: 3 });
    expect((await batchOf(id)).items.map((item) => item.state)).toEqual(['pending', 'failed', 'pending']);
    await runAll(app);
    const batch = await batchOf(id);
    expect(batch).toMatchObject({ state: 'completed', count: 3, created: 2, failed: 1 });
    expect(batch.items[1]).toEqual({
      position: 1,
      state: 'failed',
      code: 'invalid_request',
      message: 'amount must be at least 0.01',
      problems: [{ path: 'amount', rule: 'minimum', params: { minimum: 0.01 } }],
    });
    const third = await client.get(`/v1/payments/${batch.items[2]?.paymentId}`);
    expect(third.body).toMatchObject({ amount: 3, externalId: 'third', status: 'pending' });
  });

  test('of instalments has a due date each month, the 31st being the last day of a shorter one', async () => {
    const payment = {
      amount: 350,
      payer,
      due: { date: '2027-01-31', discounts: [{ until: '2027-01-26', amount: 10 }] },
    };
    const { id } = await createBatch({ payment, instalments: 4 });
    await runAll(app);
    const payments = (await paymentsOf(await batchOf(id))) as {
      due: { date: string; discounts: object[] };
    }[];
    expect(payments.map(({ due }) => due.date)).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
    ]);
    expect(payments[1]?.due.discounts).toEqual([{ until: '2027-02-23', amount: 10 }]);
  });

  test('of a thousand is made once, by two nodes at once', async () => {
    const payments = Array.from({ length: 1_000 }, (_, index) => ({ amount: index + 1 }));
    const { id } = await createBatch({ payments });
    await runAll(app, other);
    expect(await batchOf(id)).toMatchObject({ state: 'completed', created: 1_000, failed: 0 });
    expect(await countPayments()).toBe(1_000);
  });

  test('goes on where a worker died, and makes no payment twice', async () => {
    const { id } = await createBatch({ payments: [{ amount: 1 }, { amount: 2 }] });
    await runAll(app);
    const before = await batchOf(id);
    // As if it had died before it recorded what became of them.
    await query(
      databaseUrl,
      `UPDATE payment_batch_item SET payment_id = NULL, input = json_build_object('amount', position + 1)
       WHERE batch_id = $1`,
      [id],
    );
    await query(databaseUrl, 'UPDATE payment_batch SET next_run_at = $2 WHERE id = $1', [id, clock]);
    await runAll(app);
    expect(await batchOf(id)).toEqual(before);
    expect(await countPayments()).toBe(2);
  });

  test('keeps no data of payers once their payments have an outcome', async () => {
    const { id } = await createBatch({
      payments: [
        { amount: 1, payer },
        { amount: 0, payer },
      ],
    });
    await runAll(app);
    const rows = await query(databaseUrl, 'SELECT input FROM payment_batch_item WHERE batch_id = $1', [id]);
    expect(rows).toEqual([{ input: null }, { input: null }]);
  });

  test('loses no number of metadata without a word', async () => {
    const created = await client.post(
      '/v1/payment-batches',
      '{"payments": [{"amount": 1, "metadata": {"n": 12345678901234567890}}]}',
    );
    const { items } = await batchOf(created.body.id);
    expect(items).toMatchObject([{ state: 'failed', message: expect.stringContaining('metadata.n') }]);
  });

  test('ends with its key: what is not made yet is never made', async () => {
    const { id } = await createBatch({ payments: [{ amount: 1 }, { amount: 2 }] });
    await query(databaseUrl, 'UPDATE api_key SET revoked_at = $2 WHERE organization_id = $1', [
      owner.organizationId,
      clock,
    ]);
    await runAll(app);
    const { organizationId } = owner;
    const { key } = await createKey(app.services, { organizationId });
    const { body } = await createClient(app.baseUrl, key).get(`/v1/payment-batches/${id}`);
    expect(body).toMatchObject({ state: 'completed', created: 0, failed: 2 });
    expect(body.items[0]).toMatchObject({ code: 'api_key_not_active' });
    expect(await countPayments()).toBe(0);
  });

  test('is known for thirty days, and its payments stay', async () => {
    const { id } = await createBatch({ payments: [{ amount: 1 }] });
    await runAll(app);
    const [payment] = (await batchOf(id)).items;
    clock = new Date(clock.getTime() + 29 * 24 * 3_600_000);
    expect(await app.services.batchRunner.deleteOld(10)).toBe(0);
    clock = new Date(clock.getTime() + 2 * 24 * 3_600_000);
    while ((await app.services.batchRunner.deleteOld(10)) > 0);
    expect((await client.get(`/v1/payment-batches/${id}`)).status).toBe(404);
    expect((await client.get(`/v1/payments/${payment?.paymentId}`)).status).toBe(200);
  });

  test('of instalments is known as long as its payments', async () => {
    const due = { date: '2027-01-10' };
    const { id } = await createBatch({ payment: { amount: 10, payer, due }, instalments: 2 });
    await runAll(app);
    clock = new Date(clock.getTime() + 31 * 24 * 3_600_000);
    while ((await app.services.batchRunner.deleteOld(10)) > 0);
    expect(await batchOf(id)).toMatchObject({ every: 'month', created: 2 });
    await query(databaseUrl, 'UPDATE payment_batch_item SET payment_id = NULL WHERE batch_id = $1', [id]);
    while ((await app.services.batchRunner.deleteOld(10)) > 0);
    expect((await client.get(`/v1/payment-batches/${id}`)).status).toBe(404);
  });

  test('says of each payment what it has become', async () => {
    const due = { date: '2027-01-10' };
    const payments = [{ amount: 1 }, { amount: 20, payer, due }];
    const { id } = await createBatch({ payments });
    await runAll(app);
    const [first, second] = (await batchOf(id)).items;
    await client.post(`/v1/sandbox/payments/${first?.paymentId}/pay`);
    await query(databaseUrl, 'UPDATE payment SET overdue = true WHERE id = $1', [second?.paymentId]);
    const { items, ...batch } = await batchOf(id);
    expect(items).toEqual([
      expect.objectContaining({ paymentStatus: 'completed', amount: 1 }),
      expect.objectContaining({ paymentStatus: 'pending', amount: 20, dueDate: '2027-01-10', overdue: true }),
    ]);
    expect(items[0]).not.toHaveProperty('dueDate');
    expect(batch).not.toHaveProperty('every');
  });

  test('is made once for its key', async () => {
    const headers = { 'Idempotency-Key': 'carne-7' };
    const first = await createBatch({ payments: [{ amount: 1 }] }, headers);
    const again = await client.post('/v1/payment-batches', { payments: [{ amount: 1 }] }, headers);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(again.body).toEqual(first);
    expect((await client.post('/v1/payment-batches', { payments: [{ amount: 2 }] }, headers)).status).toBe(
      422,
    );
  });

  test('over GraphQL is the same', async () => {
    const { body } = await client.graphql(
      `mutation ($input: CreatePaymentBatchInput!) {
        createPaymentBatch(input: $input) { id state count created failed items { position state } } }`,
      {
        input: { payment: { amount: 10, payer, due: { date: '2027-01-10' } }, instalments: 2, every: 'week' },
      },
    );
    const { id } = body.data.createPaymentBatch as { id: string };
    await runAll(app);
    const payments = (await paymentsOf(await batchOf(id))) as { due: { date: string } }[];
    expect(payments.map(({ due }) => due.date)).toEqual(['2027-01-10', '2027-01-17']);
    const read = await client.graphql(
      'query ($id: ID!) { paymentBatch(id: $id) { state created items { position state paymentId code message } } }',
      { id },
    );
    expect(read.body.data.paymentBatch).toMatchObject({ state: 'completed', created: 2 });
  });
});

const creation = `mutation ($input: CreatePaymentBatchInput!) { createPaymentBatch(input: $input) { id } }`;

describe('a batch of a person', () => {
  const open = (role: 'support' | 'viewer') =>
    openSession(app, { role, organizationId: owner.organizationId });

  test('may be as large as over REST, and is theirs in the log', async () => {
    const person = await open('support');
    const description = 'a'.repeat(400);
    const payments = Array.from({ length: 300 }, () => ({ amount: 1, description }));
    const { body } = await person.client.graphql(creation, { input: { payments } });
    const { id } = body.data.createPaymentBatch as { id: string };
    await runAll(app);
    expect(await batchOf(id)).toMatchObject({ state: 'completed', created: 300 });
    const log = await query<{ action: string; count: number }>(
      databaseUrl,
      'SELECT action, count(*)::int FROM audit_entry WHERE user_id = $1 AND organization_id = $2 GROUP BY action ORDER BY action',
      [person.userId, owner.organizationId],
    );
    expect(log).toEqual(
      expect.arrayContaining([
        { action: 'payment.create', count: 300 },
        { action: 'payment_batch.create', count: 1 },
      ]),
    );
  });

  test('ends with their role', async () => {
    const person = await open('support');
    const { body } = await person.client.graphql(creation, { input: { payments: [{ amount: 1 }] } });
    const { id } = body.data.createPaymentBatch as { id: string };
    await query(databaseUrl, `UPDATE member SET role = 'viewer' WHERE user_id = $1`, [person.userId]);
    await runAll(app);
    const batch = await batchOf(id);
    expect(batch).toMatchObject({ state: 'completed', created: 0, failed: 1 });
    expect(batch.items[0]).toMatchObject({ code: 'permission_denied' });
  });

  test('is not for viewers', async () => {
    const person = await open('viewer');
    const { body } = await person.client.graphql(creation, { input: { payments: [{ amount: 1 }] } });
    expect(body.errors).toMatchObject([{ extensions: { reason: 'permission_denied' } }]);
  });

  test('is the only one that may be large over GraphQL', async () => {
    const payments = Array.from({ length: 300 }, () => ({ amount: 1, description: 'a'.repeat(400) }));
    expect((await client.graphql(creation, { input: { payments } })).status).toBe(413);
  });
});

describe('what is refused', () => {
  test.each<[string, object, string]>([
    ['nothing', {}, 'body must have exactly one of payments, payment'],
    ['no payments', { payments: [] }, 'payments must have one to 1000 items'],
    [
      'too many',
      { payments: Array.from({ length: 1_001 }, () => ({ amount: 1 })) },
      'payments must have one to 1000 items',
    ],
    ['a payment that is none', { payments: [{ amount: 1 }, 7] }, 'payments.1 must be a JSON object'],
    [
      'both',
      { payments: [{ amount: 1 }], payment: { amount: 1 } },
      'body must have exactly one of payments, payment',
    ],
    [
      'instalments without a due date',
      { payment: { amount: 1 }, instalments: 3 },
      'payment.due is required with payment',
    ],
    [
      'a single instalment',
      { payment: { amount: 1, payer, due: { date: '2027-01-10' } }, instalments: 1 },
      'instalments must be a whole number from 2 to 360',
    ],
    [
      'another period',
      { payment: { amount: 1, payer, due: { date: '2027-01-10' } }, instalments: 2, every: 'day' },
      'every must be one of month, week',
    ],
  ])('%s', async (_name, body, message) => {
    const refused = await client.post('/v1/payment-batches', body);
    expect(refused).toMatchObject({ status: 400, body: { message } });
  });

  test('somebody else’s batch, and one that does not exist', async () => {
    const { id } = await createBatch({ payments: [{ amount: 1 }] });
    const stranger = createClient(app.baseUrl, (await createKey(app.services)).key);
    expect((await stranger.get(`/v1/payment-batches/${id}`)).status).toBe(404);
    expect((await client.get('/v1/payment-batches/nothing')).status).toBe(404);
    await runAll(app);
  });

  test('a key that may not create payments', async () => {
    const { key } = await createKey(app.services, { permissions: [] });
    const refused = await createClient(app.baseUrl, key).post('/v1/payment-batches', {
      payments: [{ amount: 1 }],
    });
    expect(refused.status).toBe(403);
  });

  test('more than twenty that wait', async () => {
    const create = () => client.post('/v1/payment-batches', { payments: [{ amount: 1 }] });
    const atOnce = await Promise.all(Array.from({ length: 30 }, create));
    expect(atOnce.filter(({ status }) => status === 202)).toHaveLength(20);
    const refused = await create();
    expect(refused.status).toBe(409);
    expect(refused.headers.get('X-Error-Code')).toBe('too_many_batches');
    await runAll(app);
  });
});
