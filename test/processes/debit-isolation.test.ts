import { afterEach, expect, test as always } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { type LiveAccount, openAccount } from '../support/live.ts';
import { receivingAccount } from '../support/psp-emulator/bacen-automatic.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { dayDebitedToday, permittedRecurrences } from '../support/recurrences.ts';

const startDate = dayDebitedToday();
const test = startDate ? always : always.skip;
/** What a node has at work of one account's recurrences. */
const slots = 4;

let app: TestApp;
let banks: (LiveAccount & { client: Client })[];

afterEach(async () => {
  await app.stop();
  await Promise.all(banks.map(({ emulator }) => emulator.stop()));
});

/** An organization whose recurrences are permitted, as the service has seen, and debited once they are due. */
async function openBank(count: number): Promise<LiveAccount & { client: Client }> {
  const { organizationId, key } = await createKey(app.services, { mode: 'live' });
  const client = createClient(app.baseUrl, key);
  const account = await openAccount(app, {
    organizationId,
    provider: 'bacen',
    name: 'bank',
    define: defineBacen('standard'),
    isDefault: true,
    settings: receivingAccount,
  });
  banks.push({ ...account, client });
  await permittedRecurrences(client, account.emulator, { count, startDate });
  await query(
    app.databaseUrl,
    `UPDATE recurrence SET status = 'active', next_check_at = now() + interval '1 day' WHERE credential_id = $1`,
    [account.credentialId],
  );
  return { ...account, client };
}

const fallDue = () => query(app.databaseUrl, 'UPDATE recurrence SET next_check_at = now()');

const debitsAt = ({ emulator }: LiveAccount): number => emulator.psp.automatic?.debits().length ?? 0;

test('a day of debits at a bank that hangs delays neither those at another nor creates', async () => {
  banks = [];
  app = await startTestApp({ DATABASE_URL: await freshDatabase() });
  const [hanging, healthy] = [await openBank(24), await openBank(24)];
  hanging.emulator.faults.add({ kind: 'hang', times: 1_000 });
  await fallDue();
  await eventually(() => expect(hanging.emulator.inFlight()).toBe(slots));
  const created = await Promise.all(
    Array.from({ length: 24 }, () => healthy.client.post('/v1/payments', { amount: 5 })),
  );
  expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]));
  await eventually(() => expect(debitsAt(healthy)).toBe(24));
  expect(debitsAt(hanging)).toBeLessThanOrEqual(slots);
  expect(hanging.emulator.atOnce()).toBeLessThanOrEqual(slots);
  await hanging.emulator.refuseConnections();
});

test('a day of debits leaves room for the creates of its own account', async () => {
  banks = [];
  app = await startTestApp({ DATABASE_URL: await freshDatabase() });
  const bank = await openBank(48);
  bank.emulator.faults.add({ kind: 'slow', milliseconds: 100, times: 1_000 });
  await fallDue();
  await eventually(() => expect(debitsAt(bank)).toBeGreaterThan(0));
  const created = await Promise.all(
    Array.from({ length: 16 }, () => bank.client.post('/v1/payments', { amount: 5 })),
  );
  expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]));
  expect(debitsAt(bank)).toBeLessThan(48);
  await eventually(() => expect(debitsAt(bank)).toBe(48));
});
