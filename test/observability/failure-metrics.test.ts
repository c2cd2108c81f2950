import { createClient as createSocketClient } from 'graphql-ws';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import WebSocket from 'ws';
import { createMetrics } from '../../src/observability/metrics.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';

let databaseUrl: string;
let app: TestApp;
let key: string;
let client: Client;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' });
  ({ key } = await createKey(app.services));
  client = createClient(app.baseUrl, key);
});

afterAll(() => app.stop());

const text = async () => (await fetch(`${app.baseUrl}/metrics`)).text();

async function valueOf(series: string): Promise<number> {
  const line = (await text()).split('\n').find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length) ?? 0);
}

const failures = (code: string) => valueOf(`pix_server_errors_total{code="${code}",mode="test"}`);

const create = 'mutation { createPayment(input: { amount: 1 }) { id } }';

describe('while the disk is full', () => {
  beforeAll(() =>
    query(
      databaseUrl,
      `CREATE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$;
       CREATE TRIGGER fill_disk BEFORE INSERT ON payment FOR EACH ROW EXECUTE FUNCTION fill_disk()`,
    ),
  );

  afterAll(() => query(databaseUrl, 'DROP TRIGGER fill_disk ON payment'));

  test('a failure within a 200 of GraphQL counts as one over REST does', async () => {
    expect((await client.post('/v1/payments', { amount: 1 })).status).toBe(503);
    const answer = await client.graphql(create);
    expect([answer.status, answer.body.errors[0].extensions.statusCode]).toEqual([200, 503]);
    await eventually(async () => {
      expect(await failures('service_unavailable')).toBe(2);
      for (const route of ['/v1/payments', '/graphql'])
        expect(
          await valueOf(`pix_http_request_seconds_count{route="${route}",method="POST",status="503"}`),
        ).toBe(1);
    });
  });

  test('and so does one over a WebSocket', async () => {
    const before = await failures('service_unavailable');
    const socket = createSocketClient({
      url: `${app.baseUrl.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'X-API-Key': key },
    });
    for await (const { errors } of socket.iterate({ query: create })) expect(errors).toHaveLength(1);
    await socket.dispose();
    await eventually(async () => {
      expect(await failures('service_unavailable')).toBe(before + 1);
    });
  });
});

test('where no provider makes a payment, clients are told when to try again, and it counts by itself', async () => {
  const body = { amount: 1, metadata: { sandbox: 'unavailable' } };
  const { status, headers } = await client.post('/v1/payments', body);
  expect([status, headers.get('retry-after')]).toEqual([500, '5']);
  const answer = await client.graphql(
    'mutation { createPayment(input: { amount: 1, metadata: { sandbox: "unavailable" } }) { id } }',
  );
  expect(answer.headers.get('retry-after')).toBe('5');
  await eventually(async () => {
    expect(await failures('no_provider_available')).toBe(2);
  });
  expect(await failures('internal_error')).toBe(0);
});

test('a caller who errs is no failure, and a probe no request', async () => {
  const before = await text();
  expect((await client.post('/v1/payments', { amount: 0 })).status).toBe(400);
  expect((await client.graphql('mutation { createPayment(input: { amount: 0 }) { id } }')).status).toBe(200);
  expect((await fetch(`${app.baseUrl}/readyz`)).status).toBe(200);
  await eventually(async () => {
    expect(await text()).toContain('route="/v1/payments",method="POST",status="400"');
  });
  const lines = (await text()).split('\n');
  const countOf = (printed: string[]) =>
    printed.filter((line) => line.startsWith('pix_server_errors_total{'));
  expect(countOf(lines)).toEqual(countOf(before.split('\n')));
  expect(lines.filter((line) => /route="\/(readyz|metrics|healthz)"/.test(line))).toEqual([]);
});

test('readiness is a metric', async () => {
  expect(await valueOf('pix_ready')).toBe(1);
});

describe('a worker that loses PostgreSQL', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('shows how old its figures are, and none that are older than a minute', async () => {
    const metrics = createMetrics();
    expect(await metrics.text()).not.toMatch(/^pix_backlog_age_seconds/m);
    metrics.setBacklog('payment', 0);
    metrics.backlogMeasured();
    expect(await metrics.text()).toMatch(/^pix_backlog_seconds\{kind="payment"\} 0$/m);
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 61_000);
    const old = await metrics.text();
    expect(old).not.toMatch(/^pix_backlog_seconds\{/m);
    expect(old).toMatch(/^pix_backlog_age_seconds 61/m);
  });
});
