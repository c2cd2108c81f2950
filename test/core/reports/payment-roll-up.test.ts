import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Mode } from '../../../src/core/base/mode.ts';
import { newId } from '../../../src/core/base/ids.ts';
import { type Database, openDatabase } from '../../../src/database/database.ts';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { createPaymentRollUp, type PaymentRollUp } from '../../../src/core/reports/payment-roll-up.ts';
import { fromPrimary } from '../../../src/database/read-source.ts';
import { createReports } from '../../../src/database/reports.ts';
import { createStatisticsService, type StatisticsView } from '../../../src/core/reports/statistics.ts';
import { times } from '../../support/chance.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { closeGate, installGates, openGates } from '../../support/gate.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

let databaseUrl: string;
/** Several nodes, each with its worker. */
let nodes: { db: Database; rollUp: PaymentRollUp }[];
let statistics: ReturnType<typeof createStatisticsService>;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  await installGates(databaseUrl, ['payment_hour']);
  nodes = Array.from({ length: 3 }, () => {
    const db = openDatabase(databaseUrl, { maximumConnections: 3 });
    return { db, rollUp: createPaymentRollUp({ db }) };
  });
  statistics = createStatisticsService({ reports: createReports(fromPrimary(nodes[0]?.db as Database)) });
});

afterEach(openGates);

afterAll(() => Promise.all(nodes.map(({ db }) => db.$disconnect())));

const rollUp = (limit: number) => Promise.all(nodes.map((node) => node.rollUp.advance(limit)));

async function rollAllUp(limit = 1_000): Promise<void> {
  while ((await rollUp(limit)).some((done) => done > 0));
}

interface Tenant {
  organizationId: string;
  mode: Mode;
}

/** Begins a payment's life; `ago` may be long, as after an import or at a node whose clock is behind. */
async function open({ organizationId, mode }: Tenant, ago: number, amountInCents = 1_000): Promise<string> {
  const createdAt = new Date(Date.now() - ago);
  const id = newId(createdAt);
  await query(
    databaseUrl,
    `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, created_at, expires_at)
     VALUES ($1, $2, $3, 'creating', $4, 'sandbox', $5, $5)`,
    [id, organizationId, mode, amountInCents, createdAt],
  );
  return id;
}

const change = (id: string, set: string, values: unknown[] = []) =>
  query(databaseUrl, `UPDATE payment SET ${set} WHERE id = $1`, [id, ...values]);

const charge = (id: string) => change(id, `status = 'pending'`);
/** Every other one of its payments is paid with more than its amount, as after a due date. */
const pay = (id: string, seconds: number) =>
  change(
    id,
    `status = 'completed', confirmed_at = created_at + $2 * interval '1 second',
    paid_in_cents = CASE WHEN floor($2)::int % 2 = 1 THEN amount_in_cents + 7 END`,
    [seconds],
  );
const refund = (id: string, cents: number) =>
  change(id, 'refunded_in_cents = least(refunded_in_cents + $2, amount_in_cents)', [cents]);
const reverse = (id: string, cents: number) =>
  change(
    id,
    `refunded_in_cents = least(refunded_in_cents + $2, amount_in_cents),
    reversed_in_cents = reversed_in_cents + least($2, amount_in_cents - refunded_in_cents)`,
    [cents],
  );

/** What statistics are to say, from the payments themselves. */
async function countedByHand(
  { organizationId, mode }: Tenant,
  from: Date,
  to: Date,
): Promise<Omit<StatisticsView, 'buckets' | 'conversion'>> {
  const [row] = await query<Omit<StatisticsView, 'buckets' | 'conversion'>>(
    databaseUrl,
    `WITH payable AS (SELECT * FROM payment WHERE status NOT IN ('creating', 'failed'))
     SELECT count(*)::int AS created, count(confirmed_at)::int AS completed,
       (SELECT count(*)::int FROM payment WHERE organization_id = $1 AND mode = $2 AND created_at >= $3
         AND created_at < $4 AND status = 'failed') AS failed,
       coalesce(sum(coalesce(paid_in_cents, amount_in_cents)) FILTER (WHERE confirmed_at IS NOT NULL), 0)::float8
         / 100 AS volume,
       coalesce(sum(refunded_in_cents - reversed_in_cents), 0)::float8 / 100 AS refunded,
       coalesce(sum(reversed_in_cents), 0)::float8 / 100 AS reversed,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM confirmed_at - created_at)::float8)
         AS "medianSecondsToPay"
     FROM payable WHERE organization_id = $1 AND mode = $2 AND created_at >= $3 AND created_at < $4`,
    [organizationId, mode, from, to],
  );
  if (!row) throw new Error('nothing was counted');
  return row;
}

