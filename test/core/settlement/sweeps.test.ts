import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { cents } from '../../../src/core/base/money.ts';
import { isLookSpared, nothingKnown } from '../../../src/core/settlement/rules/polling-pace.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { checkAt, endChecks } from '../../support/payment-checks.ts';
import { eventually } from '../../support/eventually.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';
import type { Exchange } from '../../support/psp-emulator/psp.ts';

const payer = { name: 'Maria da Silva', document: '529.982.247-25' };

let clock: Date;
let databaseUrl: string;
let app: TestApp;
let other: TestApp;
let live: LiveOrganization;
let emulator: PspEmulator;

const passSeconds = (seconds: number): void => {
  clock = new Date(clock.getTime() + seconds * 1_000);
};

interface Created {
  id: string;
  transactionId: string;
}

/** Whether one of its checks within the hour is a sample, which asks the provider although sweeps find everything. */
const isSampled = ({ transactionId }: Created): boolean =>
  Array.from({ length: 60 }, (_, minute) => new Date(clock.getTime() + minute * 60_000)).some((at) => {
    const conditions = { ...nothingKnown, sweptAt: at, nextSweepAt: at };
    return !isLookSpared({ id: transactionId, createdAt: at }, conditions, at);
  });

/** Returns one of which nothing but sweeps and its end will ask. */
async function create(expirationMinutes = 30): Promise<Created> {
  const { body } = await live.client.post('/v1/payments', { amount: 10, payer, expirationMinutes });
  const created = {
    id: body.id as string,
    transactionId: emulator.ledger.charges.at(-1)?.transactionId ?? '',
  };
  if (!isSampled(created)) return created;
  await query(databaseUrl, "UPDATE payment SET status = 'failed', next_check_at = NULL WHERE id = $1", [
    created.id,
  ]);
  return create(expirationMinutes);
}

const paySilently = ({ transactionId }: Created) => emulator.pay(transactionId, { notify: 'never' });
/** Reads it without being seen to wait for it. */
async function statusOf({ id }: Created): Promise<string | undefined> {
  const [row] = await query<{ status: string }>(databaseUrl, 'SELECT status FROM payment WHERE id = $1', [
    id,
  ]);
  return row?.status;
}
const check = (node = app) => node.services.reconciliation.payment(100);
const lookLate = () => app.services.reconciliation.late_payment(100);
const lookUpListed = (node = app) => node.services.reconciliation.listed_charge(100);

/** Returns how many sweeps were due. */
async function sweep(node = app): Promise<number> {
  const swept = await node.services.reconciliation.psp_sweep(10);
  await lookUpListed(node);
  return swept;
}

async function requestsOf(round: () => Promise<unknown>): Promise<Exchange[]> {
  const before = emulator.requests.length;
  await round();
  return emulator.requests.slice(before);
}

/** What another system receives with the same account. */
function receiveElsewhere(count: number): void {
  const { ledger } = emulator;
  const expiresAt = new Date(clock.getTime() + 3_600_000);
  for (let index = 0; index < count; index++) {
    const reference = `pay_elsewhere${emulator.ledger.charges.length}`;
    ledger.pay(ledger.add({ transactionId: '', reference, amountInCents: cents(500), expiresAt }));
  }
}

/** Payments whose credential sweeps have covered. */
async function createSwept(count: number): Promise<Created[]> {
  const created: Created[] = [];
  for (let index = 0; index < count; index++) created.push(await create());
  passSeconds(30);
  await check();
  expect(await sweep()).toBe(1);
  return created;
}

/** One that has just expired and whose charge was cancelled, while sweeps go on because of another. */
async function createCancelled(): Promise<Created> {
  await create(60);
  const [created] = await createSwept(1);
  passSeconds(1_765);
  await sweep();
  passSeconds(10);
  const [request] = await requestsOf(check);
  expect(request?.operation).toBe('cancel');
  return created as Created;
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
  await query(databaseUrl, 'UPDATE psp_sweep SET next_check_at = NULL');
  await query(databaseUrl, 'DELETE FROM listed_charge');
});

afterAll(() => Promise.all([app.stop(), other.stop()]));

test('payments whose notifications never come are found by a request a minute, and none is looked at', async () => {
  const created = await createSwept(6);
  const [first, second, ...unpaid] = created as [Created, Created, ...Created[]];
  await paySilently(first);
  receiveElsewhere(3);
  await paySilently(second);
  passSeconds(45);
  expect(await requestsOf(check)).toEqual([]);
  passSeconds(10);
  const requests = await requestsOf(() => sweep(other));
  expect(requests.filter(({ operation }) => operation === 'list')).toHaveLength(1);
  // For each of the two, its Pix.
  expect(requests).toHaveLength(1 + 2);
  for (const each of [first, second]) expect(await statusOf(each)).toBe('completed');
  for (const each of unpaid) expect(await statusOf(each)).toBe('pending');
  passSeconds(55);
  expect(await requestsOf(sweep)).toHaveLength(1);
});

