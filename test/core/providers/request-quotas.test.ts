import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type LiveAccount, type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
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

const insertDue = ({ organizationId }: LiveOrganization, { credentialId }: LiveAccount, dueCount: number) =>
  query(
    databaseUrl,
    `WITH made AS (
       INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, credential_id, attempt_id,
         created_at, expires_at, next_check_at)
       SELECT gen_random_uuid(), $1, 'live', 'pending', 500, provider, id, gen_random_uuid(), now(),
         now() + interval '30 minutes', now() FROM credential, generate_series(1, $3::int) WHERE id = $2
       RETURNING *)
     INSERT INTO payment_attempt (id, payment_id, position, provider, credential_id, reason, outcome, psp_reference,
       created_at)
     SELECT attempt_id, id, 0, provider, credential_id, 'default', 'created', '1', created_at FROM made`,
    [organizationId, credentialId, dueCount],
  );

/** An account with payments that are due to be looked at. */
async function openAccount(dueCount: number) {
  const live = await openLiveOrganization(nodes[0] as TestApp, () => new Date(), ['pagarme', pagarme]);
  opened.push(live);
  const [account] = live.accounts as [LiveAccount];
  const { emulator } = account;
  await insertDue(live, account, dueCount);
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
  await eventually(() => expect(gets()).toBe(forPolling));
  await createAtEachNode();
  expect(gets()).toBe(forPolling);
});

test('looks that have no room for hours hold up no payment that ends', async () => {
  const live = await openLiveOrganization(nodes[0] as TestApp, () => new Date(), ['asaas', asaas]);
  opened.push(live);
  const [account] = live.accounts as [LiveAccount];
  const { credentialId, emulator } = account;
  const created = await live.client.post('/v1/payments', { amount: 5, payer });
  const counts = new Redis(redis.url);
  // As after 20,000 looks in this hour, of the 25,000 requests that Asaas takes in twelve.
  await counts.hincrby(`pix:psp:${credentialId}:43200`, String(Math.floor(Date.now() / 3_600_000)), 20_000);
  counts.disconnect();
  await insertDue(live, account, 500);
  await query(databaseUrl, 'UPDATE payment SET expires_at = now(), next_check_at = now() WHERE id = $1', [
    created.body.id,
  ]);
  await eventually(() => expect(emulator.ledger.charges[0]?.isCancelled).toBe(true));
});

test('when Redis dies each node counts for itself, and creates go on', async () => {
  await redis.kill();
  const { gets, createAtEachNode } = await openAccount(600);
  await eventually(() => expect(gets()).toBe(2 * forPolling));
  await createAtEachNode();
  expect(gets()).toBe(2 * forPolling);
});
