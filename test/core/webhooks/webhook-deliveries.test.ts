import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import type { EventType } from '../../../src/core/events/rules/events.ts';
import type { Role } from '../../../src/core/base/roles.ts';
import { openLogFile } from '../../../src/observability/log-file.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import type { OperatorCaller } from '../../../src/core/base/caller.ts';
import type { WebhookDeliveryView } from '../../../src/core/webhooks/views/webhook-delivery-view.ts';
import { startDelivering } from '../../../src/workers/deliver-webhooks.ts';
import { deliverWebhooks } from '../../support/deliver-webhooks.ts';
import type { RunningWorker } from '../../../src/workers/loop.ts';
import { startTestApp, testKeyRing, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createKey } from '../../support/factories.ts';
import {
  isSignedWith,
  receiverHost,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/webhook-receiver.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const leaseMs = 30 * secondMs;

const env = { ROLE: 'api', WEBHOOK_ALLOWED_HOSTS: receiverHost };
const silent = createLogger('silent', process.stdout);

let databaseUrl: string;
let app: TestApp;
let other: TestApp;
let clock: Date;

const pass = (ms: number): void => {
  clock = new Date(clock.getTime() + ms);
};

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  // They have no workers of their own: the tests run them.
  app = await startTestApp({ ...env, DATABASE_URL: databaseUrl }, { now: () => clock });
  other = await startTestApp({ ...env, DATABASE_URL: databaseUrl }, { now: () => clock });
});

afterAll(async () => {
  await Promise.all([app.stop(), other.stop()]);
});

/** A receiver with its endpoint, which every request that it gets is checked against. */
interface Opened {
  id: string;
  secrets: string[];
  receiver: WebhookReceiver;
}

let shop: Shop;
const opened: Opened[] = [];
const workers: RunningWorker[] = [];

beforeEach(async () => {
  shop = await openShop();
});

/** Nothing of a test is due in the next one, and nobody got what he could not verify. */
afterEach(async () => {
  const done = opened.splice(0);
  await query(databaseUrl, 'UPDATE webhook_endpoint SET enabled = false');
  await Promise.all(done.map(({ receiver }) => receiver.stop()));
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  for (const { receiver, secrets } of done) {
    const strays = receiver.requests.filter(
      (request) => !secrets.some((secret) => isSignedWith(secret, request)),
    );
    expect(strays).toEqual([]);
  }
});

/** An organization whose payments are cancelled, which is the shortest way to an event. */
interface Shop {
  caller: OperatorCaller;
  organizationId: string;
  createPayments(count: number): Promise<string[]>;
  cancel(ids: readonly string[]): Promise<void>;
  expire(id: string): Promise<void>;
  /** Makes so many events; answers their payments. */
  happen(count?: number): Promise<string[]>;
}

async function openShop(): Promise<Shop> {
  const { organizationId, key } = await createKey(app.services);
  const client = createClient(app.baseUrl, key);
  const succeed = async (path: string, body?: object): Promise<string> => {
    const answer = await client.post(path, body);
    expect(answer.status).toBeLessThan(300);
    return answer.body.id as string;
  };
  const ofShop: Shop = {
    caller: { kind: 'operator', organizationId, mode: 'test' },
    organizationId,
    createPayments: (count) =>
      Promise.all(Array.from({ length: count }, () => succeed('/v1/payments', { amount: 1 }))),
    async cancel(ids) {
      await Promise.all(ids.map((id) => succeed(`/v1/payments/${id}/cancel`)));
    },
    async expire(id) {
      await succeed(`/v1/sandbox/payments/${id}/expire`);
    },
    async happen(count = 1) {
      const ids = await ofShop.createPayments(count);
      await ofShop.cancel(ids);
      return ids;
    },
  };
  return ofShop;
}

async function open({
  caller = shop.caller,
  events,
}: { caller?: OperatorCaller; events?: EventType[] } = {}): Promise<Opened> {
  const receiver = await startWebhookReceiver();
  const { id, secret } = await app.services.webhookEndpoints.create(caller, { url: receiver.url, events });
  const endpoint = { id, secrets: [secret], receiver };
  opened.push(endpoint);
  return endpoint;
}

const endpointOf = ({ id }: Opened) => app.services.webhookEndpoints.get(shop.caller, id);
const setEnabled = ({ id }: Opened, enabled: boolean) =>
  app.services.webhookEndpoints.setEnabled(shop.caller, id, enabled);

