import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import { dayStarts, daysFrom } from '../../../src/core/base/time/zone.ts';
import { type Caller, operatorFor, type PersonCaller } from '../../../src/core/base/caller.ts';
import type { ReceiptsView } from '../../../src/core/books/receipts.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';

let app: TestApp;
let client: Client;
let organizationId: string;
let operator: Caller;
const today = brasiliaDay(new Date());

beforeAll(async () => {
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), ROLE: 'api' });
});

beforeEach(async () => {
  const key = await createKey(app.services);
  ({ organizationId } = key);
  operator = operatorFor(organizationId, 'test');
  client = createClient(app.baseUrl, key.key);
});

afterAll(() => app.stop());

const ofToday = (timeZone?: string): Promise<ReceiptsView> =>
  app.services.receipts.sumByDay(operator, { from: today, to: today, timeZone });

async function rollUp(): Promise<void> {
  while ((await app.services.receiptRollUp.advance(2)) > 0);
}

async function pay(amount: number): Promise<string> {
  const { body } = await client.post('/v1/payments', { amount });
  expect((await client.post(`/v1/sandbox/payments/${body.id}/pay`)).status).toBe(200);
  return body.id;
}

/** Three Pix, of which one was given back in part and one was taken back. */
async function play(): Promise<void> {
  const [refunded, reversed] = [await pay(10), await pay(20.5)];
  await pay(9_999_999_999.99);
  expect((await client.post(`/v1/payments/${refunded}/refunds`, { amount: 4 })).status).toBe(201);
  const reversal = { amount: 20.5, reason: 'med_fraud' };
  expect((await client.post(`/v1/sandbox/payments/${reversed}/reverse`, reversal)).status).toBe(200);
}

const sums = { pixCount: 3, gross: 10_000_000_030.49, refunded: 4, reversed: 20.5, net: 10_000_000_005.99 };

test('what was received, given back and taken back counts at once, and the same once it is added up', async () => {
  await play();
  const before = await ofToday();
  expect(before.total).toEqual(sums);
  expect(before.days).toMatchObject([{ date: today, ...sums, groups: [{ provider: 'sandbox', ...sums }] }]);
  await rollUp();
  const [left] = await query<{ count: number }>(
    app.databaseUrl,
    'SELECT count(*)::int AS count FROM receipt_change',
  );
  expect(left).toEqual({ count: 0 });
  expect(await ofToday()).toEqual({ ...before, since: null });
});