const near = (seconds: number | null) =>
  seconds === null ? null : { least: seconds * 0.955 - 1, most: seconds * 1.045 + 1.1 };

/** The whole, and each of its buckets. */
async function expectTrue(tenant: Tenant, from: Date, to: Date): Promise<void> {
  const told = await statistics.forPeriod(operatorFor(tenant.organizationId, tenant.mode), from, to);
  const ends = [...told.buckets.slice(1).map(({ start }) => start), to];
  const parts = [
    { told, from, to },
    ...told.buckets.map((each, at) => ({ told: each, from: each.start, to: ends[at] ?? to })),
  ];
  for (const part of parts) {
    const { medianSecondsToPay, ...counts } = await countedByHand(tenant, part.from, part.to);
    expect(part.told).toMatchObject(counts);
    const bounds = near(medianSecondsToPay);
    if (!bounds) expect(part.told.medianSecondsToPay).toBeNull();
    else {
      expect(part.told.medianSecondsToPay).toBeGreaterThanOrEqual(bounds.least);
      expect(part.told.medianSecondsToPay).toBeLessThanOrEqual(bounds.most);
    }
  }
}

/** Three days in days, six hours in hours; from a whole hour, and from the middle of one. */
async function expectAllTrue(tenant: Tenant): Promise<void> {
  const hour = Math.ceil(Date.now() / hourMs) * hourMs;
  for (const off of [0, 17.3 * minuteMs]) {
    await expectTrue(tenant, new Date(hour - 3 * dayMs - off), new Date(hour - off / 2));
    await expectTrue(tenant, new Date(hour - 6 * hourMs - off), new Date(hour - 1.4 * minuteMs));
  }
}

const pick = fc.nat(50);
const ago = fc.oneof(fc.nat(8 * minuteMs), fc.nat(3 * hourMs), fc.nat(3 * dayMs));
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('open' as const), ago, tenant: fc.nat(1), cents: fc.nat(1e6) }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('charge' as const, 'fail' as const), pick }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('pay' as const), pick, seconds: fc.nat(9_000) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('refund' as const), pick, cents: fc.nat(900) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('reverse' as const), pick, cents: fc.nat(900) }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('roll up' as const), limit: fc.integer({ min: 1, max: 5 }) }),
  },
);

test('aggregates match the payments, whatever happens to them and when', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      const organizationId = randomUUID();
      const tenants: Tenant[] = [
        { organizationId, mode: 'test' },
        { organizationId, mode: 'live' },
      ];
      const ids: string[] = [];
      let underWay: Promise<unknown>[] = [];
      for (const each of steps) {
        const id = 'pick' in each ? ids[each.pick % Math.max(1, ids.length)] : undefined;
        if (each.does === 'open') {
          ids.push(await open(tenants[each.tenant] as Tenant, each.ago, each.cents));
        } else if (each.does === 'roll up') {
          // Beside what comes next.
          underWay.push(rollUp(each.limit));
        } else if (id !== undefined) {
          if (each.does === 'charge') await charge(id);
          if (each.does === 'fail') await change(id, `status = 'failed', confirmed_at = NULL`);
          if (each.does === 'pay') await pay(id, each.seconds);
          if (each.does === 'refund') await refund(id, each.cents);
          if (each.does === 'reverse') await reverse(id, each.cents);
        }
        if (underWay.length > 3) {
          await Promise.all(underWay);
          underWay = [];
        }
      }
      await Promise.all(underWay);
      for (const tenant of tenants) await expectAllTrue(tenant);
      await rollAllUp(3);
      for (const tenant of tenants) await expectAllTrue(tenant);
    }),
    { numRuns: times(3, 6), endOnFailure: true },
  );
});

