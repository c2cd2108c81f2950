import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createKey, type TestKey } from '../../support/factories.ts';
import { closeGate, installGates, openGates } from '../../support/gate.ts';

const MINUTE_MS = 60_000;

let databaseUrl: string;
let app: TestApp;
let other: TestApp;
let owner: TestKey;
let client: Client;
let clock: Date;

const passMinutes = (minutes: number): void => {
  clock = new Date(clock.getTime() + minutes * MINUTE_MS);
};

/** One round of the worker of each node, all at once; answers how much they did. */
async function runWorkers(...nodes: TestApp[]): Promise<number> {
  const done = await Promise.all(nodes.map(({ services }) => services.reconciliation.payment(50)));
  return done.reduce((sum, count) => sum + count, 0);
}

async function createPayment(expirationMinutes = 5): Promise<string> {
  const { body } = await client.post('/v1/payments', { amount: 10, expirationMinutes });
  return body.id as string;
}

const paymentOf = async (id: string) => (await client.get(`/v1/payments/${id}`)).body;

/** The payer pays at the sandbox, and the notification gets lost. */
async function payInSilence(paymentId: string, paidAt: Date): Promise<void> {
  await query(
    databaseUrl,
    `INSERT INTO sandbox_pix (end_to_end_id, transaction_id, paid_at)
     SELECT 'E' || replace(id::text, '-', ''), replace(id::text, '-', ''), $2 FROM payment_attempt WHERE payment_id = $1`,
    [paymentId, paidAt],
  );
}

const receivedBy = (paymentId: string) =>
  query(databaseUrl, 'SELECT end_to_end_id FROM received_pix WHERE payment_id = $1', [paymentId]);

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  await installGates(databaseUrl, ['sandbox_charge']);
  // They have no workers of their own: the tests run them.
  const env = { DATABASE_URL: databaseUrl, ROLE: 'api' };
  app = await startTestApp(env, { now: () => clock });
  other = await startTestApp(env, { now: () => clock });
});

afterAll(async () => {
  await openGates();
  await Promise.all([app.stop(), other.stop()]);
});

beforeEach(async () => {
  owner = await createKey(app.services);
  client = createClient(app.baseUrl, owner.key);
});

describe('before its expiry', () => {
  test('nothing is due, and nothing is done', async () => {
    const id = await createPayment(5);
    passMinutes(4.9);
    expect(await runWorkers(app)).toBe(0);
    expect(await paymentOf(id)).toMatchObject({ status: 'pending' });
    passMinutes(1);
    await runWorkers(app);
  });

  test('a cancelled payment no longer expires', async () => {
    const id = await createPayment();
    await client.post(`/v1/payments/${id}/cancel`);
    passMinutes(6);
    expect(await runWorkers(app)).toBe(0);
    expect(await paymentOf(id)).toMatchObject({ status: 'cancelled' });
  });
});

