import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { createExpress } from '../../src/http/base/create-express.ts';
import { type Listener, listen } from '../../src/http/connections/listen.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { startTestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const logger = createLogger('silent', process.stdout);
let listener: Listener | undefined;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener?.stop(0);
});

async function start(trustProxy: number | false = false): Promise<void> {
  const app = createExpress(trustProxy);
  app.get('/', (_request, response) => {
    response.json({});
  });
  const limits = { perNode: 5, perAddress: 2 };
  listener = await listen(app, { host: '127.0.0.1', port: 0, logger, limits });
}

async function open(localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: listener?.port ?? 0, localAddress });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** The beginning of the answer to a request on this connection. */
async function ask(socket: Socket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString();
}

const isTaken = async (socket: Socket) => (await ask(socket)).startsWith('HTTP/1.1 200');

test('an excess connection from an address is told so and closed, and closing one frees a slot', async () => {
  await start();
  const [first, second] = [await open(), await open()];
  const third = await open();
  const refused = await ask(third);
  expect(refused).toMatch(/^HTTP\/1.1 429 /);
  expect(refused).toContain('X-Error-Code: too_many_connections');
  expect(refused).toContain('Retry-After: 1');
  expect(refused).toContain('At most 2 connections from one address may be open at once');
  await once(third, 'close');
  expect([await isTaken(first), await isTaken(second)]).toEqual([true, true]);
  first.destroy();
  await eventually(async () => {
    expect(await isTaken(await open())).toBe(true);
  });
});

test('an address that has used up its connections takes none from others', async () => {
  await start();
  for (let time = 0; time < 3; time++) await open();
  expect(await isTaken(await open('127.0.0.2'))).toBe(true);
});

test('a full node responds with 503 and Retry-After', async () => {
  await start();
  for (const address of ['127.0.0.1', '127.0.0.1', '127.0.0.2', '127.0.0.2', '127.0.0.3'])
    await open(address);
  const refused = await ask(await open('127.0.0.4'));
  expect(refused).toMatch(/^HTTP\/1.1 503 /);
  expect(refused).toContain('X-Error-Code: service_unavailable');
  expect(refused).toContain('Retry-After: 2');
});

test('an excess connection that sends nothing is closed', async () => {
  await start();
  for (let time = 0; time < 2; time++) await open();
  await once(await open(), 'close');
});

test('a trusted proxy may have many connections', async () => {
  await start(1);
  for (let time = 0; time < 4; time++) await open();
  expect(await isTaken(await open())).toBe(true);
});

test('an address may have 50 unauthenticated WebSockets, and the next is told so', async () => {
  const app = await startTestApp({ ROLE: 'api' });
  const waiting = Array.from({ length: 51 }, () =>
    new WebSocket(`${app.baseUrl.replace('http', 'ws')}/graphql`, 'graphql-transport-ws').on(
      'error',
      () => undefined,
    ),
  );
  try {
    const statuses = await Promise.all(
      waiting.map(async (socket) => {
        const opened = once(socket, 'open').then(() => 101);
        const refused = once(socket, 'unexpected-response').then(
          ([, response]) => response as { statusCode: number },
        );
        return Promise.race([opened, refused.then(({ statusCode }) => statusCode)]);
      }),
    );
    expect(statuses.sort((a, b) => a - b)).toEqual([...Array(50).fill(101), 429]);
  } finally {
    for (const socket of waiting) socket.terminate();
    await app.stop();
  }
});
