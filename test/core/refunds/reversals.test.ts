import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';

let databaseUrl: string;
let app: TestApp;
let client: Client;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  app = await startTestApp({ DATABASE_URL: databaseUrl });
});

afterAll(() => app.stop());

beforeEach(async () => {
  client = createClient(app.baseUrl, (await createKey(app.services)).key);
});

async function paid(amount = 10): Promise<string> {
  const { body } = await client.post('/v1/payments', { amount });
  await client.post(`/v1/sandbox/payments/${body.id}/pay`);
  return String(body.id);
}

const simulate = (id: string, what: string, body?: object) =>
  client.post(`/v1/sandbox/payments/${id}/${what}`, body);

const read = async (id: string) => (await client.get(`/v1/payments/${id}`)).body;

const events = async () =>
  (await client.get('/v1/events?limit=100')).body.data as { type: string; [member: string]: unknown }[];

const eventTypes = async () => (await events()).map(({ type }) => type);

describe('money taken back', () => {
  test('in part shows apart from refunds, and lowers what can be refunded', async () => {
    const id = await paid(10);
    await client.post(`/v1/payments/${id}/refunds`, { amount: 1 });
    const reversed = await simulate(id, 'reverse', { amount: 4, reason: 'med_fraud' });
    expect(reversed).toMatchObject({
      status: 200,
      body: { status: 'completed', amountReversed: 4, amountRefunded: 1 },
    });
    expect(await client.post(`/v1/payments/${id}/refunds`, { amount: 5.01 })).toMatchObject({
      status: 400,
      body: { message: 'amount must be at most 5, the remaining refundable amount' },
    });
    expect(await client.post(`/v1/payments/${id}/refunds`)).toMatchObject({ body: { amount: 5 } });
    expect(await read(id)).toMatchObject({ status: 'refunded', amountReversed: 4, amountRefunded: 6 });
  });

  test('is an event of its own, with the reversal', async () => {
    const id = await paid(10);
    await simulate(id, 'reverse', { amount: 4, reason: 'med_operational_failure' });
    const event = (await events()).at(-1);
    expect(event).toMatchObject({
      type: 'payment_reversed',
      sequence: 2,
      data: { id, amountReversed: 4 },
      reversal: { paymentId: id, amount: 4, reason: 'med_operational_failure', status: 'completed' },
    });
  });

  test('in full makes the payment refunded, with both events in order', async () => {
    const id = await paid(10);
    await simulate(id, 'reverse', { amount: 4 });
    await simulate(id, 'reverse');
    expect(await read(id)).toMatchObject({ status: 'refunded', amountReversed: 10 });
    expect(await read(id)).not.toHaveProperty('amountRefunded');
    expect(await eventTypes()).toEqual([
      'payment_completed',
      'payment_reversed',
      'payment_reversed',
      'payment_refunded',
    ]);
    expect(await client.post(`/v1/payments/${id}/refunds`)).toMatchObject({ status: 409 });
  });

  test('given back in the panel counts as refunded', async () => {
    const id = await paid(10);
    await simulate(id, 'reverse', { amount: 4, reason: 'returned_at_psp' });
    expect(await read(id)).toMatchObject({ amountRefunded: 4 });
    expect(await read(id)).not.toHaveProperty('amountReversed');
  });

  test('is recorded once, however often the provider reports it', async () => {
    const id = await paid(10);
    await simulate(id, 'reverse', { amount: 4 });
    await simulate(id, 'dispute', { amount: 1 });
    await simulate(id, 'dispute/close', { outcome: 'won' });
    expect(await read(id)).toMatchObject({ amountReversed: 4 });
    expect((await eventTypes()).filter((type) => type === 'payment_reversed')).toHaveLength(1);
  });

  test('never adds up to more than was paid, however refunds and reversals race', async () => {
    const id = await paid(10);
    const results = await Promise.all([
      ...[3, 4, 5].map((amount) => client.post(`/v1/payments/${id}/refunds`, { amount })),
      ...[2, 6].map((amount) => simulate(id, 'reverse', { amount })),
    ]);
    const failed = results.filter(({ status }) => status >= 500);
    expect(failed).toEqual([]);
    const { amountRefunded = 0, amountReversed = 0 } = await read(id);
    const refunds = results.slice(0, 3).filter(({ body }) => body.status === 'completed');
    expect(amountRefunded).toBe(refunds.reduce((sum, { body }) => sum + Number(body.amount), 0));
    expect(Number(amountRefunded) + Number(amountReversed)).toBeLessThanOrEqual(10);
    // A reversal that happened during a look is recorded by the next one; until then the provider refuses what it no longer has.
    await eventually(async () => {
      await client.post(`/v1/payments/${id}/refunds`);
      const { amountRefunded: refunded = 0, amountReversed: reversed = 0 } = await read(id);
      expect(Number(refunded) + Number(reversed)).toBe(10);
    });
  });
});

