import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { boundMs, times } from '../support/chance.ts';

let databaseUrl: string;
let app: TestApp;
let owner: TestKey;
let client: Client;

const payer = { name: 'João Souza', document: '529.982.247-25' };
const dayMs = 24 * 3_600_000;

const dayAfter = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

const advance = async (by: string) => {
  const moved = await client.post('/v1/sandbox/clock', { advance: by });
  expect(moved.status).toBe(200);
  return moved.body as { now: string; isMoved: boolean };
};

const createDue = async (date: string, more: object = {}): Promise<string> => {
  const due = { date, payableDaysAfter: 5, fine: { percent: 2 }, ...more };
  const created = await client.post('/v1/payments', { amount: 100, payer, due });
  expect(created.status).toBe(201);
  return created.body.id as string;
};

const paymentOf = async (id: string) => (await client.get(`/v1/payments/${id}`)).body;

const eventsOf = async (): Promise<[type: string, id: string][]> => {
  const { body } = await client.get('/v1/events?limit=100');
  return (body.data as { type: string; data: { id: string } }[]).map(({ type, data }) => [type, data.id]);
};

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api', RATE_LIMIT_PER_MINUTE: '100000' });
});

afterAll(() => app.stop());

beforeEach(async () => {
  owner = await createKey(app.services);
  client = createClient(app.baseUrl, owner.key);
});

describe('moving the clock of test mode', () => {
  test('makes payments expire before it responds', async () => {
    const { body } = await client.post('/v1/payments', { amount: 1, expirationMinutes: 60 });
    await advance('PT59M');
    expect(await paymentOf(body.id)).toMatchObject({ status: 'pending' });
    await advance('PT3M');
    expect(await paymentOf(body.id)).toMatchObject({ status: 'expired' });
    expect(await eventsOf()).toEqual([['payment_expired', body.id]]);
  });

  test('asks rarely about a payment that a Pix of another amount leaves undecided', async () => {
    const { body } = await client.post('/v1/payments', { amount: 10 });
    await client.post(`/v1/sandbox/payments/${body.id}/pay`, { amount: 7 });
    const startedAt = performance.now();
    await advance('P3600D');
    expect(performance.now() - startedAt).toBeLessThan(boundMs(5_000));
    expect(await paymentOf(body.id)).toMatchObject({ status: 'pending' });
  });

  test('does what falls due in its order, however far it is moved', async () => {
    const [late, early] = [await createDue(dayAfter(40)), await createDue(dayAfter(3))];
    const { body } = await client.post('/v1/payments', { amount: 1, expirationMinutes: 60 });
    await advance('P400D');
    expect(await eventsOf()).toEqual([
      ['payment_expired', body.id],
      ['payment_overdue', early],
      ['payment_expired', early],
      ['payment_overdue', late],
      ['payment_expired', late],
    ]);
  });

  test('decides what is owed, and when it was paid', async () => {
    const date = dayAfter(1);
    const id = await createDue(date);
    const { now } = await advance('P5D');
    expect(await paymentOf(id)).toMatchObject({ overdue: true, due: { amountToday: 102 } });
    const paid = await client.post(`/v1/sandbox/payments/${id}/pay`);
    expect(paid.body).toMatchObject({ status: 'completed', amountPaid: 102, amountParts: { fine: 2 } });
    expect(Date.parse(paid.body.confirmedAt)).toBeGreaterThanOrEqual(Date.parse(now));
  });

  test('counts for new payments', async () => {
    const { now } = await advance('P30D');
    const { body } = await client.post('/v1/payments', { amount: 1, expirationMinutes: 60 });
    expect(Date.parse(body.expiresAt) - Date.parse(now)).toBeGreaterThanOrEqual(60 * 60_000);
    const tooLate = await client.post('/v1/payments', { amount: 1, payer, due: { date: dayAfter(20) } });
    expect(tooLate).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^due\.date must not be before/) },
    });
    expect((await client.post(`/v1/sandbox/payments/${body.id}/pay`)).body).toMatchObject({
      status: 'completed',
    });
  });

  test('goes on with time, so that what falls due later happens too', async () => {
    await advance('P10D');
    const { body } = await client.post('/v1/payments', { amount: 1, expirationMinutes: 5 });
    await query(
      databaseUrl,
      `UPDATE payment SET expires_at = expires_at - interval '5 minutes', next_check_at = next_check_at - interval '5 minutes'
       WHERE id = $1`,
      [body.id],
    );
    await app.services.testClock.catchUp();
    await advance('PT2M');
    expect(await paymentOf(body.id)).toMatchObject({ status: 'expired' });
  });

  test('is read, and ends', async () => {
    expect((await client.get('/v1/sandbox/clock')).body).toMatchObject({ isMoved: false });
    const to = new Date(Date.now() + 3 * dayMs).toISOString();
    const moved = await client.post('/v1/sandbox/clock', { to });
    expect(moved.body).toMatchObject({ isMoved: true });
    expect(Date.parse(moved.body.now)).toBeGreaterThanOrEqual(Date.parse(to));
    const back = await client.delete('/v1/sandbox/clock');
    expect(back.body).toMatchObject({ isMoved: false });
    expect(Math.abs(Date.parse(back.body.now) - Date.now())).toBeLessThan(60_000);
  });

  test('over GraphQL is the same', async () => {
    const { body } = await client.graphql('mutation { advanceTestClock(advance: "P1D") { now isMoved } }');
    expect(body.data.advanceTestClock).toMatchObject({ isMoved: true });
    const read = await client.graphql('{ testClock { isMoved } }');
    expect(read.body).toEqual({ data: { testClock: { isMoved: true } } });
    expect((await client.graphql('mutation { resetTestClock { isMoved } }')).body).toEqual({
      data: { resetTestClock: { isMoved: false } },
    });
  });

  test('400 days with a thousand open charges takes less than ten seconds', async () => {
    const count = times(50, 1_000);
    const payments = Array.from({ length: count }, (_, index) => ({
      amount: 100,
      payer,
      due: { date: dayAfter(1 + ((index * 7) % 360)), payableDaysAfter: 5 },
    }));
    await client.post('/v1/payment-batches', { payments });
    while ((await app.services.batchRunner.runNext()) > 0);
    const startedAt = performance.now();
    await advance('P400D');
    expect(performance.now() - startedAt).toBeLessThan(boundMs(10_000));
    const { body } = await client.get('/v1/payments?status=pending');
    expect(body.data).toEqual([]);
  });
});

