import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { boundMs } from '../support/chance.ts';
import { startTestApp, testKeyRing, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { createPerson, postSignIn, signIn } from '../support/people.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';
import {
  allPayments,
  onePayment,
  overEvents,
  overWebSocket,
  shows,
  type Subscribed,
  transports,
} from '../support/subscribe.ts';

let redis: RedisServer;
let env: { DATABASE_URL: string; REDIS_URL: string; ENCRYPTION_KEYS: string };
let nodes: [ServiceProcess, ServiceProcess];
/** Makes and revokes the keys; another process than the nodes. */
let operator: TestApp;
let owner: TestKey;
/** Talks to the second node. */
let there: Client;
const open: Subscribed[] = [];

beforeAll(async () => {
  redis = await startRedisServer();
  env = {
    DATABASE_URL: await freshDatabase(),
    REDIS_URL: redis.url,
    ENCRYPTION_KEYS: `test:${testKeyRing[0]?.key.toString('base64')}`,
  };
  nodes = await Promise.all([startService(env), startService(env)]);
  operator = await startTestApp({ ...env, ROLE: 'api' });
  owner = await createKey(operator.services);
  there = createClient(nodes[1].baseUrl, owner.key);
});

afterEach(() => {
  for (const subscribed of open.splice(0)) subscribed.close();
});

afterAll(async () => {
  await killServices();
  await operator.stop();
  await redis.stop();
});

const start = (subscribed: Subscribed): Subscribed => {
  open.push(subscribed);
  return subscribed;
};

async function createPayment(): Promise<string> {
  return (await there.post('/v1/payments', { amount: 5 })).body.id;
}

const pay = (id: string) => there.post(`/v1/sandbox/payments/${id}/pay`);

const endListeners = () =>
  query<{ pid: number }>(
    env.DATABASE_URL,
    `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'pix-payment-service listener' AND datname = current_database()`,
  );

test.each(transports)('over %s, what one node settles the other shows at once', async (_name, subscribe) => {
  const id = await createPayment();
  const credentials = { 'X-API-Key': owner.key };
  const one = start(subscribe(nodes[0].baseUrl, credentials, onePayment, { id }));
  const all = start(subscribe(nodes[0].baseUrl, credentials, allPayments));
  await shows(one, ['pending']);
  await eventually(async () => {
    await createPayment();
    expect(all.results).not.toEqual([]);
  });
  await pay(id);
  // Sooner than a node that looks by itself would be sure to find it.
  await shows(one, ['pending', 'completed'], 1_000);
  await eventually(() => {
    expect(all.results.at(-1)).toEqual({ data: { paymentsUpdated: { id, status: 'completed' } } });
  }, 1_000);
});

test('a lost LISTEN connection loses no update, and is reopened', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, createPayment));
  const credentials = { 'X-API-Key': owner.key };
  const all = start(overEvents(nodes[0].baseUrl, credentials, allPayments));
  const each = ids.map((id) => start(overWebSocket(nodes[0].baseUrl, credentials, onePayment, { id })));
  await Promise.all(each.map((one) => shows(one, ['pending'])));
  await eventually(async () => {
    await createPayment();
    expect(all.results).not.toEqual([]);
  });
  const before = await endListeners();
  expect(before.length).toBe(3);
  await Promise.all(ids.map(pay));
  const late = await createPayment();
  for (const one of each) await shows(one, ['pending', 'completed']);
  await eventually(() => {
    const shown = all.results.map(({ data }) => data.paymentsUpdated);
    expect(shown).toEqual(
      expect.arrayContaining([
        ...ids.map((id) => ({ id, status: 'completed' })),
        { id: late, status: 'pending' },
      ]),
    );
  });
  await eventually(async () => {
    const after = await query<{ pid: number }>(
      env.DATABASE_URL,
      `SELECT pid FROM pg_stat_activity
       WHERE application_name = 'pix-payment-service listener' AND datname = current_database()`,
    );
    expect(after.length).toBe(3);
    expect(after.filter(({ pid }) => before.some((ended) => ended.pid === pid))).toEqual([]);
  });
});

test('a key revoked elsewhere loses its subscriptions within a second', async () => {
  const key = await createKey(operator.services);
  const id = (await createClient(nodes[0].baseUrl, key.key).post('/v1/payments', { amount: 1 })).body.id;
  const credentials = { 'X-API-Key': key.key };
  const both = [
    start(overWebSocket(nodes[0].baseUrl, credentials, onePayment, { id })),
    start(overEvents(nodes[1].baseUrl, credentials, onePayment, { id })),
  ];
  await Promise.all(both.map((each) => shows(each, ['pending'])));
  const revokedAt = Date.now();
  await operator.services.apiKeys.revoke(operatorFor(key.organizationId, 'test'), key.id);
  expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([4401, 'complete']);
  expect(Date.now() - revokedAt).toBeLessThan(boundMs(1_000));
});

