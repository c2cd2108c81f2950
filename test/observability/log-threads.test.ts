import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLogger } from '../../src/observability/logger.ts';
import { hasThreads } from '../../src/observability/trace.ts';
import { repeat } from '../../src/workers/loop.ts';
import { startTestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';
import { testKeys } from '../support/test-keys.ts';

let node: ServiceProcess;
let client: Client;

beforeAll(async () => {
  const env = { DATABASE_URL: await freshDatabase(), ENCRYPTION_KEYS: testKeys, ROLE: 'api' };
  const operator = await startTestApp(env);
  const { key } = await createKey(operator.services);
  await operator.stop();
  node = await startService(env, ['--enable-source-maps']);
  client = createClient(node.baseUrl, key);
});

afterAll(killServices);

const testThreads = hasThreads ? test : test.skip;

const linesOf = (traceId: string | null) => node.logs.filter((line) => line['traceId'] === traceId);

testThreads('every line of a create has the trace of its request, and names the payment', async () => {
  const body = { amount: 1, metadata: { sandbox: 'unavailable' } };
  const { headers } = await client.post('/v1/payments', body);
  await eventually(() => {
    const lines = linesOf(headers.get('x-trace-id'));
    expect(new Set(lines.map(({ msg }) => msg))).toEqual(
      new Set(['attempt failed', 'request failed', 'request']),
    );
    const ids = new Set(lines.map((line) => line['paymentId']));
    expect([...ids]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });
});

testThreads(
  'so does a create over GraphQL, and a request about a payment, whose path the line does not have',
  async () => {
    const created = await client.graphql('mutation { createPayment(input: { amount: 1 }) { id } }');
    const { id } = created.body.data.createPayment;
    const read = await client.get(`/v1/payments/${id}`);
    const other = await client.get('/v1/payments/not-an-id');
    await eventually(() => {
      const said = [created, read, other].map(
        ({ headers }) =>
          linesOf(headers.get('x-trace-id')).find(({ msg }) => msg === 'request')?.['paymentId'],
      );
      expect(said).toEqual([id, id, undefined]);
    });
  },
);

test('an error says where in the sources it was thrown', async () => {
  const body = { amount: 1, metadata: { sandbox: 'unavailable' } };
  const { headers } = await client.post('/v1/payments', body);
  await eventually(() => {
    const line = linesOf(headers.get('x-trace-id')).find(({ msg }) => msg === 'request failed');
    expect((line?.['error'] as { stack: string } | undefined)?.stack).toMatch(
      /src\/core\/payments\/charge-payment\.ts:\d+:\d+\)?\n/,
    );
  });
});

testThreads('each round of a worker has a trace of its own', async () => {
  const lines: { msg: string; traceId?: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  const runOnce = () => Promise.reject(new Error('no'));
  const worker = repeat({ name: 'failing', everyMs: 1, runOnce }, createLogger('info', { write }));
  await eventually(() => {
    expect(lines.length).toBeGreaterThan(1);
  });
  await worker.stop();
  const traces = lines.map(({ traceId }) => traceId);
  expect(new Set(traces).size).toBe(lines.length);
  for (const traceId of traces) expect(traceId).toMatch(/^[0-9a-f]{32}$/);
});
