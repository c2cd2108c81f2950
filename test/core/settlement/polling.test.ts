import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { endChecks, nextCheckOf } from '../../support/payment-checks.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';

const payer = { name: 'Maria da Silva', document: '529.982.247-25' };

let clock: Date;
let databaseUrl: string;
let app: TestApp;
let other: TestApp;
let live: LiveOrganization;
let emulator: PspEmulator;

const passMinutes = (minutes: number): void => {
  clock = new Date(clock.getTime() + minutes * 60_000);
};

interface Created {
  id: string;
  transactionId: string;
}

async function create(): Promise<Created> {
  const { body } = await live.client.post('/v1/payments', { amount: 10, payer });
  return { id: body.id as string, transactionId: emulator.ledger.charges.at(-1)?.transactionId ?? '' };
}

async function pay({ transactionId }: Created, notify: 'once' | 'never'): Promise<void> {
  await emulator.pay(transactionId, { notify });
  await app.services.notifications.drain();
}

/** Reads it without being seen to wait for it. */
async function viewOf({ id }: Created): Promise<unknown> {
  const [row] = await query(databaseUrl, 'SELECT status FROM payment WHERE id = $1', [id]);
  return row;
}

async function minutesUntilChecked({ id }: Created): Promise<number | null> {
  const at = await nextCheckOf(databaseUrl, id);
  return at ? (at.getTime() - clock.getTime()) / 60_000 : null;
}

const check = (node = app) => node.services.reconciliation.payment(100);
const looks = () => emulator.requests.filter(({ operation }) => operation === 'find').length;

/** How many looks a round takes. */
async function looksOf(round: () => Promise<unknown>): Promise<number> {
  const before = looks();
  await round();
  return looks() - before;
}

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  // They have no workers of their own: the tests run them.
  const env = { DATABASE_URL: databaseUrl, ROLE: 'api' };
  app = await startTestApp(env, { now: () => clock });
  other = await startTestApp(env, { now: () => clock });
});

beforeEach(async () => {
  live = await openLiveOrganization(app, () => clock, ['asaas', asaas]);
  emulator = live.accounts[0]?.emulator as PspEmulator;
});

afterEach(async () => {
  await live.stop();
  await endChecks(databaseUrl);
});

afterAll(() => Promise.all([app.stop(), other.stop()]));

describe('where notifications arrive', () => {
  const ten = () => Promise.all(Array.from({ length: 10 }, () => create()));

  test('due payments are looked at calmly, on every node', async () => {
    const [paid, ...pending] = [await create(), ...(await ten())];
    await pay(paid as Created, 'once');
    expect(await viewOf(paid as Created)).toMatchObject({ status: 'completed' });
    passMinutes(4);
    expect(await looksOf(() => check(other))).toBe(10);
    for (const each of pending) expect(await minutesUntilChecked(each)).toBeGreaterThan(3);
    passMinutes(3);
    expect(await looksOf(() => check(app))).toBe(0);
    passMinutes(2);
    expect(await looksOf(() => check(app))).toBe(10);
  });

  test('a payment is still looked at when it expires', async () => {
    const [paid, unpaid] = [await create(), await create()];
    passMinutes(29);
    await pay(paid, 'once');
    passMinutes(1);
    await check();
    passMinutes(1);
    await check();
    expect(await viewOf(unpaid)).toMatchObject({ status: 'expired' });
    expect(await minutesUntilChecked(unpaid)).toBeNull();
  });

  test('one that did not come makes polling dense, until the next comes', async () => {
    const [first, second, third, fourth] = [await create(), await create(), await create(), await create()];
    await pay(first, 'once');
    passMinutes(6);
    await check();
    expect(await minutesUntilChecked(third)).toBeGreaterThan(3);
    await pay(second, 'never');
    passMinutes(8);
    await check();
    expect(await viewOf(second)).toMatchObject({ status: 'completed' });
    passMinutes(10);
    await check();
    expect(await minutesUntilChecked(third)).toBeLessThan(1);
    await pay(third, 'once');
    passMinutes(1);
    await check();
    expect(await minutesUntilChecked(fourth)).toBeGreaterThan(3);
  });

  test('polling that was faster than the notification says nothing against them', async () => {
    const [first, second, third] = [await create(), await create(), await create()];
    await pay(first, 'once');
    passMinutes(8);
    await pay(second, 'never');
    await check();
    expect(await viewOf(second)).toMatchObject({ status: 'completed' });
    expect(await minutesUntilChecked(third)).toBeGreaterThan(3);
  });
});