test('money of before the sums is added once, whatever changes meanwhile', async () => {
  await rollUp();
  await play();
  // Now it is as if the sums had begun at this moment.
  await query(app.databaseUrl, 'DELETE FROM receipt_change WHERE organization_id = $1', [organizationId]);
  await query(
    app.databaseUrl,
    `INSERT INTO receipt_backfill VALUES ($1, date_trunc('hour', now(), 'UTC') + interval '2 days')`,
    [organizationId],
  );
  // The clock is PostgreSQL's.
  expect((await ofToday()).since?.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
  expect((await ofToday()).total.pixCount).toBe(0);
  const late = await pay(1);
  await client.post(`/v1/payments/${late}/refunds`, { amount: 0.5 });
  await app.services.receiptRollUp.advance(10);
  await client.post(`/v1/payments/${late}/refunds`, { amount: 0.25 });
  await Promise.all([1, 2, 3].map(() => app.services.receiptRollUp.advance(1)));
  await rollUp();
  const { total, since } = await ofToday();
  expect(since).toBeNull();
  expect(total).toEqual({
    pixCount: 4,
    gross: 10_000_000_031.49,
    refunded: 4.75,
    reversed: 20.5,
    net: 10_000_000_006.24,
  });
});

test('hours that change while their day is copied are read until it is copied again', async () => {
  const hour = new Date('2026-09-09T15:00:00Z');
  const add = `INSERT INTO receipt_hour VALUES ($1, 'test', $2, $3, 'asaas', 1, 1000, 0, 0)
    ON CONFLICT (organization_id, mode, hour, credential_id, provider) DO UPDATE SET pix_count = receipt_hour.pix_count + 1`;
  const credentialId = randomUUID();
  const values = [organizationId, hour, credentialId];
  const count = async () => {
    const { total } = await app.services.receipts.sumByDay(operator, {
      from: '2026-09-08',
      to: '2026-09-10',
    });
    return total.pixCount;
  };
  const isCopied = () =>
    query(app.databaseUrl, 'SELECT is_copied AS is FROM receipt_day WHERE organization_id = $1', [
      organizationId,
    ]);
  await query(app.databaseUrl, add, values);
  await rollUp();
  expect(await isCopied()).toEqual([{ is: true }]);
  const writer = new pg.Client({ connectionString: app.databaseUrl });
  await writer.connect();
  try {
    await writer.query('BEGIN');
    await writer.query(add, values);
    await rollUp();
    expect(await count()).toBe(1);
    await writer.query('COMMIT');
  } finally {
    await writer.end();
  }
  expect([await isCopied(), await count()]).toEqual([[{ is: false }], 2]);
  await rollUp();
  expect([await isCopied(), await count()]).toEqual([[{ is: true }], 2]);
});

test('nothing of others, or of the other mode, counts', async () => {
  await pay(10);
  const stranger = await createKey(app.services);
  for (const caller of [operatorFor(organizationId, 'live'), operatorFor(stranger.organizationId, 'test')]) {
    const { total, days } = await app.services.receipts.sumByDay(caller, { from: today, to: today });
    expect([total.pixCount, days]).toEqual([0, []]);
  }
});

test('a day of the statement is beside the day, with the difference', async () => {
  await play();
  expect((await ofToday()).days).toMatchObject([{ book: null }]);
  await query(
    app.databaseUrl,
    `INSERT INTO statement_day (id, organization_id, mode, provider, credential_id, day, imported_at, received_in_cents,
       returned_in_cents, difference_count)
     VALUES ($1, $2, 'test', 'sandbox', $2, $3, now(), 1000000003050, 2450, 1)`,
    [randomUUID(), organizationId, today],
  );
  const statements = [{ credentialId: null, credentialName: null }];
  const book = {
    isClosed: false,
    received: 10_000_000_030.5,
    net: 10_000_000_006,
    difference: 0.01,
    statements,
  };
  expect((await ofToday()).days).toMatchObject([{ book }]);
  // Where it may still be yesterday.
  expect((await ofToday('America/Manaus')).days.filter((day) => day.book !== null)).toEqual([]);
});

test('the export has a line for each day and credential', async () => {
  await play();
  const person: PersonCaller = {
    kind: 'person',
    organizationId,
    mode: 'test',
    userId: randomUUID(),
    sessionId: '',
    mustChangePassword: false,
    role: 'viewer',
  };
  const timeZone = 'America/Sao_Paulo';
  const wanted = { organization: organizationId, mode: 'test', from: today, to: today, timeZone } as const;
  let text = '';
  for await (const part of app.services.receiptExport.csv(person, { ...wanted, locale: 'pt' })) text += part;
  const [, line] = text.split('\r\n');
  const day = today.split('-').reverse().join('/');
  expect(line).toBe(`${day};sandbox;;3;10000000030,49;4,00;20,50;10000000005,99;;;;;`);
});

test.each([
  [{ from: '2026-11-02', to: '2026-11-01' }, 'from must not be after to'],
  [{ from: '2025-11-01', to: '2026-11-02' }, 'from and to must be at most 366 days apart'],
  [
    { from: '2026-11-01', to: '2026-11-01', timeZone: 'Asia/Kolkata' },
    'timeZone must be whole hours from UTC',
  ],
  [{ from: '2026-11-01', to: '2026-11-01', timeZone: 'Mars' }, /^timeZone must be the name of a time zone/],
  [{ from: 'yesterday', to: '2026-11-01' }, /^from must be a date/],
])('a period like %j is refused', async (range, message) => {
  await expect(app.services.receipts.sumByDay(operator, range)).rejects.toThrow(message);
});

test('days begin where they do, also when clocks change', () => {
  const startsIn = (zone: string, from: string, to: string) =>
    dayStarts(zone, daysFrom(from, to))?.map((start) => start.toISOString().slice(5, 16));
  expect(startsIn('America/Sao_Paulo', '2026-11-30', '2026-12-01')).toEqual([
    '11-30T03:00',
    '12-01T03:00',
    '12-02T03:00',
  ]);
  // The last summer time of Brazil began at midnight, so that the day began at one, and ended by a second 23:00.
  expect(startsIn('America/Sao_Paulo', '2018-11-03', '2018-11-04')).toEqual([
    '11-03T03:00',
    '11-04T03:00',
    '11-05T02:00',
  ]);
  expect(startsIn('America/Sao_Paulo', '2019-02-16', '2019-02-17')).toEqual([
    '02-16T02:00',
    '02-17T03:00',
    '02-18T03:00',
  ]);
  expect(startsIn('Pacific/Kiritimati', '2026-01-01', '2026-01-01')).toEqual(['12-31T10:00', '01-01T10:00']);
  expect(startsIn('America/St_Johns', '2026-01-01', '2026-01-02')).toBeUndefined();
});
