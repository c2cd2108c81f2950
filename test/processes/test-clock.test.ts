import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { closeGate, installGates, openGates } from '../support/gate.ts';
import { killServices, startService } from '../support/service-process.ts';
import { testKeys } from '../support/test-keys.ts';

const hourMs = 3_600_000;

let databaseUrl: string;
let survivor: TestApp;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  await installGates(databaseUrl, ['event']);
  survivor = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' });
});

afterAll(async () => {
  await openGates();
  await killServices();
  await survivor.stop();
});

test('a node killed while it moves the clock of test mode leaves it where the world is, and the next goes on', async () => {
  const victim = await startService({ DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: testKeys });
  const { key } = await createKey(survivor.services);
  const [dead, alive] = [createClient(victim.baseUrl, key), createClient(survivor.baseUrl, key)];
  const expiring = async (expirationMinutes: number) =>
    (await alive.post('/v1/payments', { amount: 1, expirationMinutes })).body.id as string;
  const statusOf = async (id: string) => (await alive.get(`/v1/payments/${id}`)).body.status as string;
  const ids = [await expiring(60), await expiring(120), await expiring(48 * 60)];

  const atFirst = await closeGate(databaseUrl, 'INSERT', 'event');
  const cut = dead.post('/v1/sandbox/clock', { advance: 'P30D' }).catch(() => 'cut');
  await atFirst.waiting(1);
  await victim.end('SIGKILL');
  expect(await cut).toBe('cut');
  await atFirst.endWaiting();
  await atFirst.open();

  const restarted = await startService({ DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: testKeys });
  for (const { baseUrl } of [survivor, restarted]) {
    await eventually(async () => {
      const { body } = await createClient(baseUrl, key).get('/v1/sandbox/clock');
      expect(Date.parse(body.now) - Date.now()).toBeGreaterThan(0.9 * hourMs);
    });
  }

  const moved = await alive.post('/v1/sandbox/clock', { advance: 'PT12H' });
  expect(moved.status).toBe(200);
  expect(Date.parse(moved.body.now) - Date.now()).toBeGreaterThan(12.9 * hourMs);
  expect(await Promise.all(ids.map(statusOf))).toEqual(['expired', 'expired', 'pending']);
});
