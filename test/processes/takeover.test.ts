import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { createKey } from '../support/factories.ts';
import { closeGate, type Gate, openGates } from '../support/gate.ts';
import { killServices, startService } from '../support/service-process.ts';

let databaseUrl: string;
/** The node that is left. */
let survivor: TestApp;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  survivor = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' });
});

afterAll(async () => {
  await openGates();
  await killServices();
  await survivor.stop();
});

/** A request that a process held when it was killed, in an organization of its own. */
interface Held {
  path: string;
  organizationId: string;
  /** Sends it again, to the survivor. */
  repeat(): Promise<Answer>;
  client: Client;
  attemptsBefore: string[];
  chargesBefore: string[];
  answered: Promise<unknown>;
}

const idempotencyKey = { 'Idempotency-Key': 'order-1' };
const input = { amount: 12.5 };

async function idsOf(organizationId: string, text: string): Promise<string[]> {
  const rows = await query<{ id: string }>(databaseUrl, text, [organizationId]);
  return rows.map(({ id }) => id);
}

const attemptsOf = (organizationId: string) =>
  idsOf(
    organizationId,
    'SELECT a.id FROM payment_attempt a JOIN payment p ON p.id = a.payment_id WHERE p.organization_id = $1',
  );

const chargesOf = (organizationId: string) =>
  idsOf(
    organizationId,
    `SELECT a.id FROM payment_attempt a JOIN payment p ON p.id = a.payment_id
     JOIN sandbox_charge c ON c.transaction_id = replace(a.id::text, '-', '') WHERE p.organization_id = $1`,
  );

const endLease = ({ organizationId }: Held) =>
  query(
    databaseUrl,
    "UPDATE idempotency_key SET locked_until = now() - interval '1 second' WHERE organization_id = $1",
    [organizationId],
  );

/** Sends a request to the process, which stops at the gate. */
async function hold(baseUrl: string, gate: Gate, client: Client, key: string, path: string): Promise<Held> {
  const body = path === '/v1/payments' ? input : undefined;
  const answered = createClient(baseUrl, key)
    .post(path, body, idempotencyKey)
    .catch(() => 'no answer');
  await gate.waiting(1);
  const [organizationId = ''] = (
    await query<{ id: string }>(
      databaseUrl,
      'SELECT organization_id AS id FROM idempotency_key ORDER BY created_at DESC LIMIT 1',
    )
  ).map(({ id }) => id);
  return {
    path,
    organizationId,
    client,
    repeat: () => client.post(path, body, idempotencyKey),
    attemptsBefore: await attemptsOf(organizationId),
    chargesBefore: await chargesOf(organizationId),
    answered,
  };
}

async function expectBusy(held: Held): Promise<void> {
  const { status, headers } = await held.repeat();
  expect(status).toBe(409);
  expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(20);
}

async function expectSamePayment(held: Held, answer: Answer): Promise<void> {
  const { organizationId, client } = held;
  expect(answer).toMatchObject({ status: 201, body: { ...input, status: 'pending' } });
  const { id, pixCopyPaste } = answer.body;
  expect(
    await idsOf(organizationId, 'SELECT payment_id AS id FROM idempotency_key WHERE organization_id = $1'),
  ).toEqual([id]);
  expect(await idsOf(organizationId, 'SELECT id FROM payment WHERE organization_id = $1')).toEqual([id]);
  const attempts = await attemptsOf(organizationId);
  expect(attempts).toHaveLength(1);
  expect(await chargesOf(organizationId)).toEqual(attempts);
  expect(pixCopyPaste).toContain(attempts[0]?.replaceAll('-', ''));
  expect((await client.get(`/v1/payments/${id}`)).body).toMatchObject({ id, pixCopyPaste, status: 'pending' });
  const replayed = await held.repeat();
  expect(replayed).toMatchObject({ status: 201, body: answer.body });
  expect(replayed.headers.get('Idempotency-Replayed')).toBe('true');
}

describe.each([
  { fate: 'is undone', isUndone: true },
  { fate: 'still runs to its end', isUndone: false },
])('after a process was killed, and its last statement $fate', ({ isUndone }) => {
  let unstored: Held;
  let uncharged: Held;
  let unrecorded: Held;
  let uncancelled: Held;

  beforeAll(async () => {
    const { baseUrl, end } = await startService({ DATABASE_URL: databaseUrl, ROLE: 'api' });
    const gates: Gate[] = [];
    const stopAt = async (written: 'INSERT' | 'UPDATE', table: string, create = '/v1/payments') => {
      const { key } = await createKey(survivor.services);
      const client = createClient(survivor.baseUrl, key);
      const path =
        create === '/v1/payments' ? create : `/v1/payments/${(await client.post('/v1/payments', input)).body.id}/cancel`;
      const gate = await closeGate(databaseUrl, written, table);
      gates.push(gate);
      return hold(baseUrl, gate, client, key, path);
    };
  });
});
