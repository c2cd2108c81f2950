// Measures events and webhooks: how long a first attempt takes, how many one worker sends, how many events a tenant can have.
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import pg from 'pg';
import { newId } from '../src/core/base/ids.ts';
import { createEventNumbering } from '../src/core/events/number-events.ts';
import { splitEventBody } from '../src/core/events/rules/events.ts';
import { insertEvent } from '../src/core/events/store/events.ts';
import type { Database } from '../src/database/database.ts';
import { createLogger } from '../src/observability/logger.ts';
import { machine, median, print, quantile, setting, startBench, type Tenant } from './parts.ts';

const payments = setting('BENCH_PAYMENTS', 300);
const backlog = setting('BENCH_BACKLOG', 5_000);
const createsBeside = setting('BENCH_CREATES', 200);
const completions = 200;
const rounds = 5;
const numberingMs = setting('BENCH_NUMBERING_SECONDS', 4) * 1_000;

/** Responds at once and remembers when each event first came. */
async function startReceiver() {
  const cameAt = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { id: string } };
      if (!cameAt.has(data.id)) cameAt.set(data.id, performance.now());
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    cameAt,
    stop: () => {
      server.closeAllConnections();
    },
  };
}

async function until(isTrue: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + 120_000;
  while (!isTrue()) {
    if (performance.now() > giveUpAt) throw new Error('took more than two minutes');
    await delay(5);
  }
}

// The delays of flushes are then those of every commit.
const bench = await startBench({ settings: { commit_siblings: '0' } });
const database = new pg.Pool({ connectionString: bench.databaseUrl });
// The superuser of the embedded PostgreSQL has the password of the service's role.
const superuser = new pg.Pool({ connectionString: bench.databaseUrl.replace('//pix:', '//postgres:') });

async function post({ key }: Tenant, path: string, body: object): Promise<{ id: string }> {
  const response = await fetch(bench.baseUrl + path, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { id: string };
}

const create = (tenant: Tenant) => post(tenant, '/v1/payments', { amount: 10 });
const pay = (tenant: Tenant, id: string) => post(tenant, `/v1/sandbox/payments/${id}/pay`, {});
const addEndpoint = ({ organizationId }: Tenant, url: string) =>
  bench.pix('webhook', 'create', '--org', organizationId, '--mode', 'test', '--url', url);

/** Another organization's creates, at a constant rate until `stop`, which returns how long they took. */
async function createBeside(perSecond: number): Promise<{ stop(): Promise<autocannon.Result> }> {
  const { key } = await bench.newTenant('Beside');
  const options = {
    url: `${bench.baseUrl}/v1/payments`,
    method: 'POST' as const,
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ amount: 10 }),
    connections: 20,
    overallRate: perSecond,
    duration: 600,
  };
  const ended = new EventEmitter<{ end: [autocannon.Result] }>();
  const creating = autocannon(options, (_error, result: autocannon.Result) => ended.emit('end', result));
  return {
    async stop() {
      creating.stop();
      const [result] = await once(ended, 'end');
      return result as autocannon.Result;
    },
  };
}

/** From the PSP's notification to the endpoint's first request, at about thirty payments a second. */
async function firstAttempts(): Promise<number[]> {
  const tenant = await bench.newTenant('First attempts');
  const receiver = await startReceiver();
  await addEndpoint(tenant, receiver.url);
  const paidAt = new Map<string, number>();
  const paying: Promise<object>[] = [];
  for (let each = 0; each < payments; each++) {
    const { id } = await create(tenant);
    paidAt.set(id, performance.now());
    paying.push(pay(tenant, id));
    await delay(20);
  }
  await Promise.all(paying);
  await until(() => receiver.cameAt.size === payments);
  receiver.stop();
  return [...paidAt].map(([id, at]) => (receiver.cameAt.get(id) ?? Number.NaN) - at);
}

/** Deliveries that wait, to one endpoint that answers at once. */
async function drain(): Promise<number> {
  const tenant = await bench.newTenant('Drain');
  const { id } = await create(tenant);
  const receiver = await startReceiver();
  const { rows } = await database.query<object>('SELECT * FROM payment WHERE id = $1', [id]);
  const data = { ...rows[0], amount_in_cents: undefined, amount: 10 };
  await database.query(
    `INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, body, created_at)
     SELECT event_id, $1, 'test', n, 'payment_completed', payment_id,
       json_build_object('id', event_id, 'type', 'payment_completed', 'sequence', n,
         'data', $2::jsonb || jsonb_build_object('id', payment_id))::text, now()
     FROM (SELECT n, overlay(gen_random_uuid()::text placing 'ffffffff' from 1 for 8)::uuid AS event_id,
       gen_random_uuid() AS payment_id FROM generate_series(1, $3::int) AS n) AS numbered`,
    [tenant.organizationId, JSON.stringify(data), backlog],
  );
  const endpoint = await addEndpoint(tenant, receiver.url);
  await bench.pix('webhook', 'resend', '--id', endpoint.id, '--since', '2020-01-01T00:00:00Z');
  await until(() => receiver.cameAt.size === backlog);
  receiver.stop();
  const times = [...receiver.cameAt.values()];
  return backlog / ((Math.max(...times) - Math.min(...times)) / 1000);
}