test('the sandbox takes no more than the Pix that paid, though another came', async () => {
  const id = await paid(10);
  await simulate(id, 'pay');
  await simulate(id, 'dispute');
  await simulate(id, 'reverse');
  await simulate(id, 'dispute/close', { outcome: 'lost' });
  const taken = await query<{ sum: string }>(
    databaseUrl,
    `SELECT sum(amount_in_cents) FROM sandbox_reversal WHERE transaction_id =
       (SELECT replace(attempt_id::text, '-', '') FROM payment WHERE id = $1)`,
    [id],
  );
  expect(taken).toEqual([{ sum: '1000' }]);
});

describe('a dispute', () => {
  test('that is won leaves the money, and is shown while it is open', async () => {
    const id = await paid(10);
    expect(await simulate(id, 'dispute')).toMatchObject({ status: 200, body: { disputed: true } });
    const refused = await client.post(`/v1/payments/${id}/refunds`, { amount: 1 });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        message:
          'A payment with an open dispute cannot be refunded before it is closed, unless an owner forces it',
      },
    });
    const text = 'mutation ($id: ID!) { refundPayment(id: $id) { id } }';
    const { body } = await client.graphql(text, { id });
    expect(body.errors).toMatchObject([{ extensions: { reason: 'payment_disputed' } }]);
    const closed = await simulate(id, 'dispute/close', { outcome: 'won' });
    expect(closed.body).not.toHaveProperty('disputed');
    expect(closed.body).toMatchObject({ status: 'completed' });
    expect(await events()).toMatchObject([
      { type: 'payment_completed' },
      { type: 'payment_disputed', dispute: { paymentId: id, amount: 10, state: 'open' } },
      { type: 'payment_dispute_closed', dispute: { state: 'won' } },
    ]);
  });

  test('that is lost takes the money', async () => {
    const id = await paid(10);
    await simulate(id, 'dispute', { amount: 6 });
    expect(await simulate(id, 'dispute/close', { outcome: 'lost' })).toMatchObject({
      body: { status: 'completed', amountReversed: 6 },
    });
    expect((await events()).slice(-2)).toMatchObject([
      { type: 'payment_reversed', reversal: { reason: 'chargeback', amount: 6 } },
      { type: 'payment_dispute_closed', dispute: { state: 'lost' } },
    ]);
  });
});

describe('the sandbox refuses', () => {
  test('to reverse or dispute what was never paid', async () => {
    const { body } = await client.post('/v1/payments', { amount: 10 });
    for (const what of ['reverse', 'dispute']) {
      expect(await simulate(String(body.id), what)).toMatchObject({
        status: 409,
        body: { message: `A payment that is pending cannot be ${what}d` },
      });
    }
    expect(await simulate(String(body.id), 'dispute/close', { outcome: 'won' })).toMatchObject({
      status: 409,
      body: { message: 'The payment has no open dispute' },
    });
  });

  test.each([
    ['reverse', { amount: 0 }, 'amount must be at least 0.01'],
    ['reverse', { amount: 1.234 }, 'amount must have at most two decimals'],
    ['reverse', { amount: 11 }, 'amount must be at most 10, what is left of the payment'],
    [
      'reverse',
      { reason: 'regret' },
      'reason must be one of returned_at_psp, med_fraud, med_operational_failure, med_automatic_pix, chargeback',
    ],
    ['dispute', { amount: 'all' }, 'amount must be a number'],
    ['dispute', [], 'body must be a JSON object'],
  ])('%s %j', async (what, body, message) => {
    const id = await paid(10);
    expect(await simulate(id, what, body)).toMatchObject({ status: 400, body: { message } });
  });

  test('a second dispute, and an outcome that is none', async () => {
    const id = await paid(10);
    await simulate(id, 'dispute');
    expect(await simulate(id, 'dispute')).toMatchObject({ status: 409 });
    expect(await simulate(id, 'dispute/close', { outcome: 'draw' })).toMatchObject({
      status: 400,
      body: { message: 'outcome must be won or lost' },
    });
  });
});
