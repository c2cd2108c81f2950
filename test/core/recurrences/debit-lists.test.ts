import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { operatorFor, type Caller } from '../../../src/core/base/caller.ts';
import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import { addDays, type CalendarDay } from '../../../src/core/base/time/calendar-day.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { explain, pagesOf } from '../../support/explain.ts';
import { createKey } from '../../support/factories.ts';

let app: TestApp;
let client: Client;
let caller: Caller;

const today = brasiliaDay(new Date());
const day = (days: number): CalendarDay => addDays(today, days);

async function pending(more: object = {}): Promise<string> {
  const { body, status } = await client.post('/v1/recurrences', {
    payer: { name: 'Fulano de Tal', document: '529.982.247-25' },
    contract: '63100862',
    amount: 35,
    frequency: 'monthly',
    startDate: day(20),
    authorization: 'qr',
    retries: 'three_in_seven_days',
    ...more,
  });
  expect(status).toBe(201);
  return String(body.id);
}

async function active(more: object = {}): Promise<string> {
  const id = await pending(more);
  await client.post(`/v1/sandbox/recurrences/${id}/approve`);
  return id;
}

const advance = async (days: number) => {
  const moved = await client.post('/v1/sandbox/clock', { to: `${day(days)}T12:00:00-03:00` });
  expect(moved).toMatchObject({ status: 200 });
};

const newestDebitOf = async (id: string): Promise<string> =>
  (await client.get(`/v1/recurrences/${id}/payments`)).body.data[0].id;

const answer = (paymentId: string, outcome: string) =>
  client.post(`/v1/sandbox/payments/${paymentId}/debit`, { outcome });

const days = () => app.services.debitLists.days(caller);
const upcoming = (on: CalendarDay, more: object = {}) =>
  app.services.debitLists.upcoming(caller, { on, ...more });
const failed = (more: object = {}) => app.services.debitLists.failed(caller, more);

beforeAll(async () => {
  app = await startTestApp({
    DATABASE_URL: await freshDatabase(),
    ROLE: 'api',
    RATE_LIMIT_PER_MINUTE: '100000',
  });
});

afterAll(() => app.stop());

beforeEach(async () => {
  const { key, organizationId } = await createKey(app.services);
  client = createClient(app.baseUrl, key);
  caller = operatorFor(organizationId, 'test');
});

