import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp, testKeyRing } from '../support/app.ts';
import { boundMs, longTest, times } from '../support/chance.ts';
import { createClient } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { type LiveOrganization, openLiveOrganization } from '../support/live.ts';
import { type ExportedSpan, type OtlpSink, startOtlpSink } from '../support/otlp-sink.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { testKeys } from '../support/test-keys.ts';
import { receiverHost, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const payer = { name: 'Fulano Rastreado', document: '529.982.247-25', email: 'rastreado@example.com' };

let databaseUrl: string;
let sink: OtlpSink;
let app: TestApp;
let live: LiveOrganization;
let receiver: WebhookReceiver;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  sink = await startOtlpSink();
  app = await startTestApp({
    DATABASE_URL: databaseUrl,
    WEBHOOK_ALLOWED_HOSTS: receiverHost,
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=shop%201',
    OTEL_SERVICE_NAME: 'pix-under-test',
  });
  receiver = await startWebhookReceiver();
  live = await openLiveOrganization(app, () => new Date(), ['bacen', defineBacen()]);
  await app.services.webhookEndpoints.create(operatorFor(live.organizationId), { url: receiver.url });
});

afterAll(async () => {
  await app.stop();
  await Promise.all([live.stop(), receiver.stop(), sink.stop()]);
});

const newTraceId = () => randomBytes(16).toString('hex');
const newTraceparent = (traceId: string, flags = '01') =>
  `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}`;

const spansOf = (traceId: string): ExportedSpan[] => sink.traces.get(traceId) ?? [];

/** Creates payments in traces of their own, pays them, and resolves once their webhooks have arrived. */
async function payAll(count: number, flags = '01'): Promise<{ id: string; traceId: string }[]> {
  const [account] = live.accounts;
  if (!account) throw new Error('there is no account');
  const { emulator } = account;
  const created: { id: string; traceId: string }[] = [];
  for (let left = count; left > 0; left -= 20) {
    const some = Array.from({ length: Math.min(20, left) }, async () => {
      const traceId = newTraceId();
      const headers = { traceparent: newTraceparent(traceId, flags) };
      const { status, body } = await live.client.post('/v1/payments', { amount: 10, payer }, headers);
      expect(status).toBe(201);
      return { id: body.id as string, traceId };
    });
    created.push(...(await Promise.all(some)));
    const { charges, statusOf } = emulator.ledger;
    const unpaid = charges.filter((charge) => statusOf(charge) === 'active');
    await Promise.all(unpaid.map(({ transactionId }) => emulator.pay(transactionId)));
  }
  const isOurs = new Set(created.map(({ id }) => id));
  await eventually(() => {
    const told = receiver.requests.filter(({ body }) => isOurs.has(paymentOf(body)));
    expect(told).toHaveLength(count);
  }, 60_000);
  return created;
}

const paymentOf = (body: string): string => (JSON.parse(body) as { data: { id: string } }).data.id;

const traceparentOf = (id: string): string =>
  receiver.requests.find(({ body }) => paymentOf(body) === id)?.headers['traceparent'] ?? '';