async function deliveriesOf({ id }: Opened): Promise<WebhookDeliveryView[]> {
  return (await app.services.webhookDeliveries.list(shop.caller, id, { limit: 100 })).data;
}

async function onlyDeliveryOf(endpoint: Opened): Promise<WebhookDeliveryView> {
  const [delivery, ...more] = await deliveriesOf(endpoint);
  if (!delivery || more.length > 0) throw new Error('there is not one delivery');
  return delivery;
}

/** One round of one worker; answers how much there was to do. */
const round = ({ services }: TestApp = app): Promise<number> => deliverWebhooks(services.webhookSender);

function startWorker({ services }: TestApp = app): RunningWorker {
  const { webhookSender: sender, events } = services;
  const worker = startDelivering({ sender, events, logger: silent });
  workers.push(worker);
  return worker;
}

const never = new AbortController().signal;

const claimOne = async () => {
  const [claimed] = await app.services.webhookSender.claim(1, new Map());
  if (!claimed) throw new Error('there is nothing to claim');
  return claimed;
};

const idsOf = ({ receiver }: Opened): (string | undefined)[] =>
  receiver.requests.map(({ headers }) => headers['webhook-id']);

const received = ({ receiver }: Opened, count: number): Promise<void> =>
  eventually(() => expect(receiver.requests).toHaveLength(count));

const typesOf = ({ receiver }: Opened): string[] =>
  receiver.requests.map(({ body }) => (JSON.parse(body) as { type: string }).type).sort();

const untilNext = ({ nextAttemptAt }: WebhookDeliveryView): number =>
  nextAttemptAt ? nextAttemptAt.getTime() - clock.getTime() : NaN;

const secretOf = ({ secrets: [secret = ''] }: Opened): string => secret;

describe('an endpoint receives', () => {
  test('no events of another organization or mode', async () => {
    const stranger = await openShop();
    const theirs = await open({ caller: stranger.caller });
    const live = await open({ caller: { ...shop.caller, mode: 'live' } });
    const own = await open();
    await shop.happen();
    expect(await round()).toBe(1);
    expect([theirs, live, own].map(({ receiver }) => receiver.requests.length)).toEqual([0, 0, 1]);
  });

  test('nothing while disabled, and what was waiting once enabled', async () => {
    const endpoint = await open();
    const [, waited] = [await shop.happen(), await shop.happen()];
    await setEnabled(endpoint, false);
    const missed = await shop.happen();
    expect(await round()).toBe(0);
    expect(endpoint.receiver.requests).toEqual([]);
    await setEnabled(endpoint, true);
    expect(await round()).toBe(2);
    const bodies = endpoint.receiver.requests.map(({ body }) => body).join();
    expect(bodies).toContain(waited[0]);
    expect(bodies).not.toContain(missed[0]);
  });

  test('the events in its list, or all without a list', async () => {
    const all = await open();
    const some = await open({ events: ['payment_expired', 'payment_refunded'] });
    const none = await open({ events: ['payment_duplicated'] });
    const [first = '', second = ''] = await shop.createPayments(2);
    await shop.cancel([first]);
    await shop.expire(second);
    expect(await round()).toBe(3);
    expect(typesOf(all)).toEqual(['payment_cancelled', 'payment_expired']);
    expect(typesOf(some)).toEqual(['payment_expired']);
    expect(none.receiver.requests).toEqual([]);
  });

  test("the stored body, with the event's id, as JSON", async () => {
    const endpoint = await open();
    const [paymentId] = await shop.happen();
    await round();
    const [request] = endpoint.receiver.requests;
    const [stored] = await query<{ id: string; body: string }>(
      databaseUrl,
      'SELECT id, body FROM event WHERE organization_id = $1',
      [shop.organizationId],
    );
    expect(request).toMatchObject({
      path: '/webhooks',
      headers: { 'webhook-id': stored?.id, 'content-type': 'application/json' },
      body: stored?.body,
    });
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ id: stored?.id, data: { id: paymentId } });
  });

  test('an event once, after which nothing is due', async () => {
    const endpoint = await open();
    await shop.happen();
    await round();
    pass(30 * dayMs);
    expect(await round()).toBe(0);
    expect(await onlyDeliveryOf(endpoint)).toMatchObject({
      status: 'delivered',
      attemptCount: 1,
      nextAttemptAt: null,
      eventType: 'payment_cancelled',
      sequence: '1',
    });
  });
});

