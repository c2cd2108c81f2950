import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { describeWith } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { openSession } from '../support/people.ts';
import { type PostgresPair, startPostgresPair } from '../support/postgres-pair.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';
import { testKeys } from '../support/test-keys.ts';

describeWith(['pg_basebackup'], 'with a read replica', () => {
  let pair: PostgresPair;
  let nodes: ServiceProcess[];
  let operator: TestApp;
  let owner: TestKey;
  let person: Awaited<ReturnType<typeof openSession>>;
  /** A superuser, at the standby. */
  let standby: string;

  const clientOf = (node: ServiceProcess | undefined) => createClient(node?.baseUrl ?? '', owner.key);
  const messages = () => nodes.flatMap(({ logs }) => logs.map(({ msg }) => msg));

  /** Creates at one node; the other one lists it at once. */
  async function createAndList(index: number): Promise<void> {
    const { body } = await clientOf(nodes[index % 2]).post('/v1/payments', { amount: 5 });
    const listed = await clientOf(nodes[(index + 1) % 2]).get('/v1/payments?limit=1');
    expect(listed.status).toBe(200);
    expect(listed.body.data[0].id).toBe(body.id);
  }

  /** Lists that the service has last asked the standby for on each connection; the text ends before it names the table. */
  const askedAtStandby = () =>
    query<{ query: string }>(
      standby,
      `SELECT query FROM pg_stat_activity
       WHERE application_name = 'pix-payment-service' AND query ~ 'amount_in_cents' AND query !~ 'replay_lsn'`,
    );

  beforeAll(async () => {
    pair = await startPostgresPair();
    standby = pair.urls[1].replace('pix@', 'postgres@');
    const env = { DATABASE_URL: pair.urls[0], ENCRYPTION_KEYS: testKeys };
    const replica = { DATABASE_REPLICA_URL: pair.urls[1] };
    nodes = await Promise.all([startService({ ...env, ...replica }), startService({ ...env, ...replica })]);
    operator = await startTestApp({ ...env, ...replica, ROLE: 'api' });
    owner = await createKey(operator.services);
    person = await openSession(operator);
  });

  afterAll(async () => {
    await killServices();
    await operator.stop();
    await pair.stop();
  });

  test('lists come from it, and show at once what another node has written', async () => {
    for (let index = 0; index < 40; index++) await createAndList(index);
    expect(await askedAtStandby()).not.toEqual([]);
  });

  test('while it is behind, they come from the primary, and a log line says so', async () => {
    await query(standby, 'SELECT pg_wal_replay_pause()');
    for (let index = 0; index < 4; index++) await createAndList(index);
    expect(messages()).toContain('the replica is lost or behind: reading from the primary');
    await query(standby, 'SELECT pg_wal_replay_resume()');
    await eventually(async () => {
      for (const node of nodes) await clientOf(node).get('/v1/payments?limit=1');
      expect(messages()).toContain('the replica is back');
    });
  });

  test('a node starts with the primary as its replica, and says so', async () => {
    const env = { DATABASE_URL: pair.url, DATABASE_REPLICA_URL: pair.urls[0], ENCRYPTION_KEYS: testKeys };
    const node = await startService(env);
    const warnings = node.logs.filter(({ level }) => level === 'warn').map(({ msg }) => msg);
    expect(warnings).toContainEqual(expect.stringContaining('leads to the primary itself'));
    expect((await clientOf(node).get('/v1/payments?limit=1')).status).toBe(200);
    await node.end('SIGKILL');
  });

  test('no node starts with the standby of another server', async () => {
    const env = { DATABASE_URL: pair.url, DATABASE_REPLICA_URL: await freshDatabase() };
    await expect(startService({ ...env, ENCRYPTION_KEYS: testKeys })).rejects.toThrow(
      'DATABASE_REPLICA_URL: leads to a server that is no standby of the one of DATABASE_URL',
    );
  });

  test('statistics and lists are there without it', async () => {
    await pair.killStandby();
    const text = '{ statistics(from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z") { created } }';
    const { status, body } = await person.client.graphql(text);
    expect([status, body.errors]).toEqual([200, undefined]);
    for (const node of nodes) {
      expect((await clientOf(node).get('/v1/payments?limit=1')).status).toBe(200);
    }
  });
});
