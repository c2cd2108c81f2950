import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/database.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { describeWith } from '../support/engines.ts';
import { createKey } from '../support/factories.ts';
import { type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';
import { onePayment, overEvents, shows } from '../support/subscribe.ts';
import { testKeys } from '../support/test-keys.ts';

const dropped = 'statement_timeout, idle_in_transaction_session_timeout, options';

describeWith(['pgbouncer'], 'behind PgBouncer in transaction mode', () => {
  let direct: string;
  let strict: PgBouncer;
  let lenient: PgBouncer;
  const pooled = ({ url }: PgBouncer) => `${url}?pgbouncer=true`;

  beforeAll(async () => {
    direct = await freshDatabase();
    strict = await startPgBouncer(direct, { default_pool_size: 10 });
    lenient = await startPgBouncer(direct, { ignore_startup_parameters: dropped });
  });

  afterAll(async () => {
    await killServices();
    await strict.stop();
    await lenient.stop();
  });

  test.each([
    ['that refuses session parameters', () => ({ DATABASE_URL: strict.url })],
    ['that drops session parameters', () => ({ DATABASE_URL: lenient.url })],
    ['beside a direct URL', () => ({ DATABASE_URL: lenient.url, DIRECT_DATABASE_URL: direct })],
    ['as direct URL', () => ({ DATABASE_URL: pooled(strict), DIRECT_DATABASE_URL: lenient.url })],
  ])('a pooler %s is recognised at start', async (_name, env) => {
    await expect(startService({ ...env(), ENCRYPTION_KEYS: testKeys })).rejects.toThrow(
      /connection pooler such as PgBouncer[^]*pgbouncer=true[^]*DIRECT_DATABASE_URL/,
    );
  });

  test('what is set for a report ends with it, and slow reports are cut off', async () => {
    const db = openDatabase(pooled(strict), {
      maximumConnections: 1,
      statementTimeoutMs: 200,
      isForReports: true,
    });
    try {
      await expect(db.$queryRaw`SELECT pg_sleep(20)::text`).rejects.toMatchObject({ reason: 'slow' });
      expect(await db.$queryRaw`SELECT current_setting('jit') AS jit`).toEqual([{ jit: 'off' }]);
    } finally {
      await db.$disconnect();
    }
    const rows = await query(strict.url, `SELECT current_setting('statement_timeout') AS timeout`);
    expect(rows).toEqual([{ timeout: '0' }]);
  });

  test('two nodes serve 200 concurrent creates, read their own answers and hear each other', async () => {
    const env = { DATABASE_URL: pooled(strict), DIRECT_DATABASE_URL: direct, ENCRYPTION_KEYS: testKeys };
    const nodes = await Promise.all([startService(env), startService(env)]);
    const operator: TestApp = await startTestApp({ ...env, ROLE: 'api' });
    try {
      const owner = await createKey(operator.services);
      const client = (node: ServiceProcess | undefined) => createClient(node?.baseUrl ?? '', owner.key);
      const startedAt = performance.now();
      const created = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          client(nodes[index % 2]).post('/v1/payments', { amount: 5, externalId: `order ${index}` }),
        ),
      );
      report('200 concurrent creates on two nodes', performance.now() - startedAt);
      expect(created.map(({ status }) => status)).toEqual(Array.from({ length: 200 }, () => 201));
      const read = await Promise.all(
        created.map(({ body }, index) => client(nodes[(index + 1) % 2]).get(`/v1/payments/${body.id}`)),
      );
      read.forEach(({ body }, index) => {
        expect(body).toMatchObject({ id: created[index]?.body.id, externalId: `order ${index}` });
      });

      const updateMs: number[] = [];
      for (const { body } of created.slice(0, 10)) {
        const live = overEvents(nodes[1].baseUrl, { 'X-API-Key': owner.key }, onePayment, { id: body.id });
        await shows(live, ['pending']);
        const paidAt = performance.now();
        await client(nodes[0]).post(`/v1/sandbox/payments/${body.id}/pay`);
        await shows(live, ['pending', 'completed'], 500);
        updateMs.push(performance.now() - paidAt);
        live.close();
      }
      report('a live update at the other node, at most', Math.max(...updateMs));
      const locks = await query(
        direct,
        `SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
         WHERE locktype = 'advisory' AND datname = current_database()`,
      );
      expect(locks).toEqual([]);
      expect(nodes.flatMap(({ logs }) => logs.filter(({ level }) => level === 'error'))).toEqual([]);
      expect(
        nodes.map(({ logs }) => logs.filter(({ msg }) => msg?.includes('no time limit')).length),
      ).toEqual([1, 1]);
    } finally {
      await operator.stop();
    }
  });
});

/** For docs/high-availability.md. */
function report(what: string, ms: number): void {
  process.stdout.write(`${what}: ${Math.round(ms)} ms\n`);
}
