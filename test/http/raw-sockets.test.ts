import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, expect, test } from '@jest/globals';
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

test('a client that sends too small chunks, or too many requests, is told so', async () => {
  const { service } = await start();
  const head = 'POST /graphql HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  for (const bytes of [
    head + '1\r\n \r\n'.repeat(1_025),
    'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(33),
  ]) {
    expect(await sendBytes(service.baseUrl, bytes)).toContain('too many small chunks');
  }
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

test.each(['GET', 'CONNECT'])('of %s requests sent without a pause, a node parses few', async (method) => {
  let parsed = 0;
  const count = () => (parsed += 1);
  subscribe('http.server.request.start', count);
  const app = createExpress(false);
  let [aborted, begun] = [0, 0];
  app.use((incoming) => {
    begun += 1;
    incoming.once('close', () => (aborted += 1));
  });
  const logger = createLogger('silent', process.stdout);
  const listener = await listen(app, { host: '127.0.0.1', port: 0, logger });
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  const last = `${method} x:1 HTTP/1.1\r\nHost: x\r\n\r\n`;
  const answers = await sendBytes(
    `http://127.0.0.1:${listener.port}`,
    request.repeat(65) + last + request.repeat(2_000),
  );
  expect(answers).toContain('too many requests');
  expect(parsed).toBeLessThan(100);
  await eventually(() => {
    expect({ begun, aborted }).toEqual({ begun: 32, aborted: 32 });
  });
  unsubscribe('http.server.request.start', count);
  await listener.stop(0);
});