/** A payment's trace is a line: each span is the child of the one before. */
function expectOneTrace({ id, traceId }: { id: string; traceId: string }): void {
  const spans = spansOf(traceId);
  const named = (name: string) => spans.filter((span) => span.name === name);
  const [server] = named('POST /v1/payments');
  const [webhook] = named('send webhook');
  const settling = spans.find(({ spanId }) => spanId === webhook?.parentSpanId);
  const childrenOf = (span?: ExportedSpan) =>
    spans.filter(({ parentSpanId }) => parentSpanId === span?.spanId).map(({ name }) => name);
  expect(server).toMatchObject({
    kind: 'server',
    serviceName: 'pix-under-test',
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/v1/payments',
      'http.response.status_code': 201,
      'pix.organization.id': live.organizationId,
    },
  });
  expect(childrenOf(server)).toEqual(expect.arrayContaining(['bacen createCharge', 'settle payment']));
  const [charging] = named('bacen createCharge');
  const request = spans.find(({ parentSpanId }) => parentSpanId === charging?.spanId);
  expect(request).toMatchObject({
    name: 'PUT',
    kind: 'client',
    attributes: { 'http.response.status_code': 201, 'pix.provider': 'bacen' },
  });
  expect(settling).toMatchObject({
    name: 'settle payment',
    attributes: { 'pix.payment.id': id, 'pix.settle.reason': 'notification' },
  });
  expect(childrenOf(settling)).toEqual(expect.arrayContaining(['bacen findCharge', 'send webhook']));
  // The notification has a trace of its own, which the settlement is linked to.
  expect(settling?.links).toHaveLength(1);
  const [link] = settling?.links ?? [];
  const notification = spansOf(link?.traceId ?? '').find(({ spanId }) => spanId === link?.spanId);
  expect(notification).toMatchObject({ traceId: link?.traceId, name: 'POST /psp/:provider/:token{/pix}' });
  expect(traceparentOf(id)).toBe(`00-${traceId}-${webhook?.spanId}-01`);
}

describe('traces over OTLP', () => {
  const count = times(10, 1_000);

  test(`continue the caller's trace over the PSP and the confirmation to the webhook: ${count} of ${count}`, async () => {
    const payments = await payAll(count);
    // What each trace ends with; the service exports within a second.
    await eventually(() => {
      const isTold = (traceId: string) => spansOf(traceId).some(({ name }) => name === 'send webhook');
      expect(payments.filter(({ traceId }) => !isTold(traceId))).toEqual([]);
    });
    for (const payment of payments) expectOneTrace(payment);
  }, 300_000);

  test('contain no payer data, key, secret or token', async () => {
    await payAll(1);
    const { key, accounts } = live;
    const [token] = (accounts[0]?.emulator.notifier.address ?? '').split('/').slice(-1);
    await eventually(() => {
      expect([...sink.traces.values()].flat().some(({ name }) => name === 'send webhook')).toBe(true);
    });
    const sent = Buffer.concat(sink.requests.map(({ body }) => body)).toString('latin1');
    expect(sent).toContain('POST /psp/:provider/:token');
    const digits = payer.document.replaceAll(/\D/g, '');
    for (const secret of [
      payer.name,
      payer.document,
      digits,
      payer.email,
      key,
      token ?? 'none',
      receiver.url,
    ])
      expect(sent).not.toContain(secret);
  });

  test('go to /v1/traces with the headers that are set', async () => {
    await live.client.get('/v1/payments?limit=1', { traceparent: newTraceparent(newTraceId()) });
    await eventually(() => {
      expect(sink.requests.length).toBeGreaterThan(0);
    });
    const [{ path, headers }] = sink.requests as [OtlpSink['requests'][number]];
    expect(path).toBe('/v1/traces');
    expect(headers).toMatchObject({ 'content-type': 'application/x-protobuf', 'x-tenant': 'shop 1' });
  });

  test('leave out what the caller does not sample, whose trace still reaches the webhook', async () => {
    const [payment] = await payAll(1, '00');
    const marker = newTraceId();
    await live.client.get('/v1/payments?limit=1', { traceparent: newTraceparent(marker) });
    await eventually(() => {
      expect(spansOf(marker)).toHaveLength(1);
    });
    expect(spansOf(payment?.traceId ?? '')).toEqual([]);
    expect(traceparentOf(payment?.id ?? '')).toMatch(new RegExp(`^00-${payment?.traceId}-[0-9a-f]{16}-00$`));
  });

  test('name the trace of a request without one in X-Trace-Id', async () => {
    const { headers } = await live.client.graphql('{ payments(first: 1) { edges { node { id } } } }');
    await eventually(() => {
      expect(spansOf(headers.get('X-Trace-Id') ?? '')).toMatchObject([
        { name: 'POST /graphql', parentSpanId: '' },
      ]);
    });
  });

  test('leave out most reads that no caller traces', async () => {
    const reads = Array.from({ length: 200 }, () => live.client.get('/v1/payments?limit=1'));
    const traceIds = (await Promise.all(reads)).map(({ headers }) => headers.get('X-Trace-Id') ?? '');
    const marker = newTraceId();
    await live.client.get('/v1/payments?limit=1', { traceparent: newTraceparent(marker) });
    await eventually(() => {
      expect(spansOf(marker)).toHaveLength(1);
    });
    const traced = traceIds.filter((traceId) => spansOf(traceId).length > 0);
    expect(traced.length).toBeGreaterThan(0);
    expect(traced.length).toBeLessThan(60);
  });

  test('say what failed', async () => {
    const traceId = newTraceId();
    const [account] = live.accounts;
    account?.emulator.faults.add({ operation: 'create', kind: 'error' });
    const headers = { traceparent: newTraceparent(traceId) };
    await live.client.post('/v1/payments', { amount: 10, payer }, headers);
    await eventually(() => {
      const put = spansOf(traceId).find(({ name }) => name === 'PUT');
      expect(put?.failure).toBe('the provider returned HTTP 500');
    });
  });

  test('do not include probes', async () => {
    const { headers } = await createClient(app.baseUrl).get('/readyz');
    const marker = newTraceId();
    await live.client.get('/v1/payments?limit=1', { traceparent: newTraceparent(marker) });
    await eventually(() => {
      expect(spansOf(marker)).toHaveLength(1);
    });
    expect(spansOf(headers.get('X-Trace-Id') ?? '')).toEqual([]);
  });
});

