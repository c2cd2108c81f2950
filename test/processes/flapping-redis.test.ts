import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { killServices, startService } from '../support/service-process.ts';
import { testKeys } from '../support/test-keys.ts';

let redis: RedisServer;

afterAll(async () => {
  await killServices();
  await redis.stop();
});

/** Stands before Redis, and ends each connection on which somebody subscribes, but for those that a test lets. */
async function startFlappingLink(to: number) {
  const link = { isFlapping: false, subscriptions: 0, url: '', cut: () => undefined as unknown };
  const server = createServer((client) => {
    const there = connect(to, '127.0.0.1');
    const end = (): void => {
      client.destroy();
      there.destroy();
    };
    for (const each of [client, there]) each.on('error', end).on('close', end);
    there.on('data', (bytes) => client.write(bytes));
    client.on('data', (bytes) => {
      const isSubscribing = /subscribe/i.test(bytes.toString('latin1'));
      if (isSubscribing) {
        link.subscriptions += 1;
        link.cut = end;
      }
      if (isSubscribing && link.isFlapping) end();
      else there.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  server.unref();
  await once(server, 'listening');
  link.url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return link;
}

test('a node goes on where Redis is lost again as soon as it is back', async () => {
  redis = await startRedisServer();
  const link = await startFlappingLink(redis.port);
  const node = await startService({
    DATABASE_URL: await freshDatabase(),
    REDIS_URL: link.url,
    ENCRYPTION_KEYS: testKeys,
    ROLE: 'api',
  });
  const isReady = async () => expect((await fetch(`${node.baseUrl}/readyz`)).status).toBe(200);
  await eventually(() => expect(link.subscriptions).toBeGreaterThan(0));
  await eventually(isReady);
  link.isFlapping = true;
  link.cut();
  await eventually(() => expect(link.subscriptions).toBeGreaterThan(5));
  link.isFlapping = false;
  await eventually(isReady);
  expect(node.logs.filter(({ level }) => level === 'fatal')).toEqual([]);
  expect(node.process.exitCode).toBeNull();
});
