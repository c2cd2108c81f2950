import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseBrCode } from '@pix-service/br-code';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import { nextBusinessDay } from '../../../src/core/base/time/business-days.ts';
import { addDays, type CalendarDay } from '../../../src/core/base/time/calendar-day.ts';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { deliverWebhooks } from '../../support/deliver-webhooks.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { createKey, type TestKey } from '../../support/factories.ts';
import { sentStatements } from '../../support/statements.ts';
import { receiverHost, startWebhookReceiver } from '../../support/webhook-receiver.ts';

let databaseUrl: string;
let app: TestApp;
let owner: TestKey;
let client: Client;

/** Calendar days of America/Sao_Paulo, by the real clock. */
const dayAfter = (days: number): CalendarDay => addDays(brasiliaDay(new Date()), days);

const basic = {
  payer: { name: 'Fulano de Tal', document: '529.982.247-25' },
  contract: '63100862',
  description: 'Plano Ouro',
  amount: 35,
  frequency: 'monthly',
  authorization: 'qr',
};

const body = (more: object = {}) => ({ ...basic, startDate: dayAfter(20), ...more });

async function created(more: object = {}) {
  const response = await client.post('/v1/recurrences', body(more));
  expect(response).toMatchObject({ status: 201 });
  return response.body as { id: string; firstPaymentId?: string; pixCopyPaste: string; nextDebitOn?: string };
}

async function active(more: object = {}) {
  const recurrence = await created(more);
  const approved = await client.post(`/v1/sandbox/recurrences/${recurrence.id}/approve`);
  expect(approved).toMatchObject({ status: 200, body: { status: 'active' } });
  return recurrence;
}

const advance = async (to: string) => {
  const moved = await client.post('/v1/sandbox/clock', { to });
  expect(moved).toMatchObject({ status: 200 });
};

const recurrenceOf = async (id: string) => (await client.get(`/v1/recurrences/${id}`)).body;
const debitsOf = async (id: string) =>
  (await client.get(`/v1/recurrences/${id}/payments?limit=100`)).body.data as {
    id: string;
    status: string;
    dueDate: string;
    debit: { state: string; attempts: { on: string; state: string; reason?: string }[]; retryOn?: string };
  }[];

const eventsOf = async (): Promise<string[]> => {
  const { body: page } = await client.get('/v1/events?limit=100');
  return (page.data as { type: string }[]).map(({ type }) => type);
};

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  app = await startTestApp({
    DATABASE_URL: databaseUrl,
    ROLE: 'api',
    RATE_LIMIT_PER_MINUTE: '100000',
    WEBHOOK_ALLOWED_HOSTS: receiverHost,
  });
});

afterAll(() => app.stop());

beforeEach(async () => {
  owner = await createKey(app.services);
  client = createClient(app.baseUrl, owner.key);
});

