import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { startTestApp } from '../support/app.ts';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { type CuttableLink, startCuttableLink } from '../support/cuttable-link.ts';
import { freshDatabase, openTransaction } from '../support/database.ts';
import { expectError } from '../support/error-shape.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';
import { testKeys } from '../support/test-keys.ts';

/** Below what proxies wait for a node (20 s), and clients for both (30 s). */
const longestMs = 17_000;

let databaseUrl: string;
let link: CuttableLink;
let node: ServiceProcess;
let client: Client;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  const operator = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api', ENCRYPTION_KEYS: testKeys });
  const { key } = await createKey(operator.services);
  await operator.stop();
  link = await startCuttableLink(databaseUrl);
  const url = new URL(databaseUrl);
  url.port = new URL(link.url).port;
  node = await startService({
    DATABASE_URL: url.href,
    DIRECT_DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: testKeys,
    ROLE: 'api',
  });
  client = createClient(node.baseUrl, key);
});

afterAll(async () => {
  await killServices();
  link.stop();
});

const create = () => client.post('/v1/payments', { amount: 1 }, { 'Idempotency-Key': randomUUID() });

interface Timed {
  answer: Answer;
  ms: number;
}

async function timed(ask: () => Promise<Answer>): Promise<Timed> {
  const startedAt = performance.now();
  return { answer: await ask(), ms: performance.now() - startedAt };
}

function expectTimely({ answer, ms }: Timed): void {
  expectError(answer, 503, 'ServiceUnavailable');
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  expect(ms).toBeLessThan(longestMs);
}

test('requests that PostgreSQL stops to answer, and those after them, get 503 before clients give up', async () => {
  // Opens connections, some of which are idle when the server vanishes.
  await Promise.all(Array.from({ length: 10 }, create));
  const id = (await create()).body.id as string;
  const under = Array.from({ length: 3 }, () => timed(create));
  link.stall();
  const asked = [...under];
  for (let count = 0; count < 8; count++) {
    asked.push(
      timed(create),
      timed(() => client.get(`/v1/payments/${id}`)),
    );
    await delay(1_000);
  }
  const answers = await Promise.all(asked);
  for (const each of answers.slice(under.length)) expectTimely(each);
  for (const each of answers) if (each.answer.status !== 201) expectTimely(each);
  link.mend();
  await eventually(async () => {
    expect((await create()).status).toBe(201);
  });
});

test('a server that answers slowly, but does, is waited for', async () => {
  const id = (await create()).body.id as string;
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE payment');
  const found = timed(() => client.get(`/v1/payments/${id}`));
  await delay(8_000);
  await holder.query('ROLLBACK');
  await holder.end();
  expect((await found).answer.status).toBe(200);
});

test('a transaction of a node that hangs ends, and keeps others waiting for seconds only', async () => {
  const id = (await create()).body.id as string;
  const isHeld = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE application_name = 'pix-payment-service' AND state LIKE 'idle in transaction%'`;
  const admin = await openTransaction(databaseUrl);
  await admin.query('SELECT FROM payment WHERE id = $1 FOR UPDATE', [id]);
  const paid = client.post(`/v1/sandbox/payments/${id}/pay`);
  const isWaiting = `SELECT FROM pg_stat_activity WHERE application_name = 'pix-payment-service' AND wait_event_type = 'Lock'`;
  await eventually(async () => {
    expect((await admin.query(isWaiting)).rowCount).toBe(1);
  });
  node.process.kill('SIGSTOP');
  await admin.query('ROLLBACK');
  await eventually(async () => {
    const { rows } = await admin.query<{ count: number }>(isHeld);
    expect(rows[0]?.count).toBe(1);
  });
  const startedAt = performance.now();
  await eventually(async () => {
    const { rows } = await admin.query<{ count: number }>(isHeld);
    expect(rows[0]?.count).toBe(0);
  }, 60_000);
  const heldMs = performance.now() - startedAt;
  node.process.kill('SIGCONT');
  await admin.end();
  expectError(await paid, 503, 'ServiceUnavailable');
  expect(heldMs).toBeLessThan(10_000);
  await eventually(async () => {
    expect((await create()).status).toBe(201);
  });
  expect(node.logs.filter(({ msg, status }) => msg === 'request' && status === 500)).toEqual([]);
});
