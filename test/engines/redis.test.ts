import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { describeWith } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { type RedisGroup, startCluster, startSentinels } from '../support/redis-groups.ts';
import { followRequests, type RequestStream } from '../support/request-stream.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';
import { testKeys } from '../support/test-keys.ts';

describeWith(['redis-server', 'redis-sentinel', 'redis-cli'], 'Redis that replaces its master', () => {
  describe.each([
    ['sentinels', startSentinels],
    ['a cluster', startCluster],
  ])('with %s', (_name, startGroup) => {
    let group: RedisGroup;
    let nodes: ServiceProcess[];
    let operator: TestApp;

    beforeAll(async () => {
      group = await startGroup();
      const env = { DATABASE_URL: await freshDatabase(), REDIS_URL: group.url, ENCRYPTION_KEYS: testKeys };
      const nodeEnv = { ...env, RATE_LIMIT_PER_MINUTE: '100' };
      nodes = [await startService(nodeEnv), await startService(nodeEnv)];
      operator = await startTestApp({ ...env, ROLE: 'api' });
    });

    afterAll(async () => {
      await killServices();
      await group.stop();
      await operator.stop();
    });

    const clientsOf = ({ key }: TestKey) => nodes.map(({ baseUrl }) => createClient(baseUrl, key));

    /** Every node counts in Redis, which it finds out at a request. A cluster has some organizations at each of its masters. */
    const countTogether = () =>
      eventually(async () => {
        const keys = await Promise.all(Array.from({ length: 12 }, () => createKey(operator.services)));
        for (const client of keys.flatMap(clientsOf)) {
          await client.get('/v1/payments?limit=1');
          expect((await client.get('/readyz')).body).toMatchObject({ redis: 'up' });
        }
      });

    async function passed(): Promise<number> {
      const clients = clientsOf(await createKey(operator.services));
      const requests = Array.from({ length: 120 }, () =>
        clients.map((client) => client.get('/v1/payments?limit=1')),
      );
      const responses = await Promise.all(requests.flat());
      const statuses = responses.map(({ status }) => status);
      expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
      return statuses.filter((status) => status === 200).length;
    }

    /** Whether the other node refuses a key at once, sooner than its cache would. */
    async function revokes(): Promise<void> {
      const key = await createKey(operator.services);
      const [, other] = clientsOf(key);
      expect((await other?.get('/v1/payments?limit=1'))?.status).toBe(200);
      await operator.services.apiKeys.revoke(
        { kind: 'operator', organizationId: key.organizationId, mode: 'test' },
        key.id,
      );
      await eventually(async () => {
        expect((await other?.get('/v1/payments?limit=1'))?.status).toBe(401);
      }, 2_000);
    }

    /** Whether a follower at one node sees what the other serves. */
    const seesOtherNode = (stream: RequestStream, key: TestKey, path: string): Promise<void> =>
      eventually(async () => {
        await clientsOf(key)[1]?.get(path);
        expect(stream.requests().map((request) => request['path'])).toContain(path);
      });

    test('exactly 100 of 240 requests over two nodes pass, and again after the master has died', async () => {
      await countTogether();
      expect(await passed()).toBe(100);
      await revokes();
      const followed = await createKey(operator.services);
      const stream = await followRequests(nodes[0]?.baseUrl ?? '', followed.key);
      await seesOtherNode(stream, followed, '/v1/payments?limit=1');
      const killedAt = performance.now();
      await group.killMaster();
      // Whatever of the two nodes and the operator is connected again, and to which server.
      for (let count = 0; count < 8; count++) await revokes();
      await countTogether();
      process.stdout.write(
        `${_name}: counting together again after ${Math.round(performance.now() - killedAt)} ms\n`,
      );
      expect(await passed()).toBe(100);
      await revokes();
      await eventually(() =>
        expect(stream.events.findLast(({ event }) => event === 'scope')?.data).toEqual({ allNodes: true }),
      );
      await seesOtherNode(stream, followed, '/v1/payments?limit=2');
      stream.close();
      expect(await Promise.all(nodes.map((node) => node.end('SIGTERM')))).toEqual([0, 0]);
    });
  });
});
