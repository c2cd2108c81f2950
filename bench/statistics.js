// Measures statistics of a large tenant, and what they cost the creates of another: node bench/statistics.js, after
// npm run build. Makes 1.5 million payments first, which takes minutes.
import { randomUUID } from 'node:crypto';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Prisma } from '../dist/persistence/generated/client.js';
import { countPayments } from '../dist/persistence/payments/payment-statistics.js';
import { rangeOf } from '../dist/services/reports/statistics.js';
import { median, quantile, startBench } from './parts.js';

const payments = Number(process.env.BENCH_PAYMENTS ?? 1_500_000);
const batches = 30;
const days = 90;
const dayMs = 86_400_000;
const createClients = 10;
const pauseMs = 50;
const print = (...lines) => process.stdout.write(`${lines.join('\n')}\n`);

const bench = await startBench();
const database = new pg.Client({ connectionString: bench.databaseUrl });
await database.connect();
const { baseUrl } = bench.service;
const large = await bench.newTenant('Large');
const other = await bench.newTenant('Other');

async function insertPayments() {
  for (let batch = 0; batch < batches; batch++) {
    await database.query(
      `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, description, external_id,
         pix_copy_paste, pix_qr_code_base64, refunded_in_cents, created_at, expires_at, confirmed_at)
       SELECT (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7' || lpad(to_hex(n % 4096), 3, '0')
           || '-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'test',
         CASE WHEN is_paid THEN 'completed' ELSE 'expired' END::"PaymentStatus", 100 + n % 90000, 'sandbox', 'Order',
         'order-' || n, repeat('0', 180), repeat('x', 900), CASE WHEN n % 50 = 0 THEN 50 ELSE 0 END, created_at, created_at,
         CASE WHEN is_paid THEN created_at + (10 + n % 600) * interval '1 second' END
       FROM generate_series($2::int, $3::int) AS n,
         LATERAL (SELECT n % 4 <> 0 AS is_paid, now() - $5 * interval '1 day' * (1 - n / $4::float8) AS created_at) AS c,
         LATERAL (SELECT lpad(to_hex((extract(epoch FROM created_at) * 1000)::bigint), 12, '0') AS hex) AS h`,
      [
        large.organizationId,
        (payments / batches) * batch + 1,
        (payments / batches) * (batch + 1),
        payments,
        days,
      ],
    );
  }
  await database.query('ANALYZE payment');
}

async function untilAddedUp() {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await database.query(
      `SELECT before > now() - interval '6 minutes' AND NOT EXISTS (
         SELECT FROM payment_hour_change WHERE minute < before) AS "isDone" FROM payment_roll_up`,
    );
    if (rows[0].isDone) return (performance.now() - startedAt) / 1000;
    await delay(500);
  }
}

