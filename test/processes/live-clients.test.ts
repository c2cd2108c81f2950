import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createClient as createSocketClient } from 'graphql-ws';
import WebSocket from 'ws';
import { startTestApp, testKeyRing, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { importNatively } from '../support/import-natively.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';
import { allPayments, onePayment } from '../support/subscribe.ts';

interface SseClient {
  subscribe(request: object, sink: object): void;
  dispose(): void;
}

const { createClient: createSseClient } = await importNatively<{
  createClient(options: { url: string; headers: Record<string, string> }): SseClient;
}>('graphql-sse');

let redis: RedisServer;
let env: { DATABASE_URL: string; REDIS_URL: string; ENCRYPTION_KEYS: string };
/** Makes and pays payments while the nodes restart; another process than they. */
let elsewhere: TestApp;
let owner: TestKey;
let client: Client;
let balancer: Server;
let nodes: ServiceProcess[] = [];
const disposals: (() => void)[] = [];

/** Takes connections for the nodes in turn, as a load balancer does; for none it breaks them off. */
async function startBalancer(): Promise<Server> {
  let turn = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const node = nodes[(turn += 1) % nodes.length];
    if (!node) {
      socket.destroy();
      return;
    }
    const onward = connect(Number(new URL(node.baseUrl).port), '127.0.0.1');
    onward.on('error', () => socket.destroy());
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      one.pipe(other);
      one.on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  redis = await startRedisServer();
  env = {
    DATABASE_URL: await freshDatabase(),
    REDIS_URL: redis.url,
    ENCRYPTION_KEYS: `test:${testKeyRing[0]?.key.toString('base64')}`,
  };
  elsewhere = await startTestApp(env);
  owner = await createKey(elsewhere.services);
  client = createClient(elsewhere.baseUrl, owner.key);
  balancer = await startBalancer();
});

afterEach(async () => {
  for (const dispose of disposals.splice(0)) dispose();
  await Promise.all(nodes.splice(0).map((node) => node.end('SIGKILL')));
});

afterAll(async () => {
  balancer.close();
  await killServices();
  await elsewhere.stop();
  await redis.stop();
});

/** What a client was shown, each payment as `id status`, and what it was told when it gave up. */
interface Watching {
  shown: Set<string>;
  ends: unknown[];
}

type Subscribe = (query: string, variables: Record<string, unknown>) => Watching;

interface Shown {
  data?: Record<string, { id: string; status: string } | undefined> | null;
}

function watching() {
  const shown = new Set<string>();
  const ends: unknown[] = [];
  const sink = {
    next({ data }: Shown) {
      for (const payment of Object.values(data ?? {}))
        if (payment) shown.add(`${payment.id} ${payment.status}`);
    },
    error: (error: unknown) => void ends.push(error),
    complete: () => void ends.push('complete'),
  };
  return { shown, ends, sink };
}

const urlOf = (scheme: string) => `${scheme}://127.0.0.1:${(balancer.address() as AddressInfo).port}/graphql`;

const overWebSocket =
  (options: object = {}): Subscribe =>
  (query, variables) => {
    const its = createSocketClient({
      url: urlOf('ws'),
      webSocketImpl: WebSocket,
      connectionParams: { 'X-API-Key': owner.key },
      ...options,
    });
    disposals.push(() => void its.dispose());
    const { sink, ...watched } = watching();
    its.subscribe<Shown['data']>({ query, variables }, sink as never);
    return watched;
  };

const overEvents: Subscribe = (query, variables) => {
  const its = createSseClient({ url: urlOf('http'), headers: { 'X-API-Key': owner.key } });
  disposals.push(() => {
    its.dispose();
  });
  const { sink, ...watched } = watching();
  its.subscribe({ query, variables }, sink);
  return watched;
};

async function createPayment(): Promise<string> {
  return (await client.post('/v1/payments', { amount: 5 })).body.id as string;
}

const pay = (id: string) => client.post(`/v1/sandbox/payments/${id}/pay`);

/** Two payments that are watched, one by itself and both with all others. */
async function watch(subscribe: Subscribe) {
  const [subject, other] = [await createPayment(), await createPayment()];
  const one = subscribe(onePayment, { id: subject });
  const all = subscribe(allPayments, {});
  await eventually(() => {
    expect([...one.shown]).toEqual([`${subject} pending`]);
    expect(all.shown).toContain(`${other} pending`);
  });
  return { subject, other, one, all };
}

/** Nobody is connected while this happens. */
async function goOn({ subject, other, one, all }: Awaited<ReturnType<typeof watch>>) {
  const made = await createPayment();
  await Promise.all([pay(subject), pay(other)]);
  return () =>
    eventually(() => {
      expect([one.ends, all.ends]).toEqual([[], []]);
      expect([...one.shown]).toEqual([`${subject} pending`, `${subject} completed`]);
      const expected = [`${subject} completed`, `${other} completed`, `${made} pending`];
      expect([...all.shown]).toEqual(expect.arrayContaining(expected));
    });
}

test('clients with default settings lose no update when one of two nodes stops', async () => {
  nodes = await Promise.all([startService(env), startService(env)]);
  // There is one of each kind at both nodes.
  const kinds = [overWebSocket(), overWebSocket(), overEvents, overEvents];
  const watched = await Promise.all(kinds.map(watch));
  const [gone] = nodes.splice(0, 1);
  await gone?.end('SIGTERM');
  const checks = await Promise.all(watched.map(goOn));
  for (const check of checks) await check();
});

test('clients that reconnect until the only node is back lose no update', async () => {
  nodes = [await startService(env)];
  // graphql-ws takes a connection that is refused for the end, unless it is told not to.
  const patient = overWebSocket({ shouldRetry: () => true, retryAttempts: Infinity });
  const watched = await Promise.all([patient, overEvents].map(watch));
  const [gone] = nodes.splice(0);
  await gone?.end('SIGTERM');
  const checks = await Promise.all(watched.map(goOn));
  nodes = [await startService(env)];
  for (const check of checks) await check();
});
