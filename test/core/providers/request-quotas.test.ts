import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type LiveAccount, type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { pagarme } from '../../support/psp-emulator/pagarme.ts';
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts';

/** Pagar.me takes 200 GETs a minute, of which polling leaves a fifth. */
const forPolling = 160;

const payer = {
  name: 'Maria da Silva',
  document: '529.982.247-25',
  email: 'maria@example.com',
  phone: '+5511987654321',
};

let redis: RedisServer;
let databaseUrl: string;
let nodes: TestApp[];
const opened: LiveOrganization[] = [];

beforeAll(async () => {
  redis = await startRedisServer();
  databaseUrl = await freshDatabase();
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url };
  nodes = [await startTestApp(env), await startTestApp(env)];
});

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await Promise.all(opened.map((live) => live.stop()));
  await redis.stop();
});

/** An account with payments that are due to be looked at. */
async function openAccount(dueCount: number) {
  const live = await openLiveOrganization(nodes[0] as TestApp, () => new Date(), ['pagarme', pagarme]);
  opened.push(live);
  const [{ credentialId, emulator }] = live.accounts as [LiveAccount];
  await query(
    databaseUrl,
    `WITH made AS (
       INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, credential_id, attempt_id,
         created_at, expires_at, next_check_at)
       SELECT gen_random_uuid(), $1, 'live', 'pending', 500, 'pagarme', $2, gen_random_uuid(), now(),
         now() + interval '30 minutes', now() FROM generate_series(1, $3::int)
       RETURNING *)
     INSERT INTO payment_attempt (id, payment_id, position, provider, credential_id, reason, outcome, psp_reference,
       created_at)
     SELECT attempt_id, id, 0, provider, credential_id, 'default', 'created', '1', created_at FROM made`,
    [live.organizationId, credentialId, dueCount],
  );
  return {
    gets: () => emulator.requests.filter(({ method }) => method === 'GET').length,
    async createAtEachNode(): Promise<void> {
      for (const { baseUrl } of nodes) {
        const { status } = await createClient(baseUrl, live.key).post('/v1/payments', { amount: 5, payer });
        expect(status).toBe(201);
      }
    },
  };
}

test('two nodes share the quota of a credential for polling, and creates go on beyond it', async () => {
  const { gets, createAtEachNode } = await openAccount(600);
  await eventually(() => expect(gets()).toBe(forPolling), 45_000);
  await createAtEachNode();
  expect(gets()).toBe(forPolling);
});

test('when Redis dies each node counts for itself, and creates go on', async () => {
  await redis.kill();
  const { gets, createAtEachNode } = await openAccount(600);
  await eventually(() => expect(gets()).toBe(2 * forPolling), 45_000);
  await createAtEachNode();
  expect(gets()).toBe(2 * forPolling);
});
