import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { longTest } from '../../support/chance.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { pagarme } from '../../support/psp-emulator/pagarme.ts';
import { pagbank } from '../../support/psp-emulator/pagbank.ts';

let databaseUrl: string;
let app: TestApp;
const opened: LiveOrganization[] = [];

const payer = { name: 'Fulano de Tal', document: '529.982.247-25', email: 'fulano@example.com' };

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  app = await startTestApp({ DATABASE_URL: databaseUrl });
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((live) => live.stop()));
});

afterAll(() => app.stop());

/** At neither is money found in a list: each payment is looked at. */
async function open(provider: 'pagbank' | 'pagarme') {
  const define = provider === 'pagbank' ? pagbank : pagarme;
  const live = await openLiveOrganization(app, () => new Date(), [provider, define]);
  opened.push(live);
  const [account] = live.accounts;
  if (!account) throw new Error('there is no account');
  return { ...live, ...account };
}

/** From the creation until a Pix is found whose notification never comes, in milliseconds. */
async function timeOfSilentPix({ client, emulator }: Awaited<ReturnType<typeof open>>): Promise<number> {
  const startedAt = performance.now();
  const { body } = await client.post('/v1/payments', { amount: 5, payer });
  const charge = emulator.ledger.charges.at(-1);
  await emulator.pay(charge?.transactionId ?? '', { notify: 'never' });
  await eventually(async () => {
    expect((await client.get(`/v1/payments/${body.id}`)).body.status).toBe('completed');
  }, 120_000);
  return performance.now() - startedAt;
}

/** Pending payments of an account, all of them due, each with its charge. */
const insertPending = (organizationId: string, credentialId: string, count: number) =>
  query(
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
    [organizationId, credentialId, count],
  );

/** Makes it look as if so many had been looked up before; all of them are still due. */
const lookedUpBefore = (credentialId: string, count: number) =>
  query(
    databaseUrl,
    `WITH looked_up AS (
       UPDATE payment SET next_check_at = NULL
       WHERE id IN (SELECT id FROM payment WHERE credential_id = $1 AND next_check_at <= now() LIMIT $2::int)
       RETURNING id, credential_id)
     INSERT INTO payment_check SELECT id, credential_id, now() FROM looked_up`,
    [credentialId, count],
  );

longTest(
  'next to 5,000 pending payments at a PSP that hangs, another silent Pix is found as soon as alone',
  async () => {
    const shop = await open('pagbank');
    const alone = await timeOfSilentPix(shop);
    const { organizationId, credentialId, emulator } = await open('pagarme');
    emulator.faults.add({ kind: 'hang', operation: 'find', times: 1_000_000 });
    await insertPending(organizationId, credentialId, 5_000);
    await eventually(() => expect(emulator.requests.length).toBeGreaterThan(10));
    const beside = await timeOfSilentPix(shop);
    // One after the other, the looks that hang would take hours.
    expect(beside).toBeLessThan(alone + 30_000);
  },
);

test('a credential has no more lookups in flight than its slots', async () => {
  const { organizationId, credentialId, emulator } = await open('pagarme');
  emulator.faults.add({ kind: 'slow', milliseconds: 700, operation: 'find', times: 1_000_000 });
  await insertPending(organizationId, credentialId, 60);
  await lookedUpBefore(credentialId, 30);
  // The first are answered, and others take their places.
  await eventually(() => expect(emulator.requests.length).toBeGreaterThan(16));
  expect(emulator.atOnce()).toBe(16);
});

test('a slot is refilled as soon as it is free, while others hang', async () => {
  const { organizationId, credentialId, emulator } = await open('pagarme');
  emulator.faults.add({ kind: 'hang', operation: 'find', times: 8 });
  await insertPending(organizationId, credentialId, 24);
  await eventually(() => expect(emulator.requests.length).toBe(24));
  expect(emulator.inFlight()).toBe(8);
});