describe('asking for a recurrence', () => {
  test.each([
    [{ payer: undefined }, 'payer.name is required; payer.document is required'],
    [{ contract: undefined }, 'contract is required'],
    [{ contract: 'x'.repeat(36) }, 'contract must be at most 35 characters'],
    [{ frequency: 'daily' }, 'frequency must be one of weekly, monthly, quarterly, semiannually, annually'],
    [{ authorization: undefined }, 'authorization is required'],
    [{ startDate: '2026-02-30' }, 'startDate must be a day that exists'],
    [{ amount: 0 }, 'amount must be at least 0.01'],
    [{ minimumAmount: 10 }, 'minimumAmount must be left out when amount is given'],
    [{ amount: undefined, schedule: 'automatic' }, 'schedule must be manual without amount'],
    [{ authorization: 'qr_with_payment' }, 'firstPayment is required with authorization qr_with_payment'],
    [{ firstPayment: { amount: 35 } }, 'firstPayment must be left out with authorization qr'],
    [{ endDate: '2020-01-01' }, 'endDate must not be before startDate'],
    [{ startDate: dayAfter(0) }, 'startDate must leave two business days'],
    [{ startDate: dayAfter(4_000) }, 'startDate must be at most ten years ahead'],
  ])('refuses %j', async (more, message) => {
    const refused = await client.post('/v1/recurrences', body(more));
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  });

  test('returns the code by which the payer permits it', async () => {
    const response = await client.post('/v1/recurrences', body());
    expect(response).toMatchObject({
      status: 201,
      body: {
        status: 'pending',
        amount: 35,
        schedule: 'automatic',
        retries: 'none',
        nextDebitOn: dayAfter(20),
      },
    });
    const code = parseBrCode(response.body.pixCopyPaste as string);
    expect(code.get('80-25')).toMatch(/\/rec\//);
    expect(code.get('26-25')).toBeUndefined();
    expect(response.body.pixQrCodeBase64).toEqual(expect.any(String));
  });

  test('returns a code that also pays the first payment', async () => {
    const recurrence = await created({ authorization: 'qr_with_payment', firstPayment: { amount: 12.5 } });
    const first = (await client.get(`/v1/payments/${recurrence.firstPaymentId}`)).body;
    expect(first).toMatchObject({ status: 'pending', amount: 12.5, pixCopyPaste: recurrence.pixCopyPaste });
    const code = parseBrCode(recurrence.pixCopyPaste);
    expect(code.get('26-25')).toEqual(expect.any(String));
  });

  test('makes one for a repeated key', async () => {
    const [one, two] = [
      await client.post('/v1/recurrences', body(), { 'idempotency-key': 'subscription-1' }),
      await client.post('/v1/recurrences', body(), { 'idempotency-key': 'subscription-1' }),
    ];
    expect(two.body).toEqual(one.body);
    expect((await client.get('/v1/recurrences')).body.data).toHaveLength(1);
  });

  test('belongs to its organization and mode', async () => {
    const { id } = await created();
    const stranger = createClient(app.baseUrl, (await createKey(app.services)).key);
    expect(await stranger.get(`/v1/recurrences/${id}`)).toMatchObject({ status: 404 });
    expect((await stranger.get('/v1/recurrences')).body.data).toEqual([]);
  });
});

describe('the payer', () => {
  test('permits it, which pays the first payment', async () => {
    const recurrence = await active({ authorization: 'qr_with_payment', firstPayment: { amount: 12.5 } });
    expect(await recurrenceOf(recurrence.id)).toMatchObject({
      status: 'active',
      activatedAt: expect.any(String),
    });
    expect((await client.get(`/v1/payments/${recurrence.firstPaymentId}`)).body).toMatchObject({
      status: 'completed',
    });
    expect(await eventsOf()).toEqual(['payment_completed']);
  });

  test('rejects it', async () => {
    const { id } = await created();
    expect(await client.post(`/v1/sandbox/recurrences/${id}/reject`)).toMatchObject({
      status: 200,
      body: { status: 'rejected', endedBy: 'payer' },
    });
    expect(await client.post(`/v1/sandbox/recurrences/${id}/approve`)).toMatchObject({ status: 409 });
  });

  test('ends it, and its scheduled debit with it', async () => {
    const { id, nextDebitOn } = await active();
    await advance(`${dayAfter(18)}T12:00:00-03:00`);
    const [debit] = await debitsOf(id);
    expect(debit).toMatchObject({ status: 'pending', dueDate: nextDebitOn });
    expect(await client.post(`/v1/sandbox/recurrences/${id}/revoke`)).toMatchObject({
      body: { status: 'cancelled', endedBy: 'payer' },
    });
    await advance(`${dayAfter(60)}T12:00:00-03:00`);
    expect((await debitsOf(id)).map(({ status }) => status)).toEqual(['cancelled']);
    expect(await eventsOf()).toEqual(['payment_scheduled', 'payment_cancelled']);
  });

  test('permits nothing whose code has expired', async () => {
    const { id } = await created({
      authorization: 'qr_with_payment',
      firstPayment: { amount: 1, expirationMinutes: 5 },
    });
    await advance(new Date(Date.now() + 8 * 60_000).toISOString());
    expect(await recurrenceOf(id)).toMatchObject({ status: 'expired' });
  });
});

describe('a year of a subscription', () => {
  test('is one call: each month is debited once, on its day', async () => {
    const start = dayAfter(20);
    const { id } = await created({ startDate: start });
    await advance(`${dayAfter(375)}T12:00:00-03:00`);
    const debits = await debitsOf(id);
    expect(debits).toHaveLength(12);
    expect(debits.every(({ status }) => status === 'completed')).toBe(true);
    expect(new Set(debits.map(({ dueDate }) => dueDate)).size).toBe(12);
    expect(debits.at(-1)?.dueDate).toBe(start);
    const events = await eventsOf();
    expect(events.filter((type) => type === 'payment_completed')).toHaveLength(12);
  });

  test('ends on its last day', async () => {
    const { id } = await active({ endDate: dayAfter(85) });
    await advance(`${dayAfter(200)}T12:00:00-03:00`);
    expect(await recurrenceOf(id)).toMatchObject({ status: 'expired' });
    expect(await debitsOf(id)).toHaveLength(3);
  });

  test('stays itself over a worker that runs it again', async () => {
    const { id } = await active();
    await advance(`${dayAfter(17)}T12:00:00-03:00`);
    await Promise.all(Array.from({ length: 4 }, () => app.services.recurrenceRunner.run(id)));
    await query(databaseUrl, 'UPDATE recurrence SET next_debit_on = start_date WHERE id = $1', [id]);
    await Promise.all(Array.from({ length: 4 }, () => app.services.recurrenceRunner.run(id)));
    expect(await debitsOf(id)).toHaveLength(1);
  });

  test('costs as many statements as it has debits, however many days lie between', async () => {
    const { id } = await active({ retries: 'three_in_seven_days' });
    const statements = await sentStatements(() => advance(`${dayAfter(200)}T12:00:00-03:00`));
    const debits = await debitsOf(id);
    expect(debits.length).toBeGreaterThanOrEqual(6);
    // As many as for one more are not of a debit: how many debits fit into these days depends on their weekends and holidays.
    expect(statements.length).toBeLessThanOrEqual(60 * (debits.length + 1));
  });

  test('says of a debit that was not sent in time that it is our fault', async () => {
    const { id, nextDebitOn } = await active();
    // No node ran while the debit could be sent.
    await query(databaseUrl, 'UPDATE recurrence SET next_check_at = $2 WHERE id = $1', [
      id,
      `${dayAfter(19)}T12:00:00-03:00`,
    ]);
    await advance(`${dayAfter(19)}T13:00:00-03:00`);
    const [missed, ...others] = await debitsOf(id);
    expect(others).toEqual([]);
    expect(missed).toMatchObject({
      status: 'failed',
      dueDate: nextDebitOn,
      debit: { state: 'failed', reason: 'our_fault', attempts: [] },
    });
    expect(await eventsOf()).toEqual(['payment_debit_failed']);
    const operator = operatorFor(owner.organizationId, 'test');
    const ours = await app.services.debitLists.failed(operator, { ourFault: true });
    expect(ours.data).toMatchObject([{ id: missed?.id }]);
    const condition = { kind: 'debits_our_fault', count: 1, isAtLeast: false };
    expect(await app.services.attention.list(operator)).toMatchObject([condition]);
    await app.services.alertWatch.checkNext();
    expect(await app.services.attention.alerts(operator, 10)).toMatchObject([{ condition, closedAt: null }]);
    const metrics = await (await fetch(`${app.baseUrl}/metrics`)).text();
    expect(metrics).toMatch(/pix_debits_missed_total\{provider="sandbox"\} [1-9]/);
    await advance(`${dayAfter(60)}T13:00:00-03:00`);
    expect(await debitsOf(id)).toMatchObject([{ status: 'completed' }, { status: 'failed' }]);
  });
});

describe('a debit of the sandbox', () => {
  /** The ids of each: of the recurrence, and of its debit. */
  async function scheduled(count: number, more: object = {}) {
    const ids: string[] = [];
    for (let each = 0; each < count; each++) ids.push((await active(more)).id);
    await advance(`${dayAfter(18)}T12:00:00-03:00`);
    return Promise.all(ids.map(async (id) => ({ id, paymentId: (await debitsOf(id))[0]?.id ?? '' })));
  }

  test('can be cancelled until 22:00 of the day before', async () => {
    // Banks debit on business days alone.
    const startDate = nextBusinessDay(dayAfter(20));
    const dayBefore = addDays(startDate, -1);
    const [one, other] = await scheduled(2, { startDate });
    await advance(`${dayBefore}T21:59:00-03:00`);
    expect(await client.post(`/v1/payments/${one?.paymentId}/cancel`)).toMatchObject({ status: 200 });
    await advance(`${dayBefore}T22:00:00-03:00`);
    expect(await client.post(`/v1/payments/${other?.paymentId}/cancel`)).toMatchObject({ status: 409 });
    await advance(`${dayAfter(24)}T12:00:00-03:00`);
    expect(await debitsOf(other?.id ?? '')).toMatchObject([{ status: 'completed' }]);
  });

  test('cannot be paid once its payer has ended the recurrence', async () => {
    const [{ id, paymentId } = { id: '', paymentId: '' }] = await scheduled(1);
    expect((await client.post(`/v1/sandbox/recurrences/${id}/revoke`)).status).toBe(200);
    const paid = await client.post(`/v1/sandbox/payments/${paymentId}/debit`, { outcome: 'paid' });
    expect(paid).toMatchObject({ status: 409 });
    await advance(`${dayAfter(24)}T12:00:00-03:00`);
    expect(await debitsOf(id)).toMatchObject([{ status: 'cancelled' }]);
  });
});

describe('a debit that fails', () => {
  async function debited(more: object = {}) {
    const { id } = await active({ retries: 'three_in_seven_days', ...more });
    await advance(`${dayAfter(18)}T12:00:00-03:00`);
    const [debit] = await debitsOf(id);
    return { id, paymentId: debit?.id ?? '' };
  }

  const answer = (paymentId: string, outcome: string) =>
    client.post(`/v1/sandbox/payments/${paymentId}/debit`, { outcome });

  test('for want of balance is retried a day later, and then paid', async () => {
    const { paymentId } = await debited();
    const failed = await answer(paymentId, 'no_balance');
    expect(failed).toMatchObject({
      status: 200,
      body: {
        status: 'pending',
        debit: {
          state: 'retrying',
          retryOn: dayAfter(21),
          attempts: [{ on: dayAfter(20), state: 'expired', reason: 'no_balance' }],
        },
      },
    });
    await advance(`${dayAfter(26)}T12:00:00-03:00`);
    const { body: paid } = await client.get(`/v1/payments/${paymentId}`);
    expect(paid).toMatchObject({ status: 'completed', debit: { attempts: [{}, { state: 'paid' }] } });
    expect(await eventsOf()).toEqual([
      'payment_scheduled',
      'payment_debit_failed',
      'payment_scheduled',
      'payment_completed',
    ]);
  });

  test('has failed for good where the recurrence allows no retry', async () => {
    const { paymentId } = await debited({ retries: 'none' });
    expect((await answer(paymentId, 'no_balance')).body).toMatchObject({
      status: 'failed',
      debit: { state: 'failed', attempts: [{ reason: 'no_balance' }] },
    });
  });

  test('has failed for good when the account is closed', async () => {
    const { paymentId } = await debited();
    expect((await answer(paymentId, 'account_closed')).body).toMatchObject({
      status: 'failed',
      debit: { state: 'failed', attempts: [{ reason: 'account', providerCode: 'AC05' }] },
    });
  });

  test('waits for a person where only one can mend it', async () => {
    const { paymentId } = await debited();
    const { body: limited } = await answer(paymentId, 'limit');
    expect(limited).toMatchObject({ status: 'pending', debit: { state: 'retrying' } });
    expect(limited.debit.retryOn).toBeUndefined();
    const tooLate = await client.post(`/v1/payments/${paymentId}/retry`, { date: dayAfter(28) });
    expect(tooLate).toMatchObject({ status: 409 });
    const retried = await client.post(`/v1/payments/${paymentId}/retry`, { date: dayAfter(24) });
    expect(retried).toMatchObject({ status: 200, body: { debit: { attempts: [{}, { on: dayAfter(24) }] } } });
    await advance(`${dayAfter(27)}T12:00:00-03:00`);
    expect((await client.get(`/v1/payments/${paymentId}`)).body).toMatchObject({ status: 'completed' });
  });

  test('is tried again on one of the days that several people chose at once', async () => {
    const { paymentId } = await debited();
    await answer(paymentId, 'limit');
    const days = [21, 22, 23, 24, 25, 26, 27].map(dayAfter);
    const answers = await Promise.all(
      days.map((date) => client.post(`/v1/payments/${paymentId}/retry`, { date })),
    );
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(days.length - 1);
    const { debit } = (await client.get(`/v1/payments/${paymentId}`)).body;
    expect(debit.attempts).toMatchObject([{ state: 'rejected' }, { state: 'scheduled' }]);
    expect(days.filter((_, index) => answers[index]?.status === 200)).toEqual([debit.attempts[1].on]);
  });

  test('is not said to be tried again on the day that failed', async () => {
    const { paymentId } = await debited();
    const { body: limited } = await answer(paymentId, 'limit');
    const date = limited.debit.attempts[0].on;
    expect(await client.post(`/v1/payments/${paymentId}/retry`, { date })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('a day from tomorrow') },
    });
  });

  test('ends after seven days that nobody used', async () => {
    const { paymentId } = await debited();
    await answer(paymentId, 'limit');
    // Holidays may follow the seventh day, and put the end off to the next business day.
    await advance(`${dayAfter(33)}T23:00:00-03:00`);
    expect((await client.get(`/v1/payments/${paymentId}`)).body).toMatchObject({
      status: 'failed',
      debit: { state: 'failed' },
    });
  });

  test('is retried three times at the most', async () => {
    const { paymentId } = await debited();
    for (const days of [21, 23, 26]) {
      expect((await answer(paymentId, 'no_balance')).body).toMatchObject({
        debit: { retryOn: dayAfter(days) },
      });
      await advance(`${dayAfter(days)}T00:30:00-03:00`);
    }
    expect((await answer(paymentId, 'no_balance')).body).toMatchObject({ status: 'failed' });
  });
});