/** Completions at once, by tenant: in one organization they number their events one after the other. */
async function completeAtOnce(tenants: readonly Tenant[]): Promise<number> {
  const pending = await Promise.all(
    Array.from({ length: completions / tenants.length }, () => tenants)
      .flat()
      .map(async (tenant) => ({ tenant, id: (await create(tenant)).id })),
  );
  const startedAt = performance.now();
  await Promise.all(pending.map(({ tenant, id }) => pay(tenant, id)));
  return performance.now() - startedAt;
}

/** Runs our statements without what Prisma takes of the processor, so that the database is what limits them. */
const plain = (queries: Pick<pg.ClientBase, 'query'>) =>
  ({
    async $executeRaw(parts: TemplateStringsArray, ...values: unknown[]) {
      const text = parts.reduce((all, part, index) => `${all}$${index}${part}`);
      return (await queries.query({ name: String(text.length), text, values })).rowCount ?? 0;
    },
  }) as unknown as Database;

/** Two nodes, as far as events go. */
const nodes = [1, 2].map(() => {
  const pool = new pg.Pool({ connectionString: bench.databaseUrl, max: 20 });
  const logger = createLogger('error', process.stderr);
  return { pool, numbering: createEventNumbering({ db: plain(pool), logger }) };
});

interface Numbered {
  perSecond: number;
  /** Of the write-ahead log, for each event. */
  bytes: number;
}

/** Transactions of an event each, `inFlight` at a time, while every flush takes `flushMs` longer. */
async function numberEvents(
  tenants: readonly Tenant[],
  flushMs: number,
  inFlight: number,
): Promise<Numbered> {
  await superuser.query(`ALTER SYSTEM SET commit_delay = ${flushMs * 1_000}`);
  await superuser.query('SELECT pg_reload_conf()');
  await superuser.query('CHECKPOINT');
  const written = async () =>
    Number((await superuser.query(`SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes`)).rows[0].bytes);
  const before = await written();
  const startedAt = performance.now();
  let count = 0;
  const number = async (_: unknown, index: number) => {
    const { pool, numbering } = nodes[index % nodes.length] as (typeof nodes)[number];
    while (performance.now() < startedAt + numberingMs) {
      const { organizationId } = tenants[count++ % tenants.length] as Tenant;
      const tenant = { organizationId, mode: 'test' as const };
      const createdAt = new Date();
      const event = { id: newId(createdAt), type: 'payment_completed' as const, createdAt };
      const paymentId = newId(createdAt);
      const bodyAround = splitEventBody(event, { data: { id: paymentId, description: 'x'.repeat(1_000) } });
      const client = await pool.connect();
      await client.query('BEGIN');
      const waits = await insertEvent(plain(client), {
        ...event,
        ...tenant,
        paymentId,
        bodyAround,
        traceparent: null,
      });
      await client.query('COMMIT');
      client.release();
      if (waits) await numbering.number(tenant, paymentId);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, number));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: count / seconds, bytes: ((await written()) - before) / count };
}

const alone = await firstAttempts();
const { rows: waited } = await superuser.query<{ events: string }>(
  'SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS events FROM waiting_event_position_seq',
);
const creating = await createBeside(createsBeside);
const beside = await firstAttempts();
const { latency, requests, non2xx, errors } = await creating.stop();
if (non2xx + errors > 0) throw new Error(`${non2xx + errors} creates failed`);
const perSecond = await drain();
const tenants: Tenant[] = [];
for (let each = 0; each < 20; each++) tenants.push(await bench.newTenant(`Tenant ${each}`));
const ratios: number[] = [];
const oneMs: number[] = [];
for (let round = 0; round <= rounds; round++) {
  const inOne = await completeAtOnce(tenants.slice(0, 1));
  const inTwenty = await completeAtOnce(tenants);
  if (round === 0) continue;
  oneMs.push(inOne);
  ratios.push(inOne / inTwenty);
}
const oneByOne = await numberEvents(tenants.slice(0, 1), 0, 1);
const numbered: string[] = [];
for (const flushMs of [0, 2, 5]) {
  const one = await numberEvents(tenants.slice(0, 1), flushMs, 100);
  const all = await numberEvents(tenants, flushMs, 100);
  numbered.push(
    `Events of one organization, where a flush takes ${flushMs} ms longer: ${one.perSecond.toFixed(0)} a second, ${one.bytes.toFixed(0)} bytes of log each; ${all.perSecond.toFixed(0)} a second over 20`,
  );
}

const firstOf = (ms: readonly number[]): string =>
  `p50 ${median(ms).toFixed(0)} ms, p95 ${quantile(ms, 0.95).toFixed(0)} ms`;

print(
  machine,
  `First attempt after the PSP's notification: ${firstOf(alone)} (${payments} payments, ${waited[0]?.events} events waited for their numbers)`,
  `The same beside ${requests.average.toFixed(0)} creates a second: ${firstOf(beside)}; a create p50 ${latency.p50} ms, p99 ${latency.p99} ms`,
  `Deliveries by one worker to one endpoint: ${perSecond.toFixed(0)} a second (${backlog} waiting)`,
  `${completions} completions at once in one organization: ${median(oneMs).toFixed(0)} ms, ${median(ratios).toFixed(2)} times as long as over 20 organizations`,
  `Events one by one: ${oneByOne.bytes.toFixed(0)} bytes of log each`,
  ...numbered,
);

await Promise.all([database, superuser, ...nodes.map(({ pool }) => pool)].map((pool) => pool.end()));
await bench.stop();
process.exit(0);
