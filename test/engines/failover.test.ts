import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { query } from '../support/database.ts';
import { describeWith } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { startFailoverLoad } from '../support/failover-load.ts';
import { type PostgresPair, startPostgresPair } from '../support/postgres-pair.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';
import { onePayment, overEvents, shows } from '../support/subscribe.ts';
import { testKeys } from '../support/test-keys.ts';

describeWith(['pg_basebackup'], 'with a standby', () => {
  let pair: PostgresPair;
  let nodes: ServiceProcess[];
  /** Knows only the server that is the primary at first. */
  let alone: ServiceProcess;
  let owner: TestKey;

  const clientOf = (node: ServiceProcess | undefined) => createClient(node?.baseUrl ?? '', owner.key);
  const readiness = async (node: ServiceProcess | undefined) => (await clientOf(node).get('/readyz')).status;

  beforeAll(async () => {
    pair = await startPostgresPair();
    const env = { DATABASE_URL: pair.url, ENCRYPTION_KEYS: testKeys };
    nodes = await Promise.all([startService(env), startService(env)]);
    alone = await startService({ ...env, DATABASE_URL: pair.urls[0] });
    const operator: TestApp = await startTestApp({ ...env, ROLE: 'api' });
    owner = await createKey(operator.services);
    await operator.stop();
  });

  afterAll(async () => {
    await killServices();
    await pair.stop();
  });

  test('a node does not start on a standby', async () => {
    const env = { DATABASE_URL: pair.urls[1], ENCRYPTION_KEYS: testKeys };
    await expect(startService(env)).rejects.toThrow();
  });

  test('a failover under load gives 503 at worst, loses nothing acknowledged, and writing goes on', async () => {
    const load = startFailoverLoad(nodes, owner.key, 16);
    await load.nextCreate();
    await pair.killPrimary();
    await pair.promote();
    const promotedAt = performance.now();
    await load.nextCreate();
    const backAfterMs = performance.now() - promotedAt;
    await eventually(async () => expect(await Promise.all(nodes.map(readiness))).toEqual([200, 200]));
    await load.nextCreate();
    await load.stop();
    process.stdout.write(
      `writing ${Math.round(backAfterMs)} ms after the promotion; ${JSON.stringify([...load.statuses])}\n`,
    );
    expect([...load.statuses.keys()].filter((status) => ![201, 503].includes(status))).toEqual([]);
    expect(load.unkind).toEqual([]);
    expect(backAfterMs).toBeLessThan(5_000);
    const kept = await query<{ id: string }>(pair.urls[1], 'SELECT id FROM payment WHERE id = ANY($1)', [
      load.acknowledged,
    ]);
    expect(kept).toHaveLength(load.acknowledged.length);
  });

  test('updates travel over the new primary', async () => {
    const { body } = await clientOf(nodes[0]).post('/v1/payments', { amount: 5 });
    const live = overEvents(nodes[1]?.baseUrl ?? '', { 'X-API-Key': owner.key }, onePayment, { id: body.id });
    await shows(live, ['pending']);
    await eventually(async () => {
      const rows = await query(
        pair.urls[1],
        `SELECT FROM pg_stat_activity WHERE application_name = 'pix-payment-service listener'`,
      );
      expect(rows).toHaveLength(2);
    });
    await clientOf(nodes[0]).post(`/v1/sandbox/payments/${body.id}/pay`);
    await shows(live, ['pending', 'completed'], 500);
    live.close();
  });

  test('a node that knows only what is now a standby is not ready, and refuses with 503', async () => {
    expect(await readiness(alone)).toBe(503);
    await pair.rejoin();
    expect(await readiness(alone)).toBe(503);
    const refused = await clientOf(alone).post('/v1/payments', { amount: 5 });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await readiness(nodes[0])).toBe(200);
  });
});
