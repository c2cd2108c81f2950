import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/database.ts';
import { freshDatabase, query, workerDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

/** What PostgreSQL sends when an administrator ends a connection. */
function terminated(): Buffer {
  const fields = 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
  const message = Buffer.alloc(5 + fields.length);
  message.write('E', 0);
  message.writeInt32BE(4 + fields.length, 1);
  message.write(fields, 5);
  return message;
}

const readyForQuery = Buffer.from('Z\0\0\0\x05I');

/** Between the service and PostgreSQL; frozen, it keeps the connections and hands nothing on. */
async function startProxy(target: URL) {
  const sockets: Socket[] = [];
  let isFrozen = false;
  let isEnding = false;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    upstream.on('data', (chunk) => {
      if (isEnding && chunk.includes(readyForQuery)) client.end(Buffer.concat([chunk, terminated()]));
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.push(from);
      from
        .on('data', (chunk) => isFrozen || (isEnding && chunk.includes(readyForQuery)) || to.write(chunk))
        .on('error', () => undefined);
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
    /** Each connection ends in the packet that opens it. */
    endAll(ending: boolean) {
      isEnding = ending;
    },
  };
}

test('a server that stops responding fails a query in time, and the next one uses a new connection', async () => {
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

test('a connection lost while opening fails its transaction, not the process', async () => {
  const proxy = await startProxy(new URL(await workerDatabase()));
  const db = openDatabase(proxy.url, { maximumConnections: 1 });
  cleanups.push(() => db.$disconnect());
  const one = () => db.$transaction((tx) => tx.$queryRaw`SELECT 1 AS one`);
  proxy.endAll(true);
  await expect(one()).rejects.toThrow();
  proxy.endAll(false);
  expect(await one()).toEqual([{ one: 1 }]);
});

test('a connection that has become read-only is dropped, and the write tried again on another', async () => {
  const db = openDatabase(await freshDatabase(), { maximumConnections: 1 });
  cleanups.push(() => db.$disconnect());
  await db.$executeRaw`SET default_transaction_read_only = on`;
  await db.$executeRaw`CREATE TABLE written_alone AS SELECT 1`;
  await db.$executeRaw`SET default_transaction_read_only = on`;
  const write = () => db.$transaction((tx) => tx.$executeRaw`CREATE TABLE written_together AS SELECT 1`);
  await expect(write()).rejects.toMatchObject({ name: 'Unavailable' });
  await write();
});

test('a standby is refused, alone and among several hosts, and the primary found', async () => {
  const primary = await freshDatabase();
  const standby = await freshDatabase();
  await query(
    standby,
    `ALTER DATABASE "${new URL(standby).pathname.slice(1)}" SET default_transaction_read_only = on`,
  );
  const { host, pathname } = new URL(primary);
  const alone = openDatabase(standby, { maximumConnections: 1 });
  cleanups.push(() => alone.$disconnect());
  await expect(alone.$queryRaw`SELECT 1`).rejects.toMatchObject({ name: 'Unavailable', reason: 'away' });
  const deadPort = await freePort();
  const among = primary.replace(host, `127.0.0.1:${deadPort},${host}`);
  const db = openDatabase(among, { maximumConnections: 2 });
  cleanups.push(() => db.$disconnect());
  expect(await db.$queryRaw`SELECT current_database() AS name`).toEqual([{ name: pathname.slice(1) }]);
});

test('hosts that take connections and say nothing are reported as unavailable', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  const silent = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const db = openDatabase(`postgresql://pix@${silent},${silent}/pix`, {
    maximumConnections: 1,
    connectionTimeoutMs: 60_000,
  });
  cleanups.push(() => db.$disconnect());
  await expect(db.$queryRaw`SELECT 1`).rejects.toMatchObject({ name: 'Unavailable', reason: 'away' });
});
