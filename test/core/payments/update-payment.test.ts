import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { paymentVersion } from '../../../src/core/payments/views/payment-view.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Answer, type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { createKey, type TestKey } from '../../support/factories.ts';
import { closeGate, installGates, openGates } from '../../support/gate.ts';

let databaseUrl: string;
let app: TestApp;
let other: TestApp;
let owner: TestKey;
let client: Client;
let clock: Date;

const noonOf = (day: string): Date => new Date(`${day}T15:00:00Z`);
const passSeconds = (seconds: number): void => {
  clock = new Date(clock.getTime() + seconds * 1_000);
};

const payer = { name: 'João Souza', document: '529.982.247-25' };

async function createDue(body: object = {}): Promise<string> {
  const due = { date: '2026-12-10', fine: { percent: 2 } };
  const created = await client.post('/v1/payments', { amount: 100, payer, due, ...body });
  return created.body.id as string;
}

const change = (id: string, body: object, headers?: Record<string, string>): Promise<Answer> =>
  client.patch(`/v1/payments/${id}`, body, headers);
const paymentOf = async (id: string) => (await client.get(`/v1/payments/${id}`)).body;
const wholeEventsOf = async (id: string) => {
  const { body } = await client.get('/v1/events');
  const events = body.data as { type: string; data: { id: string }; previous?: object }[];
  return events.filter(({ data }) => data.id === id);
};
const eventsOf = async (id: string): Promise<string[]> => (await wholeEventsOf(id)).map(({ type }) => type);

async function runChecks(): Promise<void> {
  for (let round = 0; round < 10; round++) if ((await app.services.reconciliation.payment(50)) === 0) return;
}

beforeAll(async () => {
  clock = noonOf('2026-12-01');
  databaseUrl = await freshDatabase();
  await installGates(databaseUrl, ['sandbox_charge']);
  const env = { DATABASE_URL: databaseUrl, ROLE: 'api' };
  app = await startTestApp(env, { now: () => clock });
  other = await startTestApp(env, { now: () => clock });
});

afterAll(async () => {
  await openGates();
  await Promise.all([app.stop(), other.stop()]);
});

beforeEach(async () => {
  clock = noonOf('2026-12-01');
  owner = await createKey(app.services);
  client = createClient(app.baseUrl, owner.key);
});

describe('changing a payment with a due date', () => {
  test('replaces its terms, here and at the provider', async () => {
    const id = await createDue();
    const changed = await change(id, {
      amount: 80,
      due: { date: '2026-12-15', rebate: { amount: 10 } },
      description: 'Mensalidade',
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        amount: 80,
        description: 'Mensalidade',
        revision: 1,
        due: { date: '2026-12-15', adjustedDate: '2026-12-15', lastPayableOn: '2027-01-14', amountToday: 70 },
        expiresAt: '2027-01-15T02:59:59.999Z',
      },
    });
    expect(changed.body.due).not.toHaveProperty('fine');
    const paid = await client.post(`/v1/sandbox/payments/${id}/pay`);
    expect(paid.body).toMatchObject({ status: 'completed', amount: 80, amountPaid: 70 });
    expect(await eventsOf(id)).toEqual(['payment_updated', 'payment_completed']);
  });

  test('tells in its event what held before', async () => {
    const id = await createDue({ description: 'Maio' });
    await change(id, { amount: 80, description: 'Junho' });
    await change(id, { due: { date: '2026-12-15' } });
    await client.post(`/v1/sandbox/payments/${id}/pay`);
    const previous = (await wholeEventsOf(id)).map((event) => event.previous);
    expect(previous).toEqual([
      expect.objectContaining({
        amount: 100,
        description: 'Maio',
        due: expect.objectContaining({
          date: '2026-12-10',
          lastPayableOn: '2027-01-11',
          fine: { percent: 2 },
        }),
      }),
      expect.objectContaining({
        amount: 80,
        description: 'Junho',
        due: expect.objectContaining({ date: '2026-12-10' }),
      }),
      undefined,
    ]);
  });

  test('over GraphQL is the same', async () => {
    const id = await createDue();
    const { body } = await client.graphql(
      `mutation ($id: ID!, $input: UpdatePaymentInput!) {
        updatePayment(id: $id, input: $input) { amount revision due { date fine { percent } } } }`,
      { id, input: { amount: 90, revision: 0 } },
    );
    expect(body).toEqual({
      data: {
        updatePayment: { amount: 90, revision: 1, due: { date: '2026-12-10', fine: { percent: 2 } } },
      },
    });
  });

  test('that is overdue gives it another date, after which it is overdue once more', async () => {
    const id = await createDue();
    clock = noonOf('2026-12-11');
    await runChecks();
    expect(await paymentOf(id)).toMatchObject({ overdue: true });
    expect((await change(id, { amount: 90 })).body).toMatchObject({
      overdue: true,
      due: { amountToday: 91.8 },
    });
    const later = await change(id, { due: { date: '2026-12-20' } });
    expect(later.body).not.toHaveProperty('overdue');
    clock = noonOf('2026-12-22');
    await runChecks();
    expect(await paymentOf(id)).toMatchObject({ overdue: true });
    expect(await eventsOf(id)).toEqual([
      'payment_overdue',
      'payment_updated',
      'payment_updated',
      'payment_overdue',
    ]);
  });

  test('is repeated by its key', async () => {
    const id = await createDue();
    const headers = { 'Idempotency-Key': 'change-1' };
    await change(id, { amount: 90 }, headers);
    const again = await change(id, { amount: 90 }, headers);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(again.body).toMatchObject({ amount: 90, revision: 1 });
    expect((await change(id, { amount: 91 }, headers)).status).toBe(422);
  });
});