describe('a failed delivery', () => {
  test.each([
    ['500', { status: 500 }],
    ['404', { status: 404 }],
    ['304', { status: 304 }],
    ['a connection that is cut', 'reset' as const],
  ])('with %s is retried with the same id until it succeeds', async (_name, reply) => {
    const endpoint = await open();
    endpoint.receiver.reply = reply;
    await shop.happen();
    expect(await round()).toBe(1);
    expect(await round()).toBe(0);
    const failed = await onlyDeliveryOf(endpoint);
    expect(failed).toMatchObject({ status: 'pending', attemptCount: 1 });
    expect(untilNext(failed)).toBeGreaterThanOrEqual(5 * secondMs);
    expect(untilNext(failed)).toBeLessThanOrEqual(6 * secondMs);
    expect(await endpointOf(endpoint)).toMatchObject({ enabled: true, failingSince: clock.toISOString() });

    endpoint.receiver.reply = { status: 200 };
    pass(6 * secondMs);
    expect(await round()).toBe(1);
    expect(await onlyDeliveryOf(endpoint)).toMatchObject({ status: 'delivered', attemptCount: 2 });
    expect(idsOf(endpoint)).toEqual([failed.eventId, failed.eventId]);
    expect(await endpointOf(endpoint)).toMatchObject({ failingSince: undefined });
  });

  test('does not follow a redirect', async () => {
    const endpoint = await open();
    for (const status of [301, 302, 307, 308]) {
      endpoint.receiver.reply = { status, headers: { location: '/elsewhere' } };
      await shop.happen();
      await round();
    }
    expect(endpoint.receiver.requests.map(({ path }) => path)).toEqual(Array(4).fill('/webhooks'));
    for (const delivery of await deliveriesOf(endpoint)) {
      expect(delivery).toMatchObject({ status: 'pending', attemptCount: 1 });
      expect(delivery.attempts).toMatchObject([{ statusCode: expect.any(Number), error: null }]);
    }
    expect(await endpointOf(endpoint)).toMatchObject({ failingSince: expect.any(String) });
  });

  test('waits as long as Retry-After says, at least as scheduled, and a day at most', async () => {
    const endpoint = await open();
    const waits: number[] = [];
    for (const seconds of [1, 3_600, 86_400 * 365]) {
      endpoint.receiver.reply = { status: 503, headers: { 'retry-after': String(seconds) } };
      pass(secondMs);
      await shop.happen();
      await round();
      const [latest] = await deliveriesOf(endpoint);
      waits.push(latest ? untilNext(latest) : NaN);
    }
    for (const [index, leastMs] of [5 * secondMs, hourMs, dayMs].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(leastMs);
      expect(waits[index]).toBeLessThanOrEqual(leastMs * 1.2);
    }
  });

  test('is exhausted after ten attempts, and its endpoint is tried with the next event', async () => {
    const endpoint = await open();
    endpoint.receiver.reply = { status: 500 };
    await shop.happen();
    for (let attempt = 1; attempt <= 10; attempt++) {
      expect(await round()).toBe(1);
      const delivery = await onlyDeliveryOf(endpoint);
      expect(delivery.attemptCount).toBe(attempt);
      pass(delivery.nextAttemptAt ? untilNext(delivery) : dayMs);
    }
    expect(await round()).toBe(0);
    const exhausted = await onlyDeliveryOf(endpoint);
    expect(exhausted).toMatchObject({ status: 'exhausted', nextAttemptAt: null });
    expect(exhausted.attempts).toHaveLength(10);
    expect(new Set(idsOf(endpoint)).size).toBe(1);
    expect(await endpointOf(endpoint)).toMatchObject({ enabled: true });
    await shop.happen();
    expect(await round()).toBe(1);
  });
});

