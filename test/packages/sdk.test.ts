import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import * as sdk from '../../packages/sdk/src/index.ts';
import { newWebhookSecret, signatureHeaders } from '../../src/webhook-client/sign.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { freePort } from '../support/free-port.ts';
import { type LossyLink, startLossyLink } from '../support/lossy-link.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../packages/sdk');
let app: TestApp;
let link: LossyLink;

beforeAll(async () => {
  app = await startTestApp();
  link = await startLossyLink(app.baseUrl);
});

afterAll(async () => {
  link.stop();
  await app.stop();
});

async function newClient(options: Partial<sdk.Options> = {}) {
  const { key } = await createKey(app.services);
  return new sdk.Pix({ apiKey: key, baseUrl: link.url, ...options });
}

/** Calendar days of America/Sao_Paulo. */
const dayAfter = (days: number): string =>
  new Date(Date.now() + days * 24 * 3_600_000 - 3 * 3_600_000).toISOString().slice(0, 10);

/** Array.fromAsync, which Node 20 lacks. */
async function everyOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('the client', () => {
  afterEach(() => {
    link.faults.length = 0;
    link.requests.length = 0;
  });

  it('refuses a key and an address that cannot be any', () => {
    expect(() => new sdk.Pix({ apiKey: 'secret', baseUrl: link.url })).toThrow('apiKey must be');
    expect(() => new sdk.Pix({ apiKey: 'pk_test_1\r', baseUrl: link.url })).toThrow('without white space');
    expect(() => new sdk.Pix({ apiKey: 'pk_test_1', baseUrl: 'pix' })).toThrow('baseUrl must be a URL');
  });

  it('creates, reads, pays, refunds and lists', async () => {
    const pix = await newClient();
    const payment = await pix.payments.create({ amount: 19.9, externalId: 'order-1' });
    expect(await pix.payments.get(payment.id)).toMatchObject({ amount: 19.9, status: 'pending' });
    await pix.sandbox.pay(payment.id);
    expect(await pix.payments.refund(payment.id, { amount: 5 })).toMatchObject({ amount: 5 });
    const events = await everyOf(pix.events.list());
    expect(events.map(({ type, sequence }) => [sequence, type])).toEqual([
      [1, 'payment_completed'],
      [2, 'refund_completed'],
    ]);
    expect(await everyOf(pix.payments.refunds(payment.id))).toHaveLength(1);
    expect(await everyOf(pix.refunds.list({ search: 'order-1' }))).toMatchObject([{ paymentId: payment.id }]);
    const { token } = await pix.payments.createToken(payment.id);
    expect(token).toMatch(/^pt_/);
  });

  it.each([302, 307, 308])('follows no redirect (%d) with the key', async (status) => {
    const pix = await newClient();
    link.faults.push({ status, headers: { Location: `${link.url}/elsewhere` } });
    await expect(pix.payments.get(randomUUID())).rejects.toMatchObject({ status });
    expect(link.requests).toHaveLength(1);
  });

  const due = { date: '2030-01-31' };
  const payer = { name: 'João Souza', document: '52998224725' };

  it('changes a payment with a due date, unless somebody else has', async () => {
    const pix = await newClient();
    const { id } = await pix.payments.create({ amount: 10, payer, due });
    expect(await pix.payments.update(id, { revision: 0, amount: 12 })).toMatchObject({
      amount: 12,
      revision: 1,
    });
    await expect(pix.payments.update(id, { revision: 0, amount: 9 })).rejects.toMatchObject({
      code: 'changed_meanwhile',
    });
    const dueThen: string[] = [];
    for await (const payment of pix.payments.list({ dueFrom: '2030-01-31', overdue: false }))
      dueThen.push(payment.id);
    expect(dueThen).toContain(id);
  });

  it('manages webhook endpoints, and makes none twice', async () => {
    const { key } = await createKey(app.services, { permissions: ['webhooks:manage'] });
    const pix = new sdk.Pix({ apiKey: key, baseUrl: link.url });
    const { secret, ...made } = await pix.webhookEndpoints.create({ url: 'https://shop.example.com/pix' });
    expect(secret).toMatch(/^whsec_/);
    expect(await everyOf(pix.webhookEndpoints.list())).toEqual([made]);
    const changed = await pix.webhookEndpoints.update(made.id, { name: 'Shop' });
    expect(changed).toEqual({ ...made, name: 'Shop' });
    expect(await pix.webhookEndpoints.disable(made.id)).toEqual({ ...changed, enabled: false });
    expect(await pix.webhookEndpoints.enable(made.id)).toEqual(changed);
    expect((await pix.webhookEndpoints.rotateSecret(made.id)).secret).not.toBe(secret);
    expect(await pix.webhookEndpoints.test(made.id)).toMatchObject({ error: expect.any(String) });
    await pix.webhookEndpoints.delete(made.id);
    await expect(pix.webhookEndpoints.get(made.id)).rejects.toBeInstanceOf(sdk.NotFoundError);
    link.faults.push({ status: 503 });
    const again = pix.webhookEndpoints.create({ url: 'https://shop.example.com/pix' });
    await expect(again).rejects.toMatchObject({ status: 503 });
    expect(await everyOf(pix.webhookEndpoints.list())).toEqual([]);
  });

  it('makes instalments', async () => {
    const pix = await newClient();
    const { id, count } = await pix.batches.create({
      payment: { amount: 10, payer, due },
      instalments: 3,
      every: 'month',
    });
    expect(count).toBe(3);
    expect((await pix.batches.get(id)).items).toHaveLength(3);
  });

  it('asks for a recurrence, makes its debit, retries that and ends it', async () => {
    const pix = await newClient();
    const { id } = await pix.recurrences.create({
      payer,
      contract: '63100862',
      frequency: 'monthly',
      startDate: dayAfter(7),
      retries: 'three_in_seven_days',
      authorization: 'qr',
    });
    const debit = { amount: 5, dueDate: dayAfter(8) };
    await expect(pix.recurrences.charge(id, debit)).rejects.toMatchObject({ code: 'recurrence_not_active' });
    await pix.sandbox.approveRecurrence(id);
    const charged = await pix.recurrences.charge(id, debit);
    await expect(pix.payments.retry(charged.id, dayAfter(10))).rejects.toMatchObject({
      code: 'payment_not_retriable',
    });
    await pix.sandbox.answerDebit(charged.id, { outcome: 'limit' });
    const retried = await pix.payments.retry(charged.id, dayAfter(10));
    expect(retried.debit?.attempts).toMatchObject([{ reason: 'limit' }, { on: dayAfter(10) }]);
    expect((await everyOf(pix.recurrences.payments(id))).map((payment) => payment.id)).toEqual([charged.id]);
    expect(await pix.recurrences.cancel(id)).toMatchObject({ status: 'cancelled', endedBy: 'receiver' });
    expect(await pix.recurrences.get(id)).toMatchObject({ status: 'cancelled' });
    expect(await everyOf(pix.recurrences.list({ status: 'active' }))).toEqual([]);
    expect(await everyOf(pix.recurrences.list({ limit: 1 }))).toMatchObject([{ id }]);
  });

  it('cancels', async () => {
    const pix = await newClient();
    const { id } = await pix.payments.create({ amount: 1 });
    expect(await pix.payments.cancel(id)).toMatchObject({ id, status: 'cancelled' });
  });

  it('makes a link, and follows what is requested with its key', async () => {
    const pix = await newClient({ baseUrl: app.baseUrl });
    const stopping = new AbortController();
    const seen: sdk.StreamedRequest[] = [];
    const following = (async () => {
      for await (const each of pix.requests.stream({ signal: stopping.signal })) seen.push(each);
    })();
    await eventually(async () => expect(seen).toMatchObject([{ event: 'scope' }]));
    const link = await pix.paymentLinks.create({ amount: 5 });
    const created = { method: 'POST', path: '/v1/payment-links', status: 201 };
    await eventually(async () =>
      expect(seen).toContainEqual({ event: 'request', data: expect.objectContaining(created) }),
    );
    expect(await pix.paymentLinks.get(link.id)).toMatchObject({ status: 'active' });
    expect(await everyOf(pix.paymentLinks.payments(link.id))).toEqual([]);
    expect(await everyOf(pix.paymentLinks.list({ state: 'open' }))).toMatchObject([{ id: link.id }]);
    expect(await pix.paymentLinks.deactivate(link.id)).toMatchObject({ status: 'deactivated' });
    stopping.abort(new Error('enough'));
    await expect(following).rejects.toThrow('enough');
  });

  it('says why a stream is refused', async () => {
    const { key } = await createKey(app.services);
    const pix = new sdk.Pix({ apiKey: `${key}x`, baseUrl: link.url });
    await expect(everyOf(pix.requests.stream())).rejects.toBeInstanceOf(sdk.AuthenticationError);
  });

  it('plays the payer, and the clock', async () => {
    const pix = await newClient();
    const { id } = await pix.payments.create({ amount: 10 });
    await pix.sandbox.pay(id, { payer: { name: 'Ana' } });
    expect(await pix.sandbox.dispute(id, { amount: 4 })).toMatchObject({ disputed: true });
    expect(await pix.sandbox.closeDispute(id, { outcome: 'won' })).toMatchObject({ status: 'completed' });
    expect(await pix.sandbox.reverse(id, { amount: 3 })).toMatchObject({ amountReversed: 3 });
    expect(await pix.sandbox.receivePix({ amount: 1 })).toMatchObject({ amount: 1 });
    expect(await pix.sandbox.clock()).toMatchObject({ isMoved: false });
    expect(await pix.sandbox.advanceClock({ advance: 'PT1H' })).toMatchObject({ isMoved: true });
    expect(await pix.sandbox.resetClock()).toMatchObject({ isMoved: false });
  });

  it('iterates over all pages of a list, and over none that nobody reads', async () => {
    const pix = await newClient();
    const created: string[] = [];
    for (const amount of [1, 2, 3, 4, 5]) created.push((await pix.payments.create({ amount })).id);
    const listed: string[] = [];
    for await (const { id } of pix.payments.list({ limit: 2, status: 'pending' })) listed.push(id);
    expect(listed).toEqual(created.toReversed());
    link.requests.length = 0;
    for await (const { id } of pix.payments.list({ limit: 2 })) if (id === listed[0]) break;
    expect(link.requests).toEqual(['GET /v1/payments']);
  });

  it('creates one payment when the response is lost', async () => {
    const pix = await newClient();
    link.faults.push('lose');
    const payment = await pix.payments.create({ amount: 3 });
    expect(link.requests).toEqual(['POST /v1/payments', 'POST /v1/payments']);
    const listed = await everyOf(pix.payments.list());
    expect(listed.map(({ id }) => id)).toEqual([payment.id]);
  });

  it.each([429, 503])('sends again after %s, when the service says', async (status) => {
    const pix = await newClient();
    link.faults.push(
      { status, headers: { 'Retry-After': '0' } },
      { status, headers: { 'Retry-After': '0' } },
    );
    expect(await pix.payments.create({ amount: 3 })).toMatchObject({ status: 'pending' });
    expect(link.requests).toHaveLength(3);
  });

  it('does not wait for hours', async () => {
    const pix = await newClient();
    link.faults.push({
      status: 429,
      headers: { 'Retry-After': '3600', 'X-Error-Code': 'rate_limit_exceeded' },
    });
    const failure = await pix.payments.create({ amount: 3 }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(sdk.RateLimitError);
    expect(failure).toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 3600 });
  });

  it('never pays twice in the sandbox', async () => {
    const pix = await newClient();
    const { id } = await pix.payments.create({ amount: 3 });
    link.faults.push('lose');
    await expect(pix.sandbox.pay(id)).rejects.toBeInstanceOf(sdk.ConnectionError);
    expect(await pix.payments.get(id)).toMatchObject({ status: 'completed' });
    expect((await everyOf(pix.events.list())).map(({ type }) => type)).toEqual(['payment_completed']);
  });

  it('stops at once when it is aborted', async () => {
    const pix = await newClient();
    link.faults.push({ status: 503, headers: { 'Retry-After': '20' } });
    const stopping = new AbortController();
    const creating = pix.payments.create({ amount: 3 }, { signal: stopping.signal });
    await eventually(async () => expect(link.requests).toHaveLength(1));
    stopping.abort(new Error('the customer left'));
    await expect(creating).rejects.toThrow('the customer left');
  });

  it.each<[string, (pix: sdk.Pix) => Promise<unknown>, unknown, object]>([
    [
      'a wrong amount',
      (pix) => pix.payments.create({ amount: 0 }),
      sdk.InvalidRequestError,
      { code: 'invalid_request', message: expect.stringContaining('amount') },
    ],
    [
      'an unknown payment',
      (pix) => pix.payments.get(randomUUID()),
      sdk.NotFoundError,
      { code: 'payment_not_found' },
    ],
    [
      'a refund too early',
      async (pix) => pix.payments.refund((await pix.payments.create({ amount: 1 })).id),
      sdk.ConflictError,
      { code: 'payment_not_refundable' },
    ],
    [
      'an unknown key',
      () => new sdk.Pix({ apiKey: 'pk_test_unknown', baseUrl: link.url }).payments.get(randomUUID()),
      sdk.AuthenticationError,
      { status: 401 },
    ],
  ])('throws a class for %s, with its trace', async (_, call, kind, details) => {
    const failure = await call(await newClient()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(kind);
    expect(failure).toBeInstanceOf(sdk.ApiError);
    const { code } = failure as sdk.ApiError;
    expect(failure).toMatchObject({
      ...details,
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      helpUrl: `${link.url}/docs/errors#${code}`,
    });
  });
});