describe.each([
  ['does not listen', () => startOtlpSink().then(async (each) => (await each.stop(), each))],
  ['never responds', () => startOtlpSink().then((each) => (each.hang(), each))],
])('a collector that %s', (_name, startCollector) => {
  longTest('holds up no request and no stop, and is mentioned once in the log', async () => {
    const collector = await startCollector();
    const lines: string[] = [];
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEYS: testKeys,
      RATE_LIMIT_PER_MINUTE: '100000',
      LOG_LEVEL: 'warn',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    });
    const logger = createLogger('warn', { write: (line) => lines.push(line) });
    const other = await createApp(config, databaseUrl, testKeyRing, logger);
    const { port } = await other.start();
    const { key } = await createKey(other.services);
    const client = createClient(`http://127.0.0.1:${port}`, key);
    const askTwenty = async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => client.post('/v1/payments', { amount: 1 })),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    };
    const warnings = () => lines.filter((line) => line.includes('traces could not be exported'));
    await askTwenty();
    await eventually(() => {
      expect(warnings()).toHaveLength(1);
    });
    await askTwenty();
    const startedAt = performance.now();
    await other.stop();
    expect(performance.now() - startedAt).toBeLessThan(boundMs(5_000));
    expect(warnings()).toHaveLength(1);
    if (collector.requests.length > 0) await collector.stop();
  });
});

describe('without a collector', () => {
  let plain: TestApp;

  beforeAll(async () => {
    plain = await startTestApp({ DATABASE_URL: await freshDatabase(), WEBHOOK_ALLOWED_HOSTS: receiverHost });
  });

  afterAll(() => plain.stop());

  test.each([
    ['goes on in the webhook', newTraceparent(newTraceId())],
    ['is absent from the webhook if there is none', undefined],
  ])("the caller's trace %s", async (_name, traceparent) => {
    const { organizationId, key } = await createKey(plain.services);
    const endpoint = await startWebhookReceiver();
    await plain.services.webhookEndpoints.create(operatorFor(organizationId, 'test'), { url: endpoint.url });
    const client = createClient(plain.baseUrl, key);
    const { body } = await client.post('/v1/payments', { amount: 1 }, traceparent ? { traceparent } : {});
    await client.post(`/v1/sandbox/payments/${body.id}/pay`);
    const [webhook] = await eventually(() => {
      expect(endpoint.requests).toHaveLength(1);
      return endpoint.requests;
    });
    expect(webhook?.headers['traceparent']).toBe(traceparent);
    await endpoint.stop();
  });
});
