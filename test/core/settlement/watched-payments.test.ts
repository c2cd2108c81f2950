import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { nextCheckOf } from '../../support/payment-checks.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';
import { pagbank } from '../../support/psp-emulator/pagbank.ts';
import { sentStatements } from '../../support/statements.ts';
import { overWebSocket } from '../../support/subscribe.ts';

const payer = { name: 'Maria da Silva', document: '529.982.247-25', email: 'maria@example.com' };

let clock = new Date();
let databaseUrl: string;
/** Serves payers. */
let api: TestApp;
/** Its workers are run by the tests. */
let worker: TestApp;
const opened: LiveOrganization[] = [];

const passSeconds = (seconds: number): void => {
  clock = new Date(clock.getTime() + seconds * 1_000);
};

interface Created {
  id: string;
  transactionId: string;
  checkoutUrl: string;
}

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  const env = { DATABASE_URL: databaseUrl, ROLE: 'api' };
  const now = () => clock;
  [api, worker] = await Promise.all([startTestApp(env, { now }), startTestApp(env, { now })]);
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((live) => live.stop()));
  await query(databaseUrl, 'TRUNCATE payment, payment_check, psp_sweep, listed_charge CASCADE');
});

afterAll(() => Promise.all([api.stop(), worker.stop()]));

async function open(provider: 'asaas' | 'pagbank') {
  const define = provider === 'asaas' ? asaas : pagbank;
  const live = await openLiveOrganization(api, () => clock, [provider, define]);
  opened.push(live);
  const emulator = live.accounts[0]?.emulator as PspEmulator;
  return {
    ...live,
    emulator,
    async create(): Promise<Created> {
      const { body } = await live.client.post('/v1/payments', { amount: 10, payer });
      return { ...body, transactionId: emulator.ledger.charges.at(-1)?.transactionId ?? '' };
    },
  };
}

type Shop = Awaited<ReturnType<typeof open>>;

/** Reads it without being seen to wait for it. */
async function statusOf({ id }: Created): Promise<string | undefined> {
  const [row] = await query<{ status: string }>(databaseUrl, 'SELECT status FROM payment WHERE id = $1', [
    id,
  ]);
  return row?.status;
}

async function watchedAt({ id }: Created): Promise<Date | undefined> {
  const [row] = await query<{ at: Date }>(
    databaseUrl,
    'SELECT watched_at AS at FROM payment_check WHERE payment_id = $1 AND watched_at IS NOT NULL',
    [id],
  );
  return row?.at;
}

const isSeen = (payment: Created) =>
  eventually(async () => expect(await watchedAt(payment)).toEqual(expect.any(Date)));

/** What the workers of a node do within a second. */
async function work(): Promise<void> {
  const { reconciliation } = worker.services;
  await reconciliation.payment(100);
  await reconciliation.psp_sweep(10);
  await reconciliation.listed_charge(100);
  passSeconds(1);
}

/** Works for so many seconds, while a payment is made and paid every ten and its notification arrives. */
async function workAmongOthers({ create, emulator }: Shop, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    if (Math.floor(clock.getTime() / 1_000) % 10 === 0) {
      await emulator.pay((await create()).transactionId, { notify: 'once' });
      await api.services.notifications.drain();
    }
    await work();
  }
}

/** From a Pix whose notification is lost to its confirmation. */
async function secondsToFind(shop: Shop, payment: Created, each = () => Promise.resolve()): Promise<number> {
  await shop.emulator.pay(payment.transactionId, { notify: 'never' });
  const paidMs = clock.getTime();
  while ((await statusOf(payment)) !== 'completed') {
    if (clock.getTime() - paidMs > 600_000) break;
    await each();
    await workAmongOthers(shop, 1);
  }
  return (clock.getTime() - paidMs) / 1_000;
}

describe('one notification lost among many that arrive', () => {
  test.each([2, 20, 38])('is made up for within a minute, paid after %d seconds', async (seconds) => {
    const shop = await open('asaas');
    await workAmongOthers(shop, 20);
    const payment = await shop.create();
    await workAmongOthers(shop, seconds);
    expect(await secondsToFind(shop, payment)).toBeLessThanOrEqual(60);
  });

  test('is made up for within a minute by the first payment after a quiet time', async () => {
    const shop = await open('asaas');
    await shop.emulator.pay((await shop.create()).transactionId, { notify: 'once' });
    await api.services.notifications.drain();
    for (let second = 0; second < 60; second++) await work();
    const payment = await shop.create();
    await shop.emulator.pay(payment.transactionId, { notify: 'never' });
    for (let second = 0; second < 60; second++) await work();
    expect(await statusOf(payment)).toBe('completed');
  });

  test.each([
    ['asaas', 2],
    ['asaas', 9],
    ['asaas', 31],
    ['pagbank', 2],
    ['pagbank', 31],
  ] as const)(
    'is made up for within 20 seconds while somebody waits at %s, paid after %d seconds',
    async (provider, seconds) => {
      const shop = await open(provider);
      await workAmongOthers(shop, 20);
      const payment = await shop.create();
      const show = async () => void (await shop.client.get(`/v1/payments/${payment.id}`));
      await show();
      await isSeen(payment);
      await workAmongOthers(shop, seconds);
      expect(await secondsToFind(shop, payment, show)).toBeLessThanOrEqual(20);
    },
  );

  test('is made up for soon while somebody waits and the list cannot be read', async () => {
    const shop = await open('asaas');
    await workAmongOthers(shop, 20);
    const payment = await shop.create();
    const show = async () => void (await shop.client.get(`/v1/payments/${payment.id}`));
    await show();
    await isSeen(payment);
    await workAmongOthers(shop, 20);
    shop.emulator.faults.add({ kind: 'error', operation: 'list', times: 1_000 });
    expect(await secondsToFind(shop, payment, show)).toBeLessThanOrEqual(80);
  });

  test('is looked for as seldom as before once nobody has waited for a while', async () => {
    const shop = await open('pagbank');
    // At least one notification arrives: without any, payments are looked for more often.
    await workAmongOthers(shop, 10);
    const payment = await shop.create();
    await shop.client.get(`/v1/payments/${payment.id}`);
    await isSeen(payment);
    const looksIn = async (seconds: number): Promise<number> => {
      const before = shop.emulator.requests.length;
      for (let second = 0; second < seconds; second++) await work();
      return shop.emulator.requests.length - before;
    };
    expect(await looksIn(90)).toBeGreaterThanOrEqual(5);
    // The last one that was planned meanwhile.
    await looksIn(20);
    expect(await looksIn(90)).toBeLessThanOrEqual(1);
  });
});