describe('an endpoint', () => {
  test('that echoes events shows them to nobody who may not read payer data', async () => {
    const endpoint = await open();
    endpoint.receiver.reply = { status: 500, body: 'Maria da Silva, 529.982.247-25' };
    await shop.happen();
    await round();
    const as = async (role: Role) => {
      const person = { kind: 'person', userId: '', sessionId: '', mustChangePassword: false } as const;
      const caller = { ...person, organizationId: shop.organizationId, mode: 'test', role } as const;
      const { data } = await app.services.webhookDeliveries.list(caller, endpoint.id, { limit: 1 });
      return data[0]?.attempts[0]?.answer;
    };
    expect(await as('support')).toBe('Maria da Silva, 529.982.247-25');
    expect(await as('viewer')).toBeNull();
  });

  test('that responds with 410 is disabled, and what it refused is not sent again', async () => {
    const endpoint = await open();
    endpoint.receiver.reply = { status: 410 };
    await shop.happen();
    await round();
    expect(await onlyDeliveryOf(endpoint)).toMatchObject({ status: 'exhausted', nextAttemptAt: null });
    expect(await endpointOf(endpoint)).toMatchObject({
      enabled: false,
      disabledReason: 'it answered 410 Gone',
    });
    await shop.happen();
    pass(dayMs);
    expect(await round()).toBe(0);
    expect(await setEnabled(endpoint, true)).toMatchObject({ enabled: true, disabledReason: undefined });
    expect(await round()).toBe(0);
  });

  test('that fails for five days is disabled, and what was waiting is sent when it is enabled', async () => {
    const endpoint = await open();
    endpoint.receiver.reply = { status: 500 };
    await shop.happen();
    await round();
    const failingSince = clock.toISOString();
    pass(5 * dayMs - 1);
    await shop.happen();
    expect(await round()).toBe(2);
    expect(await endpointOf(endpoint)).toMatchObject({ enabled: true, failingSince });
    pass(1);
    await shop.happen();
    await round();
    expect(await endpointOf(endpoint)).toMatchObject({
      enabled: false,
      disabledReason: 'it failed for five days',
    });
    pass(dayMs);
    expect(await round()).toBe(0);

    endpoint.receiver.reply = { status: 200 };
    await setEnabled(endpoint, true);
    expect(await endpointOf(endpoint)).toMatchObject({ failingSince: undefined, disabledReason: undefined });
    expect(await round()).toBe(3);
    expect((await deliveriesOf(endpoint)).map(({ status }) => status)).toEqual(Array(3).fill('delivered'));
  });

  test('that succeeds within the five days has five more', async () => {
    const endpoint = await open();
    const answering = async (status: number) => {
      endpoint.receiver.reply = { status };
      await shop.happen();
      await round();
    };
    await answering(500);
    pass(4 * dayMs);
    await answering(200);
    await round();
    expect(await endpointOf(endpoint)).toMatchObject({ failingSince: undefined });
    pass(2 * dayMs);
    await answering(500);
    expect(await endpointOf(endpoint)).toMatchObject({ enabled: true, failingSince: clock.toISOString() });
  });
});

describe('delivery attempts', () => {
  test('are stored with status, latency, headers and the first two kilobytes of each response', async () => {
    const endpoint = await open();
    const { receiver } = endpoint;
    await shop.happen();
    const startedAt: Date[] = [];
    const attempt = async (reply: WebhookReceiver['reply']) => {
      receiver.reply = reply;
      startedAt.push(clock);
      expect(await round()).toBe(1);
      const { nextAttemptAt } = await onlyDeliveryOf(endpoint);
      if (nextAttemptAt) clock = nextAttemptAt;
    };
    await attempt('reset');
    await attempt({ status: 500, body: 'é'.repeat(1_000) });
    await attempt({ status: 502, body: Buffer.from([0, 0xff, 0xfe, 0x41, 0, 0xc3, 0x22, 0x5c, 0x1b]) });
    const headers = { 'x-request-id': 'r-1', 'set-cookie': 'session=1' };
    await attempt({ status: 200, headers, body: '"); DROP TABLE webhook_attempt; --' });
    const latencyMs = expect.any(Number);
    expect((await onlyDeliveryOf(endpoint)).attempts).toEqual([
      {
        statusCode: null,
        error: 'the connection was closed before a response',
        answer: null,
        responseHeaders: null,
        latencyMs,
        startedAt: startedAt[0],
      },
      {
        statusCode: 500,
        error: null,
        answer: 'é'.repeat(1_000),
        responseHeaders: null,
        latencyMs,
        startedAt: startedAt[1],
      },
      {
        statusCode: 502,
        error: null,
        answer: '��A�"\\\u001b',
        responseHeaders: null,
        latencyMs,
        startedAt: startedAt[2],
      },
      {
        statusCode: 200,
        error: null,
        answer: '"); DROP TABLE webhook_attempt; --',
        responseHeaders: [{ name: 'x-request-id', value: 'r-1' }],
        latencyMs,
        startedAt: startedAt[3],
      },
    ]);
  });

  test('are shown up to the latest fifty, however often it was resent', async () => {
    const endpoint = await open();
    await shop.happen();
    await round();
    const { id } = await onlyDeliveryOf(endpoint);
    await query(
      app.databaseUrl,
      `INSERT INTO webhook_attempt (id, delivery_id, status_code, latency_ms, started_at)
       SELECT ('ffffffff-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 500, n, now() FROM generate_series(1, 60) n`,
      [id],
    );
    const { attempts } = await onlyDeliveryOf(endpoint);
    expect(attempts.map(({ latencyMs }) => latencyMs)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 11),
    );
  });

  test('belong to one delivery each, and deliveries are listed in pages, newest events first', async () => {
    const endpoint = await open();
    const payments: string[] = [];
    for (let count = 0; count < 5; count++) {
      pass(secondMs);
      payments.unshift(...(await shop.happen()));
    }
    await round();
    const page = (cursor?: string) =>
      app.services.webhookDeliveries.list(shop.caller, endpoint.id, { limit: 2, cursor });
    const listed: WebhookDeliveryView[] = [];
    let cursor: string | undefined;
    do {
      const { data, nextCursor } = await page(cursor);
      listed.push(...data);
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(listed.map(({ paymentId }) => paymentId)).toEqual(payments);
    for (const { attempts } of listed) expect(attempts).toHaveLength(1);
  });
});

