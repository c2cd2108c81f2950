import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { allowedSender, serve, serveRaw, to, type Watched } from './servers.ts';

const tooLate = { error: 'no response within 0.3 s', status: null, latencyMs: expect.any(Number) };
const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';

const send = ({ port }: Watched, timeoutMs = 300, protocol = 'http') =>
  allowedSender({ timeoutMs }).send(to(`${protocol}://127.0.0.1:${port}/`));

/** We have let go of every connection. */
const abandoned = ({ sockets }: Watched) =>
  eventually(() => {
    expect(sockets.every(({ destroyed, readableEnded }) => destroyed || readableEnded)).toBe(true);
  });

function writeOften(socket: Socket, text: string, everyMs: number) {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.once('close', () => {
    clearInterval(timer);
  });
}

describe('no response in time', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['from one that never answers', (socket) => socket.resume()],
    ['from one that stops within the headers', (socket) => socket.resume().write(head)],
    [
      'from one whose headers trickle',
      (socket) => {
        socket.resume().write(head);
        writeOften(socket, 'X-More: 1\r\n', 20);
      },
    ],
    [
      'from one that only announces an answer',
      (socket) => {
        socket.resume();
        writeOften(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n', 20);
      },
    ],
  ])('%s', async (_, behave) => {
    const server = await serveRaw(behave);
    const answer = await send(server);
    expect(answer).toEqual(tooLate);
    expect(answer.latencyMs).toBeGreaterThanOrEqual(299);
    expect(answer.latencyMs).toBeLessThan(3_000);
    await abandoned(server);
  });

  test('from a server that never completes the TLS handshake', async () => {
    const server = await serveRaw((socket) => socket.resume());
    expect(await send(server, 300, 'https')).toEqual(tooLate);
    await abandoned(server);
  });

  test('from a name server', async () => {
    const sender = allowedSender({ timeoutMs: 300, lookup: () => undefined });
    expect(await sender.send(to('http://slow.example/'))).toEqual(tooLate);
  });
});

test('a request aborted while waiting for a connection is never sent', async () => {
  const lookups: (() => void)[] = [];
  const paths: unknown[] = [];
  const server = await serve((request, response) => {
    paths.push(request.url);
    response.end();
  });
  const sender = allowedSender({
    allowedHosts: ['slow.example'],
    lookup: (_, __, callback) => {
      lookups.push(() => {
        callback(null, [{ address: '127.0.0.1', family: 4 }]);
      });
    },
  });
  const sent = (path: string, signal?: AbortSignal) =>
    sender.send({ ...to(`http://slow.example:${server.port}${path}`), ...(signal && { signal }) });
  const abort = new AbortController();
  const givenUp = sent('/given-up', abort.signal);
  await eventually(() => {
    expect(lookups).toHaveLength(1);
  });
  abort.abort();
  expect(await givenUp).toMatchObject({ error: 'aborted before a response' });
  lookups[0]?.();
  await eventually(() => {
    expect(server.sockets).toHaveLength(1);
  });
  const next = sent('/next');
  await eventually(() => {
    for (const lookUp of lookups) lookUp();
    expect(paths).toContain('/next');
  });
  expect(await next).toMatchObject({ status: 200 });
  expect(paths).toEqual(['/next']);
});

test('an aborted signal sends nothing', async () => {
  const server = await serve((_, response) => response.end());
  const request = { ...to(`http://127.0.0.1:${server.port}/`), signal: AbortSignal.abort() };
  expect(await allowedSender().send(request)).toMatchObject({ error: 'aborted before a response' });
  expect(server.sockets).toHaveLength(0);
});

test('a signal aborts a request in flight', async () => {
  const abort = new AbortController();
  const server = await serve(() => {
    abort.abort();
  });
  const request = { ...to(`http://127.0.0.1:${server.port}/`), signal: abort.signal };
  expect(await allowedSender().send(request)).toMatchObject({ error: 'aborted before a response' });
  await abandoned(server);
});

describe('the headers decide the outcome', () => {
  test('even if the body never ends: its beginning is enough', async () => {
    const server = await serve((_, response) => {
      const more = () => {
        while (response.write('x'.repeat(1_000)));
        response.once('drain', more);
      };
      more();
    });
    const answer = await send(server, 15_000);
    expect(answer).toEqual({
      error: null,
      status: 200,
      body: 'x'.repeat(2_048),
      latencyMs: expect.any(Number),
    });
    expect(answer.latencyMs).toBeLessThan(900);
    await abandoned(server);
  });

  test('even if the body has ten megabytes', async () => {
    const server = await serve((_, response) => response.writeHead(500).end(Buffer.alloc(10_000_000, 'y')));
    expect(await send(server, 15_000)).toMatchObject({ status: 500, body: 'y'.repeat(2_048) });
    await abandoned(server);
  });

  test('and a body that trickles in is given a second, no longer', async () => {
    const server = await serveRaw((socket) => {
      socket.resume().write(`${head}Content-Length: 900\r\n\r\nbegin`);
      writeOften(socket, '.', 100);
    });
    const answer = await send(server, 15_000);
    expect(answer).toMatchObject({ status: 200, body: expect.stringMatching(/^begin\.+$/) });
    expect(answer.latencyMs).toBeLessThan(4_000);
    await abandoned(server);
  });

  test('even if the body hangs until the deadline', async () => {
    const server = await serveRaw((socket) => socket.resume().write(`${head}Content-Length: 9\r\n\r\nbegin`));
    const answer = await send(server);
    expect(answer).toMatchObject({ status: 200, body: 'begin' });
    expect(answer.latencyMs).toBeLessThan(900);
  });

  test('even if the body is cut off', async () => {
    const server = await serveRaw((socket) => {
      socket.once('data', () => socket.end(`${head}Content-Length: 9\r\n\r\nbegin`));
    });
    expect(await send(server)).toMatchObject({ status: 200, body: 'begin' });
  });
});

test('closing waits for requests in flight', async () => {
  const server = await serveRaw(() => undefined);
  const sender = allowedSender();
  const answer = sender.send(to(`http://127.0.0.1:${server.port}/`));
  await eventually(() => {
    expect(server.sockets).toHaveLength(1);
  });
  const closed = sender.close();
  const [socket] = server.sockets;
  if (socket && socket.readableLength === 0) await once(socket, 'readable');
  socket?.end('HTTP/1.1 204 No Content\r\n\r\n');
  expect(await answer).toMatchObject({ status: 204 });
  await closed;
  expect(await sender.send(to(`http://127.0.0.1:${server.port}/`))).toMatchObject({
    error: 'the service is stopping',
  });
});