test('an aggregated hour is reported without reading its payments, and includes later changes', async () => {
  const tenant: Tenant = { organizationId: randomUUID(), mode: 'live' };
  const at = Math.floor((Date.now() - 5 * dayMs) / hourMs) * hourMs + 10 * minuteMs;
  const ids = await Promise.all([0, 1, 2].map(() => open(tenant, Date.now() - at)));
  for (const id of ids) await charge(id);
  await pay(ids[0] ?? '', 40);
  await rollAllUp();
  await query(databaseUrl, `DELETE FROM payment WHERE id = $1`, [ids[2]]);
  const told = () =>
    statistics.forPeriod(
      operatorFor(tenant.organizationId, 'live'),
      new Date(at - 10 * minuteMs),
      new Date(at + 50 * minuteMs),
    );
  expect(await told()).toMatchObject({ created: 3, completed: 1, volume: 10 });

  await pay(ids[1] ?? '', 600);
  await refund(ids[0] ?? '', 250);
  await reverse(ids[0] ?? '', 50);
  const changed = { created: 3, completed: 2, volume: 20, refunded: 2.5, reversed: 0.5 };
  expect(await told()).toMatchObject(changed);
  await rollAllUp();
  expect(await told()).toMatchObject(changed);
  expect(
    await query(databaseUrl, 'SELECT FROM payment_hour_change WHERE organization_id = $1', [
      tenant.organizationId,
    ]),
  ).toEqual([]);
});

test('the hours of a day that is over are read from one row, until one of them changes', async () => {
  const tenant: Tenant = { organizationId: randomUUID(), mode: 'live' };
  const { organizationId } = tenant;
  const ids = await Promise.all([1, 2, 30].map((hours) => open(tenant, 3 * dayMs + hours * hourMs)));
  for (const id of ids) await charge(id);
  for (const [at, id] of ids.entries()) await pay(id, 30 + at);
  const daysCopied = async () => {
    const [row] = await query<{ all: number; copied: number }>(
      databaseUrl,
      `SELECT count(*)::int AS all, count(*) FILTER (WHERE is_copied)::int AS copied FROM payment_day WHERE organization_id = $1`,
      [organizationId],
    );
    return row && row.all - row.copied;
  };
  const hour = Math.floor(Date.now() / hourMs) * hourMs;
  const told = () =>
    statistics.forPeriod(operatorFor(organizationId, 'live'), new Date(hour - 10 * dayMs), new Date(hour));
  await rollAllUp();
  expect(await daysCopied()).toBe(0);
  // A node of an earlier release adds to the hour only.
  await query(
    databaseUrl,
    `UPDATE payment_hour SET created = created + 1 WHERE organization_id = $1
       AND hour = (SELECT min(hour) FROM payment_hour WHERE organization_id = $1)`,
    [organizationId],
  );
  expect(await daysCopied()).toBe(1);
  expect(await told()).toMatchObject({ created: 4, completed: 3 });
  await rollAllUp();
  expect(await daysCopied()).toBe(0);
  await query(databaseUrl, 'DELETE FROM payment_hour WHERE organization_id = $1', [organizationId]);
  expect(await told()).toMatchObject({ created: 4, completed: 3 });
});

test('payments that no provider created count against the conversion', async () => {
  const tenant: Tenant = { organizationId: randomUUID(), mode: 'live' };
  const ids = await Promise.all([1, 60, 600, 6_000].map((seconds) => open(tenant, seconds * 1_000)));
  for (const id of ids.slice(1)) await change(id, `status = 'failed'`);
  await charge(ids[0] ?? '');
  await pay(ids[0] ?? '', 0.5);
  const of = () =>
    statistics.forPeriod(
      operatorFor(tenant.organizationId, 'live'),
      new Date(Date.now() - dayMs),
      new Date(Date.now() + 1_000),
    );
  expect(await of()).toMatchObject({ created: 1, failed: 3, completed: 1, conversion: 0.25 });
  await rollAllUp();
  expect(await of()).toMatchObject({ created: 1, failed: 3, completed: 1, conversion: 0.25 });
});

test('a worker killed while aggregating leaves its work to the next', async () => {
  const tenant: Tenant = { organizationId: randomUUID(), mode: 'test' };
  for (const minutes of [7, 90, 400]) await charge(await open(tenant, minutes * minuteMs));
  await rollAllUp();
  const late = await open(tenant, 100 * minuteMs);
  await charge(late);
  await pay(late, 30);
  const gate = await closeGate(databaseUrl, 'INSERT', 'payment_hour');
  const killed = nodes[0]?.rollUp.advance(100);
  killed?.catch(() => undefined);
  await gate.waiting(1);
  // Meanwhile another one finds nothing to do, and whoever asks is told what is true.
  expect(await nodes[1]?.rollUp.advance(100)).toBe(0);
  await expectAllTrue(tenant);
  await gate.endWaiting();
  await expect(killed).rejects.toThrow();
  await gate.open();
  await expectAllTrue(tenant);
  await rollAllUp();
  await expectAllTrue(tenant);
});
