import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Client as Connection } from 'undici';
import WebSocket from 'ws';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { closeGate, installGates, openGates } from '../support/gate.ts';
import { killServices, startService } from '../support/service-process.ts';
import { transports } from '../support/subscribe.ts';

const EXITS_WITHIN_MS = 5_000;

let databaseUrl: string;
/** Makes the keys. */
let operator: TestApp;
let owner: TestKey;
const sockets: Socket[] = [];

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  await installGates(databaseUrl, ['sandbox_charge']);
  operator = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' });
  owner = await createKey(operator.services);
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await openGates();
  await killServices();
});

afterAll(() => operator.stop());

interface Load {
  /** Ids of the payments that were answered with 201. */
  created: string[];
  readCount: number;
  /** Requests on an open connection that got no whole answer, or another one than they should. */
  lost: unknown[];
  /** Resolves when no connection can be made any more. */
  ended: Promise<unknown>;
}

/** Each connection sends creates and reads without a pause until it can no longer be opened. */
function startLoad(baseUrl: string, connections: number): Load {
  const load: Load = { created: [], readCount: 0, lost: [], ended: Promise.resolve() };
  const headers = { 'x-api-key': owner.key, 'content-type': 'application/json' };

  async function send(connection: Connection, method: 'GET' | 'POST', path: string, body?: string) {
    const answer = await connection.request({ method, path, headers, body: body ?? null });
    return { status: answer.statusCode, body: (await answer.body.json()) as { id: string } };
  }

  async function keepSending(): Promise<void> {
    const connection = new Connection(baseUrl, { pipelining: 1 });
    for (;;) {
      try {
        const created = await send(connection, 'POST', '/v1/payments', '{"amount":1}');
        if (created.status === 201) load.created.push(created.body.id);
        else load.lost.push(created);
        const read = await send(connection, 'GET', `/v1/payments/${created.body.id}`);
        if (read.status === 200 && read.body.id === created.body.id) load.readCount += 1;
        else load.lost.push(read);
      } catch (error) {
        const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
        if (!isRefused) load.lost.push(error);
        await connection.destroy();
        return;
      }
    }
  }

  load.ended = Promise.all(Array.from({ length: connections }, keepSending));
  return load;
}

async function silentConnection(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket.on('error', () => undefined);
}

async function statusOf(connection: Connection, path: string): Promise<number> {
  const { statusCode, body } = await connection.request({ method: 'GET', path });
  await body.dump();
  return statusCode;
}

const isPending = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => false), Promise.resolve(true)]);

const storedPayments = async (): Promise<Set<string>> => {
  const rows = await query<{ id: string }>(
    databaseUrl,
    "SELECT id FROM payment WHERE organization_id = $1 AND status = 'pending'",
    [owner.organizationId],
  );
  return new Set(rows.map(({ id }) => id));
};

/** All that was ever answered with 201. */
const answered: string[] = [];

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s under load loses no request, exits with 0 within seconds, and the next start continues',
  async (signal) => {
    const service = await startService({ DATABASE_URL: databaseUrl });
    const client = createClient(service.baseUrl, owner.key);
    for (const id of answered.slice(-1)) expect((await client.get(`/v1/payments/${id}`)).status).toBe(200);

    const load = startLoad(service.baseUrl, 50);
    await eventually(() => expect(load.readCount).toBeGreaterThan(150));
    const signalledAt = Date.now();
    expect(await service.end(signal)).toBe(0);
    expect(Date.now() - signalledAt).toBeLessThan(EXITS_WITHIN_MS);
    await load.ended;

    expect(load.lost).toEqual([]);
    answered.push(...load.created);
    const stored = await storedPayments();
    expect(answered.filter((id) => !stored.has(id))).toEqual([]);
  },
);