test('a charge whose lookup fails keeps nobody else waiting', async () => {
  const shop = await open('asaas');
  const stuck = await shop.create();
  await workAmongOthers(shop, 10);
  await shop.emulator.pay(stuck.transactionId, { notify: 'never' });
  // Its Pix, which only spares a request, and the payment.
  shop.emulator.faults.add({ kind: 'error', operation: 'find', times: 2 });
  const { reconciliation } = worker.services;
  while ((await reconciliation.listed_charge(1)) === 0) {
    await reconciliation.psp_sweep(10);
    passSeconds(1);
  }
  expect(await statusOf(stuck)).toBe('pending');
  const payment = await shop.create();
  expect(await secondsToFind(shop, payment)).toBeLessThanOrEqual(60);
  expect(await statusOf(stuck)).toBe('completed');
});

describe('somebody is seen to wait for a payment', () => {
  test.each<[string, (shop: Shop, payment: Created) => Promise<void>]>([
    ['who reads it', async ({ client }, { id }) => void (await client.get(`/v1/payments/${id}`))],
    [
      'who reads it over GraphQL',
      async ({ client }, { id }) =>
        void (await client.post('/graphql', { query: `{ payment(id: "${id}") { status } }` })),
    ],
    [
      'who opens its checkout page',
      async (_, { checkoutUrl }) => void (await fetch(api.baseUrl + new URL(checkoutUrl).pathname)),
    ],
    [
      'whose token is used',
      async ({ client }, { id }) => {
        const { body } = await client.post(`/v1/payments/${id}/token`);
        await query(databaseUrl, 'DELETE FROM payment_check');
        await createClient(worker.baseUrl).get(`/v1/payments/${id}`, {
          Authorization: `Bearer ${body.token}`,
        });
      },
    ],
  ])('%s', async (_, act) => {
    const shop = await open('asaas');
    const payment = await shop.create();
    expect(await watchedAt(payment)).toBeUndefined();
    await act(shop, payment);
    await isSeen(payment);
    const next = await nextCheckOf(databaseUrl, payment.id);
    expect((next?.getTime() ?? 0) - clock.getTime()).toBeLessThanOrEqual(15_000);
  });

  test('who follows it, for as long as that is', async () => {
    const shop = await open('asaas');
    const payment = await shop.create();
    const text = `subscription { paymentUpdated(id: "${payment.id}") { status } }`;
    const following = overWebSocket(api.baseUrl, { 'X-API-Key': shop.key }, text);
    await isSeen(payment);
    passSeconds(40);
    await eventually(async () => expect(await watchedAt(payment)).toEqual(clock));
    following.close();
    await following.ended;
  });

  test('which costs no statement for each read, but one in half a minute', async () => {
    const shop = await open('asaas');
    const payment = await shop.create();
    const readTwenty = async () => {
      for (let count = 0; count < 20; count++) await shop.client.get(`/v1/payments/${payment.id}`);
    };
    const marks = async () => {
      const sent = await sentStatements(async () => {
        await readTwenty();
        await eventually(async () => expect(await watchedAt(payment)).toEqual(expect.any(Date)));
      });
      return sent.filter(({ text }) => text.includes('INTO payment_check')).length;
    };
    expect(await marks()).toBe(1);
    passSeconds(29);
    expect(await marks()).toBe(0);
    passSeconds(1);
    expect(await marks()).toBe(1);
  });

  test('unless it is a test payment, has ended or is read in a list', async () => {
    const shop = await open('asaas');
    const [listed, paid] = [await shop.create(), await shop.create()];
    await shop.emulator.pay(paid.transactionId, { notify: 'once' });
    await api.services.notifications.drain();
    await shop.client.get('/v1/payments');
    await shop.client.get(`/v1/payments/${paid.id}`);
    const last = await shop.create();
    await shop.client.get(`/v1/payments/${last.id}`);
    await isSeen(last);
    for (const each of [listed, paid]) expect(await watchedAt(each)).toBeUndefined();
  });
});