describe('asking for a debit', () => {
  test('needs an active recurrence', async () => {
    const { id } = await created({ amount: undefined });
    const refused = await client.post(`/v1/recurrences/${id}/payments`, { amount: 5, dueDate: dayAfter(6) });
    expect(refused).toMatchObject({ status: 409 });
  });

  test('takes an amount where each debit has its own, and a day that leaves time', async () => {
    const { id } = await active({ amount: undefined, startDate: dayAfter(7) });
    const path = `/v1/recurrences/${id}/payments`;
    expect(await client.post(path, { dueDate: dayAfter(7) })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('amount is required') },
    });
    expect(await client.post(path, { amount: 5, dueDate: dayAfter(3) })).toMatchObject({ status: 400 });
    expect(await client.post(path, { amount: 5, dueDate: dayAfter(11) })).toMatchObject({ status: 400 });
    const charged = await client.post(path, { amount: 5, dueDate: dayAfter(8), externalId: 'month-1' });
    expect(charged).toMatchObject({
      status: 201,
      body: { amount: 5, status: 'pending', recurrenceId: id, dueDate: dayAfter(8), externalId: 'month-1' },
    });
    expect(await client.post(path, { amount: 6, dueDate: dayAfter(9) })).toMatchObject({ status: 409 });
    // Cancelled, it leaves its cycle to another of another amount.
    expect(await client.post(`/v1/payments/${charged.body.id}/cancel`)).toMatchObject({
      body: { status: 'cancelled' },
    });
    const other = await client.post(path, { amount: 6, dueDate: dayAfter(9) });
    expect(other).toMatchObject({ status: 201 });
    // Money that comes all the same is never refused, although the cycle has another debit.
    for (const { id: paymentId } of [charged.body, other.body])
      expect(await client.post(`/v1/sandbox/payments/${paymentId}/pay`)).toMatchObject({
        body: { status: 'completed' },
      });
  });
});

