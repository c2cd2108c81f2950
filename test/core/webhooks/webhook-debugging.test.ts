import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { OperatorCaller } from '../../../src/core/base/caller.ts';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { Unavailable } from '../../../src/core/base/errors.ts';
import { deliverWebhooks } from '../../support/deliver-webhooks.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { explain, pagesOf } from '../../support/explain.ts';
import { createKey } from '../../support/factories.ts';
import { startFaultReceiver } from '../../support/fault-receiver.ts';
import {
  isSignedWith,
  receiverHost,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/webhook-receiver.ts';

const secondMs = 1_000;
const hourMs = 3_600_000;

let app: TestApp;
let receiver: WebhookReceiver;
let clock = new Date();
let caller: OperatorCaller;
let client: Client;
let endpoint: { id: string; secret: string };

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const databaseUrl = await freshDatabase();
  const env = { ROLE: 'api', WEBHOOK_ALLOWED_HOSTS: receiverHost, DATABASE_URL: databaseUrl };
  app = await startTestApp(env, { now: () => clock });
});

beforeEach(async () => {
  await query(app.databaseUrl, 'UPDATE webhook_endpoint SET enabled = false');
  const { organizationId, key } = await createKey(app.services);
  caller = operatorFor(organizationId, 'test');
  client = createClient(app.baseUrl, key);
  receiver.reply = { status: 204 };
  receiver.requests.length = 0;
  endpoint = await app.services.webhookEndpoints.create(caller, { url: receiver.url });
});

afterAll(async () => {
  await app.stop();
  await receiver.stop();
});

async function cancelOne(): Promise<void> {
  clock = new Date(clock.getTime() + secondMs);
  const { body } = await client.post('/v1/payments', { amount: 1 });
  await client.post(`/v1/payments/${body.id}/cancel`);
}

async function payOne(): Promise<void> {
  clock = new Date(clock.getTime() + secondMs);
  const { body } = await client.post('/v1/payments', { amount: 1 });
  await client.post(`/v1/sandbox/payments/${body.id}/pay`);
}

const deliver = () => deliverWebhooks(app.services.webhookSender);
const health = (hours = 3) => app.services.webhookHealth(caller, endpoint.id, hours);

interface Filter {
  state?: string;
  eventType?: string;
  statusCode?: number;
  error?: string;
}

async function typesIn(filter: Filter): Promise<string[]> {
  const { data } = await app.services.webhookDeliveries.list(caller, endpoint.id, { limit: 10, ...filter });
  return data.map(({ eventType }) => eventType);
}

test('requests are counted by hour with their outcome and latency', async () => {
  await cancelOne();
  await deliver();
  receiver.reply = { status: 500 };
  clock = new Date(clock.getTime() + hourMs);
  await payOne();
  await deliver();
  const { hours, ...sums } = await health();
  const latency = { medianLatencyMs: expect.any(Number), p95LatencyMs: expect.any(Number) };
  expect(sums).toEqual({ attempts: 2, succeeded: 1, undelivered: 1, ...latency });
  expect(hours).toEqual([
    expect.objectContaining({ attempts: 0, succeeded: 0, medianLatencyMs: null, p95LatencyMs: null }),
    expect.objectContaining({ attempts: 1, succeeded: 1, ...latency }),
    { start: new Date(Math.floor(clock.getTime() / hourMs) * hourMs), attempts: 1, succeeded: 0, ...latency },
  ]);
});

