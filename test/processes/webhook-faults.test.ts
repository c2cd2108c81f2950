import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, testKeyRing, type TestApp } from '../support/app.ts';
import { times } from '../support/chance.ts';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { type Fault, type FaultReceiver, startFaultReceiver } from '../support/fault-receiver.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';
import { isSignedWith, receiverHost } from '../support/webhook-receiver.ts';

const ORDERS = Number(process.env['FAULT_PAYMENTS'] ?? times(80, 150));
const BUYERS = times(8, 16);
const ALL_WITHIN_MS = 150_000;
const ORDER_WITHIN_MS = 60_000;
const DELIVERED_WITHIN_MS = 60_000;

interface Endpoint {
  receiver: FaultReceiver;
  id: string;
  secret: string;
}

interface StoredEvent {
  id: string;
  type: string;
  paymentId: string;
  sequence: number;
  body: string;
}

let postgres: PostgresServer;
let redis: RedisServer;
/** Makes the key and the endpoints, and sends again what failed; it serves nobody. */
let operator: TestApp;
let owner: TestKey;
/** Its start may still be under way. */
let api: Promise<ServiceProcess>;
/** One is killed again and again; the other lives through all that happens to the rest. */
let workers: { mortal: ServiceProcess; steady: ServiceProcess };
let endpoints: Record<'healthy' | Fault, Endpoint>;

/** Undoes what was started. */
const stops: (() => Promise<unknown>)[] = [];

/** The payments that some answer called completed. */
const acknowledged = new Set<string>();
/** Requests without the answer that was hoped for. */
let disappointments = 0;

const sql = <Row extends object>(text: string): Promise<Row[]> => query<Row>(postgres.url, text);

const person = () => ({ kind: 'operator', organizationId: owner.organizationId, mode: 'test' }) as const;

async function hoped(request: Promise<Answer>, status: number): Promise<Answer['body']> {
  try {
    const answer = await request;
    expect(answer).toMatchObject({ status });
    return answer.body;
  } catch (error) {
    disappointments += 1;
    throw error;
  }
}

/** Knows where the API listens after each start. */
const merchant = async (): Promise<Client> => createClient((await api).baseUrl, owner.key);

/** Repeats what failed until it is answered; before paying again, it looks at every other payment. */
async function order(number: number): Promise<void> {
  const input = { amount: (100 + number) / 100 };
  const { id } = await eventually(async () => {
    const client = await merchant();
    return hoped(client.post('/v1/payments', input, { 'Idempotency-Key': `order-${number}` }), 201);
  }, ORDER_WITHIN_MS);
  let looks = false;
  await eventually(async () => {
    const client = await merchant();
    const request = looks ? client.get(`/v1/payments/${id}`) : client.post(`/v1/sandbox/payments/${id}/pay`);
    looks = !looks && number % 2 === 0;
    const { status } = await hoped(request, 200);
    if (status === 'completed') acknowledged.add(id);
    expect(status).toBe('completed');
  }, ORDER_WITHIN_MS);
}

async function placeOrders(): Promise<void> {
  let next = 0;
  const buy = async () => {
    while (next < ORDERS) await order(next++);
  };
  await Promise.all(Array.from({ length: BUYERS }, buy));
}

/** Waits until this share is paid; what happens next must meet buyers. */
async function amidOrders(share: number): Promise<void> {
  await eventually(() => expect(acknowledged.size).toBeGreaterThanOrEqual(share * ORDERS), ORDER_WITHIN_MS);
  expect(acknowledged.size).toBeLessThan(ORDERS);
}

/** The creates of the dead are taken over after 20 seconds, for which no buyer of this test would wait. */
const endLeasesOfCreates = () =>
  sql(`UPDATE idempotency_key SET locked_until = now() - interval '1 second' WHERE outcome IS NULL`);

async function breakThings(start: Record<'api' | 'worker', () => Promise<ServiceProcess>>): Promise<void> {
  const { receiver: hanging } = endpoints.hang;
  await amidOrders(0.15);
  await (await api).end('SIGKILL');
  api = start.api();
  await api;
  await endLeasesOfCreates();

  await amidOrders(0.3);
  await eventually(() => expect(hanging.waiting).toBeGreaterThan(0));
  await postgres.kill();
  const before = disappointments;
  // These arrive, and the worker cannot note it.
  hanging.takeWaiting();
  await eventually(() => expect(disappointments).toBeGreaterThan(before + 2 * BUYERS));
  await postgres.restart();
  await endLeasesOfCreates();

  await amidOrders(0.45);
  await eventually(() => expect(hanging.waiting).toBeGreaterThan(0));
  await workers.mortal.end('SIGKILL');
  const restarted = start.worker();
  await amidOrders(0.55);
  await redis.kill();
  await amidOrders(0.65);
  workers.mortal = await restarted;
}

function heal(): void {
  for (const { receiver } of Object.values(endpoints)) receiver.heal();
}

