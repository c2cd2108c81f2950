import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/persistence/database.ts';
import { workerDatabase } from '../support/database.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

/** Between the service and PostgreSQL; frozen, it keeps the connections and hands nothing on. */
async function startProxy(target: URL) {
  const sockets: Socket[] = [];
  let isFrozen = false;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.push(from);
      from.on('data', (chunk) => isFrozen || to.write(chunk)).on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(target.href);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    freeze(frozen: boolean) {
      isFrozen = frozen;
    },
  };
}

test('a server that no longer answers ends a query in time, and the next one is made on a new connection', async () => {
  const proxy = await startProxy(new URL(await workerDatabase()));
  const db = openDatabase(proxy.url, { maximumConnections: 1, queryTimeoutMs: 300 });
  cleanups.push(() => db.$disconnect());
  const one = () => db.$queryRaw`SELECT 1 AS one`;
  expect(await one()).toEqual([{ one: 1 }]);
  proxy.freeze(true);
  await expect(one()).rejects.toThrow();
  proxy.freeze(false);
  expect(await one()).toEqual([{ one: 1 }]);
  expect(await db.$transaction((tx) => tx.$queryRaw`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
});