test('a sweep whose node died goes on at the page where it was', async () => {
  const [paid] = await createSwept(1);
  await paySilently(paid as Created);
  receiveElsewhere(60);
  passSeconds(55);
  const claim = { limit: 1, slotsOf: () => 1 };
  const { dueWork } = app.services;
  const [claimed] = await dueWork.claim('psp_sweep', claim);
  expect(await dueWork.run('psp_sweep', claimed?.id ?? '')).toBe(true);
  expect(await dueWork.claim('psp_sweep', claim)).toHaveLength(1);
  // Its node dies here.
  expect(await sweep(other)).toBe(0);
  expect(await statusOf(paid as Created)).toBe('pending');
  passSeconds(31);
  const [page] = await requestsOf(() => sweep(other));
  expect(page?.query.get('offset')).toBe('100');
  expect(await statusOf(paid as Created)).toBe('completed');
});

test('a charge that was found by a node that died is looked up by another', async () => {
  const [paid] = await createSwept(1);
  await paySilently(paid as Created);
  passSeconds(55);
  await app.services.reconciliation.psp_sweep(10);
  const claim = { limit: 1, slotsOf: () => 1 };
  expect(await app.services.dueWork.claim('listed_charge', claim)).toHaveLength(1);
  // Its node dies here.
  expect(await lookUpListed(other)).toBe(0);
  passSeconds(31);
  expect(await lookUpListed(other)).toBe(1);
  expect(await statusOf(paid as Created)).toBe('completed');
});

/** Reads a page, whether there are more or not. */
async function settleClaimed(): Promise<boolean> {
  const { dueWork } = app.services;
  const [claimed] = await dueWork.claim('psp_sweep', { limit: 1, slotsOf: () => 1 });
  return dueWork.run('psp_sweep', claimed?.id ?? '');
}

/** A sweep whose page the provider is slow to return. */
async function beginSlowSweep(): Promise<{ ended: Promise<boolean> }> {
  emulator.faults.add({ kind: 'slow', operation: 'list', milliseconds: 2_000 });
  const before = emulator.requests.length;
  const ended = settleClaimed();
  await eventually(() => expect(emulator.requests).toHaveLength(before + 1));
  return { ended };
}

test('a sweep that outlives its lease leaves no page for the next to begin at', async () => {
  const [late] = (await createSwept(1)) as [Created];
  receiveElsewhere(60);
  passSeconds(55);
  const { ended } = await beginSlowSweep();
  passSeconds(31);
  expect(await sweep(other)).toBe(1);
  await ended;
  await paySilently(late);
  passSeconds(55);
  await sweep();
  expect(await statusOf(late)).toBe('completed');
});

test('a cursor that a node of 1.0 left behind is not where the next sweep begins', async () => {
  const [late] = (await createSwept(1)) as [Created];
  await query(databaseUrl, `UPDATE psp_sweep SET cursor = '100', next_bookmark = '5'`);
  await paySilently(late);
  passSeconds(55);
  const [page] = await requestsOf(sweep);
  expect(page?.query.get('offset')).toBe('0');
  expect(await statusOf(late)).toBe('completed');
});

test('a listed charge that cannot be confirmed is tried again, and holds up neither the others nor the next sweep', async () => {
  const [stuck, ...others] = (await createSwept(3)) as [Created, ...Created[]];
  await paySilently(stuck);
  passSeconds(55);
  emulator.faults.add({ kind: 'error', operation: 'find', times: 1_000 });
  await sweep();
  emulator.faults.clear();
  for (const each of others) await paySilently(each);
  passSeconds(3);
  expect(await lookUpListed()).toBe(0);
  passSeconds(50);
  await app.services.reconciliation.psp_sweep(10);
  expect(await lookUpListed()).toBe(3);
  expect(await Promise.all([stuck, ...others].map(statusOf))).toEqual([
    'completed',
    'completed',
    'completed',
  ]);
  expect(await query(databaseUrl, 'SELECT FROM listed_charge')).toEqual([]);
});

test('a page whose charges all fail is passed at once, and its charges are tried for a day, ever more rarely', async () => {
  const created = await createSwept(20);
  for (const each of created) await paySilently(each);
  emulator.faults.add({ kind: 'reject', operation: 'find', times: 1_000 });
  passSeconds(55);
  await sweep();
  const later = await create();
  expect(await requestsOf(sweep)).toEqual([]);
  let tries = 0;
  for (let minute = 0; minute < 29; minute++) {
    passSeconds(60);
    tries += await lookUpListed();
  }
  expect(tries / created.length).toBeLessThan(10);
  emulator.faults.clear();
  await paySilently(later);
  await sweep();
  expect(await statusOf(later)).toBe('completed');
  passSeconds(900);
  await lookUpListed();
  expect(await Promise.all(created.map(statusOf))).toEqual(created.map(() => 'completed'));
});

