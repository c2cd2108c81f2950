import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { operatorFor } from '../../src/core/base/caller.ts';
import type { KeptRequest } from '../../src/core/live/kept-requests.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { openSession } from '../support/people.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';

let server: RedisServer;
let redis: Redis;
let nodes: [TestApp, TestApp];

beforeAll(async () => {
  server = await startRedisServer();
  redis = new Redis(server.url);
  const env = { REDIS_URL: server.url, ROLE: 'api' };
  nodes = [await startTestApp(env), await startTestApp(env)];
});

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  redis.disconnect();
  await server.stop();
});

const dayMs = 86_400_000;
const archiveOf = (organizationId: string, kind = 'refused') =>
  `pix:kept-requests:${organizationId}:test:${kind}`;

function kept(organizationId: string, filter: { keyId?: string; onlyRefused?: boolean } = {}) {
  const caller = operatorFor(organizationId, 'test');
  return nodes[1].services.keptRequests.list(caller, { onlyRefused: false, ...filter });
}

describe('the requests of keys', () => {
  test('are there afterwards, whichever node served them, with why they were refused and nothing of a payer', async () => {
    const { organizationId, key, id } = await createKey(nodes[0].services);
    const client = createClient(nodes[0].baseUrl, key);
    const { headers } = await client.post('/v1/payments', { amount: -1, payer: { email: 'maria silva' } });
    await client.graphql('query Maria_da_Silva { payments { edges { cursor } } }');
    await client.get('/v1/payments?search=maria');
    await eventually(async () => expect(await kept(organizationId)).toHaveLength(3));
    const [read, asked, refused] = await kept(organizationId);
    expect(read).toMatchObject({ path: '/v1/payments?search=*', status: 200, keyId: id });
    expect(refused).toMatchObject({
      path: '/v1/payments',
      status: 400,
      traceId: headers.get('X-Trace-Id'),
      errors: [{ code: 'invalid_request', fields: ['amount', 'payer.email'] }],
    });
    expect(asked).toMatchObject({ operation: { type: 'query', fields: ['payments'] } });
    expect(await kept(organizationId, { onlyRefused: true })).toEqual([refused]);
    for (const kind of ['refused', 'served'])
      expect(JSON.stringify(await redis.zrange(archiveOf(organizationId, kind), '0', '-1'))).not.toMatch(
        /maria/i,
      );
  });

  test('are told of one key, of an organization and of a mode alone', async () => {
    const [one, other] = [await createKey(nodes[0].services), await createKey(nodes[0].services)];
    const same = await createKey(nodes[0].services, { organizationId: one.organizationId });
    for (const { key } of [one, other, same]) await createClient(nodes[0].baseUrl, key).get('/v1/payments');
    await eventually(async () => expect(await kept(one.organizationId)).toHaveLength(2));
    expect(await kept(one.organizationId, { keyId: same.id })).toMatchObject([{ keyId: same.id }]);
    const live = operatorFor(one.organizationId, 'live');
    expect(await nodes[0].services.keptRequests.list(live, { onlyRefused: false })).toEqual([]);
  });

  test('are refused ones too when others come by the hundred', async () => {
    const { organizationId, key } = await createKey(nodes[0].services);
    const client = createClient(nodes[0].baseUrl, key);
    await Promise.all(Array.from({ length: 60 }, () => client.get('/v1/payments?limit=1')));
    await client.get('/v1/payments?limit=0');
    await eventually(async () => expect(await kept(organizationId, { onlyRefused: true })).toHaveLength(1));
    expect((await kept(organizationId)).length).toBeLessThan(61);
  });

  test('are shown to those who see keys, and to no key', async () => {
    const session = await openSession(nodes[0]);
    const { key } = await createKey(nodes[0].services, { organizationId: session.organizationId });
    await createClient(nodes[0].baseUrl, key).get('/v1/payments/none');
    const query = '{ keptRequests(onlyRefused: true) { status errors { code } } }';
    await eventually(async () => {
      const { body } = await session.client.graphql(query);
      expect(body.data).toEqual({ keptRequests: [{ status: 404, errors: [{ code: 'payment_not_found' }] }] });
    });
    const { body } = await createClient(nodes[0].baseUrl, key).graphql(query);
    expect(body).toMatchObject({ data: null, errors: [{ extensions: { reason: 'permission_denied' } }] });
  });

  test('are kept for seven days, and of each kind the newest five hundred', async () => {
    const { organizationId, key } = await createKey(nodes[0].services);
    const note = (agoMs: number): KeptRequest => ({
      at: new Date(Date.now() - agoMs).toISOString(),
      method: 'GET',
      path: '/v1/payments',
      status: 400,
      durationMs: 1,
      traceId: `${agoMs}`,
      keyId: '0198a2f0-0000-7000-8000-000000000000',
    });
    const add = (...notes: KeptRequest[]) =>
      redis.zadd(
        archiveOf(organizationId),
        ...notes.flatMap((each) => [Date.parse(each.at), JSON.stringify(each)]),
      );
    await add(note(7 * dayMs + 1_000), ...Array.from({ length: 520 }, (_, index) => note(60_000 + index)));
    expect((await kept(organizationId, { onlyRefused: true })).at(0)).toMatchObject({ traceId: '60000' });
    await createClient(nodes[0].baseUrl, key).get('/v1/payments?limit=0');
    await eventually(async () => {
      const all = await redis.zrange(archiveOf(organizationId), '0', '-1', 'REV');
      expect(all).toHaveLength(500);
      expect(JSON.parse(all[0] ?? '')).toMatchObject({ path: '/v1/payments?limit=0' });
      expect(JSON.parse(all.at(-1) ?? '')).toMatchObject({ traceId: '60498' });
    });
    const leftMs = await redis.pttl(archiveOf(organizationId));
    expect(leftMs).toBeGreaterThan(6 * dayMs);
    expect(leftMs).toBeLessThanOrEqual(7 * dayMs);
  });

  test('are kept by the node itself where there is no Redis', async () => {
    const lonely = await startTestApp();
    try {
      const { organizationId, key } = await createKey(lonely.services);
      for (const limit of [1, 2]) await createClient(lonely.baseUrl, key).get(`/v1/payments?limit=${limit}`);
      await eventually(async () => {
        const caller = operatorFor(organizationId, 'test');
        const found = await lonely.services.keptRequests.list(caller, { onlyRefused: false });
        expect(found.map(({ path }) => path)).toEqual(['/v1/payments?limit=2', '/v1/payments?limit=1']);
      });
    } finally {
      await lonely.stop();
    }
  });

  test('cannot be told while Redis hangs, which holds up no request', async () => {
    const { organizationId, key } = await createKey(nodes[0].services);
    server.pause();
    try {
      expect((await createClient(nodes[0].baseUrl, key).get('/v1/payments')).status).toBe(200);
      await expect(kept(organizationId)).rejects.toMatchObject({ code: 'service_unavailable' });
    } finally {
      server.resume();
    }
    await eventually(async () => expect((await kept(organizationId)).length).toBeLessThanOrEqual(1));
  });
});
