import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { applyMigrations } from '../../src/database/migrations/migrations.ts';
import { longTest } from '../support/chance.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { query } from '../support/database.ts';
import { expectError } from '../support/error-shape.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { closeGate, installGates, openGates } from '../support/gate.ts';
import { createPerson, openSession, postSignIn, type TestPerson } from '../support/people.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { onePayment, overEvents, overWebSocket } from '../support/subscribe.ts';

let server: PostgresServer;
let app: TestApp;
let key: TestKey;
let client: Client;
let person: TestPerson & { client: Client; cookie: string };

beforeAll(async () => {
  server = await startPostgresServer();
  await applyMigrations(server.url);
  await installGates(server.url, ['payment']);
  app = await startTestApp({ DATABASE_URL: server.url, TRUST_PROXY: '1', ROLE: 'api' });
  key = await createKey(app.services);
  client = createClient(app.baseUrl, key.key);
  person = await openSession(app);
  await client.get('/v1/payments');
});

afterEach(openGates);

afterAll(async () => {
  await app.stop();
  await server.stop();
});

function expectUnavailable(answer: Answer): void {
  expectError(answer, 503, 'ServiceUnavailable');
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
}

const uuid = randomUUID();

describe('while PostgreSQL is down', () => {
  let unknownKey: TestKey;
  let stranger: TestPerson;

  beforeAll(async () => {
    unknownKey = await createKey(app.services);
    stranger = await createPerson(app);
    await server.kill();
  });

  afterAll(() => server.restart());

  test.each([
    ['a create', (its: Client) => its.post('/v1/payments', { amount: 1 })],
    [
      'an idempotent create',
      (its: Client) => its.post('/v1/payments', { amount: 1 }, { 'Idempotency-Key': randomUUID() }),
    ],
    ['a retrieve', (its: Client) => its.get(`/v1/payments/${uuid}`)],
    ['a list', (its: Client) => its.get('/v1/payments')],
    ['a refund', (its: Client) => its.post(`/v1/payments/${uuid}/refunds`, {})],
    ['a cancel', (its: Client) => its.post(`/v1/payments/${uuid}/cancel`)],
    ['a list of events', (its: Client) => its.get('/v1/events')],
    ['a payment token', (its: Client) => its.post(`/v1/payments/${uuid}/token`)],
    ['a sandbox pay', (its: Client) => its.post(`/v1/sandbox/payments/${uuid}/pay`)],
    ['a notification of a PSP', (its: Client) => its.post('/psp/woovi/token', {})],
  ])('%s gets 503 with Retry-After', async (_name, act) => {
    expectUnavailable(await act(client));
    expectUnavailable(await act(createClient(app.baseUrl, unknownKey.key)));
  });

  test('a sign-in gets 503, not a wrong password', async () => {
    const { email, password } = stranger;
    expectUnavailable(await postSignIn(app, '/sign-in/email', { email, password }));
  });

  test('/get-session gets 503, not a sign-out', async () => {
    expectUnavailable(await createClient(app.baseUrl).get('/auth/get-session', { Cookie: person.cookie }));
  });

  test("a person's query gets 503, not a sign-out", async () => {
    const answer = await person.client.graphql(
      '{ statistics(from: "2026-01-01", to: "2026-01-02") { created } }',
    );
    expect(answer.body.errors[0].extensions).toMatchObject({ statusCode: 503, error: 'ServiceUnavailable' });
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  });

  test('GraphQL with a key reports it in extensions, with Retry-After', async () => {
    const answer = await client.graphql(`{ payment(id: "${uuid}") { id } }`);
    const [{ extensions }] = answer.body.errors;
    expect(extensions).toMatchObject({ code: 'SERVICE_UNAVAILABLE', statusCode: 503 });
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  });

  test('a WebSocket closes with a code after which clients reconnect', async () => {
    const { ended } = overWebSocket(app.baseUrl, { 'X-API-Key': unknownKey.key }, onePayment, { id: uuid });
    expect(await ended).toBe(1013);
  });

  test('a stream gets 503', async () => {
    const { ended } = overEvents(app.baseUrl, { 'X-API-Key': unknownKey.key }, onePayment, { id: uuid });
    expect(await ended).toMatchObject({ status: 503 });
  });

  test('/readyz gets 503', async () => {
    expect((await createClient(app.baseUrl).get('/readyz')).status).toBe(503);
  });
});

test('once PostgreSQL is back, so is everything', async () => {
  await eventually(async () => {
    expect((await client.post('/v1/payments', { amount: 1 })).status).toBe(201);
  });
  expect((await createClient(app.baseUrl).get('/auth/get-session', { Cookie: person.cookie })).status).toBe(
    200,
  );
});

test.each(['INSERT', 'UPDATE'] as const)(
  'a create that loses its connection at the %s is finished under its key, with one charge',
  async (written) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const externalId = randomUUID();
    const create = () => client.post('/v1/payments', { amount: 7, externalId }, headers);
    const gate = await closeGate(server.url, written, 'payment');
    const interrupted = create();
    await gate.waiting(1);
    await gate.endWaiting();
    expectUnavailable(await interrupted);
    await gate.open();
    expect((await create()).body.error).toBe('Conflict');
    await eventually(async () => {
      expect((await create()).status).toBe(201);
    });
    const retried = await create();
    expect(retried.headers.get('idempotency-replayed')).toBe('true');
    const charges = await query(
      server.url,
      `SELECT FROM payment p JOIN payment_attempt a ON a.payment_id = p.id
       JOIN sandbox_charge c ON c.transaction_id = replace(a.id::text, '-', '') WHERE p.external_id = $1`,
      [externalId],
    );
    expect(charges).toHaveLength(1);
  },
);

test('a lost connection during a read goes unnoticed', async () => {
  const { body } = await client.post('/v1/payments', { amount: 8 });
  const holder = new pg.Client({ connectionString: server.url });
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE payment');
  const found = client.get(`/v1/payments/${body.id}`);
  await eventually(async () => {
    const { rowCount } = await holder.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE relation = 'payment'::regclass AND NOT granted`,
    );
    expect(rowCount).toBe(1);
  });
  await holder.query('ROLLBACK');
  await holder.end();
  expect((await found).status).toBe(200);
});

longTest(
  'while every connection is in use, requests that get none within five seconds get 503, and the rest succeed',
  async () => {
    const holder = new pg.Client({ connectionString: server.url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE payment');
    const lists = Array.from({ length: 24 }, () => client.get('/v1/payments'));
    const refused = await Promise.any(
      lists.map(async (list) => {
        const answer = await list;
        if (answer.status !== 503) throw new Error(`answered ${answer.status}`);
        return answer;
      }),
    );
    expectUnavailable(refused);
    await holder.query('ROLLBACK');
    await holder.end();
    const statuses = (await Promise.all(lists)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(15);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  },
);