test('a Pix that is never recorded is looked at again for ten minutes', async () => {
  const [other] = await createSwept(1);
  for (const charge of emulator.ledger.charges) charge.amountInCents = cents(999);
  await paySilently(other as Created);
  passSeconds(55);
  await sweep();
  passSeconds(550);
  expect(await lookUpListed()).toBe(1);
  passSeconds(900);
  expect(await lookUpListed()).toBe(1);
  expect(await query(databaseUrl, 'SELECT FROM listed_charge')).toEqual([]);
  expect(await statusOf(other as Created)).toBe('pending');
});

test('a payment whose charge was cancelled ends without a look, and the sweep finds a Pix that was in flight', async () => {
  const cancelled = await createCancelled();
  await paySilently(cancelled);
  expect(await statusOf(cancelled)).toBe('pending');
  passSeconds(61);
  expect(await requestsOf(check)).toEqual([]);
  expect(await statusOf(cancelled)).toBe('expired');
  await sweep();
  expect(await statusOf(cancelled)).toBe('completed');
});

test('it is left alone once sweeps have read past its end', async () => {
  await createCancelled();
  passSeconds(61);
  await check();
  passSeconds(120);
  await sweep();
  passSeconds(480);
  expect(await requestsOf(lookLate)).toEqual([]);
  passSeconds(7_200);
  expect(await lookLate()).toBe(0);
});

test('it is looked at ten minutes later if they have not', async () => {
  const cancelled = await createCancelled();
  passSeconds(61);
  await check();
  await paySilently(cancelled);
  await query(databaseUrl, 'UPDATE psp_sweep SET next_check_at = NULL');
  passSeconds(600);
  await lookLate();
  expect(await statusOf(cancelled)).toBe('completed');
});

test('it is looked at right then if they do not work', async () => {
  const cancelled = await createCancelled();
  await paySilently(cancelled);
  await query(databaseUrl, 'UPDATE psp_sweep SET next_check_at = NULL');
  passSeconds(61);
  await check();
  expect(await statusOf(cancelled)).toBe('completed');
});

test('a Pix in flight when a caller cancelled is found too', async () => {
  const [created] = (await createSwept(1)) as [Created];
  const { status, body } = await live.client.post(`/v1/payments/${created.id}/cancel`);
  expect([status, body.status]).toEqual([200, 'cancelled']);
  await paySilently(created);
  passSeconds(60);
  await check();
  await sweep();
  await lookLate();
  expect(await statusOf(created)).toBe('completed');
});

test('a credential without pending payments is no longer swept, until it has some', async () => {
  const [paid] = await createSwept(1);
  await paySilently(paid as Created);
  passSeconds(55);
  await sweep();
  passSeconds(55);
  expect(await requestsOf(sweep)).toEqual([]);
  passSeconds(600);
  expect(await sweep()).toBe(0);
  await createSwept(1);
});

test('a new payment brings the next sweep forward, unless the list is failing', async () => {
  await createSwept(1);
  const postpone = (until: Date | null) =>
    query(databaseUrl, 'UPDATE psp_sweep SET next_check_at = $1, since = $2, until = $2', [
      new Date(clock.getTime() + 900_000),
      until,
    ]);
  await postpone(null);
  passSeconds(25);
  expect(await sweep()).toBe(0);
  await createSwept(1);
  await postpone(clock);
  await create();
  passSeconds(30);
  await check();
  expect(await sweep()).toBe(0);
});

test('when a list that fails is not read, payments are looked at as before', async () => {
  await createSwept(1);
  emulator.faults.add({ kind: 'error', operation: 'list' });
  passSeconds(55);
  await sweep();
  passSeconds(290);
  const looks = await requestsOf(check);
  expect(looks.map(({ operation }) => operation)).toEqual(['find']);
});

test('a payment that sweeps have missed ends the trust in them', async () => {
  const [missed, pending] = (await createSwept(2)) as [Created, Created];
  await paySilently(missed);
  // Now it is as if this provider did not list it.
  await query(databaseUrl, 'UPDATE psp_sweep SET covered_until = $1', [new Date(clock.getTime() + 900_000)]);
  passSeconds(1_500);
  await checkAt(databaseUrl, missed.id, clock);
  await check();
  expect(await statusOf(missed)).toBe('completed');
  await query(databaseUrl, 'UPDATE psp_sweep SET covered_until = $1', [clock]);
  await checkAt(databaseUrl, pending.id, clock);
  expect(await requestsOf(check)).toHaveLength(1);
});

test('the workers of a node sweep by themselves', async () => {
  const [paid] = await createSwept(1);
  await paySilently(paid as Created);
  const node = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'worker' }, { now: () => clock });
  try {
    passSeconds(55);
    await eventually(async () => expect(await statusOf(paid as Created)).toBe('completed'));
  } finally {
    await node.stop();
  }
});