describe('verifyWebhook', () => {
  const secret = newWebhookSecret();
  const body = JSON.stringify({ id: 'e1', type: 'payment_completed', data: { description: 'ação' } });
  const headers = signatureHeaders({
    id: 'e1',
    timestamp: new Date(),
    body,
    secrets: [newWebhookSecret(), secret],
  });

  it.each<[string, object]>([
    ['text', { body }],
    ['bytes', { body: Buffer.from(body) }],
    ['the bytes of fetch', { body: new TextEncoder().encode(body).buffer }],
    ['headers of fetch', { headers: new Headers(headers) }],
    ['a Map', { headers: new Map(Object.entries(headers)) }],
    ['pairs', { headers: Object.entries(headers) }],
    [
      'lists',
      { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])) },
    ],
    [
      'names in any case',
      {
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
        ),
      },
    ],
    ['one of two secrets', { secret: [newWebhookSecret(), secret] }],
  ])('returns the event from %s', async (_, different) => {
    expect(await sdk.verifyWebhook({ body, headers, secret, ...different })).toEqual(JSON.parse(body));
  });

  it.each<[string, object, string]>([
    ['another body', { body: body.replace('e1', 'e2') }, 'webhook-signature'],
    ['another secret', { secret: newWebhookSecret() }, 'webhook-signature'],
    ['another id', { headers: { ...headers, 'webhook-id': 'e2' } }, 'webhook-signature'],
    [
      'a signature that is none',
      { headers: { ...headers, 'webhook-signature': 'v1,%%% v2,AAAA' } },
      'webhook-signature',
    ],
    [
      'no signature',
      { headers: { ...headers, 'webhook-signature': undefined } },
      'webhook-signature is missing',
    ],
    ['a time that is none', { headers: { ...headers, 'webhook-timestamp': 'soon' } }, 'webhook-timestamp'],
    [
      'what was signed an hour ago',
      {
        headers: signatureHeaders({
          id: 'e1',
          timestamp: new Date(Date.now() - 3_600_000),
          body,
          secrets: [secret],
        }),
      },
      'webhook-timestamp',
    ],
  ])('refuses %s', async (_, different, message) => {
    const refused = sdk.verifyWebhook({ body, headers, secret, ...different });
    await expect(refused).rejects.toBeInstanceOf(sdk.WebhookVerificationError);
    await expect(refused).rejects.toThrow(message);
  });
});

