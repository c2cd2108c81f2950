import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newWebhookSecret, signatureHeaders } from '../../src/webhook-client/sign.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { freePort } from '../support/free-port.ts';

const examples = resolve(import.meta.dirname, '../../examples');
const secret = newWebhookSecret();
let app: TestApp;
let shop: ChildProcess | undefined;

beforeAll(async () => {
  app = await startTestApp();
});

afterEach(async () => {
  if (shop?.exitCode === null && shop.kill()) await once(shop, 'exit');
  shop = undefined;
});

afterAll(() => app.stop());

interface Shop {
  language: string;
  command: string;
  args(port: number): string[];
  /** Succeeds where everything that the shop needs is installed. */
  probe: string[];
}

// Debian's Python, for which Debian packages FastAPI.
const debianPython = '/usr/bin/python3';
const shops: Shop[] = [
  { language: 'express', command: process.execPath, args: () => ['shop.js'], probe: ['--version'] },
  { language: 'python', command: 'python3', args: () => ['shop.py'], probe: ['--version'] },
  {
    language: 'fastapi',
    command: debianPython,
    args: (port) => ['-m', 'uvicorn', 'shop:app', '--port', String(port), '--log-level', 'warning'],
    probe: ['-c', 'import fastapi, uvicorn'],
  },
  {
    language: 'php',
    command: 'php',
    // As PHP is without a php.ini.
    args: (port) => ['-d', 'display_errors=1', '-S', `127.0.0.1:${port}`, 'shop.php'],
    probe: ['-r', 'exit(extension_loaded("curl") ? 0 : 1);'],
  },
];

async function post(url: string, body: string, headers: Record<string, string>): Promise<number> {
  const init = { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } };
  return (await fetch(url, init)).status;
}

describe.each(shops)('the shop in examples/$language', ({ language, command, args, probe }) => {
  const isThere = spawnSync(command, probe).status === 0;
  if (!isThere) console.warn(`${command} ${probe.join(' ')} failed: examples/${language} was not run`);

  async function start(serviceUrl: string, key: string) {
    const port = await freePort();
    shop = spawn(command, args(port), {
      cwd: resolve(examples, language),
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        PIX_URL: serviceUrl,
        PIX_API_KEY: key,
        WEBHOOK_SECRET: secret,
        PORT: String(port),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const client = createClient(`http://127.0.0.1:${port}`);
    await eventually(async () =>
      expect((await client.get('/orders/none').catch(() => undefined))?.status).toBe(404),
    );
    return { port, client };
  }

  const testIfThere = isThere ? test : test.skip;

  testIfThere('reports no success when the payment or the event fails', async () => {
    const { port } = await start(`http://127.0.0.1:${await freePort()}`, 'pk_test_none');
    const statusOf = (path: string, body: string, headers: Record<string, string> = {}) =>
      post(`http://127.0.0.1:${port}${path}`, body, headers).catch(() => 'none');
    const body = 'no event';
    const headers = signatureHeaders({ id: 'evt', timestamp: new Date(), body, secrets: [secret] });
    for (const status of [await statusOf('/orders', '{}'), await statusOf('/webhook', body, headers)])
      expect([500, 502, 'none']).toContain(status);
  });

  // A server of Python's library hangs up on what is raised; the other frameworks answer 500.
  (isThere && language === 'python' ? test : test.skip)(
    'answers a failed create with a sentence',
    async () => {
      const { client } = await start(`http://127.0.0.1:${await freePort()}`, 'pk_test_none');
      const { status, body } = await client.post('/orders', {});
      expect([status, body]).toEqual([502, { message: expect.stringMatching(/^The payment could not/) }]);
    },
  );

  testIfThere('knows which order was paid, by a signed webhook alone', async () => {
    const { key } = await createKey(app.services);
    const { port, client } = await start(app.baseUrl, key);

    const { status, body: order } = await client.post('/orders', {});
    expect({ status, order }).toMatchObject({ status: 201, order: { status: 'waiting' } });
    const service = createClient(app.baseUrl, key);
    const [payment] = (await service.get(`/v1/payments?externalId=${order.id}`)).body.data;
    expect(payment.pixCopyPaste).toBe(order.pixCopyPaste);
    await service.post(`/v1/sandbox/payments/${payment.id}/pay`);
    const [event] = (await service.get('/v1/events')).body.data;

    const body = JSON.stringify(event);
    const url = `http://127.0.0.1:${port}/webhook`;
    const signed = (by: string) =>
      signatureHeaders({ id: event.id, timestamp: new Date(), body, secrets: [by] });
    expect(await post(url, body, signed(newWebhookSecret()))).toBe(401);
    expect(await post(url, body, {})).toBe(401);
    expect((await client.get(`/orders/${order.id}`)).body.status).toBe('waiting');

    expect(await post(url, body, signed(secret))).toBe(204);
    expect(await post(url, body, signed(secret))).toBe(204);
    expect((await client.get(`/orders/${order.id}`)).body.status).toBe('paid');
  });
});
