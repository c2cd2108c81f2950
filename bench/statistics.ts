// Measures statistics of a large tenant, and what they cost the creates of another. Makes 1.5 million payments
// first, which takes minutes.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Prisma } from '../src/database/generated/client.ts';
import { countPayments, type CountedPayments } from '../src/core/reports/store/payment-statistics.ts';
import { rangeOf } from '../src/core/reports/statistics.ts';
import { insertPayments, openSession, untilAddedUp } from './large-tenant.ts';
import { machine, median, print, publicUrl, quantile, setting, startBench } from './parts.ts';

const payments = setting('BENCH_PAYMENTS', 1_500_000);
const days = 90;
const dayMs = 86_400_000;

type Period = [from: Date, to: Date];

/** What a query costs. */
interface Cost {
  ms: number;
  buffers: number;
}

interface Explained {
  'Execution Time': number;
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
}

const createClients = 10;
const pauseMs = 50;

const bench = await startBench();
const database = new pg.Client({ connectionString: bench.databaseUrl });
await database.connect();
const { baseUrl } = bench;
const large = await bench.newTenant('Large');
const other = await bench.newTenant('Other');

/** A period given in days before now, on whole hours. */
const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
const timeOf = (from: number, to = 0): Period => [new Date(hour - from * dayMs), new Date(hour - to * dayMs)];

const shifted = ([from, to]: Period, byMs: number): Period => [
  new Date(from.getTime() - byMs),
  new Date(to.getTime() - byMs),
];

async function explain(text: string, values: unknown[]): Promise<Cost> {
  const { rows } = await database.query<{ 'QUERY PLAN': [Explained] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    values,
  );
  const explained = rows[0]?.['QUERY PLAN'][0];
  if (!explained) throw new Error('EXPLAIN returns a row');
  const { Plan: plan, 'Execution Time': ms } = explained;
  return { ms: Math.round(ms), buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] };
}

/** The query of the service itself, explained instead of run. */
async function explainStatistics([from, to]: Period): Promise<Cost> {
  let cost: Cost | undefined;
  const db = {
    async $queryRaw(strings: TemplateStringsArray, ...values: unknown[]): Promise<CountedPayments[]> {
      const { text, values: flat } = Prisma.sql(strings, ...values);
      cost = await explain(text, flat);
      return [];
    },
  };
  const tenant = { organizationId: large.organizationId, mode: 'test' as const };
  const buckets = Math.ceil((to.getTime() - from.getTime()) / dayMs);
  await countPayments(db as never, tenant, rangeOf(from, to, 86_400, buckets));
  if (!cost) throw new Error('statistics are one query');
  return cost;
}

/** For comparison: every payment of the time. */
function explainPayments([from, to]: Period): Promise<Cost> {
  const { fromId, toId } = rangeOf(from, to, 86_400, 1);
  return explain(
    `SELECT floor(extract(epoch FROM created_at - $2::timestamptz) / 86400)::int AS bucket, count(*), count(confirmed_at),
       sum(amount_in_cents) FILTER (WHERE confirmed_at IS NOT NULL), sum(refunded_in_cents),
       percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM confirmed_at - created_at))
     FROM payment WHERE organization_id = $1 AND mode = 'test' AND created_at >= $2 AND created_at < $3
       AND id >= $4 AND id < $5 AND status NOT IN ('creating', 'failed') GROUP BY GROUPING SETS ((1), ())`,
    [large.organizationId, from, to, fromId, toId],
  );
}

/** Returns how many of the fields were refused. */
async function ask(cookie: string, fields: readonly string[]): Promise<number> {
  const response = await fetch(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Cookie: cookie,
      Origin: publicUrl,
      'X-Organization-Id': large.organizationId,
      'X-Mode': 'test',
    },
    body: JSON.stringify({ query: `{ ${fields.join(' ')} }` }),
  });
  const { errors } = (await response.json()) as { errors?: unknown[] };
  return errors?.length ?? 0;
}