describe('while stopping', () => {
  test('a request in flight finishes, one on an open connection gets a response, and idle ones hold nothing up', async () => {
    const service = await startService({ DATABASE_URL: databaseUrl });
    const gate = await closeGate(databaseUrl, 'INSERT', 'sandbox_charge');
    const slow = createClient(service.baseUrl, owner.key).post('/v1/payments', { amount: 1 });
    await gate.waiting(1);
    const [open, idle] = [new Connection(service.baseUrl), new Connection(service.baseUrl)];
    for (const connection of [open, idle]) await statusOf(connection, '/healthz');
    const silent = await silentConnection(service.baseUrl);

    const exit = service.end('SIGTERM');
    await eventually(async () => {
      await expect(silentConnection(service.baseUrl)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    });
    expect(await statusOf(open, '/readyz')).toBe(503);
    await once(silent, 'close');
    expect(await isPending(slow)).toBe(true);
    await gate.open();
    const { status, headers } = await slow;
    expect(status).toBe(201);
    expect(headers.get('Connection')).toBe('close');
    const answeredAt = Date.now();
    expect(await exit).toBe(0);
    expect(Date.now() - answeredAt).toBeLessThan(EXITS_WITHIN_MS);
    await Promise.all([open.destroy(), idle.destroy()]);
  });

  test.each(transports)(
    'an operation in flight over %s finishes and is reported',
    async (_name, subscribe) => {
      const service = await startService({ DATABASE_URL: databaseUrl });
      const gate = await closeGate(databaseUrl, 'INSERT', 'sandbox_charge');
      const create = 'mutation { createPayment(input: { amount: 1 }) { status } }';
      const slow = subscribe(service.baseUrl, { 'X-API-Key': owner.key }, create);
      await gate.waiting(1);
      const exit = service.end('SIGTERM');
      await eventually(async () => {
        await expect(silentConnection(service.baseUrl)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      });
      await gate.open();
      // A client that is not told so sends it again.
      expect(await slow.ended).toBe('complete');
      expect(slow.results).toEqual([{ data: { createPayment: { status: 'pending' } } }]);
      slow.close();
      expect(await exit).toBe(0);
    },
  );

  test('of the operations of a WebSocket, those in progress are answered, and those that wait are not done', async () => {
    const service = await startService({ DATABASE_URL: databaseUrl, RATE_LIMIT_PER_MINUTE: '1000' });
    const { organizationId, key } = await createKey(operator.services);
    const gate = await closeGate(databaseUrl, 'INSERT', 'sandbox_charge');
    const socket = new WebSocket(`${service.baseUrl.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    let answered = 0;
    socket.on('message', (data: Buffer) => {
      const { type } = JSON.parse(data.toString()) as { type: string };
      if (type === 'next') answered += 1;
      if (type !== 'connection_ack') return;
      const payload = { query: 'mutation { createPayment(input: { amount: 1 }) { id } }' };
      for (let id = 0; id < 100; id++)
        socket.send(JSON.stringify({ type: 'subscribe', id: String(id), payload }));
    });
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'connection_init', payload: { 'X-API-Key': key } }));
    });
    await gate.waiting(1);
    const [closed, exit] = [once(socket, 'close'), service.end('SIGTERM')];
    await eventually(async () => {
      await expect(silentConnection(service.baseUrl)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    });
    await openGates();
    expect((await closed)[0]).toBe(1001);
    expect(await exit).toBe(0);
    const made = await query(
      databaseUrl,
      'SELECT count(*)::int AS made FROM payment WHERE organization_id = $1',
      [organizationId],
    );
    expect(made).toEqual([{ made: answered }]);
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThan(100);
  });

  test('requests are accepted as long as load balancers need to notice', async () => {
    const service = await startService({ DATABASE_URL: databaseUrl, STOP_DELAY_SECONDS: '4' });
    const client = createClient(service.baseUrl, owner.key);
    const exit = service.end('SIGTERM');
    await eventually(async () => expect((await client.get('/readyz')).status).toBe(503));
    const newcomer = new Connection(service.baseUrl);
    const { statusCode, headers, body } = await newcomer.request({
      method: 'POST',
      path: '/v1/payments',
      headers: { 'X-API-Key': owner.key, 'Content-Type': 'application/json' },
      body: '{"amount":1}',
    });
    expect(statusCode).toBe(201);
    // A proxy that keeps its connections makes the next one elsewhere.
    expect(headers['connection']).toBe('close');
    await body.dump();
    await newcomer.destroy();
    expect(await exit).toBe(0);
  });

  test('a second signal exits at once', async () => {
    const service = await startService({ DATABASE_URL: databaseUrl });
    const gate = await closeGate(databaseUrl, 'INSERT', 'sandbox_charge');
    const slow = createClient(service.baseUrl, owner.key)
      .post('/v1/payments', { amount: 1 })
      .catch(() => 'no answer');
    await gate.waiting(1);
    const exit = service.end('SIGTERM');
    await eventually(async () => {
      await expect(silentConnection(service.baseUrl)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    });
    expect(await service.end('SIGTERM')).toBe(1);
    expect(await exit).toBe(1);
    expect(await slow).toBe('no answer');
  });
});
