import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/database.ts';
import { nilId, tenantDigest } from '../../src/core/payments/store/search-terms.ts';
import { findPendingSpan } from '../../src/core/settlement/store/sweeps.ts';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from './app.ts';
import { query } from './database.ts';
import { explain, pagesOf, type Plan } from './explain.ts';

/** Payments of one tenant, a second apart. */
const payments = 50_000;
const start = Date.parse('2026-06-01T00:00:00Z');

let app: TestApp;
let organizationId: string;
let smallId: string;
/** Their payments have a due date; the last ones are pending, and half of those overdue. */
let landlordId: string;

async function insertPayments(
  databaseUrl: string,
  owner: string,
  from: number,
  count = payments,
): Promise<void> {
  await query(
    databaseUrl,
    `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, external_id,
       payer_name, payer_document, duplicate_payment, paid_late, refunded_in_cents, created_at, expires_at, confirmed_at, due, due_date)
     SELECT (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7' || lpad(to_hex(n % 4096), 3, '0')
         || '-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
       $1, 'test', 'completed', CASE WHEN n % 2 = 0 THEN 1000 ELSE n END, 'sandbox', 'order-' || n,
       'Maria', CASE WHEN n % 2 = 0 THEN '12345678909' ELSE lpad(n::text, 11, '0') END,
       n % 10 = 0, n % 10 = 0, (n % 10 = 0 AND n % 1000 <> 0)::int, created_at, created_at, created_at,
       CASE WHEN n % 4 = 0 THEN json_build_object('date', date '2026-07-01' + n / 100, 'payableDaysAfter', 30) END,
       CASE WHEN n % 4 = 0 THEN date '2026-07-01' + n / 100 END
     FROM generate_series(1, $2::int) AS n,
       LATERAL (SELECT to_timestamp($3::float8 / 1000 + n) AS created_at) AS c,
       LATERAL (SELECT lpad(to_hex(($3::bigint + n * 1000)), 12, '0') AS hex) AS h`,
    [owner, count, from],
  );
}

