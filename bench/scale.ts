// Counts what requests read and write in databases of several sizes: pages of PostgreSQL, which no other load changes.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { eventually } from '../test/support/eventually.ts';
import { claimPages } from './delivery-claims.ts';
import { type DueCharges, openDueCharges } from './due-charges.ts';
import { growDatabase, type GrownDatabase } from './grown-database.ts';
import { openSession, untilAddedUp } from './large-tenant.ts';
import { machine, median, print, publicUrl, row, startBench, type Bench, type Tenant } from './parts.ts';
import { openRecurrences, type Recurrences } from './recurrences.ts';
import { searchesOf } from './search-cases.ts';
import { workerPages } from './waiting-tenants.ts';

const sizes = (process.env.BENCH_SIZES ?? '10000,1000000').split(',').filter(Boolean).map(Number);
/** Makes only what a search reads, several times as fast, and only searches. */
const isSearchOnly = !!process.env.BENCH_SEARCH;
/** Open charges with a due date at one account. */
const dueCounts = (process.env.BENCH_DUE ?? '5000,50000').split(',').filter(Boolean).map(Number);
/** Active recurrences at one account. */
const recurrenceCounts = (process.env.BENCH_RECURRENCES ?? '10000,100000')
  .split(',')
  .filter(Boolean)
  .map(Number);
/** Organizations that have something of every kind that waits, none of it due. */
const tenantCounts = (process.env.BENCH_TENANTS ?? '100,10000').split(',').filter(Boolean).map(Number);
/** More than the custom plans after which PostgreSQL may choose a generic one. */
const requests = 12;
/** Created and paid, one after the other. */
const payments = 200;
const dayMs = 86_400_000;

interface Case {
  name: string;
  /** Whether the answer has a payment. */
  finds?: boolean;
  request: () => Promise<Response>;
}

interface Cost {
  pages: number;
  ms?: number;
}

const asking = (bench: Bench, { organizationId, key }: Tenant, cookie: string, mode: 'test' | 'live') => ({
  rest: (name: string, path: string): Case => ({
    name,
    request: () => fetch(`${bench.baseUrl}/v1/${path}`, { headers: { 'X-API-Key': key } }),
  }),
  graphql: (name: string, query: string): Case => ({
    name,
    request: () =>
      fetch(`${bench.baseUrl}/graphql`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Cookie: cookie,
          Origin: publicUrl,
          'X-Organization-Id': organizationId,
          'X-Mode': mode,
        },
        body: JSON.stringify({ query: `{ ${query} }` }),
      }),
  }),
});

function casesOf(bench: Bench, grown: GrownDatabase, cookie: string): Case[] {
  const { large, sample, sampleId } = grown;
  const { rest, graphql } = asking(bench, large, cookie, 'test');
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  const statistics = (days: number) =>
    graphql(
      `statistics of ${days} ${days === 1 ? 'day' : 'days'}`,
      `statistics(from: "${new Date(hour - days * dayMs).toISOString()}", to: "${new Date(hour).toISOString()}")
         { created completed volume buckets { created } }`,
    );
  const day = (daysAgo: number) => new Date(hour - daysAgo * dayMs).toISOString().slice(0, 10);
  return [
    rest('a payment', `payments/${sampleId}`),
    rest('the newest', 'payments?limit=20'),
    rest('the newest of a rare status', 'payments?status=pending&limit=20'),
    rest('of a status that none has', 'payments?status=cancelled&limit=20'),
    rest(
      'since an hour ago',
      `payments?createdFrom=${new Date(Date.now() - dayMs / 24).toISOString()}&limit=20`,
    ),
    rest('by reference', `payments?externalId=order-${sample}`),
    rest('by amount', `payments?amountFrom=101&amountTo=101&limit=20`),
    ...Object.entries(searchesOf(grown)).map(([name, text]) => ({
      ...rest(`search: ${name}`, `payments?search=${encodeURIComponent(text)}`),
      finds: !name.includes('nobody'),
    })),
    graphql(
      'page of a payment',
      `paymentDetail(id: "${sampleId}") { payment { id } attempts { id } events { id } deliveries { id } receivedPix { endToEndId } }`,
    ),
    graphql('events', 'events(first: 20) { edges { node { id } } }'),
    graphql('totals of a rare status', 'paymentTotals(filter: { status: pending }) { count }'),
    ...[1, 7, 30, 90].map(statistics),
    graphql(
      'money received in 30 days',
      `receipts(from: "${day(30)}", to: "${day(1)}") { total { pixCount gross net } }`,
    ),
  ];
}

