import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import express from 'express';
import { rateLimit, type IncrementResponse } from 'express-rate-limit';
import type { Redis } from 'ioredis';
import { createRateLimitStore, type RateLimitStore } from '../../src/http/limits/rate-limit-store.ts';
import { createRedis } from '../../src/redis/create-redis.ts';
import { eventually } from '../support/eventually.ts';
import { startRedisServer, type RedisServer } from '../support/redis-server.ts';

const WINDOW_MS = 60_000;
/** The product promises 150 ms, of which Redis has 100. */
const GRACE_MS = 50;

let server: RedisServer;
let admin: Redis;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  server = await startRedisServer();
});

beforeEach(async () => {
  admin = openRedis();
  await admin.connect();
  await admin.flushall();
});

afterEach(async () => {
  server.resume();
  while (cleanups.length > 0) await cleanups.pop()?.();
});

afterAll(() => server.stop());

function openRedis(url = server.url): Redis {
  const redis = createRedis(url);
  cleanups.push(() => redis.disconnect());
  return redis;
}

interface Node {
  store: RateLimitStore;
  redis: Redis;
  onRedisLost: jest.Mock<(error: Error) => void>;
  onRedisRecovered: jest.Mock<() => void>;
}

/** A store on a client of its own, as each process has one. */
function openNode({ redis = openRedis(), windowMs = WINDOW_MS } = {}): Node {
  const onRedisLost = jest.fn<(error: Error) => void>();
  const onRedisRecovered = jest.fn<() => void>();
  const store = createRateLimitStore({ redis, prefix: 'limit:', onRedisLost, onRedisRecovered });
  store.init({ windowMs });
  cleanups.push(() => store.shutdown());
  return { store, redis, onRedisLost, onRedisRecovered };
}

function openMemoryStore({ windowMs = WINDOW_MS } = {}): RateLimitStore {
  const store = createRateLimitStore({ prefix: 'limit:' });
  store.init({ windowMs });
  cleanups.push(() => store.shutdown());
  return store;
}

/** How many ms the answer takes beyond four timers of 25 ms: a busy machine makes both late. */
async function timedAgainst100Ms<T>(work: () => Promise<T>): Promise<{ answer: T; msLate: number }> {
  const startedAt = performance.now();
  const msPassed = (): number => performance.now() - startedAt;
  const answered = work().then((answer) => ({ answer, ms: msPassed() }));
  for (let part = 0; part < 4; part++) await delay(25);
  const limitMs = msPassed();
  const { answer, ms } = await answered;
  return { answer, msLate: ms - limitMs };
}

/**
 * Two nodes that have Redis throughout: on a busy machine it may respond too late for one of them, which then counts
 * alone, and all is done again.
 */
const withTwoNodes = <T>(work: (nodes: [Node, Node]) => Promise<T>): Promise<T> =>
  eventually(async () => {
    await admin.flushall();
    const nodes: [Node, Node] = [openNode(), openNode()];
    const result = await work(nodes);
    for (const { onRedisLost } of nodes) expect(onRedisLost).not.toHaveBeenCalled();
    return result;
  });

/** Empty when the answers need more than this turn of the event loop. */
const inThisTurn = <T>(answers: Promise<T[]>): Promise<T[]> =>
  Promise.race([answers, new Promise<T[]>((resolve) => setImmediate(resolve, []))]);

const incrementTimes = (store: RateLimitStore, count: number, key = 'key'): Promise<IncrementResponse[]> =>
  Promise.all(Array.from({ length: count }, () => store.increment(key)));

const totalsOf = (answers: IncrementResponse[]): number[] =>
  answers.map((answer) => answer.totalHits).sort((a, b) => a - b);

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const recovered = ({ onRedisRecovered }: Node): Promise<void> =>
  eventually(() => expect(onRedisRecovered).toHaveBeenCalledTimes(1));

function blockEventLoop(forMs: number): void {
  const until = performance.now() + forMs;
  while (performance.now() < until);
}

/** The address of an express application that this store limits. */
async function listen(store: RateLimitStore, limit: number): Promise<string> {
  const app = express();
  app.use(rateLimit({ windowMs: WINDOW_MS, limit, store, validate: false, keyGenerator: () => 'key' }));
  app.get('/', (_request, response) => void response.end());
  const listener = app.listen(0, '127.0.0.1');
  cleanups.push(() => listener.close());
  await once(listener, 'listening');
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
}