test('a person who signs out elsewhere is disconnected, and the log has what was shown to whom', async () => {
  const person = await createPerson(operator);
  const { organizationId, userId } = person;
  const Cookie = await signIn(nodes[1], person);
  const session = { Cookie, Origin: nodes[0].baseUrl, 'X-Organization-Id': organizationId };
  const { key } = await createKey(operator.services, { organizationId });
  const payer = { name: 'Fulano de Tal' };
  const { body } = await createClient(nodes[1].baseUrl, key).post('/v1/payments', { amount: 1, payer });
  const both = [overWebSocket, overEvents].map((subscribe) =>
    start(subscribe(nodes[0].baseUrl, session, onePayment, { id: body.id })),
  );
  await Promise.all(both.map((each) => shows(each, ['pending'])));
  const endedAt = Date.now();
  await postSignIn(nodes[1], '/sign-out', {}, { Cookie });
  expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([4401, 'complete']);
  expect(Date.now() - endedAt).toBeLessThan(boundMs(1_000));
  const lines = await eventually(() => {
    const found = nodes[0].logs.filter((line) => line['userId'] === userId);
    expect(found).toHaveLength(2);
    return found;
  });
  const traceId = expect.stringMatching(/^[0-9a-f]{32}$/);
  const common = { traceId, route: '/graphql', status: 200, durationMs: expect.any(Number), organizationId };
  expect(lines).toContainEqual(
    expect.objectContaining({ ...common, msg: 'operation', transport: 'websocket', kind: 'subscription' }),
  );
  expect(lines).toContainEqual(expect.objectContaining({ ...common, msg: 'request' }));
  expect(JSON.stringify(nodes[0].logs)).not.toContain('Fulano');
});

test('a stopping node closes its connections without waiting', async () => {
  const node = await startService(env);
  const id = await createPayment();
  const credentials = { 'X-API-Key': owner.key };
  const both = [overWebSocket, overEvents].map((subscribe) =>
    start(subscribe(node.baseUrl, credentials, onePayment, { id })),
  );
  await Promise.all(both.map((each) => shows(each, ['pending'])));
  const stoppedAt = Date.now();
  const exit = node.end('SIGTERM');
  const [socket, stream] = await Promise.all(both.map(({ ended }) => ended));
  expect(socket).toBe(1001);
  // To clients the connection broke: they connect again, as they would not after `event: complete`.
  expect(stream).toMatchObject({ message: 'terminated' });
  expect(await exit).toBe(0);
  expect(Date.now() - stoppedAt).toBeLessThan(boundMs(4_000));
});

test('a worker sends at once what a node without workers has settled', async () => {
  const arrived = new Map<string, number>();
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      arrived.set((JSON.parse(body) as { data: { id: string } }).data.id, Date.now());
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const apart = {
    DATABASE_URL: await freshDatabase(),
    REDIS_URL: redis.url,
    WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${port}`,
    ENCRYPTION_KEYS: `test:${testKeyRing[0]?.key.toString('base64')}`,
  };
  const api = await startTestApp({ ...apart, ROLE: 'api' });
  try {
    await startService({ ...apart, ROLE: 'worker' });
    const { key, organizationId } = await createKey(api.services);
    const caller = { kind: 'operator' as const, organizationId, mode: 'test' as const };
    await api.services.webhookEndpoints.create(caller, { url: `http://127.0.0.1:${port}/` });
    const client = createClient(api.baseUrl, key);
    const durationsMs: number[] = [];
    for (let count = 0; count < 10; count += 1) {
      const { id } = (await client.post('/v1/payments', { amount: 1 })).body;
      await client.post(`/v1/sandbox/payments/${id}/pay`);
      const paidAt = Date.now();
      durationsMs.push(
        await eventually(() => {
          const arrivedAt = arrived.get(id);
          if (arrivedAt === undefined) throw new Error('the webhook has not arrived');
          return arrivedAt - paidAt;
        }),
      );
    }
    // A worker that looks twice a second would be later than that more often than not.
    expect(durationsMs.filter((ms) => ms < 200).length).toBeGreaterThanOrEqual(8);
  } finally {
    await api.stop();
    receiver.close();
  }
});
