import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import type { RequestHandler } from 'express';
import { createExpress } from '../../src/http/base/create-express.ts';
import { listen } from '../../src/http/connections/listen.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { attackPorts, standBy } from '../attack/raw-sockets.ts';
import { isLong, times } from '../support/chance.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { freshDatabase } from '../support/database.ts';
import { sendBytes } from '../support/raw-request.ts';
import { killServices, startService } from '../support/service-process.ts';

afterAll(killServices);

const seed = Number(process.env['CAMPAIGN_SEED'] ?? Date.now() % 1_000_000_000);

const start = async () => {
  const metricsPort = await freePort();
  const env = { DATABASE_URL: await freshDatabase(), METRICS_PORT: String(metricsPort) };
  const service = await startService(env);
  return { service, ports: [Number(new URL(service.baseUrl).port), metricsPort] };
};

test('a node survives heads, upgrades, pipelines and chunkings that no client sends, and answers others meanwhile', async () => {
  const { service, ports } = await start();
  const campaign = attackPorts({ ports, messages: times(3_000, 100_000), atOnce: 50, seed });
  const others = await standBy(ports, campaign);
  const { sent, outcomes } = await campaign;
  const kinds = [...new Set(outcomes)];
  if (isLong) {
    const met = kinds.map((kind) => [kind, outcomes.filter((outcome) => outcome === kind).length]);
    process.stdout.write(`${JSON.stringify({ seed, sent, met: Object.fromEntries(met), ...others })}\n`);
  }
  expect({ seed, ...others }).toEqual({
    seed,
    asked: expect.any(Number),
    failures: [],
    maximumMs: expect.any(Number),
  });
  if (isLong) expect(others.maximumMs).toBeLessThan(1_000);
  expect(await service.end('SIGTERM')).toBe(0);
  // Requests, refusals, upgrades and what is not finished.
  expect(kinds).toEqual(expect.arrayContaining(['101', '200', '400', '404', 'nothing']));
}, 900_000);

test.each([
  ['a body of chunks of one byte', '1\r\n \r\n'.repeat(500_000)],
  [
    'pipelined requests with such bodies',
    `${'1\r\n \r\n'.repeat(900)}0\r\n\r\nPOST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`.repeat(
      500,
    ),
  ],
  ['pipelined requests', `0\r\n\r\n${'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50_000)}`],
])('%s cost their sender the connection, and others are answered meanwhile', async (_name, flood) => {
  const { service, ports } = await start();
  const attacks = [...ports, ...ports, ...ports].flatMap((port) =>
    ['/graphql', '/v1/payments', '/psp/sandbox/x', '/metrics'].map((path) =>
      sendBytes(
        `http://127.0.0.1:${port}`,
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${flood}`,
      ),
    ),
  );
  const others = await standBy(ports, Promise.all(attacks));
  expect(others).toEqual({ asked: expect.any(Number), failures: [], maximumMs: expect.any(Number) });
  // `npm run test:long` shows the second that is promised; here the other tests keep the processors busy.
  expect(others.maximumMs).toBeLessThan(isLong ? 1_000 : 10_000);
  expect(await service.end('SIGTERM')).toBe(0);
});

test('a client that sends too small chunks is told so', async () => {
  const { service } = await start();
  const head = 'POST /graphql HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  const sandbox = head.replace('/graphql', '/psp/sandbox/x');
  expect(await sendBytes(service.baseUrl, sandbox + '1\r\n \r\n'.repeat(1_025))).toContain(
    'too many small chunks',
  );
  const most = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(31);
  const answers = await sendBytes(
    service.baseUrl,
    `${most}${head.replace('\r\n', '\r\nConnection: close\r\n')}0\r\n\r\n`,
  );
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([
    ...Array<string>(31).fill('HTTP/1.1 200'),
    'HTTP/1.1 401',
  ]);
  expect(await service.end('SIGTERM')).toBe(0);
});

test('an upgrade that nobody takes is read as any other request on both ports', async () => {
  const { service, ports } = await start();
  for (const port of ports) {
    for (const connection of ['Connection', 'Proxy-Connection']) {
      const head = `GET /healthz HTTP/1.1\r\nHost: x\r\n${connection}: Upgrade, close\r\nUpgrade: x\r\n\r\n`;
      expect(await sendBytes(`http://127.0.0.1:${port}`, head)).toMatch(/^HTTP\/1\.1 200 /);
    }
  }
  expect(await service.end('SIGTERM')).toBe(0);
});

async function startListener(answer: RequestHandler, patience: object = {}) {
  const app = createExpress(false);
  app.use(answer);
  const logger = createLogger('silent', process.stdout);
  const listener = await listen(app, { host: '127.0.0.1', port: 0, logger, patience });
  return { listener, baseUrl: `http://127.0.0.1:${listener.port}` };
}

/** A connection that the test keeps, and what has come of it. */
function converse(port: number) {
  let answers = '';
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (text) => (answers += text));
  return { socket, received: () => answers };
}

const statusesOf = (answers: string) => answers.match(/HTTP\/1\.1 \d+/g) ?? [];