async function sendAgain(since: Date, startWorker: () => Promise<ServiceProcess>): Promise<void> {
  const { reset, redirect, fail } = endpoints;
  for (const { id } of [reset, redirect, fail]) {
    const resent = await operator.services.webhookDeliveries.resendSince(person(), id, since);
    expect(resent).toBeGreaterThanOrEqual(ORDERS);
  }
  const { taken } = fail.receiver;
  const takenBefore = taken.size;
  await eventually(() => expect(taken.size).toBeGreaterThan(takenBefore));
  await workers.mortal.end('SIGKILL');
  workers.mortal = await startWorker();
  // What the dead had taken is due after 30 seconds, what failed twice before the healing after five minutes.
  await sql('UPDATE webhook_delivery SET next_attempt_at = now() WHERE next_attempt_at > now()');
  await eventually(
    async () => expect(await sql(`SELECT id FROM webhook_delivery WHERE status <> 'delivered'`)).toEqual([]),
    DELIVERED_WITHIN_MS,
  );
}

async function startEndpoint(fault?: Fault): Promise<Endpoint> {
  const receiver = await startFaultReceiver(fault);
  stops.push(() => receiver.stop());
  const { url } = receiver;
  const { id, secret } = await operator.services.webhookEndpoints.create(person(), { url });
  return { id, secret, receiver };
}

beforeAll(async () => {
  const since = new Date();
  postgres = await startPostgresServer();
  stops.push(() => postgres.stop());
  redis = await startRedisServer();
  stops.push(() => redis.stop());
  const env = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    ENCRYPTION_KEYS: testKeyRing.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
    WEBHOOK_ALLOWED_HOSTS: receiverHost,
    RATE_LIMIT_PER_MINUTE: '10000000',
  };
  const start = {
    api: () => startService({ ...env, ROLE: 'api' }),
    worker: () => startService({ ...env, ROLE: 'worker', PORT: '3000', METRICS_PORT: '0' }),
  };
  api = start.api();
  await api;
  const [mortal, steady] = await Promise.all([start.worker(), start.worker()]);
  workers = { mortal, steady };
  operator = await startTestApp({ ...env, ROLE: 'api' });
  stops.push(() => operator.stop());
  owner = await createKey(operator.services);
  endpoints = {
    healthy: await startEndpoint(),
    hang: await startEndpoint('hang'),
    reset: await startEndpoint('reset'),
    redirect: await startEndpoint('redirect'),
    fail: await startEndpoint('fail'),
  };

  await Promise.all([placeOrders(), breakThings(start).then(heal)]);
  await redis.restart();
  await sendAgain(since, start.worker);
}, ALL_WITHIN_MS);

afterAll(async () => {
  await killServices();
  for (const stop of stops.reverse()) await stop();
});

const storedEvents = (): Promise<StoredEvent[]> =>
  sql('SELECT id, type, payment_id AS "paymentId", sequence::int, body FROM event ORDER BY sequence');

test('the remaining processes survived: they stop as usual', async () => {
  const left = [await api, workers.mortal, workers.steady];
  expect(await Promise.all(left.map((each) => each.end('SIGTERM')))).toEqual([0, 0, 0]);
});

test('every payment returned as completed is completed, and there is one per order', async () => {
  const completed = await sql<{ id: string }>(`SELECT id FROM payment WHERE status = 'completed'`);
  expect(acknowledged.size).toBe(ORDERS);
  expect(completed.map(({ id }) => id).sort()).toEqual([...acknowledged].sort());
});

test('each of them has one payment_completed event, and the sequence counts from 1 without a gap', async () => {
  const events = await storedEvents();
  const completions = events.filter(({ type }) => type === 'payment_completed');
  expect(completions.map(({ paymentId }) => paymentId).sort()).toEqual([...acknowledged].sort());
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  // A payer who pays again because the answer was lost has paid twice.
  const others = events.filter(({ type }) => !['payment_completed', 'payment_duplicated'].includes(type));
  expect(others).toEqual([]);
});

test('no delivery is left', async () => {
  const [events, deliveries] = [
    await storedEvents(),
    await sql<{ status: string }>('SELECT status FROM webhook_delivery'),
  ];
  expect(deliveries).toHaveLength(events.length * Object.keys(endpoints).length);
  expect(deliveries.filter(({ status }) => status !== 'delivered')).toEqual([]);
});

test.each<[string, keyof typeof endpoints]>([
  ['was always well', 'healthy'],
  ['hung', 'hang'],
  ['cut connections', 'reset'],
  ['redirected', 'redirect'],
  ['answered 500', 'fail'],
])(
  'the endpoint that %s received every event; whatever reached it was signed and had the same id and bytes',
  async (_, name) => {
    const { receiver, secret } = endpoints[name];
    const { requests, taken } = receiver;
    const bodies = new Map((await storedEvents()).map(({ id, body }) => [id, body]));
    expect([...taken].sort()).toEqual([...bodies.keys()].sort());
    const idOf = ({ headers }: (typeof requests)[number]) => headers['webhook-id'] ?? '';
    expect(requests.filter((request) => bodies.get(idOf(request)) !== request.body)).toEqual([]);
    const ownIds = requests.map(({ body }) => (JSON.parse(body) as { id: string }).id);
    expect(ownIds).toEqual(requests.map(idOf));
    expect(requests.filter((request) => !isSignedWith(secret, request))).toEqual([]);
    expect(requests.filter(({ path }) => path !== '/webhooks')).toEqual([]);
  },
);