test('deliveries are found by state and event, and those that failed are sent again', async () => {
  await cancelOne();
  await deliver();
  receiver.reply = { status: 500 };
  await payOne();
  await payOne();
  await deliver();
  await query(
    app.databaseUrl,
    `UPDATE webhook_delivery SET status = 'exhausted', next_attempt_at = NULL
    WHERE id = (SELECT id FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY event_id DESC LIMIT 1)`,
    [endpoint.id],
  );
  await cancelOne();
  expect(await typesIn({})).toHaveLength(4);
  expect(await typesIn({ state: 'queued' })).toEqual(['payment_cancelled']);
  expect(await typesIn({ state: 'delivered' })).toEqual(['payment_cancelled']);
  expect(await typesIn({ state: 'retrying' })).toEqual(['payment_completed']);
  expect(await typesIn({ state: 'exhausted' })).toEqual(['payment_completed']);
  expect(await typesIn({ state: 'undelivered' })).toHaveLength(2);
  expect(await typesIn({ state: 'undelivered', eventType: 'payment_cancelled' })).toEqual([]);
  expect(await typesIn({ eventType: 'payment_cancelled' })).toHaveLength(2);
  await expect(typesIn({ state: 'lost' })).rejects.toThrow('state must be one of');

  receiver.reply = { status: 204 };
  expect(await app.services.webhookDeliveries.resendUndelivered(caller, endpoint.id)).toBe(2);
  while ((await deliver()) > 0);
  expect(await typesIn({ state: 'delivered' })).toHaveLength(4);
  expect(await app.services.webhookDeliveries.resendUndelivered(caller, endpoint.id)).toBe(0);
});

const summary = async () => {
  const all = await app.services.webhookSummaries(caller);
  return all.find(({ endpointId }) => endpointId === endpoint.id);
};

test('each endpoint has its share of accepted requests, its last one, and its failures by cause', async () => {
  expect(await summary()).toEqual({
    endpointId: endpoint.id,
    attempts: 0,
    succeeded: 0,
    days: Array.from({ length: 7 }, () => ({ start: expect.any(Date), attempts: 0, succeeded: 0 })),
    lastAttempt: null,
    failures: [],
  });
  await cancelOne();
  await deliver();
  const accepted = { statusCode: 204, error: null };
  expect(await summary()).toMatchObject({ attempts: 1, succeeded: 1, lastAttempt: accepted, failures: [] });
  receiver.reply = { status: 500 };
  await payOne();
  await cancelOne();
  await deliver();
  receiver.reply = 'reset';
  await payOne();
  await deliver();
  const closed = { statusCode: null, error: 'the connection was closed before a response' };
  expect(await summary()).toMatchObject({
    attempts: 4,
    succeeded: 1,
    lastAttempt: { ...closed, startedAt: expect.any(Date) },
    failures: [
      { statusCode: 500, error: null, count: 2 },
      { ...closed, count: 1 },
    ],
  });
  // The list behind each of them.
  expect(await typesIn({ statusCode: 500 })).toEqual(['payment_cancelled', 'payment_completed']);
  expect(await typesIn({ error: closed.error })).toEqual(['payment_completed']);
  expect(await typesIn({ statusCode: 500, eventType: 'payment_cancelled' })).toEqual(['payment_cancelled']);
  expect(await typesIn({ statusCode: 500, state: 'exhausted' })).toEqual([]);
  expect(await typesIn({ statusCode: 204 })).toEqual([]);
  await expect(typesIn({ statusCode: 1_000 })).rejects.toThrow('statusCode must be a status of HTTP');
  // What arrives in the end has not failed; of a day ago nothing counts.
  receiver.reply = { status: 204 };
  clock = new Date(clock.getTime() + secondMs);
  await app.services.webhookDeliveries.resendUndelivered(caller, endpoint.id);
  while ((await deliver()) > 0);
  expect(await summary()).toMatchObject({ attempts: 7, succeeded: 4, lastAttempt: accepted, failures: [] });
  clock = new Date(clock.getTime() + 25 * hourMs);
  const later = await summary();
  expect(later).toMatchObject({ attempts: 0, succeeded: 0, lastAttempt: accepted });
  expect(later?.days.map((each) => [each.attempts, each.succeeded])).toEqual([
    ...Array.from({ length: 5 }, () => [0, 0]),
    [7, 4],
    [0, 0],
  ]);
});