test.each(['GET', 'CONNECT'])('of %s requests sent without a pause, a node parses few', async (method) => {
  let parsed = 0;
  let begun = 0;
  const count = () => (parsed += 1);
  subscribe('http.server.request.start', count);
  const { listener, baseUrl } = await startListener((_request, response) => {
    begun += 1;
    setImmediate(() => response.end());
  });
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  const last = `${method} x:1 HTTP/1.1\r\nHost: x\r\n\r\n`;
  const answers = await sendBytes(baseUrl, request.repeat(65) + last + request.repeat(2_000));
  expect(parsed).toBeLessThan(100);
  // Whatever was begun is answered.
  expect(statusesOf(answers)).toEqual(Array<string>(begun).fill('HTTP/1.1 200'));
  expect(begun).toBe(32);
  unsubscribe('http.server.request.start', count);
  await listener.stop(0);
});

test('a request of a flood that is never answered is aborted', async () => {
  let [begun, aborted] = [0, 0];
  const never: RequestHandler = (incoming) => {
    begun += 1;
    incoming.once('close', () => (aborted += 1));
  };
  const { listener, baseUrl } = await startListener(never, { silentMs: 100 });
  expect(await sendBytes(baseUrl, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000))).toBe('');
  await eventually(() => {
    expect({ begun, aborted }).toEqual({ begun: 1, aborted: 1 });
  });
  await listener.stop(0);
});

const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';

test.each([
  ['no HTTP', 'nothing of the kind\r\n\r\n'],
  ['a CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a body of no chunks', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n'],
  [
    'a body of too many chunks',
    `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(2_000)}`,
  ],
])('behind a request, %s takes no place of its response', async (_name, bytes) => {
  let begun = 0;
  const { listener, baseUrl } = await startListener((_request, response) => {
    begun += 1;
    setImmediate(() => response.status(201).end());
  });
  const answers = await sendBytes(baseUrl, post + post + bytes);
  expect(statusesOf(answers)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 201']);
  expect(begun).toBe(2);
  await listener.stop(0);
});

test.each([
  ['a broken chunk', 'no chunk\r\n'],
  ['too many chunks', '1\r\n \r\n'.repeat(2_000)],
])('%s of a request that has its response gets none of its own', async (_name, bytes) => {
  const { listener } = await startListener((_request, response) => response.status(401).end());
  const { socket, received } = converse(listener.port);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n \r\n');
  await eventually(() => {
    expect(received()).toContain('401');
  });
  socket.write(bytes);
  await once(socket, 'close');
  expect(statusesOf(received())).toEqual(['HTTP/1.1 401']);
  await listener.stop(0);
});

test('nothing is done behind a response that closes the connection', async () => {
  let begun = 0;
  const { listener, baseUrl } = await startListener((_request, response) => {
    begun += 1;
    setImmediate(() => response.end());
  });
  const withoutHost = 'POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}';
  expect(statusesOf(await sendBytes(baseUrl, post + withoutHost + post.repeat(3)))).toEqual([
    'HTTP/1.1 200',
    'HTTP/1.1 400',
  ]);
  expect(statusesOf(await sendBytes(baseUrl, withoutHost + post.repeat(3)))).toEqual(['HTTP/1.1 400']);
  expect(begun).toBe(1);
  await listener.stop(0);
});

test('of a client that ends its side, no further request is begun', async () => {
  const begun: (() => void)[] = [];
  const { listener } = await startListener((_request, response) => begun.push(() => response.end()));
  const { socket, received } = converse(listener.port);
  // The last one is cut short, so that Node leaves the connection open for the others.
  socket.end(post.repeat(3) + post.slice(0, 20));
  await eventually(() => {
    expect([begun.length, socket.readableEnded || socket.writableFinished]).toEqual([1, true]);
  });
  begun[0]?.();
  await once(socket, 'close');
  expect(begun).toHaveLength(1);
  expect(statusesOf(received())).toEqual(['HTTP/1.1 200']);
  await listener.stop(0);
});

test('a stop answers every request that was begun, and begins none behind the last response', async () => {
  let begun = 0;
  const { listener, baseUrl } = await startListener((_request, response) => {
    begun += 1;
    if (begun === 1) listener.announceStop();
    setImmediate(() => response.end());
  });
  const answers = await sendBytes(baseUrl, post.repeat(5));
  expect(begun).toBeGreaterThan(0);
  expect(statusesOf(answers)).toHaveLength(begun);
  expect(answers.match(/Connection: close/g)).toHaveLength(1);
  await listener.stop(0);
});

test('a client that takes nothing of its response loses the connection', async () => {
  let closed = 0;
  const { listener } = await startListener(
    (_request, response) => {
      response.once('close', () => (closed += 1));
      response.end(Buffer.alloc(50_000_000));
    },
    { silentMs: 100 },
  );
  const socket = connect(listener.port, '127.0.0.1').on('error', () => undefined);
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await eventually(() => {
    expect(closed).toBe(1);
  });
  socket.destroy();
  await listener.stop(0);
});

test.each([128, 512, 2_048])('a body in chunks of %d bytes is taken, however fast it comes', async (size) => {
  const { listener, baseUrl } = await startListener((request, response) => {
    let bytes = 0;
    request.on('data', (piece: Buffer) => (bytes += piece.length));
    request.on('end', () => response.end(String(bytes)));
  });
  const chunk = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;
  const count = Math.floor(4_194_304 / size);
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
  const answer = await sendBytes(baseUrl, `${head}${chunk.repeat(count)}0\r\n\r\n`);
  expect(answer.endsWith(`\r\n\r\n${count * size}`)).toBe(true);
  await listener.stop(0);
});
