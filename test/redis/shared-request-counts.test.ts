import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { Logger } from '../../src/observability/logger.ts';
import { createRedis } from '../../src/redis/create-redis.ts';
import { openRequestCounts } from '../../src/redis/open-request-counts.ts';
import { eventually } from '../support/eventually.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';

const windowSeconds = 600;

let server: RedisServer;
const keyOf = (account: string): string => `pix:psp:${account}:${windowSeconds}`;
let reader: Redis;
const opened: { stop(): void }[] = [];

beforeAll(async () => {
  server = await startRedisServer();
  reader = createRedis(server.url);
  await reader.connect();
});

afterAll(async () => {
  for (const each of opened) each.stop();
  reader.disconnect();
  await server.stop();
});

/** The counts of one node, with what its log says. With Redis, it counts there. */
async function node(isConnected = true) {
  const lines: string[] = [];
  const log = (...[first, second]: unknown[]) => void lines.push(String(second ?? first));
  const logger = { debug: log, info: log, warn: log, error: log, fatal: log } as Logger;
  const redis: Redis | undefined = isConnected ? createRedis(server.url) : undefined;
  const counts = openRequestCounts({ redis, now: () => new Date(), logger });
  opened.push({
    stop: () => {
      counts.stop();
      redis?.disconnect();
    },
  });
  const take = (account: string, limit: number) => counts.take(account, windowSeconds, limit);
  const probe = randomUUID();
  await eventually(async () => {
    await take(probe, 1_000);
    if (isConnected) expect(await reader.exists(keyOf(probe))).toBe(1);
  });
  const [saidAtStart] = lines.splice(0);
  const grantedOf = async (account: string, limit: number, count: number) => {
    const taken = await Promise.all(Array.from({ length: count }, () => take(account, limit)));
    return taken.filter(({ isGranted }) => isGranted).length;
  };
  return {
    saidAtStart,
    counts,
    lines,
    take,
    grantedOf,
    add: (account: string, count: number) => counts.add(account, windowSeconds, count),
  };
}

describe('two nodes', () => {
  test('together are granted as many requests as one, asking at the same moment', async () => {
    const [one, other] = await Promise.all([node(), node()]);
    const account = randomUUID();
    const granted = await Promise.all([one.grantedOf(account, 60, 50), other.grantedOf(account, 60, 50)]);
    expect(granted[0] + granted[1]).toBe(60);
    expect(await one.take(account, 60)).toMatchObject({ isGranted: false, used: 60 });
  });

  test('see the requests that the other makes in any case, without either waiting', async () => {
    const [one, other] = await Promise.all([node(), node()]);
    const account = randomUUID();
    const sums = Promise.all([one.add(account, 5), one.add(account, 5)]);
    expect(await sums).toMatchObject([{ used: 10 }, { used: 10 }]);
    expect(await other.take(account, 10)).toMatchObject({ isGranted: false, used: 10 });
    expect(await other.take(account, 11)).toMatchObject({ isGranted: true, used: 11 });
  });

  test('say when there is room again, and no key stays for ever', async () => {
    const account = randomUUID();
    const { msUntilFree } = await (await node()).take(account, 1);
    expect(msUntilFree).toBeGreaterThan(windowSeconds * 1_000);
    expect(msUntilFree).toBeLessThanOrEqual((windowSeconds * 1_000 * 13) / 12);
    expect(await reader.pttl(keyOf(account))).toBeGreaterThan(0);
  });
});

describe.each([
  ['dies', () => server.kill(), () => server.restart()],
  ['hangs', async () => server.pause(), async () => server.resume()],
])('when Redis %s', (_, lose, giveBack) => {
  test('each node goes on with what it knows, says so once, and shares again when it can', async () => {
    const [one, other] = await Promise.all([node(), node()]);
    const account = randomUUID();
    expect(await one.grantedOf(account, 100, 7)).toBe(7);
    expect(await other.grantedOf(account, 100, 5)).toBe(5);
    await lose();
    // Together 20, of which each knows its own.
    expect(await one.grantedOf(account, 10, 20)).toBe(3);
    expect(await other.grantedOf(account, 10, 20)).toBe(5);
    expect(await one.add(account, 4)).toMatchObject({ used: 14 });
    expect(one.lines).toEqual(['Redis lost: counting requests to providers per process']);
    await giveBack();
    await eventually(() => {
      expect(one.lines.at(-1)).toContain('recovered');
      expect(other.lines.at(-1)).toContain('recovered');
    });
    const next = randomUUID();
    expect((await one.grantedOf(next, 9, 9)) + (await other.grantedOf(next, 9, 9))).toBe(9);
    expect(one.lines).toHaveLength(2);
  });
});

test('without Redis, a process counts for itself and says so once', async () => {
  const alone = await node(false);
  const account = randomUUID();
  expect(await alone.grantedOf(account, 5, 9)).toBe(5);
  expect(await alone.add(account, 2)).toMatchObject({ used: 7 });
  expect(alone.saidAtStart).toBe('without REDIS_URL, requests to providers are counted per process');
  expect(alone.lines).toEqual([]);
});