describe('the debits of the next four weeks', () => {
  test('are counted by their day; those that nobody permits, or any more, are not', async () => {
    await active();
    await active({ amount: 64.5 });
    await active({ startDate: day(28) });
    const ended = await active();
    await client.post(`/v1/recurrences/${ended}/cancel`);
    await pending();
    expect(await days()).toEqual([{ on: day(20), count: 2, amount: 99.5, isAtLeast: false }]);
  });

  test('have what is weekly as often as it comes, until its last day', async () => {
    await active({ frequency: 'weekly', startDate: day(6), endDate: day(21) });
    expect((await days()).map(({ on }) => on)).toEqual([day(6), day(13), day(20)]);
  });

  test('have what the service has sent, and a retry on its day', async () => {
    const recurrence = await active();
    await advance(18);
    const paymentId = await newestDebitOf(recurrence);
    expect((await upcoming(day(20))).data).toMatchObject([
      { amount: 35, recurrence: { id: recurrence }, payment: { id: paymentId } },
    ]);
    await answer(paymentId, 'no_balance');
    expect((await days()).map(({ on }) => on)).toEqual([day(21)]);
    await answer(paymentId, 'paid');
    expect(await days()).toEqual([]);
  });

  test('lack one that waits for a person', async () => {
    const recurrence = await active();
    await advance(18);
    await answer(await newestDebitOf(recurrence), 'limit');
    expect(await days()).toEqual([]);
  });

  test('have one of a varying amount once somebody has asked for it', async () => {
    const recurrence = await active({ amount: undefined, startDate: day(7) });
    expect(await days()).toEqual([]);
    await client.post(`/v1/recurrences/${recurrence}/payments`, { amount: 47.9, dueDate: day(8) });
    expect(await days()).toEqual([{ on: day(8), count: 1, amount: 47.9, isAtLeast: false }]);
  });

  test('are listed page by page', async () => {
    const ids = [await active(), await active(), await active()];
    const first = await upcoming(day(20), { limit: 2 });
    const second = await upcoming(day(20), { limit: 2, cursor: first.nextCursor });
    expect([...first.data, ...second.data].map(({ recurrence }) => recurrence.id)).toEqual(ids.toReversed());
    expect(second.nextCursor).toBeUndefined();
  });

  test.each([-1, 28])('are not told of %i days from now', async (count) => {
    await expect(upcoming(day(count))).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('debits that failed', () => {
  test('are listed until they are paid, and others never', async () => {
    const ids = [await active(), await active(), await active()];
    await client.post('/v1/payments', { amount: 5, metadata: { sandbox: 'unavailable' } });
    await advance(18);
    const debits = await Promise.all(ids.map(newestDebitOf));
    expect((await failed()).data).toEqual([]);
    for (const [index, outcome] of ['limit', 'account_closed', 'no_balance'].entries())
      await answer(debits[index] ?? '', outcome);
    const newestFirst = debits.toSorted().toReversed();
    expect((await failed()).data.map(({ id }) => id)).toEqual(newestFirst);
    const page = await failed({ limit: 2 });
    expect((await failed({ limit: 2, cursor: page.nextCursor })).data).toMatchObject([
      { id: newestFirst[2] },
    ]);
    await answer(debits[2] ?? '', 'paid');
    expect((await failed()).data.map(({ status }) => status).toSorted()).toEqual(['failed', 'pending']);
  });

  test('are told apart where the bank refused what we sent', async () => {
    const ids = [await active(), await active()];
    await advance(18);
    const [ours = '', theirs = ''] = await Promise.all(ids.map(newestDebitOf));
    await answer(ours, 'account_closed');
    await answer(theirs, 'account_closed');
    await query(
      app.databaseUrl,
      `UPDATE payment SET debit = replace(debit::text, '"account"', '"our_fault"')::json WHERE id = $1`,
      [ours],
    );
    expect((await failed({ ourFault: true })).data).toMatchObject([{ id: ours }]);
    expect(await app.services.attention.list(caller)).toMatchObject([{ kind: 'debits_our_fault', count: 1 }]);
  });
});

describe('of an organization among others with many', () => {
  const many = 30_000;

  /** Recurrences of some frequency, and debits that are pending, paid and failed, spread over fifty days. */
  async function insertMany(organizationId: string): Promise<void> {
    await query(
      app.databaseUrl,
      `INSERT INTO recurrence (id, organization_id, mode, status, provider, amount_in_cents, frequency, start_date, retries,
         "authorization", schedule, contract, payer_name, payer_document, created_at, expires_at, next_debit_on)
       SELECT gen_random_uuid(), $1, 'test', 'active', 'sandbox', 1000, CASE WHEN n % 20 = 0 THEN 'weekly' ELSE 'monthly' END,
         '2026-01-01', 'none', 'qr', 'automatic', n, 'Maria', '52998224725', now(), now(), to_char($2::date + n % 50, 'YYYY-MM-DD')
       FROM generate_series(1, $3::int) AS n`,
      [organizationId, today, many],
    );
    await query(
      app.databaseUrl,
      `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, created_at, expires_at, due_date,
         recurrence_id, debit)
       SELECT gen_random_uuid(), $1, 'test', (ARRAY['completed', 'pending', 'failed'])[1 + n % 3]::"PaymentStatus", 1000, 'sandbox',
         now(), now(), $2::date + n % 10, CASE WHEN n % 30 < 3 THEN gen_random_uuid() END,
         json_build_object('dueOn', ($2::date + n % 10)::text, 'state', 'scheduled', 'attempts', json_build_array())
       FROM generate_series(1, $3::int) AS n`,
      [organizationId, today, many],
    );
  }

  const pagesTouched = async (work: () => Promise<unknown>): Promise<number> =>
    pagesOf(await explain(app.databaseUrl, /\bFROM (payment|recurrence)\b/, work));

  beforeAll(async () => {
    const busy = await app.services.organizations.create('Busy');
    await insertMany(busy.id);
  });

  beforeEach(async () => {
    await insertMany(caller.organizationId);
    await query(app.databaseUrl, 'VACUUM ANALYZE payment, recurrence');
  });

  test('a day, a page and a list read little more than they return', async () => {
    const counted = await days();
    expect(counted).toHaveLength(28);
    // 570 monthly and 30 weekly ones, the latter of earlier weeks too, and a tenth of the payments of a day.
    expect(counted.at(-1)?.count).toBeGreaterThanOrEqual(600);
    // Hardly more than one for each of them.
    expect(await pagesTouched(days)).toBeLessThanOrEqual(25_000);
    expect(await pagesTouched(() => upcoming(day(27), { limit: 25 }))).toBeLessThanOrEqual(300);
    expect(await pagesTouched(() => failed({ limit: 25 }))).toBeLessThanOrEqual(60);
    expect(await pagesTouched(() => failed({ limit: 25, ourFault: true }))).toBeLessThanOrEqual(5);
    expect(await pagesTouched(() => app.services.alertWatch.checkNext())).toBeLessThanOrEqual(60);
  });

  test('stop counting a day at ten thousand', async () => {
    await query(app.databaseUrl, `UPDATE recurrence SET next_debit_on = $2 WHERE organization_id = $1`, [
      caller.organizationId,
      day(15),
    ]);
    await query(app.databaseUrl, 'VACUUM ANALYZE recurrence');
    const found = await days();
    // Of each frequency, and there are 1,500 weekly ones.
    expect(found.find(({ on }) => on === day(15))).toMatchObject({ count: 11_500, isAtLeast: true });
  });
});