describe('an endpoint that lists events of recurrences', () => {
  test('gets them in order, with the recurrence as it was', async () => {
    const receiver = await startWebhookReceiver();
    await app.services.webhookEndpoints.create(operatorFor(owner.organizationId, 'test'), {
      url: receiver.url,
      events: ['recurrence_activated', 'recurrence_cancelled'],
    });
    const deliver = async () => {
      while ((await deliverWebhooks(app.services.webhookSender)) > 0);
    };
    const { id } = await active();
    // What is sent at once arrives in any order.
    await deliver();
    await client.post(`/v1/recurrences/${id}/cancel`);
    await deliver();
    const bodies = receiver.requests.map(({ body: text }) => JSON.parse(String(text)));
    expect(bodies).toMatchObject([
      {
        type: 'recurrence_activated',
        sequence: 1,
        data: { id, status: 'active', payerName: 'Fulano de Tal' },
      },
      { type: 'recurrence_cancelled', sequence: 2, data: { id, status: 'cancelled', endedBy: 'receiver' } },
    ]);
    await receiver.stop();
  });
});

describe('ending a recurrence', () => {
  test('tells who ended it, and is repeatable', async () => {
    const { id } = await active();
    const ended = await client.post(`/v1/recurrences/${id}/cancel`);
    expect(ended).toMatchObject({ status: 200, body: { status: 'cancelled', endedBy: 'receiver' } });
    expect(await client.post(`/v1/recurrences/${id}/cancel`)).toMatchObject({ status: 200 });
    await advance(`${dayAfter(100)}T12:00:00-03:00`);
    expect(await debitsOf(id)).toEqual([]);
  });

  test('is not possible once the payer has rejected it', async () => {
    const { id } = await created();
    await client.post(`/v1/sandbox/recurrences/${id}/reject`);
    expect(await client.post(`/v1/recurrences/${id}/cancel`)).toMatchObject({ status: 409 });
  });
});
