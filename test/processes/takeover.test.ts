import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { closeGate } from '../support/gate.ts';
import { killServices, startService } from '../support/service-process.ts';

const idempotencyKey = { 'Idempotency-Key': 'order-1' };

let databaseUrl: string;
/** The node that is left. */
let survivor: TestApp;
let owner: TestKey;
let client: Client;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  survivor = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' });
});

beforeEach(async () => {
  owner = await createKey(survivor.services);
  client = createClient(survivor.baseUrl, owner.key);
});

afterEach(killServices);

afterAll(() => survivor.stop());

const rowsOf = (text: string) =>
  query<{ id: string }>(databaseUrl, text, [owner.organizationId]).then((rows) => rows.map(({ id }) => id));

const keptPaymentIds = () =>
  rowsOf('SELECT payment_id AS id FROM idempotency_key WHERE organization_id = $1');
const paymentIds = () => rowsOf('SELECT id FROM payment WHERE organization_id = $1');
const attemptIds = () =>
  rowsOf(
    'SELECT a.id FROM payment_attempt a JOIN payment p ON p.id = a.payment_id WHERE p.organization_id = $1',
  );
const chargeIds = () =>
  rowsOf(
    `SELECT a.id FROM payment_attempt a JOIN payment p ON p.id = a.payment_id
     JOIN sandbox_charge c ON c.transaction_id = replace(a.id::text, '-', '') WHERE p.organization_id = $1`,
  );

const endLease = () =>
  query(
    databaseUrl,
    "UPDATE idempotency_key SET locked_until = now() - interval '1 second' WHERE organization_id = $1",
    [owner.organizationId],
  );

const moments = [
  { moment: 'before the payment is stored', place: ['INSERT', 'payment'], begun: 0, charged: 0 },
  { moment: 'before the charge is made', place: ['INSERT', 'sandbox_charge'], begun: 1, charged: 0 },
  { moment: 'before the charge is recorded', place: ['UPDATE', 'payment_attempt'], begun: 1, charged: 1 },
] as const;

const fates = [
  { fate: 'is undone', isUndone: true },
  { fate: 'goes on without it', isUndone: false },
];

const cases = moments.flatMap((moment) => fates.map((fate) => ({ ...moment, ...fate })));

describe('a process that is killed while it creates a payment', () => {
  test.each(cases)(
    '$moment, when its last statement $fate: another finishes the same payment',
    async ({ place: [written, table], begun, charged, isUndone }) => {
      const service = await startService({ DATABASE_URL: databaseUrl, ROLE: 'api' });
      const gate = await closeGate(databaseUrl, written, table);
      const lost = createClient(service.baseUrl, owner.key)
        .post('/v1/payments', { amount: 12.5 }, idempotencyKey)
        .catch(() => 'no answer');
      await gate.waiting(1);
      const before = await attemptIds();
      expect(before).toHaveLength(begun);
      expect(await chargeIds()).toHaveLength(charged);
      await service.end('SIGKILL');
      expect(await lost).toBe('no answer');
      if (isUndone) await gate.endWaiting();

      const early = await client.post('/v1/payments', { amount: 12.5 }, idempotencyKey);
      expect(early.status).toBe(409);
      expect(Number(early.headers.get('Retry-After'))).toBeLessThanOrEqual(20);
      await endLease();
      const takenOver = client.post('/v1/payments', { amount: 12.5 }, idempotencyKey);
      await gate.open();
      const answer = await takenOver;

      expect(answer).toMatchObject({ status: 201, body: { amount: 12.5, status: 'pending' } });
      expect(await keptPaymentIds()).toEqual([answer.body.id]);
      expect(await paymentIds()).toEqual([answer.body.id]);
      const attempts = await attemptIds();
      expect(attempts).toHaveLength(1);
      if (begun > 0) expect(attempts).toEqual(before);
      expect(await chargeIds()).toEqual(attempts);
      expect(answer.body.pixCopyPaste).toContain(attempts[0]?.replaceAll('-', ''));

      const replayed = await client.post('/v1/payments', { amount: 12.5 }, idempotencyKey);
      expect(replayed).toMatchObject({ status: 201, body: answer.body });
      expect(replayed.headers.get('Idempotency-Replayed')).toBe('true');
      expect((await client.post('/v1/payments', { amount: 13 }, idempotencyKey)).status).toBe(422);
    },
  );
});

describe('a process that is killed while it cancels a payment', () => {
  test.each(fates)('when its last statement $fate: another answers the cancel', async ({ isUndone }) => {
    const { body } = await client.post('/v1/payments', { amount: 1 });
    const path = `/v1/payments/${body.id}/cancel`;
    const service = await startService({ DATABASE_URL: databaseUrl, ROLE: 'api' });
    const gate = await closeGate(databaseUrl, 'UPDATE', 'payment');
    const lost = createClient(service.baseUrl, owner.key)
      .post(path, undefined, idempotencyKey)
      .catch(() => 'no answer');
    await gate.waiting(1);
    await service.end('SIGKILL');
    expect(await lost).toBe('no answer');
    if (isUndone) await gate.endWaiting();
    await endLease();
    const takenOver = client.post(path, undefined, idempotencyKey);
    await gate.open();

    expect(await takenOver).toMatchObject({ status: 200, body: { id: body.id, status: 'cancelled' } });
    const replayed = await client.post(path, undefined, idempotencyKey);
    expect(replayed).toMatchObject({ status: 200, body: { id: body.id, status: 'cancelled' } });
    expect(replayed.headers.get('Idempotency-Replayed')).toBe('true');
  });
});
