import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Unavailable } from '../../../src/core/base/errors.ts';
import { firstIdAt } from '../../../src/core/base/ids.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { type Database, openDatabase } from '../../../src/database/database.ts';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { createLivePayments } from '../../../src/core/live/live-payments.ts';
import type { PaymentView } from '../../../src/core/payments/views/payment-view.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient, untilAvailable } from '../../support/client.ts';
import { query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';
import { sentStatements } from '../../support/statements.ts';

let app: TestApp;
let db: Database;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
  db = openDatabase(app.databaseUrl, { maximumConnections: 2 });
});

afterAll(async () => {
  await db.$disconnect();
  await app.stop();
});

/** Has no hints: what is shown was found by looking. */
const livePayments = (through: Database = db) =>
  createLivePayments({
    db: through,
    payments: app.services.payments,
    payerViews: app.services.payerViews,
    hints: { subscribe: () => () => undefined },
    links: app.services.links,
    watched: { seen: () => undefined },
    now: () => new Date(),
    logger: createLogger('silent', process.stdout),
  });

const watchAll = (organizationId: string, through?: Database) =>
  livePayments(through).watchAll(operatorFor(organizationId, 'test'));

async function take(updates: AsyncGenerator<PaymentView>, count: number): Promise<PaymentView[]> {
  const taken: PaymentView[] = [];
  for await (const update of updates) {
    taken.push(update);
    if (taken.length === count) break;
  }
  return taken;
}

/** Unlike `take`, leaves the subscription open. */
const next = async (updates: AsyncGenerator<PaymentView>): Promise<PaymentView> =>
  (await updates.next()).value;

test('a new subscriber is shown all payments of the last minute, however many, and none older', async () => {
  const { organizationId, key } = await createKey(app.services);
  const { body } = await createClient(app.baseUrl, key).post('/v1/payments', { amount: 1 });
  const columns = await query<{ name: string }>(
    app.databaseUrl,
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_name = 'payment' AND table_schema = current_schema() AND column_name <> 'id' AND is_generated = 'NEVER'`,
  );
  const others = columns.map(({ name }) => `"${name}"`).join();
  const copy = (count: number, agoMs: number) =>
    query(
      app.databaseUrl,
      `INSERT INTO payment (id, ${others})
       SELECT ($2 || lpad(to_hex(n), 12, '0'))::uuid, ${others} FROM payment, generate_series(1, $3::int) n WHERE id = $1`,
      [body.id, firstIdAt(new Date(Date.now() - agoMs)).slice(0, 24), count],
    );
  await copy(1_200, 40_000);
  await copy(5, 70_000);
  const shown = await take(await watchAll(organizationId), 1_201);
  expect(new Set(shown.map(({ id }) => id)).size).toBe(1_201);
});

const payer = { name: 'Maria da Silva', document: '529.982.247-25' };
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test('a change of terms, which leaves the status as it was, is shown', async () => {
  const { organizationId, key } = await createKey(app.services);
  const client = createClient(app.baseUrl, key);
  const due = { date: inDays(9).slice(0, 10) };
  const { body } = await client.post('/v1/payments', { amount: 5, payer, due });
  const updates = await watchAll(organizationId);
  expect(await next(updates)).toMatchObject({ id: body.id, revision: 0 });
  await client.patch(`/v1/payments/${body.id}`, { amount: 6 });
  expect(await next(updates)).toMatchObject({ id: body.id, revision: 1 });
  await updates.return(undefined);
});

test('a day of a debit that failed, which leaves the status as it was, is shown', async () => {
  const { organizationId, key } = await createKey(app.services);
  const client = createClient(app.baseUrl, key);
  const { body } = await client.post('/v1/recurrences', {
    payer,
    contract: '63100862',
    amount: 35,
    frequency: 'monthly',
    startDate: inDays(20).slice(0, 10),
    authorization: 'qr',
    retries: 'three_in_seven_days',
  });
  await client.post(`/v1/sandbox/recurrences/${body.id}/approve`);
  await client.post('/v1/sandbox/clock', { to: inDays(18) });
  const updates = await watchAll(organizationId);
  const debit = await next(updates);
  expect(debit).toMatchObject({ status: 'pending', debit: { state: 'scheduled' } });
  await client.post(`/v1/sandbox/payments/${debit.id}/debit`, { outcome: 'limit' });
  expect(await next(updates)).toMatchObject({ status: 'pending', debit: { state: 'retrying' } });
  await updates.return(undefined);
});

test('a change that could not be read is shown once it can be', async () => {
  const { organizationId, key } = await createKey(app.services);
  const client = createClient(app.baseUrl, key);
  const { body } = await client.post('/v1/payments', { amount: 1 });
  // Too old to be found by its age.
  const old = firstIdAt(new Date(Date.now() - 3_600_000));
  await query(app.databaseUrl, 'UPDATE payment SET id = $1 WHERE id = $2', [old, body.id]);
  await query(app.databaseUrl, 'UPDATE payment_attempt SET payment_id = $1 WHERE payment_id = $2', [
    old,
    body.id,
  ]);
  let failures = 0;
  const failing = new Proxy(db, {
    get(target, name) {
      if (name !== '$queryRaw' || failures > 0) return Reflect.get(target, name) as unknown;
      return (statement: { strings?: readonly string[] }, ...values: unknown[]) => {
        // The payments themselves are read by a statement that is put together first.
        if (!statement.strings) return target.$queryRaw(statement as never, ...values);
        failures += 1;
        return Promise.reject(new Unavailable('away'));
      };
    },
  });
  const updates = await watchAll(organizationId, failing);
  const next = take(updates, 1);
  await client.post(`/v1/sandbox/payments/${old}/pay`);
  expect(await next).toMatchObject([{ id: old, status: 'completed' }]);
  expect(failures).toBe(1);
});

test('fifty followers of a tenant cost the statements of one', async () => {
  const { organizationId, key } = await createKey(app.services);
  const client = createClient(app.baseUrl, key);
  await client.post('/v1/payments', { amount: 1 });
  const live = livePayments();
  const follow = () => live.watchAll(operatorFor(organizationId, 'test'));
  const all = await Promise.all(Array.from({ length: 50 }, follow));
  const takeAll = () => Promise.all(all.map((updates) => updates.next()));
  await takeAll();
  const second = await client.post('/v1/payments', { amount: 2 });
  let shown: PaymentView[] = [];
  const statements = await sentStatements(async () => {
    shown = (await takeAll()).map(({ value }) => value);
  });
  expect(new Set(shown.map(({ id }) => id))).toEqual(new Set([second.body.id]));
  expect(statements.filter(({ text }) => text.includes('payment')).length).toBeLessThan(10);
  await Promise.all(all.map((updates) => updates.return(undefined)));
  expect(live.count()).toBe(0);
});

test('a slow follower is eventually shown every payment', async () => {
  const { organizationId, key } = await createKey(app.services);
  const client = createClient(app.baseUrl, key);
  const create = async () =>
    (await untilAvailable(() => client.post('/v1/payments', { amount: 1 }))).body.id as string;
  const first = await create();
  const updates = await app.services.livePayments.watchAll(operatorFor(organizationId, 'test'));
  expect((await updates.next()).value.id).toBe(first);
  const ids: string[] = [];
  for (let batch = 0; batch < 25; batch += 1) {
    ids.push(...(await Promise.all(Array.from({ length: 10 }, create))));
  }
  const shown = await take(updates, ids.length);
  expect(new Set(shown.map(({ id }) => id))).toEqual(new Set(ids));
});