const field = (name: string, [from, to]: Period) =>
  `${name}: statistics(from: "${from.toISOString()}", to: "${to.toISOString()}") { created volume medianSecondsToPay buckets { created } }`;

async function createWhile<Worked>(work: () => Promise<Worked>) {
  const timesMs: number[] = [];
  let failed = 0;
  let isOver = false;
  const clients = Array.from({ length: createClients }, async () => {
    while (!isOver) {
      const startedAt = performance.now();
      const response = await fetch(`${baseUrl}/v1/payments`, {
        method: 'POST',
        headers: { 'X-API-Key': other.key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ amount: 10 }),
      });
      await response.arrayBuffer();
      if (response.status !== 201) failed += 1;
      timesMs.push(performance.now() - startedAt);
      await delay(pauseMs);
    }
  });
  const worked = await work();
  isOver = true;
  await Promise.all(clients);
  const creates = `${timesMs.length} creates, ${failed} failed, p50 ${Math.round(median(timesMs))} ms, p99 ${Math.round(quantile(timesMs, 0.99))} ms`;
  return { creates, worked };
}

/** Thirty times that differ, in two requests, again and again for a while. */
async function thirtyAliases(cookie: string, shiftMs: number) {
  const timesMs: number[] = [];
  let refused = 0;
  for (let round = 0; round < 5; round++) {
    const startedAt = performance.now();
    const request = (half: number) =>
      ask(
        cookie,
        Array.from({ length: 15 }, (_, at) => {
          return field(`s${at}`, shifted(timeOf(days - half, at / 24), shiftMs));
        }),
      );
    for (const errors of await Promise.all([request(0), request(1)])) refused += errors;
    timesMs.push(performance.now() - startedAt);
  }
  return { ms: Math.round(median(timesMs)), refused };
}

print(`${machine}, ${payments} payments in ${days} days`, '');
const insertedAt = performance.now();
await insertPayments(database, large, { payments, days });
print(`inserted in ${Math.round((performance.now() - insertedAt) / 1000)} s`);
const cookie = await openSession(bench, large);
const behind = await createWhile(() => thirtyAliases(cookie, 0));
print(
  `30 statistics while payments are being added up: ${behind.worked.ms} ms, ${behind.worked.refused} of 150 refused; ${behind.creates}`,
);
print(`added up after ${Math.round(await untilAddedUp(database))} s more`);
await database.query('VACUUM ANALYZE payment_hour');
for (const period of [1, 7, 30, 90]) {
  const before = await explainPayments(timeOf(period));
  const now = await explainStatistics(timeOf(period));
  const odd = await explainStatistics(shifted(timeOf(period), 1_000_000));
  print(
    `${period} days: ${now.ms} ms, ${now.buffers} buffers (payment by payment ${before.ms} ms, ${before.buffers} buffers; not on whole hours ${odd.ms} ms, ${odd.buffers} buffers)`,
  );
}
const overHttp: number[] = [];
for (let round = 0; round < 20; round++) {
  const startedAt = performance.now();
  if ((await ask(cookie, [field('s', timeOf(days))])) > 0) throw new Error('statistics were refused');
  overHttp.push(performance.now() - startedAt);
}
print(`90 days over HTTP: ${Math.round(median(overHttp))} ms`);
const alone = await createWhile(() => delay(5_000));
print(`nothing beside: ${alone.creates}`);
for (const [name, shiftMs] of [
  ['on whole hours', 0],
  ['not on whole hours', 1_000_000],
] as const) {
  const beside = await createWhile(() => thirtyAliases(cookie, shiftMs));
  print(
    `30 statistics ${name}: ${beside.worked.ms} ms, ${beside.worked.refused} of 150 refused; ${beside.creates}`,
  );
}
await database.end();
await bench.stop();
process.exit(0);
