import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { pix } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { freePort } from '../support/free-port.ts';
import { isSignedWith, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let app: TestApp;
let receiver: WebhookReceiver;
const listeners: ChildProcess[] = [];

beforeAll(async () => {
  app = await startTestApp();
  receiver = await startWebhookReceiver();
});

afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => stop(listener)));
  receiver.requests.length = 0;
  receiver.reply = { status: 204 };
});

afterAll(async () => {
  await receiver.stop();
  await app.stop();
});

async function stop(listener: ChildProcess): Promise<number | null> {
  const [code] = listener.kill('SIGINT') ? ((await once(listener, 'exit')) as [number | null]) : [null];
  return code;
}

const newKey = async (mode: 'test' | 'live' = 'test') => (await createKey(app.services, { mode })).key;

const trigger = (key: string, event: string) =>
  pix(['trigger', event, '--key', key, '--url', app.baseUrl, '--json'], {});

/** Started with nothing of the service but its address. */
async function listen(key: string, ...options: string[]) {
  const args = [
    'dist/cli.js',
    'listen',
    '--json',
    '--url',
    app.baseUrl,
    '--forward-to',
    receiver.url,
    ...options,
  ];
  const child = spawn(process.execPath, args, {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { PATH: process.env['PATH'], PIX_API_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  listeners.push(child);
  const lines: Record<string, unknown>[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line) as Record<string, unknown>));
  await eventually(async () => expect(lines).not.toHaveLength(0));
  return { child, lines, secret: String(lines[0]?.['secret']) };
}

/** Resolves once it is connected. */
async function logs(key: string, ...options: string[]) {
  const child = spawn(process.execPath, ['dist/cli.js', 'logs', '--url', app.baseUrl, ...options], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { PATH: process.env['PATH'], PIX_API_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  listeners.push(child);
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  await eventually(() => expect(lines).not.toHaveLength(0));
  return { child, lines };
}

const received = () =>
  receiver.requests.map(({ body }) => JSON.parse(body) as { type: string; sequence: number });

describe('pix listen', () => {
  test('forwards events as they happen, signed as the service signs, and none from before', async () => {
    const key = await newKey();
    for (let before = 0; before < 3; before++) await trigger(key, 'payment_completed');
    const { secret, lines } = await listen(key);
    await trigger(key, 'refund_completed');
    await eventually(async () => expect(received()).toHaveLength(2));
    expect(received()).toMatchObject([
      { type: 'payment_completed', sequence: 4 },
      { type: 'refund_completed', sequence: 5 },
    ]);
    expect(receiver.requests.every((request) => isSignedWith(secret, request))).toBe(true);
    // Printed once the receiver has responded.
    await eventually(async () =>
      expect(lines.slice(1)).toMatchObject([
        { sequence: 4, outcome: '204' },
        { sequence: 5, outcome: '204' },
      ]),
    );
  });

  test('has the same secret at the next start, and another for another key', async () => {
    const key = await newKey();
    const { secret, child } = await listen(key);
    expect(await stop(child)).toBe(0);
    expect((await listen(key)).secret).toBe(secret);
    expect((await listen(await newKey())).secret).not.toBe(secret);
  });

  test('begins after an event that it is given, with those types only', async () => {
    const key = await newKey();
    await trigger(key, 'payment_completed');
    await trigger(key, 'refund_completed');
    await listen(key, '--since', '1', '--events', 'refund_completed');
    await eventually(async () =>
      expect(received()).toMatchObject([{ type: 'refund_completed', sequence: 3 }]),
    );
  });

  test('tells what a receiver responded, and goes on', async () => {
    const key = await newKey();
    const { lines } = await listen(key);
    receiver.reply = { status: 500 };
    await trigger(key, 'payment_completed');
    await eventually(async () => expect(lines.at(-1)).toMatchObject({ outcome: '500' }));
    receiver.reply = { status: 204 };
    await trigger(key, 'payment_completed');
    await eventually(async () => expect(lines.at(-1)).toMatchObject({ sequence: 2, outcome: '204' }));
  });

  test.each<[string, () => Promise<string[]>, string]>([
    ['a live key', async () => ['--key', await newKey('live')], '--key must be a test key'],
    ['a key that is none', async () => ['--key', 'secret'], '--key must begin with pk_test_'],
    ['an unknown key', async () => ['--key', 'pk_test_unknown'], 'API key'],
    ['no key', async () => [], "required option '--key <key>' not specified"],
    [
      'a receiver that is no URL',
      async () => ['--key', await newKey(), '--forward-to', 'localhost'],
      '--forward-to must be a URL',
    ],
    [
      'a password in the address',
      async () => ['--key', await newKey(), '--url', 'http://a:b@localhost'],
      '--url must not contain a user name or password',
    ],
    [
      'a service that is not there',
      async () => ['--key', await newKey(), '--url', 'http://127.0.0.1:9'],
      'No response from http://127.0.0.1:9',
    ],
  ])('refuses %s', async (_, options, message) => {
    const { code, stdout, stderr } = await pix(['listen', '--url', app.baseUrl, ...(await options())], {});
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('pk_live_');
  });
});

describe('pix logs', () => {
  test('shows each request as a line of JSON, and those of its filters alone', async () => {
    const key = await newKey();
    const all = await logs(key, '--json');
    const refused = await logs(
      key,
      '--json',
      '--status',
      '4xx,500',
      '--method',
      'get,post',
      '--path',
      '/v1/pay',
    );
    const client = createClient(app.baseUrl, key);
    await client.get('/v1/events');
    await client.get('/v1/payments?search=maria');
    await client.post('/v1/payments', { amount: 0 });
    await eventually(() =>
      expect(all.lines.slice(1).map((line) => JSON.parse(line) as object)).toMatchObject([
        { method: 'GET', path: '/v1/events', status: 200 },
        { method: 'GET', path: '/v1/payments?search=*', status: 200 },
        { method: 'POST', path: '/v1/payments', status: 400, errors: [{ fields: ['amount'] }] },
      ]),
    );
    await eventually(() => expect(refused.lines).toHaveLength(2));
    expect(JSON.parse(refused.lines[1] ?? '')).toMatchObject({ method: 'POST', status: 400 });
    expect(await stop(all.child)).toBe(0);
  });

  test('shows people a line of text for each, also of GraphQL', async () => {
    const key = await newKey();
    const { lines } = await logs(key, '--refused');
    const client = createClient(app.baseUrl, key);
    await client.graphql('query Fine { payments { edges { cursor } } }');
    const { headers } = await client.graphql('query Wrong { payments(first: 101) { edges { cursor } } }');
    await eventually(() => expect(lines).toHaveLength(2));
    expect(lines[0]).toContain('one node');
    expect(lines[1]).toMatch(
      /^[\d-]+T[\d:.]+Z {2}200 {2}POST \/graphql {2}query Wrong { payments } {2}\d+ ms {2}/,
    );
    expect(lines[1]).toContain(`${headers.get('X-Trace-Id')}  invalid_request: first`);
  });

  test('connects again to a service that was restarted, says so, and ends when its key is revoked', async () => {
    const env = { PORT: String(await freePort()) };
    let service = await startTestApp(env);
    const { key, id, organizationId } = await createKey(service.services);
    const { child, lines } = await logs(key, '--json', '--url', service.baseUrl);
    const exited = once(child, 'exit');
    await service.stop();
    await eventually(() => expect(lines.at(-1)).toContain('problem'));
    service = await startTestApp(env);
    try {
      await eventually(() => expect(lines.at(-1)).toContain('scope'));
      await createClient(service.baseUrl, key).get('/v1/events');
      await eventually(() => expect(lines.at(-1)).toContain('/v1/events'));
      await service.services.apiKeys.revoke(operatorFor(organizationId, 'test'), id);
      expect(await exited).toEqual([1, null]);
    } finally {
      await service.stop();
    }
  });

  test.each<[string, () => Promise<string[]>, string]>([
    ['a live key', async () => ['--key', await newKey('live')], '--key must be a test key'],
    ['an unknown key', async () => ['--key', 'pk_test_unknown'], 'API key'],
    ['a status that is none', async () => ['--key', 'pk_test_a', '--status', '6xx'], 'such as 404 or 4xx'],
    [
      'a service that is not there',
      async () => ['--key', await newKey(), '--url', 'http://127.0.0.1:9'],
      'No response from http://127.0.0.1:9',
    ],
  ])('refuses %s', async (_, options, message) => {
    const { code, stdout, stderr } = await pix(['logs', '--url', app.baseUrl, ...(await options())], {});
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('pk_live_');
  });
});

describe('pix trigger', () => {
  test.each([
    'payment_completed',
    'payment_expired',
    'payment_cancelled',
    'payment_duplicated',
    'refund_completed',
    'payment_refunded',
    'payment_reversed',
    'payment_disputed',
    'payment_dispute_closed',
  ])('makes %s happen to a payment', async (event) => {
    const key = await newKey();
    const { code, stdout, stderr } = await trigger(key, event);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { payment } = JSON.parse(stdout) as { payment: string };
    const { body } = await createClient(app.baseUrl, key).get('/v1/events?limit=100');
    expect(body.data).toContainEqual(
      expect.objectContaining({ type: event, data: expect.objectContaining({ id: payment }) }),
    );
  });

  test('names the events it knows', async () => {
    const { code, stderr } = await trigger(await newKey(), 'refund_failed');
    expect(code).toBe(1);
    expect(stderr).toContain('payment_disputed');
  });

  test('tells what the service refused', async () => {
    const options = ['--key', await newKey(), '--url', app.baseUrl, '--amount', '0'];
    const { code, stderr } = await pix(['trigger', 'payment_completed', ...options], {});
    expect(code).toBe(1);
    expect(stderr).toContain('amount');
  });

  test('follows no redirect with the key', async () => {
    receiver.reply = { status: 302, headers: { Location: `${receiver.url}/elsewhere` } };
    const options = ['--key', await newKey(), '--url', receiver.url];
    const { code, stderr } = await pix(['trigger', 'payment_completed', ...options], {});
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('302') });
    expect(receiver.requests).toHaveLength(1);
  });
});