/** How much of the tables the service's statements read. `newDatabase` is called before all of them. */
export function testPaymentPlans(newDatabase: () => Promise<string>): void {
  beforeAll(async () => {
    const databaseUrl = await newDatabase();
    app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' });
    organizationId = (await app.services.organizations.create('Large')).id;
    smallId = (await app.services.organizations.create('Small')).id;
    await insertPayments(databaseUrl, organizationId, start);
    // Newer ones of somebody else, which a walk from the newest on would pass through.
    const { id: foreignId } = await app.services.organizations.create('Busy');
    await insertPayments(databaseUrl, foreignId, start + payments * 1000);
    await insertPayments(databaseUrl, smallId, start - payments * 1000, 40);
    landlordId = (await app.services.organizations.create('Landlord')).id;
    await insertPayments(databaseUrl, landlordId, start - 2 * payments * 1000, 20_000);
    await query(
      databaseUrl,
      `UPDATE payment p SET due_date = date '2020-01-01' + n / 20,
         status = CASE WHEN n > 19970 THEN 'pending'::"PaymentStatus" ELSE status END,
         confirmed_at = CASE WHEN n > 19970 THEN NULL ELSE confirmed_at END, overdue = n > 19970 AND n <= 19985
       FROM (SELECT id, substr(external_id, 7)::int AS n FROM payment WHERE organization_id = $1) o WHERE o.id = p.id`,
      [landlordId],
    );
    const owners = [organizationId, foreignId, smallId];
    await query(
      databaseUrl,
      `INSERT INTO payment_term (tenant, term, payment_id)
     SELECT tenant, term, id FROM payment JOIN unnest($1::uuid[], $2::bigint[]) AS d(organization_id, tenant) USING (organization_id),
       unnest(ARRAY['r:' || external_id, 'r:' || substr(external_id, 7), 'p:' || payer_document, 'p:maria']) AS t(term)
     ON CONFLICT DO NOTHING`,
      [owners, owners.map((owner) => tenantDigest({ organizationId: owner, mode: 'test' }))],
    );
    await query(
      databaseUrl,
      `UPDATE payment_term_progress SET next_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff', settled_id = $1, backfill_id = $1`,
      [nilId],
    );
    await query(
      databaseUrl,
      `INSERT INTO payment_link (id, organization_id, mode, single_use, description, created_at)
     SELECT (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7000-8000-' || lpad(to_hex(place), 12, '0'))::uuid,
       owner, 'test', false, 'Course', now()
     FROM generate_series(1, 10000) n, unnest(ARRAY[$1, $2]::uuid[]) WITH ORDINALITY o(owner, place),
       LATERAL (SELECT lpad(to_hex($3::bigint + (place * 20000 + n) * 1000), 12, '0') AS hex) h`,
      [organizationId, foreignId, start],
    );
    await query(databaseUrl, 'VACUUM ANALYZE');
  });

  afterAll(() => app.stop());

  /** Rows of `payment` that the plan looks at, and the ways in which it does. */
  function scansOf(plan: Plan): { rows: number; ways: string[] } {
    const own = /^payment(_term)?$/.test(plan['Relation Name'] ?? '');
    const rows = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
    const below = (plan.Plans ?? []).map(scansOf);
    return {
      rows: below.reduce((sum, each) => sum + each.rows, own ? rows : 0),
      ways: [...(own ? [plan['Node Type']] : []), ...below.flatMap((each) => each.ways)],
    };
  }

  async function plansOf(work: () => Promise<unknown>): Promise<Plan[]> {
    const plans = await explain(app.databaseUrl, /\bFROM payment(_term)?\b/, work);
    expect(plans.flatMap((plan) => scansOf(plan).ways)).not.toContain('Seq Scan');
    return plans;
  }

  const rowsLookedAt = async (work: () => Promise<unknown>): Promise<number> =>
    (await plansOf(work)).reduce((sum, plan) => sum + scansOf(plan).rows, 0);

  const pagesTouched = async (work: () => Promise<unknown>): Promise<number> => pagesOf(await plansOf(work));

  test.each([
    ['an external id', 'order-12345', 1, 20],
    ['the beginning of one', 'order-1234', 11, 60],
    ['what follows a separator in it', '23456', 1, 20],
    ['a beginning that all have', 'ord', 20, 14_500],
    ['a word that all have', 'maria', 20, 14_500],
    ['a document that one payment has', '00000012345', 1, 20],
    ['a document that half of them have', '123.456.789-09', 20, 14_500],
    ['an amount that one payment has', '499.99', 1, 20],
    ['an amount that half of them have', '10,00', 20, 140],
    ['what is nowhere', 'nothing', 0, 10],
  ])(
    'a search for %s finds the newest and reads a bounded number of rows',
    async (_name, text, found, rows) => {
      const search = () => app.services.investigation.search(operatorFor(organizationId, 'test'), text, 20);
      expect(await search()).toHaveLength(found);
      expect(await rowsLookedAt(search)).toBeLessThanOrEqual(rows);
    },
  );

  test.each(['duplicated', 'paid_late'])(
    'a list of %s payments reads only those not refunded',
    async (concern) => {
      const operator = operatorFor(organizationId, 'test');
      const list = () => app.services.payments.list(operator, { concern, limit: 20 });
      expect((await list()).data).toHaveLength(20);
      expect(await rowsLookedAt(list)).toBe(21);
    },
  );

  test.each([
    ['due', { status: 'pending', overdue: false, dueFrom: '2000-01-01' }],
    ['overdue', { overdue: true }],
  ])('a list of what is %s, the first due first, passes by what was paid', async (_state, filter) => {
    const query = { ...filter, sort: 'due', order: 'asc', limit: 20 };
    const list = () => app.services.payments.list(operatorFor(landlordId, 'test'), query);
    expect((await list()).data).toHaveLength(15);
    expect(await pagesTouched(list)).toBeLessThanOrEqual(60);
  });

  test.each([
    ['due', { status: 'pending', overdue: false }],
    ['overdue', { overdue: true }],
  ])('a list of what is %s, the first due first, ends at the last of its page', async (_state, filter) => {
    const query = { ...filter, sort: 'due', order: 'asc', limit: 5 };
    const list = () => app.services.payments.list(operatorFor(landlordId, 'test'), query);
    expect((await list()).data).toHaveLength(5);
    expect(await rowsLookedAt(list)).toBeLessThanOrEqual(25);
  });

  test('totals of what is due on a day read no other payments', async () => {
    const query = { dueFrom: '2020-01-10', dueTo: '2020-01-10', status: 'completed' };
    const totals = () => app.services.payments.totals(operatorFor(landlordId, 'test'), query);
    expect(await totals()).toMatchObject({ count: 20, isAtLeast: false });
    expect(await rowsLookedAt(totals)).toBeLessThanOrEqual(40);
  });

  test('statistics read the payments of their period only', async () => {
    const from = new Date(start + 10_000_000);
    const to = new Date(start + 10_600_000);
    const count = () => app.services.statistics.forPeriod(operatorFor(organizationId, 'test'), from, to);
    expect((await count()).created).toBe(600);
    expect(await rowsLookedAt(count)).toBe(600);
  });

  describe.each([
    ['a large tenant that is quiet', () => organizationId],
    ['a small tenant', () => smallId],
  ])('next to newer payments of another organization, %s', (_name, owner) => {
    const operator = () => operatorFor(owner(), 'test');

    test.each([
      ['a list', {}],
      ['a list by status', { status: 'completed' }],
      ['a list by a status that nothing has', { status: 'cancelled' }],
      ['a list by external id', { externalId: 'order-7' }],
      ['a list of what is duplicated', { concern: 'duplicated' }],
      ['a list of what is disputed', { concern: 'disputed' }],
      ['a list, oldest first', { order: 'asc' }],
      ['a list by status, oldest first', { status: 'completed', order: 'asc' }],
      ['a list by amount', { sort: 'amount' }],
      ['a list by amount, smallest first', { sort: 'amount', order: 'asc' }],
      ['a list by amount between bounds', { sort: 'amount', amountFrom: 9, amountTo: 11 }],
      ['a list by payment', { sort: 'paid' }],
      ['a list by payment, first paid first', { sort: 'paid', order: 'asc' }],
      ['a list by due date', { sort: 'due' }],
      ['a list by due date, first due first', { sort: 'due', order: 'asc' }],
      ['a list of what is due on a day', { sort: 'due', dueFrom: '2026-07-01', dueTo: '2026-07-01' }],
      ['a list of what is overdue', { overdue: true }],
      ['a list since its last payment', { createdFrom: '2026-07-01T00:00:00Z' }],
      [
        'a list by status since its last payment',
        { status: 'completed', createdFrom: '2026-07-01T00:00:00Z' },
      ],
      ['a list of a time', { createdFrom: '2026-01-01T00:00:00Z', createdTo: '2026-06-01T00:00:30Z' }],
    ])('reads hardly more than %s returns', async (_list, filter) => {
      const list = () => app.services.payments.list(operator(), { ...filter, limit: 20 });
      expect(await pagesTouched(list)).toBeLessThanOrEqual(60);
    });

    test.each([
      ['by creation', {}],
      ['by creation, oldest first', { order: 'asc' }],
      ['by amount', { sort: 'amount' }],
      ['by payment, first paid first', { sort: 'paid', order: 'asc' }],
      ['by due date, first due first', { sort: 'due', order: 'asc' }],
    ])('reads hardly more than it returns of any page %s', async (_list, sorted) => {
      const pages = (cursor?: string) =>
        app.services.payments.list(operator(), { ...sorted, limit: 10, cursor });
      let cursor: string | undefined;
      for (let page = 0; page < 3; page++) ({ nextCursor: cursor } = await pages(cursor));
      expect(await pagesTouched(() => pages(cursor))).toBeLessThanOrEqual(60);
    });

    test.each([
      ['by amount, of a status that nothing has', { sort: 'amount', status: 'cancelled' }],
      ['by amount, of a time', { sort: 'amount', createdTo: '2026-06-01T00:00:30Z' }],
      ['by amount, of a provider without payments', { sort: 'amount', provider: 'asaas' }],
      ['by payment, of a reference', { sort: 'paid', externalId: 'order-7' }],
      ['by due date, of a status that nothing has', { sort: 'due', status: 'cancelled' }],
      ['by creation, due on a day on which nothing is', { dueFrom: '2999-01-01' }],
      ['oldest first, of a provider without payments', { order: 'asc', provider: 'asaas' }],
    ])('compares a bounded number of rows %s', async (_list, query) => {
      const list = () => app.services.payments.list(operator(), { ...query, limit: 20 });
      expect(await rowsLookedAt(list)).toBeLessThanOrEqual(10_000);
    });

    test.each([
      ['document', '123.456.789-09', 1_200],
      ['name', 'Maria', 14_500],
    ])('finds the payments of a %s without scanning everything', async (_what, payer, rows) => {
      const list = () => app.services.payments.list(operator(), { payer, limit: 20 });
      expect((await list()).data.length).toBe(20);
      expect(await rowsLookedAt(list)).toBeLessThanOrEqual(rows);
    });

    test('finds a text without scanning everything', async () => {
      const search = () => app.services.investigation.search(operator(), '123.456.789-09', 20);
      expect(await search()).toHaveLength(20);
      expect(await pagesTouched(search)).toBeLessThanOrEqual(1_500);
    });
  });

  test('aggregated statistics read few pages, however many payments there are', async () => {
    const { paymentRollUp, statistics } = app.services;
    while ((await paymentRollUp.advance(10_000)) > 0);
    await query(app.databaseUrl, 'VACUUM ANALYZE');
    const hour = Math.floor(start / 3_600_000) * 3_600_000;
    const whole = () =>
      statistics.forPeriod(
        operatorFor(organizationId, 'test'),
        new Date(hour),
        new Date(hour + 90 * 86_400_000),
      );
    expect((await whole()).created).toBe(payments);
    expect(await pagesTouched(whole)).toBeLessThanOrEqual(30);
    const small = () =>
      statistics.forPeriod(
        operatorFor(smallId, 'test'),
        new Date(hour - 80 * 86_400_000),
        new Date(hour + 1_000_000),
      );
    expect((await small()).created).toBe(40);
    expect(await pagesTouched(small)).toBeLessThanOrEqual(60);
  });

  test('statistics and received money of 90 days read a page for each, wherever the hours lie', async () => {
    const { paymentRollUp, receiptRollUp, statistics, receipts } = app.services;
    const owners = Array.from({ length: 10 }, () => randomUUID());
    const hours = `unnest($1::uuid[]) AS owner, generate_series(0, 2159) AS n,
      LATERAL (SELECT $2::timestamptz + n * interval '1 hour' AS hour) AS h`;
    const from = new Date('2026-02-01T00:00:00Z');
    await query(
      app.databaseUrl,
      `INSERT INTO payment_hour (organization_id, mode, hour, created, failed, completed, volume_in_cents, refunded_in_cents,
         pay_steps, pay_counts)
       SELECT owner, 'test', hour, 150, 1, 120, 12000, 0, ARRAY(SELECT generate_series(20, 79)), array_fill(2, '{60}')
       FROM ${hours} ORDER BY random()`,
      [owners, from],
    );
    await query(
      app.databaseUrl,
      `INSERT INTO receipt_hour
       SELECT owner, 'test', hour, credential_id, 'asaas', 50, 5000, 0, 0
       FROM ${hours}, LATERAL (SELECT gen_random_uuid() FROM generate_series(1, 3)) AS c(credential_id) ORDER BY random()`,
      [owners, from],
    );
    while ((await paymentRollUp.advance(10_000)) + (await receiptRollUp.advance(10_000)) > 0);
    await query(app.databaseUrl, 'VACUUM ANALYZE');
    const operator = operatorFor(owners[0] ?? '', 'test');
    // Days of a time zone, which begin within days of UTC.
    const counted = () =>
      statistics.forPeriod(operator, new Date('2026-02-01T03:00:00Z'), new Date('2026-05-02T00:00:00Z'));
    const { created, completed, buckets, medianSecondsToPay } = await counted();
    expect({ created, completed, days: buckets.length }).toEqual({
      created: 2_157 * 150,
      completed: 2_157 * 120,
      days: 90,
    });
    expect(medianSecondsToPay).toBeGreaterThan(60);
    // At most a page for each of 89 days and 24 hours, and the indexes' own.
    expect(await pagesTouched(counted)).toBeLessThanOrEqual(130);
    const received = () => receipts.sumByDay(operator, { from: '2026-02-01', to: '2026-05-01' });
    expect((await received()).total).toMatchObject({ pixCount: 2_157 * 150, gross: 2_157 * 150 });
    const plans = await explain(app.databaseUrl, /\bFROM receipt_day\b/, received);
    expect(pagesOf(plans)).toBeLessThanOrEqual(130);
  });

  test.each([{ state: 'ended' }, { search: 'nothing' }])(
    'a list of links that %j finds none of compares a bounded number',
    async (filter) => {
      const list = () => app.services.paymentLinks.list(operatorFor(organizationId, 'test'), filter);
      expect(await list()).toEqual({ data: [], nextCursor: expect.any(String) });
      const plans = await explain(app.databaseUrl, /\bFROM payment_link\b/, list);
      expect(pagesOf(plans)).toBeLessThanOrEqual(60);
    },
  );

  test('the oldest and the newest pending payment of a credential are found without the others', async () => {
    const credentialId = randomUUID();
    await query(
      app.databaseUrl,
      `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, credential_id, created_at,
       expires_at, next_check_at)
     SELECT gen_random_uuid(), $1, 'live', 'pending', 1000, 'asaas', $2, at, at, at
     FROM generate_series(1, 5000) AS n, LATERAL (SELECT to_timestamp($3::float8 / 1000 + n) AS at) AS c`,
      [organizationId, credentialId, start],
    );
    await query(app.databaseUrl, 'VACUUM ANALYZE payment');
    const db = openDatabase(app.databaseUrl, { maximumConnections: 1, onUnavailable: () => undefined });
    try {
      const find = () => findPendingSpan(db, credentialId);
      expect(await find()).toEqual({
        oldestAt: new Date(start + 1_000),
        newestAt: new Date(start + 5_000_000),
      });
      expect(await pagesTouched(find)).toBeLessThanOrEqual(10);
      expect(await findPendingSpan(db, randomUUID())).toBeUndefined();
    } finally {
      await db.$disconnect();
    }
  });
}