test('the summaries read as much of an endpoint with many deliveries as of one with few', async () => {
  await payOne();
  await query(
    app.databaseUrl,
    `INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, refund_id, body, created_at)
     SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, e.organization_id, e.mode, e.sequence + n, 'payment_expired', e.payment_id, gen_random_uuid(), e.body, now()
     FROM event e JOIN webhook_delivery d ON d.event_id = e.id, generate_series(1, 12000) n WHERE d.endpoint_id = $1`,
    [endpoint.id],
  );
  // Two thirds were never tried, as at an endpoint that was disabled; the others failed.
  await query(
    app.databaseUrl,
    `WITH added AS (
       INSERT INTO webhook_delivery (event_id, endpoint_id, status, attempt_count, created_at)
       SELECT id, $1, CASE WHEN sequence < 4000 THEN 'exhausted'::"WebhookDeliveryStatus" ELSE 'pending' END,
         CASE WHEN sequence < 4000 THEN 12 ELSE 0 END, now()
       FROM event WHERE organization_id = $2 AND type = 'payment_expired' RETURNING id, attempt_count)
     INSERT INTO webhook_attempt (id, delivery_id, status_code, latency_ms, started_at)
     SELECT gen_random_uuid(), added.id, 503, 1, now() FROM added, generate_series(1, 3) WHERE attempt_count > 0`,
    [endpoint.id, caller.organizationId],
  );
  await query(app.databaseUrl, 'VACUUM ANALYZE webhook_delivery, webhook_attempt');
  const plans = await explain(app.databaseUrl, /FROM unnest|FROM webhook_hour/, summary);
  expect(plans).toHaveLength(3);
  expect(pagesOf(plans)).toBeLessThan(2_500);
  expect(await summary()).toMatchObject({
    lastAttempt: { statusCode: 503 },
    failures: [{ statusCode: 503, error: null, count: 100 }],
  });
});

test('a filtered page goes on where the one before stopped looking', async () => {
  await payOne();
  await query(
    app.databaseUrl,
    `INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, refund_id, body, created_at)
     SELECT ('ffffffff-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, e.organization_id, e.mode, e.sequence + n, 'payment_expired', e.payment_id, gen_random_uuid(), e.body, now()
     FROM event e JOIN webhook_delivery d ON d.event_id = e.id, generate_series(1, 2000) n WHERE d.endpoint_id = $1`,
    [endpoint.id],
  );
  await query(
    app.databaseUrl,
    `INSERT INTO webhook_delivery (event_id, endpoint_id, status, created_at)
     SELECT id, $1, 'delivered', now() FROM event WHERE organization_id = $2 AND type = 'payment_expired'`,
    [endpoint.id, caller.organizationId],
  );
  const wanted = { limit: 10, eventType: 'payment_completed' };
  const first = await app.services.webhookDeliveries.list(caller, endpoint.id, wanted);
  expect(first.data).toEqual([]);
  const next = { ...wanted, cursor: first.nextCursor };
  const second = await app.services.webhookDeliveries.list(caller, endpoint.id, next);
  expect(second.data.map(({ eventType }) => eventType)).toEqual(['payment_completed']);
  expect(second.nextCursor).toBeUndefined();
});

test('a test event is signed, sent at once to a disabled endpoint too, and is no event', async () => {
  await app.services.webhookEndpoints.setEnabled(caller, endpoint.id, false);
  receiver.reply = { status: 418, headers: { server: 'teapot' }, body: 'short and stout' };
  expect(await app.services.webhookEndpoints.test(caller, endpoint.id)).toEqual({
    statusCode: 418,
    error: null,
    answer: 'short and stout',
    responseHeaders: [{ name: 'server', value: 'teapot' }],
    latencyMs: expect.any(Number),
    startedAt: expect.any(Date),
  });
  const [request] = receiver.requests;
  expect(request && isSignedWith(endpoint.secret, request)).toBe(true);
  expect(JSON.parse(request?.body ?? '')).toMatchObject({ type: 'webhook_test', data: {} });
  expect(await typesIn({})).toEqual([]);
  expect((await app.services.events.list(caller, {})).bodies).toEqual([]);
  expect(await health()).toMatchObject({ attempts: 0 });
});