describe('what never goes by it', () => {
  test('live payments, keys and their limits', async () => {
    const { organizationId } = owner;
    const live = await createKey(app.services, { organizationId, mode: 'live' });
    await query(
      databaseUrl,
      `UPDATE api_key SET expires_at = now() + interval '1 day' WHERE organization_id = $1`,
      [organizationId],
    );
    await query(
      databaseUrl,
      `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, created_at, expires_at, next_check_at)
       VALUES ('01a00000-0000-7000-8000-000000000001', $1, 'live', 'pending', 100, 'woovi', now(), now() + interval '1 hour', now() + interval '1 hour')`,
      [organizationId],
    );
    const before = await query(
      databaseUrl,
      `SELECT * FROM payment WHERE organization_id = $1 AND mode = 'live'`,
      [organizationId],
    );
    await advance('P400D');
    const after = await query(
      databaseUrl,
      `SELECT * FROM payment WHERE organization_id = $1 AND mode = 'live'`,
      [organizationId],
    );
    expect(after).toEqual(before);
    expect((await client.get('/v1/payments')).status).toBe(200);
    const liveClient = createClient(app.baseUrl, live.key);
    expect((await liveClient.get('/v1/payments')).status).toBe(200);
    const refused = await liveClient.post('/v1/sandbox/clock', { advance: 'P1D' });
    expect(refused.status).toBe(403);
  });

  test('other organizations', async () => {
    const other = createClient(app.baseUrl, (await createKey(app.services)).key);
    const { body } = await other.post('/v1/payments', { amount: 1, expirationMinutes: 5 });
    await advance('P400D');
    expect((await other.get(`/v1/payments/${body.id}`)).body).toMatchObject({ status: 'pending' });
  });
});

describe('what is refused', () => {
  test.each<[string, unknown, string]>([
    ['nothing', {}, 'body must have exactly one of advance, to'],
    ['both', { advance: 'P1D', to: '2999-01-01T00:00:00Z' }, 'body must have exactly one of advance, to'],
    ['months', { advance: 'P1M' }, 'advance must be a duration of ISO 8601'],
    ['no time at all', { advance: 'PT0S' }, 'advance must be a duration of ISO 8601'],
    ['a negative one', { advance: '-P1D' }, 'advance must be a duration of ISO 8601'],
    ['an hour without T', { advance: 'P1H' }, 'advance must be a duration of ISO 8601'],
    ['the past', { to: '2020-01-01T00:00:00Z' }, 'to must not be before what the clock says'],
    ['eleven years', { advance: 'P4100D' }, 'advance must be at most 10 years ahead of real time'],
  ])('%s', async (_name, body, message) => {
    const refused = await client.post('/v1/sandbox/clock', body);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain(message);
  });
});
