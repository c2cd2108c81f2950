import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp } from '../support/app.ts';
import { query } from '../support/database.ts';
import { describeWith } from '../support/engines.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { startFailoverLoad } from '../support/failover-load.ts';
import { type PatroniCluster, type Replacement, startPatroni } from '../support/patroni.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';
import { findPrimary } from '../../src/database/connections/primary.ts';
import { testKeys } from '../support/test-keys.ts';

const rounds: Replacement[] = ['switchover', 'PostgreSQL dies'];
/** The last waits for the leader's lock to run out. */
const failovers: Replacement[] = process.env['LONG']
  ? [...Array.from({ length: 9 }, () => rounds).flat(), 'the machine dies', 'the machine dies']
  : [...rounds, 'the machine dies'];

describeWith(['patroni', 'etcd', 'pg_basebackup'], 'under Patroni', () => {
  let cluster: PatroniCluster;
  let nodes: ServiceProcess[];
  let owner: TestKey;

  beforeAll(async () => {
    cluster = await startPatroni();
    const env = { DATABASE_URL: cluster.url, ENCRYPTION_KEYS: testKeys };
    nodes = await Promise.all([startService(env), startService(env)]);
    const operator = await startTestApp({ ...env, ROLE: 'api' });
    owner = await createKey(operator.services);
    await operator.stop();
  });

  afterAll(async () => {
    await killServices();
    await cluster.stop();
  });

  test(`after each of ${failovers.length} failovers under load payments are created again, and none is lost`, async () => {
    const load = startFailoverLoad(nodes, owner.key, 8);
    const backAfterMs: number[] = [];
    for (const how of failovers) {
      await cluster.settled();
      await load.nextCreate();
      await cluster.replaceLeader(how);
      const promotedAt = performance.now();
      await load.nextCreate();
      backAfterMs.push(Math.round(performance.now() - promotedAt));
    }
    await cluster.settled();
    await load.stop();
    process.stdout.write(
      `${failovers.length} failovers, writing after ${backAfterMs.join(', ')} ms; ${JSON.stringify([...load.statuses])}\n`,
    );
    expect([...load.statuses.keys()].filter((status) => ![201, 503].includes(status))).toEqual([]);
    expect(load.unkind).toEqual([]);
    expect(Math.max(...backAfterMs)).toBeLessThan(5_000);
    const kept = await query<{ id: string }>(
      await findPrimary(cluster.url),
      'SELECT id FROM payment WHERE id = ANY($1)',
      [load.acknowledged],
    );
    expect(kept).toHaveLength(load.acknowledged.length);
  }, 900_000);
});
