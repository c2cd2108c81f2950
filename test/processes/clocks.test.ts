import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, testKeyRing, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type LiveOrganization, openLiveOrganization } from '../support/live.ts';
import { asaas } from '../support/psp-emulator/asaas.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';

const shiftedClock = fileURLToPath(new URL('../support/shifted-clock.js', import.meta.url));
const payer = { name: 'Fulano de Tal', document: '529.982.247-25' };

let env: Record<string, string>;
let databaseUrl: string;
let api: TestApp;
const opened: LiveOrganization[] = [];

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  env = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: testKeyRing.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
  };
  api = await startTestApp({ ...env, ROLE: 'api' });
});

afterEach(async () => {
  await killServices();
  await Promise.all(opened.splice(0).map((live) => live.stop()));
});

afterAll(() => api.stop());

const startWorker = (aheadMs: number): Promise<ServiceProcess> =>
  startService({
    ...env,
    ROLE: 'worker',
    PORT: '3000',
    METRICS_PORT: '0',
    NODE_OPTIONS: `--import ${shiftedClock}`,
    CLOCK_AHEAD_MS: String(aheadMs),
  });

test('a worker whose clock is 130 s ahead refunds nothing twice', async () => {
  const live = await openLiveOrganization(api, () => new Date(), ['asaas', asaas]);
  opened.push(live);
  const emulator = live.accounts[0]?.emulator;
  if (!emulator) throw new Error('there is no account');
  const { body: payment } = await live.client.post('/v1/payments', { amount: 30, payer });
  await emulator.pay(emulator.ledger.charges[0]?.transactionId ?? '');
  await eventually(async () =>
    expect((await live.client.get(`/v1/payments/${payment.id}`)).body.status).toBe('completed'),
  );
  const worker = await startWorker(130_000);

  // Made, but the answer is lost, and no list shows it yet.
  emulator.ledger.refundsHiddenMs = 60_000;
  emulator.faults.add({ operation: 'refund', kind: 'reset', isDone: true });
  const { body: refund } = await live.client.post(`/v1/payments/${payment.id}/refunds`, {
    amount: 10,
  });
  expect(refund).toMatchObject({ status: 'pending' });
  const looks = () => emulator.requests.filter(({ operation }) => operation === 'find_refund').length;
  for (let round = 0; round < 2; round++) {
    const seen = looks();
    await query(databaseUrl, 'UPDATE refund SET next_check_at = now() WHERE id = $1', [refund.id]);
    await eventually(() => expect(looks()).toBeGreaterThan(seen));
  }
  await worker.end('SIGTERM');
  expect(emulator.ledger.charges[0]?.refunds).toHaveLength(1);
});

test('a node reports that its clock is off, and is not ready until it is right again', async () => {
  const worker = await startWorker(-31_000);
  const client = createClient(worker.baseUrl);
  const said = (text: RegExp) => worker.logs.filter(({ msg }) => text.test(msg ?? ''));
  expect(await client.get('/readyz')).toMatchObject({
    status: 503,
    body: { status: 'not ready', database: 'up', clock: "31 s behind the database's" },
  });
  const metrics = await (await fetch(`${worker.baseUrl}/metrics`)).text();
  expect(Number(/^pix_clock_offset_seconds (\S+)$/m.exec(metrics)?.[1])).toBeCloseTo(-31, 0);
  worker.process.kill('SIGUSR2');
  await eventually(async () => expect((await client.get('/readyz')).status).toBe(200));
  expect((await client.get('/readyz')).body).not.toHaveProperty('clock');
  await worker.end('SIGTERM');
  expect(said(/clock is off/)).toMatchObject([{ level: 'error', offsetSeconds: expect.closeTo(-31, 0) }]);
  expect(said(/clock is right again/)).toHaveLength(1);
});