function dueCasesOf(bench: Bench, { tenant, day }: DueCharges, cookie: string): Case[] {
  const { rest, graphql } = asking(bench, tenant, cookie, 'live');
  const onDay = `dueFrom: "${day}", dueTo: "${day}"`;
  return [
    rest('first due first', 'payments?sort=due&order=asc&limit=20'),
    rest('pending, first due first', 'payments?sort=due&order=asc&status=pending&limit=20'),
    rest('due on a day', `payments?sort=due&dueFrom=${day}&dueTo=${day}&limit=20`),
    rest('due on a day, by creation', `payments?dueFrom=${day}&dueTo=${day}&limit=20`),
    rest('overdue', 'payments?overdue=true&limit=20'),
    rest('overdue, first due first', 'payments?overdue=true&sort=due&order=asc&limit=20'),
    graphql('totals of a due date', `paymentTotals(filter: { ${onDay} }) { count }`),
    graphql('totals of what is overdue', 'paymentTotals(filter: { overdue: true }) { count }'),
  ];
}

function recurrenceCasesOf(bench: Bench, { tenant, day, sampleId }: Recurrences, cookie: string): Case[] {
  const { rest, graphql } = asking(bench, tenant, cookie, 'live');
  return [
    rest('a recurrence', `recurrences/${sampleId()}`),
    rest('its debits', `recurrences/${sampleId()}/payments`),
    rest('the newest', 'recurrences?limit=20'),
    rest('of a status that none has', 'recurrences?status=rejected&limit=20'),
    graphql('debits that failed', 'failedDebits(first: 20) { edges { node { id } } }'),
    graphql('failed by our fault', 'failedDebits(first: 20, ourFault: true) { edges { node { id } } }'),
    graphql('debits of a day', `upcomingDebits(on: "${day}", first: 20) { edges { node { amount } } }`),
    graphql('days of four weeks, with their debits', 'upcomingDebitDays { count }'),
  ];
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/**
 * The pages of the request that reads most, and the median of the times until the answers. Statements that most requests do
 * without are not theirs: of keys, of settings and of whatever else the service looks at now and then.
 */
async function count(statements: pg.Client, { name, request, finds }: Case): Promise<Cost> {
  const pagesOf = new Map<string, number[]>();
  const times: number[] = [];
  for (let each = 0; each < requests; each++) {
    await statements.query('SELECT pg_stat_statements_reset()');
    const sentAt = performance.now();
    const response = await request();
    const body = await response.text();
    times.push(performance.now() - sentAt);
    if (!response.ok || body.includes('"errors"')) throw new Error(`${name}: ${response.status} ${body}`);
    if (finds !== undefined && finds === body.includes('"data":[]')) throw new Error(`${name}: ${body}`);
    const { rows } = await statements.query<{ id: string; pages: number }>(
      `SELECT queryid AS id, (shared_blks_hit + shared_blks_read)::int AS pages FROM pg_stat_statements WHERE userid = 'pix'::regrole`,
    );
    for (const { id, pages } of rows) pagesOf.set(id, [...(pagesOf.get(id) ?? []), pages]);
  }
  const usual = [...pagesOf.values()].filter(({ length }) => length > requests / 2);
  const pages = usual.reduce((sum, each) => sum + Math.max(...each), 0);
  if (process.env.BENCH_STATEMENTS) {
    const { rows } = await statements.query<{ pages: number; query: string }>(
      `SELECT (shared_blks_hit + shared_blks_read)::int AS pages, query FROM pg_stat_statements
       WHERE userid = 'pix'::regrole ORDER BY 1 DESC LIMIT 2`,
    );
    print(...rows.map((each) => `${name}: ${each.pages} pages: ${each.query.replaceAll(/\s+/g, ' ')}`));
  }
  return { pages, ms: Math.round(median(times)) };
}

async function post(bench: Bench, { key }: Tenant, path: string, body: object): Promise<{ id: string }> {
  const response = await fetch(`${bench.baseUrl}/v1/${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { id: string };
}

/** Bytes of write-ahead log from create to completed, without images of whole pages. */
async function logBytes(bench: Bench, statements: pg.Client, tenant: Tenant): Promise<number> {
  const position = async () =>
    (await statements.query<{ at: string }>(`SELECT pg_current_wal_lsn() - '0/0' AS at`)).rows[0]?.at;
  const from = Number(await position());
  for (let each = 0; each < payments; each++) {
    const payer = { name: 'Maria' };
    const { id } = await post(bench, tenant, 'payments', { amount: 10, externalId: `new-${each}`, payer });
    await post(bench, tenant, `sandbox/payments/${id}/pay`, {});
  }
  return Math.round((Number(await position()) - from) / payments);
}

/** What a worker writes to claim a payment that it has checked before, check it and plan the next check, and reads to claim when none is due. */
async function checks(
  bench: Bench,
  statements: pg.Client,
  tenant: Tenant,
): Promise<{ logBytes: number; idlePages: number }> {
  for (let each = 0; each < payments; each++) await post(bench, tenant, 'payments', { amount: 10 });
  const summed = async () => {
    const { rows } = await statements.query<{ log: number; checks: number; pages: number }>(
      `SELECT (sum(wal_bytes) / nullif(sum(rows) FILTER (WHERE NOT is_claim), 0))::int AS log,
         coalesce(sum(rows) FILTER (WHERE NOT is_claim), 0)::int AS checks,
         max((shared_blks_hit + shared_blks_read) / calls) FILTER (WHERE query LIKE '(SELECT%' AND rows = 0)::int AS pages
       FROM (SELECT *, query ~ '^(WITH lane|\\(SELECT)' AS is_claim FROM pg_stat_statements
         WHERE userid = 'pix'::regrole AND query ~ 'UPDATE ("public"."payment_check"|payment_check) SET| AS lane.*FROM payment_check')`,
    );
    return rows[0] ?? { log: 0, checks: 0, pages: 0 };
  };
  const checked = ({ rowCount }: { rowCount: number | null }) =>
    eventually(async () => {
      const { checks: done, log } = await summed();
      if (done < (rowCount ?? 0)) throw new Error(`${done} of ${rowCount} payments were checked`);
      return log;
    }, 600_000);
  await statements.query('SELECT pg_stat_statements_reset()');
  const first = await statements.query(`UPDATE payment SET next_check_at = now() WHERE status = 'pending'`);
  const worker = await bench.startNode({ ROLE: 'all' });
  await checked(first);
  await statements.query('SELECT pg_stat_statements_reset()');
  const next = await statements.query('UPDATE payment_check SET next_check_at = now()');
  const logBytes = await checked(next);
  await statements.query(`UPDATE payment_check SET next_check_at = now() + interval '1 day'`);
  await statements.query('SELECT pg_stat_statements_reset()');
  await delay(5_000);
  const { pages: idlePages } = await summed();
  worker.stop();
  return { logBytes, idlePages };
}

async function start() {
  const bench = await startBench({
    settings: {
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.track': 'all',
      full_page_writes: 'off',
      fsync: 'off',
      max_wal_size: '8GB',
    },
    env: { ROLE: 'api' },
  });
  // The superuser of the embedded PostgreSQL has the password of the service's role.
  const statements = await connect(bench.databaseUrl.replace('//pix:', '//postgres:'));
  await statements.query('CREATE EXTENSION pg_stat_statements');
  return { bench, statements };
}

async function measure(size: number): Promise<Map<string, Cost>> {
  const { bench, statements } = await start();
  const database = await connect(bench.databaseUrl);
  const startedAt = performance.now();
  const grown = await growDatabase(bench, statements, size, { withEvents: !isSearchOnly });
  if (!isSearchOnly) {
    const worker = await bench.startNode({ ROLE: 'all' });
    await untilAddedUp(database);
    worker.stop();
  }
  await database.query('VACUUM (ANALYZE)');
  const cookie = await openSession(bench, grown.large);
  print(`${size} payments, made in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  const counted = new Map<string, Cost>();
  const cases = casesOf(bench, grown, cookie).filter(({ finds }) => !isSearchOnly || finds !== undefined);
  for (const each of cases) counted.set(each.name, await count(statements, each));
  if (!isSearchOnly) {
    const { rows } = await database.query<{ bytes: number }>(
      'SELECT (sum(pg_total_relation_size(oid)) / $1)::int AS bytes FROM pg_class WHERE relnamespace = $2::regnamespace AND relkind = $3',
      [size, 'public', 'r'],
    );
    counted.set('_bytes on disk for each payment_', { pages: rows[0]?.bytes ?? 0 });
    counted.set('_bytes of log, create to completed_', {
      pages: await logBytes(bench, statements, grown.large),
    });
    const { logBytes: bytes, idlePages } = await checks(bench, statements, grown.large);
    counted.set('_bytes of log for a check_', { pages: bytes });
    counted.set('_claim when none is due_', { pages: idlePages });
    const claims = await claimPages(bench, statements, grown.large.organizationId);
    counted.set('_claims of webhooks, for each_', { pages: claims.before });
    counted.set('_the same while a snapshot is held_', { pages: claims.held });
  }
  await statements.end();
  await database.end();
  await bench.stop();
  return counted;
}

async function measureDue(): Promise<Map<string, Cost>[]> {
  const { bench, statements } = await start();
  const charges = await openDueCharges(bench, statements);
  const cookie = await openSession(bench, charges.tenant);
  const measured: Map<string, Cost>[] = [];
  for (const size of dueCounts) {
    await charges.grow(size);
    const counted = new Map<string, Cost>();
    for (const each of dueCasesOf(bench, charges, cookie))
      counted.set(each.name, await count(statements, each));
    const { idle, check } = await charges.polling();
    counted.set('_claim when no charge is due_', { pages: idle });
    counted.set('_check of a charge_', { pages: check });
    measured.push(counted);
  }
  await charges.stop();
  await statements.end();
  await bench.stop();
  return measured;
}

async function measureRecurrences(): Promise<Map<string, Cost>[]> {
  const { bench, statements } = await start();
  const recurrences = await openRecurrences(bench, statements);
  const cookie = await openSession(bench, recurrences.tenant);
  const measured: Map<string, Cost>[] = [];
  for (const size of recurrenceCounts) {
    await recurrences.grow(size);
    const counted = new Map<string, Cost>();
    for (const each of recurrenceCasesOf(bench, recurrences, cookie))
      counted.set(each.name, await count(statements, each));
    const { idle, pages, statements: sent, requests: toBank } = await recurrences.prepare();
    counted.set('_claim when no recurrence is due_', { pages: idle });
    counted.set('_making a debit_', { pages });
    counted.set('_statements for it_', { pages: sent });
    counted.set('_requests to its bank_', { pages: toBank });
    measured.push(counted);
  }
  await recurrences.stop();
  await statements.end();
  await bench.stop();
  return measured;
}

async function measureTenants(): Promise<Map<string, Cost>[]> {
  const measured: Map<string, Cost>[] = [];
  for (const size of tenantCounts) {
    const { bench, statements } = await start();
    const pages = await workerPages(bench, statements, size);
    measured.push(new Map([...pages].map(([name, most]) => [name, { pages: most }])));
    await statements.end();
    await bench.stop();
  }
  return measured;
}

function printTable(what: string, sizes: readonly number[], measured: readonly Map<string, Cost>[]): void {
  print(
    '',
    row('pages read', ...sizes.flatMap((size) => [`${size.toLocaleString('en-US')} ${what}`, 'ms'])),
    row('---', ...sizes.flatMap(() => ['---:', '---:'])),
    ...[...(measured[0]?.keys() ?? [])].map((name) =>
      row(name, ...measured.flatMap((each) => [each.get(name)?.pages ?? '', each.get(name)?.ms ?? ''])),
    ),
  );
}

print(machine, '');
const measured: Map<string, Cost>[] = [];
for (const size of sizes) measured.push(await measure(size));
printTable('payments', sizes, measured);
if (!isSearchOnly) {
  if (dueCounts.length > 0) printTable('open due charges', dueCounts, await measureDue());
  if (recurrenceCounts.length > 0)
    printTable('active recurrences', recurrenceCounts, await measureRecurrences());
  if (tenantCounts.length > 0) printTable('waiting organizations', tenantCounts, await measureTenants());
}
process.exit(0);
