// Measures how long a year of webhook deliveries takes to go, and what that costs creates meanwhile. Makes two years of
// deliveries with one attempt each first.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { machine, print, quantile, row, setting, startBench } from './parts.ts';

const rows = setting('BENCH_ROWS', 2_000_000);
const createsPerSecond = setting('BENCH_CREATES', 50);
const deliveries = rows / 2;
const months = 24;
const keptDays = 365;
const perStatement = 250_000;

const bench = await startBench();
const database = new pg.Client({ connectionString: bench.databaseUrl });
await database.connect();
const { organizationId, key } = await bench.newTenant('Retention');

/** The id, a UUID v7, of the nth delivery and of its attempt: evenly over two years until now. */
const id = (n: string, kind: number) =>
  `(lpad(to_hex(((extract(epoch FROM now()) - 730 * 86400 * (1 - ${n} / ${deliveries}::float8)) * 1000)::bigint), 12, '0')
    || '7${kind}00' || lpad(to_hex(8::bigint << 60 | ${n}), 16, '0'))::uuid`;

/** Foreign keys are not checked while it is made: the events of two years would only make it take longer. */
async function insertDeliveries(): Promise<void> {
  const { rows: keys } = await database.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE contype = 'f' AND conrelid IN ('webhook_delivery'::regclass, 'webhook_attempt'::regclass)`,
  );
  for (const { table, name } of keys) await database.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid IN ('webhook_delivery'::regclass, 'webhook_attempt'::regclass) AND NOT indisprimary AND NOT indisunique`,
  );
  for (const { name } of indexes) await database.query(`DROP INDEX ${name}`);
  for (let from = 0; from < deliveries; from += perStatement) {
    const to = Math.min(from + perStatement, deliveries) - 1;
    await database.query(
      `INSERT INTO webhook_delivery (id, event_id, endpoint_id, status, attempt_count, holder, created_at)
       SELECT ${id('n', 0)}, ${id('n', 1)}, $1, 'delivered', 1, 1, now() - 730 * interval '1 day' * (1 - n / ${deliveries}::float8)
       FROM generate_series($2::bigint, $3::bigint) AS n`,
      [organizationId, from, to],
    );
    await database.query(
      `INSERT INTO webhook_attempt (id, delivery_id, status_code, answer, latency_ms, started_at)
       SELECT ${id('n', 2)}, ${id('n', 0)}, 200, '{"received":true}', 40, now() - 730 * interval '1 day' * (1 - n / ${deliveries}::float8)
       FROM generate_series($1::bigint, $2::bigint) AS n`,
      [from, to],
    );
  }
  for (const { definition } of indexes) await database.query(definition);
  for (const { table, name, definition } of keys)
    await database.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition} NOT VALID`);
  await database.query('VACUUM (ANALYZE) webhook_delivery');
  await database.query('VACUUM (ANALYZE) webhook_attempt');
}

async function create(timesMs: number[]): Promise<void> {
  const startedAt = performance.now();
  const response = await fetch(`${bench.baseUrl}/v1/payments`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ amount: 10 }),
  });
  await response.arrayBuffer();
  if (response.status !== 201) throw new Error(`a create got ${response.status}`);
  timesMs.push(performance.now() - startedAt);
}

/** Prints how long creates took until it is over. */
async function createUntil(name: string, isOver: () => Promise<boolean>): Promise<void> {
  const timesMs: number[] = [];
  const underWay = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const one = create(timesMs).finally(() => underWay.delete(one));
    underWay.add(one);
  }, 1_000 / createsPerSecond);
  while (!(await isOver())) await delay(1_000);
  clearInterval(timer);
  await Promise.all(underWay);
  const at = (q: number) => Math.round(quantile(timesMs, q));
  print(row(name, timesMs.length, at(0.5), at(0.99), at(1)));
}

/** A UUID v7 of the time before which everything is to go: what gets too old later waits for the next hour. */
async function oldest(): Promise<string> {
  const { rows: found } = await database.query<{ id: string }>(
    `SELECT (lpad(to_hex(((extract(epoch FROM now()) - $1 * 86400) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid AS id`,
    [keptDays],
  );
  return found[0]!.id;
}

async function isGone(beforeId: string): Promise<boolean> {
  const { rows: found } = await database.query('SELECT FROM webhook_attempt WHERE id < $1 LIMIT 1', [
    beforeId,
  ]);
  return found.length === 0;
}

const size = async () =>
  (
    await database.query<{ size: string }>(
      `SELECT pg_size_pretty(pg_total_relation_size('webhook_delivery') + pg_total_relation_size('webhook_attempt')) AS size`,
    )
  ).rows[0]?.size;

print(machine, '');
const insertedAt = performance.now();
await insertDeliveries();
const { rows: counted } = await database.query<{ count: string }>('SELECT count(*) FROM webhook_attempt');
print(
  `${deliveries} deliveries and ${counted[0]?.count} attempts of ${months} months, ${await size()}, made in ${Math.round((performance.now() - insertedAt) / 1000)} s`,
  '',
  row('', 'creates', 'p50 ms', 'p99 ms', 'longest ms'),
  row('---', '---', '---', '---', '---'),
);
const aloneUntil = performance.now() + 30_000;
await createUntil('alone', async () => performance.now() > aloneUntil);
const beforeId = await oldest();
const startedAt = performance.now();
await bench.startNode({ RETENTION_DELIVERY_DAYS: String(keptDays) });
await createUntil('while a year is deleted', () => isGone(beforeId));
const seconds = (performance.now() - startedAt) / 1000;
const { rows: left } = await database.query<{ count: string }>('SELECT count(*) FROM webhook_attempt');
const deleted = Number(counted[0]?.count) - Number(left[0]?.count);
print(
  '',
  `${deleted} deliveries and their attempts deleted in ${Math.round(seconds)} s, ${Math.round(deleted / seconds)} a second`,
);
await database.end();
await bench.stop();
process.exit(0);