test('tests of endpoints that hang leave places for other organizations', async () => {
  const hanging = await startFaultReceiver('hang');
  const { webhookEndpoints } = app.services;
  const { id } = await webhookEndpoints.create(caller, { url: hanging.url });
  let refused = 0;
  const tests = Array.from({ length: 12 }, () =>
    webhookEndpoints.test(caller, id).catch((error: unknown) => {
      expect(error).toBeInstanceOf(Unavailable);
      refused += 1;
    }),
  );
  await eventually(() => expect({ waiting: hanging.waiting, refused }).toEqual({ waiting: 5, refused: 7 }));
  const other = operatorFor((await createKey(app.services)).organizationId, 'test');
  const working = await webhookEndpoints.create(other, { url: receiver.url });
  expect(await webhookEndpoints.test(other, working.id)).toMatchObject({ statusCode: 204 });
  hanging.takeWaiting();
  await Promise.all(tests);
  hanging.heal();
  expect(await webhookEndpoints.test(caller, id)).toMatchObject({ statusCode: 204 });
  await hanging.stop();
});

test('a deleted endpoint is gone for everybody, gets nothing, and leaves nothing behind', async () => {
  receiver.reply = { status: 500 };
  await cancelOne();
  await deliver();
  await cancelOne();
  await app.services.webhookEndpoints.delete(caller, endpoint.id);
  const { webhookEndpoints, webhookDeliveries } = app.services;
  expect(await webhookEndpoints.list(caller)).toEqual([]);
  for (const read of [
    () => webhookEndpoints.get(caller, endpoint.id),
    () => webhookEndpoints.setEnabled(caller, endpoint.id, true),
    () => webhookEndpoints.operatorOf(endpoint.id),
    () => webhookDeliveries.list(caller, endpoint.id, { limit: 1 }),
    health,
  ]) {
    await expect(read()).rejects.toThrow('was not found');
  }
  clock = new Date(clock.getTime() + hourMs);
  await cancelOne();
  expect(await deliver()).toBe(0);
  const left = () =>
    query(app.databaseUrl, 'SELECT status FROM webhook_delivery WHERE endpoint_id = $1', [endpoint.id]);
  await app.services.retention.deleteOld(100);
  expect(await left()).toEqual([{ status: 'exhausted' }, { status: 'exhausted' }]);
  await query(app.databaseUrl, 'DELETE FROM webhook_attempt');
  await query(app.databaseUrl, 'DELETE FROM webhook_delivery WHERE endpoint_id = $1', [endpoint.id]);
  await app.services.retention.deleteOld(100);
  expect(await query(app.databaseUrl, 'SELECT 1 FROM webhook_endpoint WHERE id = $1', [endpoint.id])).toEqual(
    [],
  );
});

test("another organization's endpoint is not found", async () => {
  const stranger = operatorFor((await createKey(app.services)).organizationId, 'test');
  const { webhookEndpoints, webhookDeliveries, webhookHealth } = app.services;
  for (const act of [
    () => webhookEndpoints.delete(stranger, endpoint.id),
    () => webhookEndpoints.test(stranger, endpoint.id),
    () => webhookDeliveries.resendUndelivered(stranger, endpoint.id),
    () => webhookHealth(stranger, endpoint.id, 24),
  ]) {
    await expect(act()).rejects.toThrow('was not found');
  }
  expect(receiver.requests).toEqual([]);
});

test('counted hours go with the deliveries that they count', async () => {
  await cancelOne();
  await deliver();
  const count = () =>
    query(app.databaseUrl, 'SELECT 1 FROM webhook_hour WHERE endpoint_id = $1', [endpoint.id]);
  await app.services.retention.deleteOld(100);
  expect(await count()).toHaveLength(1);
  clock = new Date(clock.getTime() + 91 * 24 * hourMs);
  await app.services.retention.deleteOld(100);
  expect(await count()).toEqual([]);
});