describe('a rotated secret', () => {
  test('signs alone after 24 hours; until then the old one signs too', async () => {
    const endpoint = await open();
    const old = secretOf(endpoint);
    const { secret } = await app.services.webhookEndpoints.rotate(shop.caller, endpoint.id);
    endpoint.secrets.push(secret);
    expect(secret).not.toBe(old);
    const signers = async (): Promise<boolean[]> => {
      await shop.happen();
      expect(await round()).toBe(1);
      const request = endpoint.receiver.requests.at(-1);
      if (!request) throw new Error('nothing was received');
      expect(request.headers['webhook-signature']?.split(' ')).toHaveLength(
        Number(isSignedWith(old, request)) + Number(isSignedWith(secret, request)),
      );
      return [isSignedWith(old, request), isSignedWith(secret, request)];
    };
    expect(await signers()).toEqual([true, true]);
    pass(24 * hourMs - 1);
    expect(await signers()).toEqual([true, true]);
    pass(1);
    expect(await signers()).toEqual([false, true]);
  });
});

describe('a crashed worker', () => {
  test('costs a lease, never a delivery', async () => {
    const endpoint = await open();
    await shop.happen();
    await claimOne();
    expect(await round(other)).toBe(0);
    pass(leaseMs - 1);
    expect(await round(other)).toBe(0);
    pass(1);
    expect(await round(other)).toBe(1);
    expect(await onlyDeliveryOf(endpoint)).toMatchObject({ status: 'delivered', attemptCount: 1 });
  });

  test("that comes back late does not overwrite another's outcome", async () => {
    const endpoint = await open();
    await shop.happen();
    const claimed = await claimOne();
    pass(leaseMs);
    await round(other);
    endpoint.receiver.reply = { status: 500 };
    await app.services.webhookSender.deliver(claimed, never);
    const delivery = await onlyDeliveryOf(endpoint);
    expect(delivery).toMatchObject({ status: 'delivered', attemptCount: 1, nextAttemptAt: null });
    expect(new Set(delivery.attempts.map(({ statusCode }) => statusCode))).toEqual(new Set([204, 500]));
  });

  test("that comes back late does not release another's delivery", async () => {
    const endpoint = await open();
    await shop.happen();
    const claimed = await claimOne();
    pass(leaseMs);
    await claimOne();
    const gone = new AbortController();
    gone.abort();
    await app.services.webhookSender.deliver(claimed, gone.signal);
    expect(untilNext(await onlyDeliveryOf(endpoint))).toBe(leaseMs);
    await app.services.webhookSender.deliver(claimed, never);
    expect(await onlyDeliveryOf(endpoint)).toMatchObject({ status: 'pending', attemptCount: 0 });
  });
});

