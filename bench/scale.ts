// Counts what requests read and write in databases of several sizes: pages of PostgreSQL, which no other load changes.
import pg from 'pg';
import { growDatabase, type GrownDatabase } from './grown-database.ts';
import { openSession, untilAddedUp } from './large-tenant.ts';
import { machine, print, row, startBench, type Bench, type Tenant } from './parts.ts';

const sizes = (process.env.BENCH_SIZES ?? '10000,1000000').split(',').map(Number);
/** More than the custom plans after which PostgreSQL may choose a generic one. */
const times = 12;
/** Created and paid, one after the other. */
const payments = 200;
const dayMs = 86_400_000;

interface Case {
  name: string;
  request: () => Promise<Response>;
}

function casesOf(bench: Bench, { large, sample, sampleId }: GrownDatabase, cookie: string): Case[] {
  const rest = (name: string, path: string): Case => ({
    name,
    request: () => fetch(`${bench.baseUrl}/v1/${path}`, { headers: { 'X-API-Key': large.key } }),
  });
  const graphql = (name: string, query: string): Case => ({
    name,
    request: () =>
      fetch(`${bench.baseUrl}/graphql`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Cookie: cookie,
          Origin: bench.baseUrl,
          'X-Organization-Id': large.organizationId,
          'X-Mode': 'test',
        },
        body: JSON.stringify({ query: `{ ${query} }` }),
      }),
  });
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
    rest('search: a reference', `payments?search=order-${sample}`),
    rest('search: an e-mail address', `payments?search=p${sample}@example.com`),
    rest('search: a common name', `payments?search=maria`),
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

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Returns the pages of the request that reads most. */
async function count(statements: pg.Client, { name, request }: Case): Promise<number> {
  let pages = 0;
  for (let each = 0; each < times; each++) {
    await statements.query('SELECT pg_stat_statements_reset()');
    const response = await request();
    const body = await response.text();
    if (!response.ok || body.includes('"errors"')) throw new Error(`${name}: ${response.status} ${body}`);
    const { rows } = await statements.query<{ pages: number }>(
      `SELECT coalesce(sum(shared_blks_hit + shared_blks_read), 0)::int AS pages FROM pg_stat_statements WHERE userid = 'pix'::regrole`,
    );
    pages = Math.max(pages, rows[0]?.pages ?? 0);
  }
  if (process.env.BENCH_STATEMENTS) {
    const { rows } = await statements.query<{ pages: number; query: string }>(
      `SELECT (shared_blks_hit + shared_blks_read)::int AS pages, query FROM pg_stat_statements
       WHERE userid = 'pix'::regrole ORDER BY 1 DESC LIMIT 2`,
    );
    print(...rows.map((each) => `${name}: ${each.pages} pages: ${each.query.replaceAll(/\s+/g, ' ')}`));
  }
  return pages;
}

/** Bytes of write-ahead log from create to completed, without images of whole pages. */
async function logBytes(bench: Bench, statements: pg.Client, { key }: Tenant): Promise<number> {
  const post = async (path: string, body: object): Promise<{ id: string }> => {
    const response = await fetch(`${bench.baseUrl}/v1/${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  const position = async () =>
    (await statements.query<{ at: string }>(`SELECT pg_current_wal_lsn() - '0/0' AS at`)).rows[0]?.at;
  const from = Number(await position());
  for (let each = 0; each < payments; each++) {
    const { id } = await post('payments', {
      amount: 10,
      externalId: `new-${each}`,
      payer: { name: 'Maria' },
    });
    await post(`sandbox/payments/${id}/pay`, {});
  }
  return Math.round((Number(await position()) - from) / payments);
}

async function measure(size: number): Promise<Map<string, number>> {
  const bench = await startBench({
    settings: {
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.track': 'all',
      full_page_writes: 'off',
    },
    env: { ROLE: 'api' },
  });
  const database = await connect(bench.databaseUrl);
  // The superuser of the embedded PostgreSQL has the password of the service's role.
  const statements = await connect(bench.databaseUrl.replace('//pix:', '//postgres:'));
  await statements.query('CREATE EXTENSION pg_stat_statements');
  const startedAt = performance.now();
  const grown = await growDatabase(bench, database, size);
  const worker = await bench.startNode({ ROLE: 'all' });
  await untilAddedUp(database);
  worker.stop();
  await database.query('VACUUM (ANALYZE)');
  const cookie = await openSession(bench, grown.large);
  print(`${size} payments, made in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  const counted = new Map<string, number>();
  for (const each of casesOf(bench, grown, cookie)) counted.set(each.name, await count(statements, each));
  counted.set('_bytes of log, create to completed_', await logBytes(bench, statements, grown.large));
  await statements.end();
  await database.end();
  await bench.stop();
  return counted;
}

print(machine, '');
const measured: Map<string, number>[] = [];
for (const size of sizes) measured.push(await measure(size));
print(
  '',
  row('pages read', ...sizes.map((size) => `${size.toLocaleString('en-US')} payments`)),
  row('---', ...sizes.map(() => '---:')),
  ...[...(measured[0]?.keys() ?? [])].map((name) =>
    row(name, ...measured.map((each) => each.get(name) ?? '')),
  ),
);
process.exit(0);
