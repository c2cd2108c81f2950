import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { describeWith } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { freePort } from '../support/free-port.ts';
import { type Proxy, startHaproxy } from '../support/haproxy.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';
import { startSteadyLoad, type SteadyLoad } from '../support/steady-load.ts';
import { testKeys } from '../support/test-keys.ts';

const perSecond = 200;
const followerCount = 10;
const stopDelaySeconds = 5;

/** Subscribes as docs/live-updates.md says. */
function follow({ baseUrl, ca }: Proxy, key: string) {
  const completed = new Set<string>();
  let connectionCount = 0;
  const client = createClient({
    url: `${baseUrl.replace('https', 'wss')}/graphql`,
    webSocketImpl: class extends WebSocket {
      constructor(url: string, protocol: string) {
        super(url, protocol, { ca });
      }
    },
    connectionParams: { 'X-API-Key': key },
    shouldRetry: () => true,
    retryAttempts: Infinity,
    on: {
      connected: () => {
        connectionCount += 1;
      },
    },
  });
  client.subscribe<{ paymentsUpdated: { id: string; status: string } }>(
    { query: 'subscription { paymentsUpdated { id status } }' },
    {
      next: ({ data }) => {
        if (data?.paymentsUpdated.status === 'completed') completed.add(data.paymentsUpdated.id);
      },
      complete: () => undefined,
      error: () => undefined,
    },
  );
  return {
    completed,
    connectionCount: () => connectionCount,
    close: () => void client.dispose(),
  };
}

describeWith(['haproxy'], 'two nodes behind HAProxy', () => {
  let redis: RedisServer;
  let env: Record<string, string>;
  let nodes: { port: number; service: ServiceProcess }[];
  let proxy: Proxy;
  let owner: TestKey;
  let load: SteadyLoad;

  const startNode = async (port: number) => ({
    port,
    service: await startService({ ...env, PORT: String(port) }),
  });

  beforeAll(async () => {
    redis = await startRedisServer();
    env = {
      DATABASE_URL: await freshDatabase(),
      REDIS_URL: redis.url,
      ENCRYPTION_KEYS: testKeys,
      TRUST_PROXY: 'loopback',
      STOP_DELAY_SECONDS: String(stopDelaySeconds),
    };
    const operator = await startTestApp({ ...env, ROLE: 'api', STOP_DELAY_SECONDS: '0' });
    owner = await createKey(operator.services);
    await operator.stop();
    nodes = [await startNode(await freePort()), await startNode(await freePort())];
    const [one, other] = nodes.map(({ port }) => port);
    proxy = await startHaproxy([one ?? 0, other ?? 0]);
  });

  afterAll(async () => {
    await load.stop();
    await killServices();
    await proxy.stop();
    await redis.stop();
  });

  /** Until both are up for the proxy, which needs two checks. */
  async function restart(index: number): Promise<void> {
    const node = nodes[index];
    if (!node) throw new Error(`there is no node ${index}`);
    expect(await node.service.end('SIGTERM')).toBe(0);
    const started = await startNode(node.port);
    nodes[index] = started;
    const { logs } = started.service;
    const probed = () => logs.filter(({ route, status }) => route === '/readyz' && status === 200).length;
    await eventually(() => {
      expect(probed()).toBeGreaterThan(3);
    });
  }

  test(`restart one after the other, twice, at ${perSecond} requests a second: none fails, and subscribers miss nothing`, async () => {
    const followers = Array.from({ length: followerCount }, () => follow(proxy, owner.key));
    await eventually(() => {
      expect(followers.map((each) => each.connectionCount())).toEqual(followers.map(() => 1));
    });
    load = startSteadyLoad(proxy, owner.key, perSecond);
    await eventually(() => {
      expect(load.paid.length).toBeGreaterThan(5);
    });
    for (const index of [0, 1, 0, 1]) await restart(index);
    await load.stop();
    const sorted = load.latenciesMs.toSorted((one, other) => one - other);
    const quantile = (q: number) => Math.round(sorted[Math.floor(sorted.length * q)] ?? Number.NaN);
    process.stdout.write(
      `${sorted.length} requests over four restarts, ${load.failures.length} failed, p50 ${quantile(0.5)} ms, ` +
        `p99 ${quantile(0.99)} ms; ${load.paid.length} payments completed, ` +
        `connections of the subscribers: ${followers.map((each) => each.connectionCount()).join(', ')}\n`,
    );
    expect(load.failures).toEqual([]);
    // Each reads the last minute again, at the pace of its organization.
    await eventually(() => {
      for (const { completed } of followers) expect(load.paid.filter((id) => !completed.has(id))).toEqual([]);
    }, 60_000);
    for (const { close } of followers) close();
    // Each was cut off at least once: there were two restarts of each node.
    for (const { connectionCount } of followers) expect(connectionCount()).toBeGreaterThan(1);
  }, 900_000);
});