async function openSession() {
  const email = `${randomUUID()}@example.com`;
  const options = ['--org', large.organizationId, '--email', email, '--role', 'viewer', '--name', 'Viewer'];
  const { temporaryPassword } = await bench.pix('user', 'create', ...options);
  const post = async (path, body, cookie = '') => {
    const response = await fetch(`${baseUrl}/auth${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: baseUrl, Cookie: cookie },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; ');
  };
  const newPassword = randomUUID();
  const first = await post('/sign-in/email', { email, password: temporaryPassword });
  await post('/change-password', { currentPassword: temporaryPassword, newPassword }, first);
  return post('/sign-in/email', { email, password: newPassword });
}

/** Of a time in days before now, on whole hours. */
const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
const timeOf = (from, to = 0) => [new Date(hour - from * dayMs), new Date(hour - to * dayMs)];

async function explain(text, values) {
  const { rows } = await database.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
  const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN'];
  return { ms: Math.round(ms), buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] };
}

/** As the service asks. */
function explainStatistics(from, to) {
  const db = {
    $queryRaw: (strings, ...values) => {
      const { text, values: flat } = Prisma.sql(strings, ...values);
      return explain(text, flat);
    },
  };
  const tenant = { organizationId: large.organizationId, mode: 'test' };
  return countPayments(db, tenant, rangeOf(from, to, 86_400, Math.ceil((to - from) / dayMs)));
}

/** As it was before: every payment of the time. */
const explainPayments = (from, to) =>
  explain(
    `SELECT floor(extract(epoch FROM created_at - $2::timestamptz) / 86400)::int AS bucket, count(*), count(confirmed_at),
       sum(amount_in_cents) FILTER (WHERE confirmed_at IS NOT NULL), sum(refunded_in_cents),
       percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM confirmed_at - created_at))
     FROM payment WHERE organization_id = $1 AND mode = 'test' AND created_at >= $2 AND created_at < $3
       AND id >= $4 AND id < $5 AND status NOT IN ('creating', 'failed') GROUP BY GROUPING SETS ((1), ())`,
    [large.organizationId, from, to, rangeOf(from, to, 86_400, 1).fromId, rangeOf(from, to, 86_400, 1).toId],
  );

async function ask(cookie, fields) {
  const response = await fetch(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Cookie: cookie,
      Origin: baseUrl,
      'X-Organization-Id': large.organizationId,
      'X-Mode': 'test',
    },
    body: JSON.stringify({ query: `{ ${fields.join(' ')} }` }),
  });
  const { errors } = await response.json();
  return errors?.length ?? 0;
}

const field = (name, [from, to]) =>
  `${name}: statistics(from: "${from.toISOString()}", to: "${to.toISOString()}") { created volume medianSecondsToPay buckets { created } }`;

async function createWhile(work) {
  const timesMs = [];
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
  const [p50, p99] = [0.5, 0.99].map((q) => Math.round(quantile(timesMs, q)));
  return { creates: timesMs.length, failed, p50, p99, worked };
}

/** Thirty times that differ, in two requests, again and again for a while. */
async function thirtyAliases(cookie, shiftMs) {
  const timesMs = [];
  let refused = 0;
  for (let round = 0; round < 5; round++) {
    const startedAt = performance.now();
    const request = (half) =>
      ask(
        cookie,
        Array.from({ length: 15 }, (_, at) => {
          const [from, to] = timeOf(days - half, at / 24);
          return field(`s${at}`, [new Date(from - shiftMs), new Date(to - shiftMs)]);
        }),
      );
    for (const errors of await Promise.all([request(0), request(1)])) refused += errors;
    timesMs.push(performance.now() - startedAt);
  }
  return { ms: Math.round(median(timesMs)), refused };
}

const told = ({ creates, failed, p50, p99 }) =>
  `${creates} creates, ${failed} failed, p50 ${p50} ms, p99 ${p99} ms`;

print(
  `${cpus()[0].model}, ${cpus().length} cores, Node ${process.version}, ${payments} payments in ${days} days`,
  '',
);
const insertedAt = performance.now();
await insertPayments();
print(`inserted in ${Math.round((performance.now() - insertedAt) / 1000)} s`);
const cookie = await openSession();
const behind = await createWhile(() => thirtyAliases(cookie, 0));
print(
  `30 statistics while payments are being added up: ${behind.worked.ms} ms, ${behind.worked.refused} of 150 refused; ${told(behind)}`,
);
print(`added up after ${Math.round(await untilAddedUp())} s more`);
await database.query('VACUUM ANALYZE payment_hour');
for (const period of [1, 7, 30, 90]) {
  const [from, to] = timeOf(period);
  const [before, now] = [await explainPayments(from, to), await explainStatistics(from, to)];
  const odd = await explainStatistics(new Date(from - 1_000_000), new Date(to - 1_000_000));
  print(
    `${period} days: ${now.ms} ms, ${now.buffers} buffers (payment by payment ${before.ms} ms, ${before.buffers} buffers; not on whole hours ${odd.ms} ms, ${odd.buffers} buffers)`,
  );
}
const overHttp = [];
for (let round = 0; round < 20; round++) {
  const startedAt = performance.now();
  if ((await ask(cookie, [field('s', timeOf(days))])) > 0) throw new Error('statistics were refused');
  overHttp.push(performance.now() - startedAt);
}
print(`90 days over HTTP: ${Math.round(median(overHttp))} ms`);
const alone = await createWhile(() => delay(5_000));
print(`nothing beside: ${told(alone)}`);
for (const [name, shiftMs] of [
  ['on whole hours', 0],
  ['not on whole hours', 1_000_000],
]) {
  const beside = await createWhile(() => thirtyAliases(cookie, shiftMs));
  print(
    `30 statistics ${name}: ${beside.worked.ms} ms, ${beside.worked.refused} of 150 refused; ${told(beside)}`,
  );
}
await database.end();
await bench.stop();
process.exit(0);
