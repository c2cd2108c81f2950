import { afterEach, expect, test } from '@jest/globals';
import { addDays } from '../../src/core/base/time/calendar-day.ts';
import { brasiliaDay } from '../../src/core/base/time/brasilia.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { times } from '../support/chance.ts';
import { createClient, type Client } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { createKey } from '../support/factories.ts';
import { type LiveAccount, openAccount } from '../support/live.ts';
import { receivingAccount } from '../support/psp-emulator/bacen-automatic.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { permittedRecurrences } from '../support/recurrences.ts';

/** A thirtieth of 100,000 monthly recurrences, at the smallest quota that a bank documents; or fewer at a smaller one. */
const count = times(80, 3_300);
const requestsPerMinute = times(30, 120);

/** A Monday: the debits of the Friday are sent. */
const noon = new Date('2026-12-14T15:00:15Z');
const debitDay = addDays(brasiliaDay(noon), 4);

let clock: Date;
let app: TestApp;
let account: LiveAccount;
let client: Client;

afterEach(async () => {
  await app.stop();
  await account.emulator.stop();
});

/** Permitted recurrences whose debits are all to be sent, on a day whose morning no node was up. */
async function openDay(count: number): Promise<void> {
  clock = new Date('2026-12-01T15:00:15Z');
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), ROLE: 'api' }, { now: () => clock });
  const { organizationId, key } = await createKey(app.services, { mode: 'live' });
  client = createClient(app.baseUrl, key);
  account = await openAccount(app, {
    organizationId,
    provider: 'bacen',
    name: 'bank',
    define: defineBacen('standard'),
    now: () => clock,
    isDefault: true,
    settings: { ...receivingAccount, requestsPerMinute },
  });
  await permittedRecurrences(client, account.emulator, { count, startDate: debitDay });
  await query(app.databaseUrl, 'UPDATE recurrence SET next_check_at = $1', [clock]);
  await runDue();
  clock = noon;
  account.emulator.quota.set({ requests: requestsPerMinute });
  account.emulator.requests.length = 0;
}

async function runDue(): Promise<void> {
  while ((await app.services.reconciliation.recurrence(4)) > 0);
}

const debitsMade = () => account.emulator.psp.automatic?.debits().length ?? 0;

test('a day on which all are debited at once leaves room in the quota of their bank', async () => {
  await openDay(count);
  const { emulator } = account;
  let ofPayments = 0;
  for (let seconds = 0; debitsMade() < count; seconds += 5) {
    clock = new Date(noon.getTime() + seconds * 1_000);
    await runDue();
    if (seconds % 60 !== 30) continue;
    const before = emulator.requests.length;
    const created = await client.post('/v1/payments', { amount: 10 });
    expect(created.status).toBe(201);
    ofPayments += emulator.requests.length - before;
  }
  expect(emulator.quota.refusedCount()).toBe(0);
  const debits = emulator.psp.automatic?.debits() ?? [];
  expect(new Set(debits.map(({ recurrenceId }) => recurrenceId)).size).toBe(count);
  expect(new Set(debits.map(({ day }) => day))).toEqual(new Set([debitDay]));
  // A look and the debit for each, and a token now and then.
  const ofDebits = emulator.requests.length - ofPayments;
  expect(ofDebits).toBeLessThanOrEqual(count * 2.1);
  const minutes = (clock.getTime() - noon.getTime()) / 60_000;
  expect(minutes).toBeLessThanOrEqual((count * 2.1) / (0.6 * requestsPerMinute));
  process.stdout.write(`${count} debits: ${ofDebits} requests, ${minutes} minutes\n`);
}, 900_000);

test('debits that can no longer be sent tomorrow do not wait for room', async () => {
  await openDay(8);
  account.emulator.quota.clear();
  clock = new Date(`${addDays(brasiliaDay(noon), 2)}T15:00:15Z`);
  for (let each = 0; each < requestsPerMinute; each++) await client.post('/v1/payments', { amount: 10 });
  await runDue();
  expect(debitsMade()).toBe(8);
}, 900_000);
