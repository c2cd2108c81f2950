import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { deliverWebhooks } from '../support/deliver-webhooks.ts';
import { startTestApp, testKeyRing, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { pix, type Run } from '../support/command-line.ts';
import { freshDatabase } from '../support/database.ts';
import { createKey } from '../support/factories.ts';
import {
  hostRefusal,
  isSignedWith,
  receiverHost,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

let app: TestApp;
let receiver: WebhookReceiver;
let org: string;
let key: string;

beforeAll(async () => {
  const env = { ROLE: 'api', WEBHOOK_ALLOWED_HOSTS: receiverHost, DATABASE_URL: await freshDatabase() };
  app = await startTestApp(env);
  receiver = await startWebhookReceiver();
});

beforeEach(async () => {
  ({ organizationId: org, key } = await createKey(app.services));
  receiver.requests.length = 0;
});

afterAll(async () => {
  await receiver.stop();
  await app.stop();
});

const webhook = (args: readonly string[], format = ['--json']): Promise<Run> =>
  pix(['webhook', ...args, ...format], {
    DATABASE_URL: app.databaseUrl,
    ENCRYPTION_KEYS: `test:${testKeyRing[0]?.key.toString('base64')}`,
    WEBHOOK_ALLOWED_HOSTS: receiverHost,
  });

/** What a command prints that must succeed; `JSON.parse` takes exactly one value. */
async function json<Value = Record<string, unknown>>(...args: string[]): Promise<Value> {
  const { code, stdout, stderr } = await webhook(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Value;
}

/** The message of a command that must fail, with nothing on stdout. */
async function failure(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await webhook(args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr;
}

const createArgs = (url: string, ...more: string[]): string[] =>
  ['create', '--org', org, '--mode', 'test', '--url', url].concat(more);

interface Created {
  id: string;
  secret: string;
}

/** An endpoint that is made without the command line. */
const createEndpoint = (): Promise<Created> =>
  app.services.webhookEndpoints.create(
    { kind: 'operator', organizationId: org, mode: 'test' },
    { url: receiver.url },
  );

async function happen(): Promise<string> {
  const client = createClient(app.baseUrl, key);
  const { body } = await client.post('/v1/payments', { amount: 1 });
  await client.post(`/v1/payments/${body.id}/cancel`);
  return body.id as string;
}

const deliver = (): Promise<number> => deliverWebhooks(app.services.webhookSender);

interface Deliveries {
  data: { id: string; status: string; attempts: unknown[] }[];
  nextCursor?: string;
}

describe('a webhook command fails', () => {
  test('for an unknown endpoint, delivery or organization, and names it', async () => {
    const id = randomUUID();
    const noEndpoint = `WebhookEndpoint ${id} was not found\n`;
    const outcomes = await Promise.all([
      failure('rotate', '--id', id),
      failure('resend', '--id', id, '--since', '2026-01-01T00:00:00Z'),
      failure('resend', '--delivery', id),
      failure('list', '--org', id, '--mode', 'test'),
    ]);
    expect(outcomes).toEqual([
      noEndpoint,
      noEndpoint,
      `WebhookDelivery ${id} was not found\n`,
      expect.stringContaining(id),
    ]);
  });

  test('for an invalid URL or event, and for a live endpoint over plain http', async () => {
    const live = ['create', '--org', org, '--mode', 'live', '--url', 'http://shop.example.com/'];
    const outcomes = await Promise.all([
      failure(...createArgs('http://10.0.0.1/')),
      failure(...createArgs(receiver.url, '--events', 'payment_expired,paid')),
      failure(...createArgs(receiver.url, '--events', 'none')),
      failure(...live),
    ]);
    expect(outcomes).toEqual([
      `${hostRefusal('10.0.0.1')}\n`,
      expect.stringMatching(/^events\.1 must be one of payment_updated, /),
      expect.stringMatching(/^events\.0 must be one of payment_updated, /),
      'url must be https\n',
    ]);
    const caller = { kind: 'operator', organizationId: org, mode: 'test' } as const;
    expect(await app.services.webhookEndpoints.list(caller)).toEqual([]);
  });

  test('when an option is missing or invalid', async () => {
    const { id } = await createEndpoint();
    const outcomes = await Promise.all([
      failure('create', '--org', org, '--url', receiver.url),
      failure('resend', '--id', id),
      failure('resend', '--id', id, '--since', 'yesterday'),
      failure('deliveries', '--id', id, '--limit', '0'),
      failure('deliveries', '--id', id, '--cursor', 'x'),
    ]);
    expect(outcomes).toEqual([
      expect.stringContaining("required option '--mode <mode>' not specified"),
      expect.stringContaining('give --delivery, or --id and --undelivered or --since'),
      expect.stringContaining('must be an ISO 8601 instant'),
      'limit must be a whole number from 1 to 100\n',
      'cursor must come from an earlier page\n',
    ]);
  });
});

describe('webhook', () => {
  test('create shows the signing secret, and list does not', async () => {
    const [all, some] = await Promise.all([
      json<Created>(...createArgs(receiver.url)),
      json<Created>(...createArgs(receiver.url, '--events', 'payment_completed, payment_expired')),
    ]);
    const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const shown = { id: expect.any(String), name: null, url: receiver.url, enabled: true };
    expect(all).toEqual({ ...shown, events: [], secret });
    expect(some).toEqual({ ...shown, events: ['payment_completed', 'payment_expired'], secret });

    await happen();
    expect(await deliver()).toBe(1);
    expect(receiver.requests.map((request) => isSignedWith(all.secret, request))).toEqual([true]);

    const listed = await json<Created[]>('list', '--org', org, '--mode', 'test');
    const more = { mode: 'test', disabledReason: null, failingSince: null };
    expect([...listed].sort(byId)).toEqual(
      [
        { ...shown, ...more, id: all.id, events: [] },
        { ...shown, ...more, id: some.id, events: ['payment_completed', 'payment_expired'] },
      ].sort(byId),
    );
    expect(await json('list', '--org', org, '--mode', 'live')).toEqual([]);
  });

  test('create gives a name, and rename another or none', async () => {
    const { id } = await json<Created>(...createArgs(receiver.url, '--name', ' Shop '));
    const listed = () => json('list', '--org', org, '--mode', 'test');
    expect(await listed()).toMatchObject([{ id, name: 'Shop' }]);
    expect(await json('rename', '--id', id, '--name', 'Orders')).toMatchObject({ id, name: 'Orders' });
    expect(await failure('rename', '--id', id, '--name', 'x'.repeat(101))).toBe(
      'name must be at most 100 characters\n',
    );
    expect(await json('rename', '--id', id, '--name', '')).toMatchObject({ id, name: null });
    expect(await listed()).toMatchObject([{ id, name: null }]);
  });

  test('list says that an endpoint without a list receives all events', async () => {
    await createEndpoint();
    const { stdout } = await webhook(['list', '--org', org, '--mode', 'test'], []);
    expect(stdout).toMatch(/^events +all$/m);
  });

  test('rotate shows the new secret, and both sign', async () => {
    const { id, secret } = await createEndpoint();
    const rotated = await json<Created>('rotate', '--id', id);
    expect(rotated).toMatchObject({ id, url: receiver.url, events: [], enabled: true });
    await happen();
    await deliver();
    const [request] = receiver.requests;
    if (!request) throw new Error('nothing was received');
    expect([secret, rotated.secret].map((each) => isSignedWith(each, request))).toEqual([true, true]);
    expect(rotated.secret).not.toBe(secret);
  });

  test('disable holds deliveries back until enable', async () => {
    const { id } = await createEndpoint();
    await happen();
    expect(await json('disable', '--id', id)).toMatchObject({ id, enabled: false });
    expect(await deliver()).toBe(0);
    const enabled = await json('enable', '--id', id);
    expect(enabled).toMatchObject({ id, enabled: true, mode: 'test' });
    expect(enabled).not.toHaveProperty('secret');
    expect(await deliver()).toBe(1);
  });

  test('deliveries lists what was sent, and resend sends one or all of it again', async () => {
    const { id } = await createEndpoint();
    const payments = [await happen(), await happen()];
    await deliver();
    const page = await json<Deliveries>('deliveries', '--id', id, '--limit', '1');
    expect(page).toEqual({
      data: [
        {
          id: expect.any(String),
          endpointId: id,
          eventId: expect.any(String),
          eventType: 'payment_cancelled',
          eventSequence: 2,
          sequence: '2',
          paymentId: payments[1],
          status: 'delivered',
          attemptCount: 1,
          nextAttemptAt: null,
          createdAt: expect.any(String),
          attempts: [
            {
              statusCode: 204,
              error: null,
              answer: '',
              responseHeaders: null,
              latencyMs: expect.any(Number),
              startedAt: expect.any(String),
            },
          ],
        },
      ],
      nextCursor: expect.any(String),
    });
    const rest = ['deliveries', '--id', id, '--cursor', page.nextCursor ?? ''];
    expect(await json(...rest)).toEqual({ data: [expect.objectContaining({ paymentId: payments[0] })] });

    const [latest] = page.data;
    const resent = await json('resend', '--delivery', latest?.id ?? '');
    expect(resent).toMatchObject({ id: latest?.id, status: 'pending', attemptCount: 0 });
    expect(await deliver()).toBe(1);
    const since = ['--since', '2026-01-01T00:00:00Z'];
    expect(await json('resend', '--id', id, ...since)).toEqual({ resent: 2 });
    expect(await deliver()).toBe(2);
    expect(receiver.requests).toHaveLength(5);
  });
});

const byId = (one: { id: string }, another: { id: string }): number => one.id.localeCompare(another.id);

test('endpoints are managed from elsewhere with a key', async () => {
  const manager = await createKey(app.services, { permissions: ['webhooks:manage'] });
  const endpoint = async (...args: string[]) => {
    const remote = ['--url', app.baseUrl, '--key', manager.key, '--json'];
    const { code, stdout, stderr } = await pix(['endpoint', ...args, ...remote], {});
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // oxlint-disable-next-line typescript/no-explicit-any
    return JSON.parse(stdout) as any;
  };
  const { id, secret } = await endpoint(
    'create',
    '--endpoint-url',
    receiver.url,
    '--events',
    'payment_expired',
  );
  expect(secret).toMatch(/^whsec_/);
  expect(await endpoint('update', '--id', id, '--name', 'Shop', '--events', 'none')).toMatchObject({
    name: 'Shop',
    events: [],
  });
  expect(await endpoint('disable', '--id', id)).toMatchObject({ enabled: false });
  expect(await endpoint('enable', '--id', id)).toMatchObject({ enabled: true });
  expect(await endpoint('rotate', '--id', id)).not.toMatchObject({ secret });
  expect(await endpoint('test', '--id', id)).toMatchObject({ statusCode: 204 });
  expect((await endpoint('list')).data).toMatchObject([{ id, name: 'Shop' }]);
  expect(await endpoint('delete', '--id', id)).toEqual({ id, deleted: true });
});