describe('at its expiry', () => {
  test('a payment expires, once', async () => {
    const id = await createPayment(5.5);
    const { expiresAt } = await paymentOf(id);
    passMinutes(5.5);
    expect(await runWorkers(app)).toBe(1);
    const expired = await paymentOf(id);
    expect(expired).toMatchObject({ status: 'expired', expiresAt });
    expect(expired).not.toHaveProperty('confirmedAt');
    passMinutes(60);
    expect(await runWorkers(app)).toBe(0);
  });

  test('a payment whose notification was lost is completed, not expired', async () => {
    const id = await createPayment();
    passMinutes(4);
    const paidAt = clock;
    await payInSilence(id, paidAt);
    expect(await runWorkers(app)).toBe(0);
    passMinutes(2);
    expect(await runWorkers(app)).toBe(1);
    expect(await paymentOf(id)).toMatchObject({ status: 'completed', confirmedAt: paidAt.toISOString() });
    expect(await receivedBy(id)).toHaveLength(1);
    const [row] = await query(databaseUrl, 'SELECT paid_late, duplicate_payment FROM payment WHERE id = $1', [
      id,
    ]);
    expect(row).toEqual({ paid_late: false, duplicate_payment: false });
  });

  test('money that arrives afterwards still completes it, marked as late', async () => {
    const id = await createPayment();
    passMinutes(6);
    await runWorkers(app);
    expect((await client.post(`/v1/sandbox/payments/${id}/pay`)).body).toMatchObject({ status: 'completed' });
    expect(await query(databaseUrl, 'SELECT paid_late FROM payment WHERE id = $1', [id])).toEqual([
      { paid_late: true },
    ]);
  });

  test('a failing check waits for the next one and delays no other', async () => {
    const [broken, sound] = [await createPayment(), await createPayment()];
    await query(
      databaseUrl,
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
       CREATE TRIGGER refuse BEFORE UPDATE OF status ON payment FOR EACH ROW WHEN (NEW.id = '${broken}')
       EXECUTE FUNCTION refuse();`,
    );
    passMinutes(6);
    expect(await runWorkers(app)).toBe(2);
    expect(await paymentOf(sound)).toMatchObject({ status: 'expired' });
    expect(await paymentOf(broken)).toMatchObject({ status: 'pending' });
    expect(await runWorkers(app)).toBe(0);

    await query(databaseUrl, 'DROP TRIGGER refuse ON payment');
    passMinutes(1.2);
    expect(await runWorkers(app)).toBe(1);
    expect(await paymentOf(broken)).toMatchObject({ status: 'expired' });
  });
});

describe('an interrupted create', () => {
  const keyed = { 'Idempotency-Key': 'order-1' };
  const statuses = () =>
    query<{ status: string }>(
      databaseUrl,
      'SELECT status FROM payment WHERE organization_id = $1 ORDER BY id',
      [owner.organizationId],
    ).then((rows) => rows.map(({ status }) => status));
  const abandon = () => app.services.reconciliation.abandoned_payment(50);
  const retry = async () => {
    await query(databaseUrl, "UPDATE idempotency_key SET locked_until = now() - interval '1 second'");
    return client.post('/v1/payments', { amount: 1, expirationMinutes: 5 }, keyed);
  };

  async function breakOff(headers?: Record<string, string>): Promise<void> {
    const gate = await closeGate(databaseUrl, 'INSERT', 'sandbox_charge');
    const broken = client.post('/v1/payments', { amount: 1, expirationMinutes: 5 }, headers);
    await gate.waiting(1);
    await gate.endWaiting();
    await gate.open();
    expect((await broken).status).toBe(503);
    expect(await statuses()).toEqual(['creating']);
  }

  test('without a key becomes a failed payment a minute later', async () => {
    await breakOff();
    passMinutes(0.9);
    expect(await abandon()).toBe(0);
    passMinutes(0.2);
    expect(await abandon()).toBe(1);
    expect(await statuses()).toEqual(['failed']);
  });

  test('with a key can be finished as long as the payment could be paid', async () => {
    await breakOff(keyed);
    passMinutes(4.9);
    expect(await abandon()).toBe(0);
    expect((await client.post('/v1/payments', { amount: 1, expirationMinutes: 5 }, keyed)).status).toBe(409);
    expect((await retry()).status).toBe(201);
    expect(await statuses()).toEqual(['pending']);
    passMinutes(1);
    await runWorkers(app);
  });

  test('with a key becomes a failed payment after that, and the key creates another', async () => {
    await breakOff(keyed);
    passMinutes(5.1);
    expect(await abandon()).toBe(1);
    const { status, body } = await retry();
    expect(status).toBe(201);
    expect((await retry()).body).toEqual(body);
    expect((await statuses()).sort()).toEqual(['failed', 'pending']);
    passMinutes(6);
    await runWorkers(app);
  });
});

describe('two workers at once', () => {
  test('settle each payment once, including paid ones', async () => {
    await query(
      databaseUrl,
      `DROP TABLE IF EXISTS settled;
       CREATE TABLE settled (payment_id uuid, status text);
       CREATE OR REPLACE FUNCTION note_settled() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN INSERT INTO settled VALUES (NEW.id, NEW.status); RETURN NEW; END $$;
       CREATE OR REPLACE TRIGGER note_settled AFTER UPDATE OF status ON payment FOR EACH ROW
       WHEN (OLD.status = 'pending') EXECUTE FUNCTION note_settled();`,
    );
    const ids = await Promise.all(Array.from({ length: 70 }, () => createPayment()));
    const paid = ids.slice(0, 10);
    for (const id of paid) await payInSilence(id, clock);
    passMinutes(6);

    let done = 0;
    let doneNow: number;
    do {
      doneNow = await runWorkers(app, other);
      done += doneNow;
    } while (doneNow > 0);
    expect(done).toBe(70);

    const settled = await query<{ payment_id: string; status: string }>(databaseUrl, 'TABLE settled');
    expect(settled.map(({ payment_id }) => payment_id).sort()).toEqual([...ids].sort());
    const completed = settled.filter(({ status }) => status === 'completed');
    expect(completed.map(({ payment_id }) => payment_id).sort()).toEqual([...paid].sort());
  });

  test('the check and a concurrent notification record the money once', async () => {
    const id = await createPayment();
    passMinutes(6);
    const pay = () => client.post(`/v1/sandbox/payments/${id}/pay`);
    const [paid] = await Promise.all([pay(), runWorkers(app, other)]);
    expect(paid.body).toMatchObject({ status: 'completed' });
    expect(await receivedBy(id)).toHaveLength(1);
    expect(await paymentOf(id)).toMatchObject({ status: 'completed' });
  });
});

test('the worker of a running service does it by itself', async () => {
  const id = await createPayment();
  const service = await startTestApp(
    { DATABASE_URL: databaseUrl, ROLE: 'worker' },
    { now: () => new Date(clock.getTime() + 6 * MINUTE_MS) },
  );
  try {
    await eventually(async () => expect(await paymentOf(id)).toMatchObject({ status: 'expired' }));
  } finally {
    await service.stop();
  }
});