it('verifyWebhook says that a body must not be parsed', async () => {
  const request = { body: { id: 'e1' } as never, headers: {}, secret: newWebhookSecret() };
  const refused = sdk.verifyWebhook(request);
  await expect(refused).rejects.toBeInstanceOf(TypeError);
  await expect(refused).rejects.toThrow('body must be the raw bytes of the request');
});

describe('the package', () => {
  let project: string;
  let blocks: string[];

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'shop-'));
    await run('npm', ['pack', '--pack-destination', project], { cwd: root });
    await writeFile(join(project, 'package.json'), '{"type": "module"}');
    await run('npm', ['install', '--offline', '--no-audit', './pix-service-sdk-1.0.0.tgz'], { cwd: project });
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    blocks = [...readme.matchAll(/```js\n([^]*?)```/g)].map(([, code = '']) => code);
  });

  afterAll(() => rm(project, { recursive: true, force: true }));

  async function runBlock(code: string, key: string): Promise<string> {
    await writeFile(join(project, 'shop.js'), code);
    const env = { ...process.env, PIX_API_KEY: key, PIX_URL: app.baseUrl };
    return (await run(process.execPath, ['shop.js'], { cwd: project, env })).stdout;
  }

  it('runs its quick start in an empty folder', async () => {
    const { key } = await createKey(app.services);
    const [first = '', second = ''] = blocks;
    expect(await runBlock(first, key)).toMatch(/^000201.*\ncompleted\n$/);
    expect(await runBlock(second, key)).toMatch(/^order-1042 19.9\npayment_not_found [0-9a-f]{32}\n$/);
  });

  it('can be required', async () => {
    const code = `const { ApiError, Pix, verifyWebhook } = require('@pix-service/sdk');
      const refused = new Pix({ apiKey: 'pk_test_1', baseUrl: process.env.PIX_URL }).payments.get('1');
      refused.catch((error) => console.log(error instanceof ApiError, typeof verifyWebhook));`;
    await writeFile(join(project, 'shop.cjs'), code);
    const env = { ...process.env, PIX_URL: app.baseUrl };
    // Newer Nodes can require ES modules too.
    const options = process.allowedNodeEnvironmentFlags.has('--no-experimental-require-module')
      ? ['--no-experimental-require-module']
      : [];
    const { stdout } = await run(process.execPath, [...options, 'shop.cjs'], { cwd: project, env });
    expect(stdout).toBe('true function\n');
  });

  it('runs its receiver of webhooks', async () => {
    const secret = newWebhookSecret();
    const port = await freePort();
    await writeFile(join(project, 'receiver.js'), blocks[2] ?? '');
    const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
    const receiver = spawn(process.execPath, ['receiver.js'], { cwd: project, env, stdio: 'ignore' });
    try {
      const body = JSON.stringify({ id: 'e1', type: 'payment_completed', data: { id: 'p1' } });
      const headers = signatureHeaders({ id: 'e1', timestamp: new Date(), body, secrets: [secret] });
      const post = (sent: string) =>
        fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: sent });
      expect(await eventually(async () => (await post(body)).status)).toBe(204);
      expect((await post(body.replace('p1', 'p2'))).status).toBe(401);
    } finally {
      receiver.kill();
    }
  });

  it('has types for whoever has none of Node', async () => {
    const code = `import { type BookEvent, type Event, Pix, type Payment, type Recurrence, type RecurrenceEvent, verifyWebhook, type WebhookRequest } from '@pix-service/sdk';
      const pix = new Pix({ apiKey: 'pk_test_1', baseUrl: 'https://pix.example.com' });
      export const create = (): Promise<Payment> => pix.payments.create({ amount: 1 });
      // @ts-expect-error An amount is a number.
      export const wrong = () => pix.payments.create({ amount: '1' });
      export const statuses = async (): Promise<'pending' | 'completed' | 'expired' | 'cancelled' | 'refunded' | 'failed'> =>
        (await create()).status;
      export const paid = async (request: WebhookRequest): Promise<Payment> => (await verifyWebhook(request)).data;
      export const activated = async (request: WebhookRequest): Promise<Recurrence | Payment> => {
        const event = await verifyWebhook<Event | RecurrenceEvent>(request);
        // @ts-expect-error It may be a recurrence.
        event.data.amount.toFixed(2);
        return event.type === 'recurrence_activated' ? (event.data satisfies Recurrence) : event.data;
      };
      export const stray = async (request: WebhookRequest): Promise<number | undefined> => {
        const event = await verifyWebhook<Event | BookEvent>(request);
        return event.type === 'unmatched_pix_received' ? event.data.amount : undefined;
      };`;
    await writeFile(join(project, 'typed.ts'), code);
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
    const tsc = resolve(root, '../../node_modules/typescript/bin/tsc');
    const checking = run(process.execPath, [tsc, ...options, 'typed.ts'], { cwd: project });
    expect(await checking.catch(({ stdout }: { stdout: string }) => stdout)).toMatchObject({ stdout: '' });
  });
});