describe('changing description and metadata', () => {
  const metadata = { order: 7, note: null, tags: ['a', { b: 0.1 }] };

  async function createOrdinary(body: object = {}): Promise<string> {
    return (await client.post('/v1/payments', { amount: 1, ...body })).body.id as string;
  }

  test('of an ordinary payment replaces them, whatever its status', async () => {
    const id = await createOrdinary({ description: 'Blue', metadata: { cart: 1, gone: true } });
    expect(await paymentOf(id)).not.toHaveProperty('revision');
    const changed = await change(id, { revision: 0, metadata });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ description: 'Blue', metadata, revision: 1, status: 'pending' });
    expect(changed.body.metadata).toEqual(metadata);
    await client.post(`/v1/sandbox/payments/${id}/pay`);
    expect((await change(id, { description: 'Red' })).body).toMatchObject({
      status: 'completed',
      description: 'Red',
      metadata,
      revision: 2,
    });
    expect(await paymentOf(id)).toMatchObject({ description: 'Red', metadata, revision: 2 });
    const events = await wholeEventsOf(id);
    expect(events.map(({ type }) => type)).toEqual([
      'payment_updated',
      'payment_completed',
      'payment_updated',
    ]);
    expect(events[0]).toMatchObject({ data: { metadata, revision: 1 } });
    expect(events[2]).toMatchObject({ previous: { description: 'Blue' }, data: { description: 'Red' } });
  });

  test('to what they are changes and tells nothing', async () => {
    const id = await createOrdinary({ metadata });
    expect((await change(id, { metadata })).body).not.toHaveProperty('revision');
    expect(await eventsOf(id)).toEqual([]);
  });

  test('is repeated by its key, and answered again with the revision before', async () => {
    const id = await createOrdinary();
    const headers = { 'Idempotency-Key': 'details-1' };
    await change(id, { revision: 0, metadata }, headers);
    const again = await change(id, { revision: 0, metadata }, headers);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(again.body).toMatchObject({ metadata, revision: 1 });
    expect((await change(id, { revision: 0, metadata })).body).toMatchObject({ revision: 1 });
    expect(await eventsOf(id)).toEqual(['payment_updated']);
    const stale = await change(id, { revision: 0, metadata: {} });
    expect(stale.headers.get('X-Error-Code')).toBe('changed_meanwhile');
    expect(await paymentOf(id)).toMatchObject({ metadata });
  });

  test('of two at once, with the same revision, makes one', async () => {
    const id = await createOrdinary();
    const answers = await Promise.all([1, 2].map((cart) => change(id, { revision: 0, metadata: { cart } })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test('of a pending payment with a due date goes with its terms, and metadata alone to no provider', async () => {
    const id = await createDue({ metadata: { cart: 1 } });
    expect((await change(id, { amount: 80, metadata })).body).toMatchObject({
      amount: 80,
      metadata,
      revision: 1,
    });
    expect((await wholeEventsOf(id))[0]).toMatchObject({ data: { amount: 80, metadata } });
    await query(databaseUrl, 'DELETE FROM sandbox_charge WHERE transaction_id = $1', [
      id.replaceAll('-', ''),
    ]);
    expect((await change(id, { metadata: {} })).body).toMatchObject({ metadata: {}, revision: 2 });
  });

  test('over GraphQL is the same', async () => {
    const id = await createOrdinary();
    const { body } = await client.graphql(
      `mutation ($id: ID!, $input: UpdatePaymentInput!) {
        updatePayment(id: $id, input: $input) { description metadata revision } }`,
      { id, input: { description: 'Red', metadata } },
    );
    expect(body).toEqual({ data: { updatePayment: { description: 'Red', metadata, revision: 1 } } });
  });

  test('reaches subscribers of the payment', async () => {
    const id = await createOrdinary();
    const before = await paymentOf(id);
    const { body } = await change(id, { metadata });
    expect(paymentVersion(body)).not.toBe(paymentVersion(before));
  });

  test.each<[string, object, string]>([
    ['metadata that is no object', { metadata: [] }, 'metadata must be a JSON object'],
    [
      'too much of it',
      { metadata: { text: 'x'.repeat(20_000) } },
      'metadata must be at most 16384 bytes of JSON',
    ],
    ['a long description', { description: 'x'.repeat(501) }, 'description must be at most 500 characters'],
  ])('refuses %s', async (_name, body, message) => {
    expect(await change(await createOrdinary(), body)).toMatchObject({ status: 400, body: { message } });
  });

  test('is in the audit log, with the key', async () => {
    const id = await createOrdinary();
    await change(id, { metadata });
    const entries = await query(
      databaseUrl,
      `SELECT api_key_id, details->>'revision' AS revision FROM audit_entry WHERE subject = $1 AND action = 'payment.update'`,
      [id],
    );
    expect(entries).toEqual([{ api_key_id: owner.id, revision: '1' }]);
  });
});

describe('what it refuses', () => {
  test.each<[string, object, string]>([
    ['nothing to change', { revision: 0 }, 'body must have amount, due, description or metadata'],
    [
      'a past date',
      { due: { date: '2026-11-30' } },
      'due.date must not be before today, 2026-12-01 in São Paulo',
    ],
    ['half a revision', { revision: 0.5, amount: 1 }, 'revision must be a whole number from 0'],
    [
      'a rebate of everything',
      { due: { date: '2026-12-10', rebate: { percent: 100 } } },
      'due must leave at least 0.01 to pay after rebate and discount',
    ],
  ])('%s', async (_name, body, message) => {
    expect(await change(await createDue(), body)).toMatchObject({ status: 400, body: { message } });
  });

  test('a revision that no payment reaches', async () => {
    const id = await createDue();
    const late = await change(id, { revision: 2 ** 31, amount: 10 });
    expect(late.headers.get('X-Error-Code')).toBe('changed_meanwhile');
  });

  test('an old revision, which changes nothing', async () => {
    const id = await createDue();
    await change(id, { revision: 0, amount: 90 });
    const late = await change(id, { revision: 0, amount: 10 });
    expect(late.status).toBe(409);
    expect(late.headers.get('X-Error-Code')).toBe('changed_meanwhile');
    expect(await paymentOf(id)).toMatchObject({ amount: 90, revision: 1 });
  });

  test('a payment without a due date, or one that is paid', async () => {
    const { body } = await client.post('/v1/payments', { amount: 1 });
    const paid = await createDue();
    await client.post(`/v1/sandbox/payments/${paid}/pay`);
    for (const id of [body.id as string, paid]) {
      const refused = await change(id, { amount: 2 });
      expect(refused.status).toBe(409);
      expect(refused.headers.get('X-Error-Code')).toBe('payment_not_changeable');
    }
  });

  test('one that is paid while it is being changed', async () => {
    const id = await createDue();
    // The notification is lost, so that only the provider knows.
    await query(
      databaseUrl,
      `INSERT INTO sandbox_pix (end_to_end_id, transaction_id, paid_at, amount_in_cents)
       SELECT 'E' || replace(id::text, '-', ''), replace(id::text, '-', ''), $2, 10000
       FROM payment_attempt WHERE payment_id = $1`,
      [id, clock],
    );
    expect((await change(id, { amount: 1 })).status).toBe(409);
    clock = noonOf('2026-12-02');
    await runChecks();
    expect(await paymentOf(id)).toMatchObject({ status: 'completed', amount: 100, amountPaid: 100 });
  });

  test('somebody else’s payment', async () => {
    const id = await createDue();
    const stranger = createClient(app.baseUrl, (await createKey(app.services)).key);
    expect((await stranger.patch(`/v1/payments/${id}`, { amount: 1 })).status).toBe(404);
  });
});

describe('if the node dies while it changes a payment', () => {
  const due = { date: '2026-12-24', payableDaysAfter: 30 };

  /** As a node leaves it that had sent the change to the provider, or was about to. */
  async function breakOff(id: string, revising: { amountInCents: number; due: object }, wasSent: boolean) {
    const begun = { ...revising, description: 'Mensalidade', startedAt: clock.toISOString() };
    await query(databaseUrl, 'UPDATE payment SET revising = $2 WHERE id = $1', [id, begun]);
    await query(
      databaseUrl,
      `INSERT INTO payment_check (payment_id, next_check_at) VALUES ($1, $2)
       ON CONFLICT (payment_id) DO UPDATE SET next_check_at = excluded.next_check_at`,
      [id, new Date(clock.getTime() + 60_000)],
    );
    if (!wasSent) return;
    await query(
      databaseUrl,
      `UPDATE sandbox_charge SET amount_in_cents = $2, due = $3
       WHERE transaction_id IN (SELECT replace(id::text, '-', '') FROM payment_attempt WHERE payment_id = $1)`,
      [id, revising.amountInCents, revising.due],
    );
  }

  test('and the payer pays what the provider asks for by then, the payment has changed', async () => {
    const id = await createDue();
    await breakOff(id, { amountInCents: 4_200, due }, true);
    const { body } = await client.post(`/v1/sandbox/payments/${id}/pay`);
    expect(body).toMatchObject({
      status: 'completed',
      amount: 42,
      amountPaid: 42,
      amountParts: { original: 42 },
      description: 'Mensalidade',
      due,
      revision: 1,
      expiresAt: '2027-01-26T02:59:59.999Z',
    });
    expect(await eventsOf(id)).toEqual(['payment_updated', 'payment_completed']);
    const { data } = (await client.get('/v1/payments?concern=amount_differs')).body;
    expect(data).toEqual([]);
  });

  test('and the payer pays what other terms of the same amount ask for, it has changed too', async () => {
    const id = await createDue();
    const rebate = { amountInCents: '1000' };
    await breakOff(id, { amountInCents: 10_000, due: { ...due, rebate: { amount: 10 } } }, false);
    await query(databaseUrl, 'UPDATE sandbox_charge SET due = $1', [{ ...due, rebate }]);
    const { body } = await client.post(`/v1/sandbox/payments/${id}/pay`);
    expect(body).toMatchObject({ amount: 100, amountPaid: 90, amountParts: { rebate: 10 }, revision: 1 });
  });

  test('the change counts before the payment is overdue', async () => {
    const id = await createDue();
    await breakOff(id, { amountInCents: 4_200, due }, false);
    clock = noonOf('2026-12-11');
    await runChecks();
    expect(await paymentOf(id)).toMatchObject({ amount: 42, due });
    expect(await eventsOf(id)).toEqual(['payment_updated']);
  });

  test('and the notification is lost too, what the provider says of the Pix decides', async () => {
    const id = await createDue();
    await breakOff(id, { amountInCents: 4_200, due }, true);
    await query(
      databaseUrl,
      `INSERT INTO sandbox_pix (end_to_end_id, transaction_id, paid_at, amount_in_cents)
       SELECT 'E' || replace(id::text, '-', ''), replace(id::text, '-', ''), $2, 4200
       FROM payment_attempt WHERE payment_id = $1`,
      [id, clock],
    );
    clock = noonOf('2026-12-02');
    await runChecks();
    expect(await paymentOf(id)).toMatchObject({
      status: 'completed',
      amount: 42,
      amountPaid: 42,
      revision: 1,
    });
  });

  test('and the provider has not got it when the payer pays, the payment is as it was', async () => {
    const id = await createDue();
    await breakOff(id, { amountInCents: 4_200, due }, false);
    const { body } = await client.post(`/v1/sandbox/payments/${id}/pay`);
    expect(body).toMatchObject({ status: 'completed', amount: 100, amountPaid: 100, revision: 0 });
    expect(await eventsOf(id)).toEqual(['payment_completed']);
    const [left] = await query(databaseUrl, 'SELECT revising FROM payment WHERE id = $1', [id]);
    expect(left).toEqual({ revising: null });
  });
});

describe('two at once', () => {
  test('over two nodes, one of each revision wins, and the provider has what the payment says', async () => {
    const id = await createDue();
    const nodes = [client, createClient(other.baseUrl, owner.key)];
    const amounts = Array.from({ length: 12 }, (_, index) => 50 + index);
    const outcomes = await Promise.all(
      amounts.map((amount, index) => nodes[index % 2]!.patch(`/v1/payments/${id}`, { amount })),
    );
    const won = outcomes.filter(({ status }) => status === 200);
    expect(won.length).toBeGreaterThan(0);
    expect(outcomes.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const { amount, revision } = (await paymentOf(id)) as { amount: number; revision: number };
    expect(revision).toBe(won.length);
    const paid = await client.post(`/v1/sandbox/payments/${id}/pay`);
    expect(paid.body).toMatchObject({ amount, amountPaid: amount });
  });

  test('a worker leaves to a node what it is changing', async () => {
    const id = await createDue();
    const gate = await closeGate(databaseUrl, 'UPDATE', 'sandbox_charge');
    const changed = change(id, { amount: 90 });
    await gate.waiting(1);
    await query(databaseUrl, 'UPDATE payment_check SET next_check_at = $1', [clock]);
    await runChecks();
    await gate.open();
    expect((await changed).body).toMatchObject({ amount: 90, revision: 1 });
    expect(await paymentOf(id)).toMatchObject({ amount: 90, revision: 1 });
    expect(await eventsOf(id)).toEqual(['payment_updated']);
  });

  test('and its response is lost, the same request again finds what a worker has finished', async () => {
    const id = await createDue();
    const wanted = { revision: 0, amount: 90 };
    const gate = await closeGate(databaseUrl, 'UPDATE', 'sandbox_charge');
    const lost = change(id, wanted);
    await gate.waiting(1);
    await gate.endWaiting();
    expect((await lost).status).toBeGreaterThanOrEqual(500);
    await gate.open();
    passSeconds(61);
    await runChecks();
    const again = await change(id, wanted);
    expect(again).toMatchObject({ status: 200, body: { amount: 90, revision: 1 } });
    expect((await change(id, { ...wanted, amount: 91 })).status).toBe(409);
    expect(await eventsOf(id)).toEqual(['payment_updated']);
  });

  test('and the clock of test mode returns to real time, it can be changed a minute later', async () => {
    await client.post('/v1/sandbox/clock', { advance: 'P2D' });
    const id = await createDue();
    const gate = await closeGate(databaseUrl, 'UPDATE', 'sandbox_charge');
    const lost = change(id, { amount: 90 });
    await gate.waiting(1);
    await gate.endWaiting();
    expect((await lost).status).toBeGreaterThanOrEqual(500);
    await gate.open();
    await client.delete('/v1/sandbox/clock');
    expect((await change(id, { amount: 80 })).headers.get('x-error-code')).toBe('changed_meanwhile');
    passSeconds(61);
    expect((await change(id, { amount: 80 })).body).toMatchObject({ amount: 80, revision: 1 });
    const paid = await client.post(`/v1/sandbox/payments/${id}/pay`);
    expect(paid.body).toMatchObject({ amount: 80, amountPaid: 80 });
  });

  test('and a worker has finished it, the same request again is that change, and no other', async () => {
    const id = await createDue();
    const headers = { 'Idempotency-Key': 'change-2' };
    await change(id, { amount: 42 }, headers);
    // As if the node had died before it stored what it answers.
    await query(
      databaseUrl,
      `UPDATE idempotency_key SET outcome = NULL, locked_until = now() - interval '1 second' WHERE key = 'change-2'
         AND organization_id = $1`,
      [owner.organizationId],
    );
    expect((await change(id, { amount: 42 }, headers)).body).toMatchObject({ amount: 42, revision: 1 });
    expect(await eventsOf(id)).toEqual(['payment_updated']);
  });

  test('if the node dies before the provider has it, a worker finishes', async () => {
    const id = await createDue();
    const revising = {
      amountInCents: 4_200,
      due: { date: '2026-12-24', payableDaysAfter: 30 },
      description: null,
      startedAt: clock.toISOString(),
    };
    await query(databaseUrl, 'UPDATE payment SET revising = $2 WHERE id = $1', [id, revising]);
    await query(databaseUrl, `INSERT INTO payment_check (payment_id, next_check_at) VALUES ($1, $2)`, [
      id,
      new Date(clock.getTime() + 60_000),
    ]);
    expect((await change(id, { amount: 1 })).status).toBe(409);
    passSeconds(61);
    await runChecks();
    expect(await paymentOf(id)).toMatchObject({ amount: 42, revision: 1, due: { date: '2026-12-24' } });
    expect(await eventsOf(id)).toEqual(['payment_updated']);
  });
});