describe('after a 429', () => {
  test('polling pauses on every node; creates and notified confirmations do not', async () => {
    const [first, second] = [await create(), await create()];
    passMinutes(1);
    emulator.quota.set({ requests: 0, windowSeconds: 600 });
    // The second one begins before the first is refused, or no more.
    expect([1, 2]).toContain(await looksOf(() => check(app)));
    emulator.quota.clear();
    await query(databaseUrl, 'UPDATE payment_check SET next_check_at = $1', [clock]);
    passMinutes(9);
    expect(await check(app)).toBe(0);
    expect(await check(other)).toBe(0);
    await create();
    await pay(first, 'once');
    expect(await viewOf(first)).toMatchObject({ status: 'completed' });
    passMinutes(1);
    expect(await check(other)).toBeGreaterThan(0);
    expect(await viewOf(second)).toMatchObject({ status: 'pending' });
  });

  test('of one credential, the payments of another go on', async () => {
    await create();
    const elsewhere = await openLiveOrganization(app, () => clock, ['asaas', asaas]);
    await elsewhere.client.post('/v1/payments', { amount: 10, payer });
    passMinutes(1);
    emulator.quota.set({ requests: 0, windowSeconds: 600 });
    expect(await check()).toBe(2);
    passMinutes(1);
    expect(await check()).toBe(1);
    await elsewhere.stop();
  });
});

describe('an expired payment whose charge the provider does not cancel', () => {
  const lateRound = () => app.services.reconciliation.late_payment(10);

  /** Its creation, expiry and last look. */
  async function expired(): Promise<Created> {
    const payment = await create();
    emulator.faults.add({ kind: 'reject', operation: 'cancel', times: 10 });
    passMinutes(30);
    await check();
    passMinutes(1);
    await check();
    expect(await viewOf(payment)).toMatchObject({ status: 'expired' });
    return payment;
  }

  test('is looked at after ten minutes, two hours and a day, and then left alone', async () => {
    const payment = await expired();
    for (const minutes of [9, 110, 1_320]) {
      expect(await minutesUntilChecked(payment)).toBe(minutes);
      passMinutes(minutes);
      expect(await looksOf(lateRound)).toBe(1);
    }
    expect(await minutesUntilChecked(payment)).toBeNull();
    passMinutes(10_000);
    expect(await lateRound()).toBe(0);
  });

  test.each([9, 110, 1_320])(
    'and paid late is completed by a look after %d more minutes',
    async (minutes) => {
      const payment = await expired();
      while ((await minutesUntilChecked(payment)) !== minutes) {
        passMinutes((await minutesUntilChecked(payment)) ?? 0);
        await lateRound();
      }
      await pay(payment, 'never');
      passMinutes(minutes);
      await lateRound();
      expect(await viewOf(payment)).toMatchObject({ status: 'completed' });
      expect(await minutesUntilChecked(payment)).toBeNull();
    },
  );

  test('is looked at again soon when the provider does not respond', async () => {
    const payment = await expired();
    passMinutes(9);
    emulator.faults.add({ kind: 'error', operation: 'find' });
    await lateRound();
    expect(await minutesUntilChecked(payment)).toBe(5);
    passMinutes(5);
    await lateRound();
    expect(await minutesUntilChecked(payment)).toBe(105);
  });
});

test('an expired payment whose charge was cancelled is left alone', async () => {
  const payment = await create();
  passMinutes(30);
  await check();
  passMinutes(1);
  await check();
  expect(await viewOf(payment)).toMatchObject({ status: 'expired' });
  expect(await minutesUntilChecked(payment)).toBeNull();
});

test('a payer is made a customer once, whichever node charges, and the document is not stored for it', async () => {
  const { baseUrl } = other;
  await create();
  const body = { amount: 10, payer };
  expect(await createClient(baseUrl, live.key).post('/v1/payments', body)).toMatchObject({ status: 201 });
  const customers = emulator.requests.filter(({ path }) => path.endsWith('/customers'));
  expect(customers.map(({ method }) => method)).toEqual(['POST']);
  const kept = await query<{ row: string }>(
    databaseUrl,
    'SELECT psp_customer::text AS row FROM psp_customer',
  );
  expect(kept.length).toBeGreaterThan(0);
  expect(JSON.stringify(kept)).not.toContain('52998224725');
});