describe('when Redis fails', () => {
  const failures: [name: string, begin: () => unknown, end: () => unknown][] = [
    ['hangs', () => server.pause(), () => server.resume()],
    ['dies', () => server.kill(), () => server.restart()],
    ['is slow', () => admin.client('PAUSE', 700, 'ALL'), () => undefined],
    [
      'turns read-only in a failover',
      () => admin.replicaof('127.0.0.1', 1),
      () => admin.replicaof('NO', 'ONE'),
    ],
    [
      'is out of memory',
      () => admin.config('SET', 'maxmemory', 1),
      () => admin.config('SET', 'maxmemory', 0),
    ],
  ];

  test.each(failures)(
    'and %s, requests are soon counted in memory, and in Redis again after recovery',
    async (_, begin, end) => {
      const node = openNode();
      await node.store.incrementBy('key', 7);

      await begin();
      const first = await timedAgainst100Ms(() => incrementTimes(node.store, 50));
      const next = await inThisTurn(incrementTimes(node.store, 50));
      await end();
      expect(first.msLate).toBeLessThan(GRACE_MS);
      expect(totalsOf([...first.answer, ...next])).toEqual(upTo(100));
      expect(node.onRedisLost).toHaveBeenCalledTimes(1);

      await recovered(node);
      await node.store.increment('again');
      expect(await admin.get('limit:again')).toBe('1');
      expect(node.onRedisLost).toHaveBeenCalledTimes(1);
    },
  );

  test('it receives no request before a probe has succeeded', async () => {
    const node = openNode();
    await node.store.increment('key');
    await admin.config('SET', 'maxmemory', 1);
    await node.store.increment('key');
    await admin.config('RESETSTAT');

    await incrementTimes(node.store, 500);
    expect(await admin.info('commandstats')).not.toContain('cmdstat_eval');
    await eventually(async () =>
      expect(await admin.info('commandstats')).toContain('cmdstat_evalsha:calls=2,'),
    );
    expect(node.onRedisRecovered).not.toHaveBeenCalled();

    await admin.config('SET', 'maxmemory', 0);
    await recovered(node);
  });

  test('with every request of a turn in flight, each is still counted once', async () => {
    const { store } = openNode();
    await store.increment('key');
    const answers = incrementTimes(store, 100, 'other');
    await server.kill();
    const answered = await answers;
    await server.restart();
    expect(totalsOf(answered)).toEqual(upTo(100));
  });

  test('a busy event loop is not mistaken for a lost Redis', async () => {
    const { store, onRedisLost } = openNode();
    await store.increment('key');
    const answers = incrementTimes(store, 10);
    setImmediate(() => blockEventLoop(200));
    expect(totalsOf(await answers)).toEqual(upTo(11).slice(1));
    expect(onRedisLost).not.toHaveBeenCalled();
  });
});

describe('when Redis is down at startup', () => {
  test('requests are counted in memory at once, and in Redis as soon as it is up', async () => {
    await server.kill();
    const node = openNode();
    const { answer, msLate } = await timedAgainst100Ms(() => incrementTimes(node.store, 50));
    await server.restart();
    expect(totalsOf(answer)).toEqual(upTo(50));
    expect(msLate).toBeLessThan(GRACE_MS);

    await recovered(node);
    expect(await node.store.increment('key')).toMatchObject({ totalHits: 1 });
    expect(node.onRedisLost).toHaveBeenCalledTimes(1);
  });

  test('or hangs, requests are soon counted in memory, and in Redis as soon as it responds', async () => {
    server.pause();
    const node = openNode();
    const { answer, msLate } = await timedAgainst100Ms(() => incrementTimes(node.store, 50));
    server.resume();
    expect(totalsOf(answer)).toEqual(upTo(50));
    expect(msLate).toBeLessThan(GRACE_MS);

    await recovered(node);
    expect(await node.store.increment('key')).toMatchObject({ totalHits: 1 });
  });

  test('the cause of the loss is reported, not that a command could not be sent', async () => {
    const { store, onRedisLost } = openNode({ redis: openRedis('redis://127.0.0.1:1') });
    await store.increment('key');
    expect(onRedisLost.mock.calls).toEqual([[expect.objectContaining({ code: 'ECONNREFUSED' })]]);
  });
});

describe('a Redis that loses its data', () => {
  const losses: [name: string, forget: () => unknown, totalHits: number][] = [
    ['its scripts counts on', () => admin.script('FLUSH'), 2],
    ['everything counts from one', () => admin.flushall(), 1],
  ];

  test.each(losses)('%s, and does not count as lost', async (_, forget, totalHits) => {
    const { store, onRedisLost } = openNode();
    await store.increment('key');
    await forget();
    expect(await store.increment('key')).toMatchObject({ totalHits });
    expect(onRedisLost).not.toHaveBeenCalled();
  });
});

