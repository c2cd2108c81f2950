import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, testKeyRing, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { type PspEmulator, startEmulator } from '../support/psp-emulator/core.ts';
import { woovi } from '../support/psp-emulator/woovi.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';

let env: Record<string, string>;
/** Makes organizations and keys; it has no workers. */
let operator: TestApp;
let emulator: PspEmulator;

beforeAll(async () => {
  env = {
    DATABASE_URL: await freshDatabase(),
    ENCRYPTION_KEYS: testKeyRing.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
  };
  operator = await startTestApp({ ...env, ROLE: 'api' });
  emulator = await startEmulator(woovi);
});

afterEach(killServices);

afterAll(async () => {
  await operator.stop();
  await emulator.stop();
});

/** A process that listens for health and metrics only, on a port that the system chooses. */
const startWorker = (): Promise<ServiceProcess> =>
  startService({ ...env, ROLE: 'worker', PORT: '3000', METRICS_PORT: '0' });

const settledBy = ({ logs }: ServiceProcess): unknown[] =>
  logs.filter(({ msg }) => msg === 'payment settled').map((line) => line['paymentId']);

test('a worker serves health and metrics, and nothing for clients', async () => {
  const worker = await startWorker();
  const { key } = await createKey(operator.services);
  const client = createClient(worker.baseUrl, key);
  for (const path of ['/v1/payments', '/openapi.json', '/psp/woovi/token']) {
    expect(await client.get(path)).toMatchObject({ status: 404, body: { error: 'NotFound' } });
  }
  expect((await client.post('/v1/payments', { amount: 1 })).status).toBe(404);
  expect((await client.graphql('{ __typename }')).status).toBe(404);

  expect(await client.get('/healthz')).toMatchObject({ status: 200 });
  expect((await client.get('/readyz')).body).toMatchObject({ status: 'ready', database: 'up' });
  const metrics = await fetch(`${worker.baseUrl}/metrics`);
  expect(metrics.status).toBe(200);
  expect(await metrics.text()).toMatch(/^# HELP process_cpu/m);
});

test('a payment paid without a notification waits for a worker: an API process never polls', async () => {
  const api = await startService({ ...env, ROLE: 'api' });
  const { organizationId, key } = await createKey(operator.services, { mode: 'live' });
  await operator.services.credentials.create(operatorFor(organizationId), {
    provider: 'woovi',
    name: 'Woovi',
    settings: emulator.settings,
    isDefault: true,
  });
  const client = createClient(api.baseUrl, key);
  const { body: payment } = await client.post('/v1/payments', { amount: 5 });
  await emulator.pay(emulator.ledger.charges.at(-1)?.transactionId ?? '', { notify: 'never' });
  const asked = () => emulator.requests.filter(({ operation }) => operation === 'find').length;
  const due = new Date(Date.now() - 60_000);
  await query(env['DATABASE_URL'] ?? '', 'UPDATE payment SET next_check_at = $1 WHERE id = $2', [
    due,
    payment.id,
  ]);

  // It starts for longer than workers of the API's own would wait between two rounds.
  const idle = await startService({ ...env, ROLE: 'api' });
  const [row] = await query<{ status: string; next_check_at: Date }>(
    env['DATABASE_URL'] ?? '',
    'SELECT status::text, next_check_at FROM payment WHERE id = $1',
    [payment.id],
  );
  expect(row).toEqual({ status: 'pending', next_check_at: due });
  expect(asked()).toBe(0);

  const worker = await startWorker();
  await eventually(async () =>
    expect((await client.get(`/v1/payments/${payment.id}`)).body).toMatchObject({ status: 'completed' }),
  );
  const processes = [api, idle, worker];
  // Their last lines are written when they end.
  expect(await Promise.all(processes.map((each) => each.end('SIGTERM')))).toEqual([0, 0, 0]);
  expect(processes.map(settledBy)).toEqual([[], [], [payment.id]]);
});

test.each(['api', 'worker'])('ROLE=%s without a DATABASE_URL does not start', async (role) => {
  const data = `/nonexistent-${randomBytes(4).toString('hex')}`;
  await expect(startService({ ROLE: role, DATA_DIR: data })).rejects.toThrow(
    'ROLE: needs DATABASE_URL, because a single process owns the embedded database',
  );
});