describe('the running worker', () => {
  test('sends events by itself, and retries on time', async () => {
    const endpoint = await open();
    endpoint.receiver.reply = { status: 500 };
    startWorker();
    await shop.happen();
    await received(endpoint, 1);
    await eventually(async () => expect((await onlyDeliveryOf(endpoint)).attemptCount).toBe(1));
    endpoint.receiver.reply = { status: 204 };
    pass(6 * secondMs);
    await eventually(async () =>
      expect(await onlyDeliveryOf(endpoint)).toMatchObject({ status: 'delivered' }),
    );
    expect(new Set(idsOf(endpoint)).size).toBe(1);
  });

  test('sends to every endpoint while one of them hangs, with 20 requests to it at most', async () => {
    const [hanging, healthy] = [await open(), await open()];
    hanging.receiver.hang();
    startWorker();
    await shop.happen(40);
    await received(healthy, 40);
    expect(new Set(idsOf(healthy)).size).toBe(40);
    await received(hanging, 20);
    expect(hanging.receiver.waiting).toBe(20);

    hanging.receiver.answerOne();
    await received(hanging, 21);
    hanging.receiver.answerAll();
    await received(hanging, 40);
    expect(new Set(idsOf(hanging)).size).toBe(40);
    expect(hanging.receiver.mostAtOnce).toBe(20);
    expect(healthy.receiver.mostAtOnce).toBeLessThanOrEqual(20);
  });

  test('leaves half of its 256 requests to others when all endpoints of an organization hang', async () => {
    const hanging = await Promise.all(Array.from({ length: 13 }, () => open()));
    for (const { receiver } of hanging) receiver.hang();
    const waiting = () => hanging.reduce((sum, { receiver }) => sum + receiver.waiting, 0);
    const stranger = await openShop();
    const theirs = await open({ caller: stranger.caller });
    await shop.happen(20);
    startWorker();
    await eventually(() => expect(waiting()).toBeGreaterThanOrEqual(128));
    await stranger.happen(30);
    await received(theirs, 30);
    expect(waiting()).toBe(128);
    for (const { receiver } of hanging) receiver.answerAll();
  });

  test('has two requests to a failing endpoint until it succeeds', async () => {
    const endpoint = await open();
    const { receiver } = endpoint;
    receiver.reply = { status: 500 };
    await shop.happen();
    await round();
    receiver.reply = { status: 204 };
    receiver.hang();
    await shop.happen(30);
    startWorker();
    await received(endpoint, 3);
    receiver.answerOne();
    await eventually(async () =>
      expect(await endpointOf(endpoint)).toMatchObject({ failingSince: undefined }),
    );
    await eventually(() => expect(receiver.waiting).toBe(20));
    receiver.answerAll();
    await received(endpoint, 31);
    expect(receiver.mostAtOnce).toBe(20);
  });

  test('sends each delivery once, even with another worker at the same time', async () => {
    const endpoint = await open();
    startWorker(app);
    startWorker(other);
    const payments = await shop.createPayments(60);
    await shop.cancel(payments);
    const deliveredIn = async (count: number) => {
      const page = await deliveriesOf(endpoint);
      expect(page.filter(({ status }) => status === 'delivered')).toHaveLength(count);
    };
    await eventually(() => deliveredIn(60));
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    expect(new Set(idsOf(endpoint)).size).toBe(60);
    expect(endpoint.receiver.requests).toHaveLength(60);
  });

  test('releases what hangs when it stops, for another to send at once', async () => {
    const endpoint = await open();
    endpoint.receiver.hang();
    const worker = startWorker();
    await shop.happen();
    await received(endpoint, 1);
    await worker.stop();
    const returned = await onlyDeliveryOf(endpoint);
    expect(returned).toMatchObject({ status: 'pending', attemptCount: 0, nextAttemptAt: clock });
    endpoint.receiver.answerAll();
    expect(await round(other)).toBe(1);
    expect(await onlyDeliveryOf(endpoint)).toMatchObject({ status: 'delivered', attemptCount: 1 });
    expect(idsOf(endpoint)).toEqual([returned.eventId, returned.eventId]);
  });

  test('waits for a response that arrives while it stops', async () => {
    const endpoint = await open();
    endpoint.receiver.hang();
    const worker = startWorker();
    await shop.happen(2);
    await received(endpoint, 2);
    const stopped = worker.stop();
    endpoint.receiver.answerAll();
    await stopped;
    expect((await deliveriesOf(endpoint)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  });
});

describe('a claim', () => {
  const claim = async ({ id }: Opened, limit: number, requests: number): Promise<number> =>
    (await app.services.webhookSender.claim(limit, new Map([[id, requests]]))).length;

  test('limits an endpoint to 20 requests, including those in flight', async () => {
    const endpoint = await open();
    await shop.happen(25);
    expect(await claim(endpoint, 256, 20)).toBe(0);
    expect(await claim(endpoint, 256, 30)).toBe(0);
    expect(await claim(endpoint, 256, 17)).toBe(3);
    expect(await claim(endpoint, 2, 0)).toBe(2);
    expect(await claim(endpoint, 256, 0)).toBe(20);
    expect(await claim(endpoint, 256, 0)).toBe(0);
  });

  test('goes to one of the workers that compete for it', async () => {
    await open();
    await shop.happen(40);
    const claims = await Promise.all(
      [app, other, app, other, app, other].map(({ services }) => services.webhookSender.claim(7, new Map())),
    );
    const ids = claims.flat().map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('limits a failing endpoint to two requests', async () => {
    const endpoint = await open();
    endpoint.receiver.reply = { status: 500 };
    await shop.happen();
    await round();
    await shop.happen(5);
    expect(await claim(endpoint, 256, 2)).toBe(0);
    expect(await claim(endpoint, 256, 1)).toBe(1);
    expect(await claim(endpoint, 256, 0)).toBe(2);
  });
});

describe('a resend', () => {
  const resend = (id: string) => app.services.webhookDeliveries.resend(shop.caller, id);

  test('covers one delivery, whatever its state, with the same id and a new schedule', async () => {
    const endpoint = await open();
    await shop.happen();
    await round();
    const { id, eventId } = await onlyDeliveryOf(endpoint);
    expect(await resend(id)).toMatchObject({ id, status: 'pending', attemptCount: 0, nextAttemptAt: clock });
    endpoint.receiver.reply = { status: 500 };
    expect(await round()).toBe(1);
    expect(untilNext(await onlyDeliveryOf(endpoint))).toBeLessThanOrEqual(6 * secondMs);
    endpoint.receiver.reply = { status: 204 };
    await resend(id);
    await round();
    expect(idsOf(endpoint)).toEqual([eventId, eventId, eventId]);
    const delivery = await onlyDeliveryOf(endpoint);
    expect(delivery).toMatchObject({ status: 'delivered', attemptCount: 1 });
    expect(delivery.attempts).toHaveLength(3);
  });

  test('is certain to be sent, even while it is already being sent', async () => {
    const endpoint = await open();
    await shop.happen();
    const claimed = await claimOne();
    await resend(claimed.id);
    await app.services.webhookSender.deliver(claimed, never);
    expect(await onlyDeliveryOf(endpoint)).toMatchObject({ status: 'pending', attemptCount: 0 });
    expect(await round()).toBe(1);
  });

  test('covers everything since an instant, including what was missed while disabled, but no other events', async () => {
    const endpoint = await open({ events: ['payment_cancelled'] });
    await shop.happen();
    await round();
    pass(minuteMs);
    const since = clock;
    const delivered = await shop.happen();
    await round();
    pass(minuteMs);
    await setEnabled(endpoint, false);
    const missed = await shop.happen();
    const [unwanted = ''] = await shop.createPayments(1);
    await shop.expire(unwanted);
    const stranger = await openShop();
    await stranger.happen();
    await setEnabled(endpoint, true);
    expect(await round()).toBe(0);

    endpoint.receiver.requests.length = 0;
    const resendSince = (instant: Date) =>
      app.services.webhookDeliveries.resendSince(shop.caller, endpoint.id, instant);
    expect(await resendSince(new Date(clock.getTime() + 1))).toBe(0);
    expect(await resendSince(since)).toBe(2);
    expect(await round()).toBe(2);
    const payments = endpoint.receiver.requests.map(
      ({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id,
    );
    expect(payments.sort()).toEqual([...delivered, ...missed].sort());
    expect(await resendSince(new Date(0))).toBe(3);
  });

  test('covers any number, with each part in the audit log', async () => {
    const endpoint = await open();
    await setEnabled(endpoint, false);
    const [paymentId] = await shop.happen();
    await query(
      databaseUrl,
      `INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, body, created_at)
       SELECT gen_random_uuid(), organization_id, mode, 1 + number, type, gen_random_uuid(), body, created_at
       FROM event, generate_series(1, 5000) number WHERE payment_id = $1`,
      [paymentId],
    );
    const { webhookDeliveries, audit } = app.services;
    expect(await webhookDeliveries.resendSince(shop.caller, endpoint.id, new Date(0))).toBe(5_001);
    const counted = 'SELECT count(*)::int FROM webhook_delivery WHERE endpoint_id = $1';
    expect(await query(databaseUrl, counted, [endpoint.id])).toEqual([{ count: 5_001 }]);
    const { data } = await audit.list(shop.caller, { limit: 100, cursor: undefined });
    const parts = data.filter(({ action }) => action === 'webhook_endpoint.resend_since');
    expect(new Set(parts.map(({ details }) => details?.['resent']))).toEqual(new Set([1, 5_000]));
  });
});

describe('an endpoint that has just accepted an event', () => {
  const claimTwo = async () => {
    const [first, second] = await app.services.webhookSender.claim(2, new Map());
    if (!first || !second) throw new Error('two are due');
    return [first, second] as const;
  };
  const deliver = async (endpoint: Opened, claimed: Awaited<ReturnType<typeof claimOne>>, status: number) => {
    endpoint.receiver.reply = { status };
    await app.services.webhookSender.deliver(claimed, never);
  };

  test('is not disabled by an older request that fails', async () => {
    const endpoint = await open();
    await shop.happen(2);
    await query(databaseUrl, 'UPDATE webhook_endpoint SET failing_since = $2 WHERE id = $1', [
      endpoint.id,
      new Date(clock.getTime() - 6 * dayMs),
    ]);
    const [accepted, refused] = await claimTwo();
    await deliver(endpoint, accepted, 204);
    expect(await endpointOf(endpoint)).toMatchObject({ enabled: true, failingSince: undefined });
    await deliver(endpoint, refused, 503);
    expect(await endpointOf(endpoint)).toMatchObject({ enabled: true, disabledReason: undefined });
  });

  test('is not failing because of one that failed before', async () => {
    const endpoint = await open();
    await shop.happen(2);
    const [refused, accepted] = await claimTwo();
    await deliver(endpoint, refused, 503);
    expect(await endpointOf(endpoint)).toMatchObject({ failingSince: clock.toISOString() });
    await deliver(endpoint, accepted, 204);
    expect(await endpointOf(endpoint)).toMatchObject({ failingSince: undefined });
  });
});

test('a secret that cannot be opened is a visible failure, and is retried', async () => {
  const endpoint = await open();
  await shop.happen();
  await query(databaseUrl, 'UPDATE webhook_endpoint SET sealed_secret = $1 WHERE id = $2', [
    'lost:AAAA',
    endpoint.id,
  ]);
  expect(await round()).toBe(1);
  expect(await round()).toBe(0);
  const delivery = await onlyDeliveryOf(endpoint);
  expect(delivery).toMatchObject({ status: 'pending', attemptCount: 1 });
  expect(untilNext(delivery)).toBeGreaterThan(secondMs);
  expect((await endpointOf(endpoint)).failingSince).toBe(clock.toISOString());
  expect(endpoint.receiver.requests).toEqual([]);
});

test('secrets are in no log line and in no list', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'webhook-log-'));
  // Stays open, as the logger writes to it until the process ends.
  const file = openLogFile(openSync(join(directory, 'log'), 'w'));
  const logger = createLogger('debug', file);
  const config = readConfig({ ...env, DATABASE_URL: databaseUrl });
  const logging = await createApp(config, databaseUrl, testKeyRing, logger, { now: () => clock });
  try {
    const { webhookEndpoints, webhookSender: sender } = logging.services;
    const endpoint = await open();
    const { secret } = await webhookEndpoints.rotate(shop.caller, endpoint.id);
    await shop.happen();
    const shown: unknown[] = [];
    // What an endpoint echoes is in its log too.
    for (const reply of [
      { status: 500 },
      'reset' as const,
      { status: 410, body: secret.slice('whsec_'.length) },
    ]) {
      endpoint.receiver.reply = reply;
      pass(hourMs);
      await deliverWebhooks(sender);
      shown.push(
        await webhookEndpoints.list(shop.caller),
        await webhookEndpoints.get(shop.caller, endpoint.id),
      );
    }
    shown.push(await webhookEndpoints.setEnabled(shop.caller, endpoint.id, true));
    await logging.stop();
    await file.flush();
    const log = readFileSync(join(directory, 'log'), 'utf8');
    expect(log).toContain('webhook endpoint disabled');
    for (const each of [secretOf(endpoint), secret].map((text) => text.slice('whsec_'.length))) {
      expect(log).not.toContain(each);
      expect(JSON.stringify(shown)).not.toContain(each);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
});