test('a request uncounted after its window takes nothing from the next one', async () => {
  const { store } = openNode();
  await store.increment('other');
  await store.decrement('key');
  expect(await store.increment('key')).toMatchObject({ totalHits: 1 });
  expect(await admin.pttl('limit:key')).toBeGreaterThan(0);
});

describe('two nodes on one Redis', () => {
  test('let exactly 100 of 300 concurrent requests through', async () => {
    const statuses = await withTwoNodes(async (nodes) => {
      await Promise.all(nodes.map(({ store }) => store.increment('an earlier key')));
      const urls = await Promise.all(nodes.map(({ store }) => listen(store, 100)));
      const requests = Array.from({ length: 300 }, (_, index) => fetch(urls[index % 2] ?? ''));
      return (await Promise.all(requests)).map((response) => response.status);
    });
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(200);
  });

  test('give every request a distinct total, without a gap', async () => {
    const answers = await withTwoNodes((nodes) =>
      Promise.all(nodes.map(({ store }) => incrementTimes(store, 150))),
    );
    expect(totalsOf(answers.flat())).toEqual(upTo(300));
  });

  test('count separately when one of them has lost Redis', async () => {
    const [there, away] = [openNode(), openNode({ redis: openRedis('redis://127.0.0.1:1') })];
    await incrementTimes(there.store, 5);
    expect(await away.store.increment('key')).toMatchObject({ totalHits: 1 });
  });
});

describe('a store after shutdown', () => {
  test('leaves no timer and no listener behind, even if Redis is lost', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance', 'Date', 'queueMicrotask'] });
    cleanups.push(() => jest.useRealTimers());
    const redis = openRedis('redis://127.0.0.1:1');
    const listeners = redis.listenerCount('error');
    const { store, onRedisLost } = openNode({ redis });
    await store.increment('key');
    expect(onRedisLost).toHaveBeenCalledTimes(1);
    const timers = jest.getTimerCount();

    store.shutdown();
    const [probe, cleaning] = [1, 1];
    expect(jest.getTimerCount()).toBe(timers - probe - cleaning);
    expect(redis.listenerCount('error')).toBe(listeners);
  });

  test('still responds', async () => {
    const { store } = openNode();
    store.shutdown();
    expect(await store.increment('key')).toMatchObject({ totalHits: 1 });
  });
});

const places: [place: string, openStore: (options?: { windowMs: number }) => RateLimitStore][] = [
  ['in Redis', (options) => openNode(options).store],
  ['in memory', openMemoryStore],
];

describe.each(places)('counted %s', (_, openStore) => {
  test('keys of the same turn are counted separately', async () => {
    const store = openStore();
    const keys = ['a', 'b', 'a', 'c', 'b', 'a'];
    const answers = await Promise.all(keys.map((key) => store.increment(key)));
    expect(answers.map(({ totalHits }) => totalHits)).toEqual([1, 1, 2, 1, 2, 3]);
  });

  test('a request with cost 30 counts as 30, next to others of the same turn too', async () => {
    const store = openStore();
    const answers = await Promise.all([
      store.increment('key'),
      store.incrementBy('key', 30),
      store.increment('key'),
    ]);
    // Whoever shares its turn may be counted in between.
    expect(Math.max(...answers.map(({ totalHits }) => totalHits))).toBe(32);
    expect(await store.increment('key')).toMatchObject({ totalHits: 33 });
  });

  test('the window starts with the first request and is not extended by later ones', async () => {
    const store = openStore({ windowMs: 300 });
    const before = Date.now();
    const { resetTime } = await store.increment('key');
    const endsAfterMs = (resetTime?.getTime() ?? 0) - before;
    expect(endsAfterMs).toBeGreaterThanOrEqual(299);
    expect(endsAfterMs).toBeLessThanOrEqual(Date.now() - before + 301);
    await eventually(async () => expect((await store.increment('key')).totalHits).toBe(1));
  });

  test('a reset key counts from one', async () => {
    const store = openStore();
    await store.incrementBy('key', 5);
    await store.resetKey('key');
    expect(await store.increment('key')).toMatchObject({ totalHits: 1 });
  });

  test('a request can be uncounted', async () => {
    const store = openStore();
    await store.incrementBy('key', 5);
    await store.decrement('key');
    expect(await store.increment('key')).toMatchObject({ totalHits: 5 });
  });
});
