import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { cents } from '../../../src/core/base/money.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { createClient as emulatorClient } from '../../support/psp-emulator/client.ts';
import { freshDatabase } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';
import { type LiveAccount, openAccount } from '../../support/live.ts';
import type { Outcome } from '../../support/psp-emulator/automatic.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

/** In São Paulo. */
const at = (day: string, time = '12:00'): Date => new Date(`${day}T${time}:00-03:00`);

let clock: Date;
let app: TestApp;
let client: Client;
let account: LiveAccount;
let organizationId: string;

beforeAll(async () => {
  clock = at('2026-12-01');
  const databaseUrl = await freshDatabase();
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
});

beforeEach(async () => {
  clock = at('2026-12-01');
  const made = await createKey(app.services, { mode: 'live' });
  organizationId = made.organizationId;
  client = createClient(app.baseUrl, made.key);
  account = await openAccount(app, {
    organizationId,
    provider: 'woovi',
    name: 'woovi',
    define: woovi,
    now: () => clock,
    isDefault: true,
  });
});

afterEach(() => account.emulator.stop());

afterAll(() => app.stop());

function payers() {
  const { automatic } = account.emulator.psp;
  if (!automatic) throw new Error('the emulator has no payers');
  return automatic;
}

async function reconcile(): Promise<void> {
  for (const settle of Object.values(app.services.reconciliation)) await settle(100);
}

const dayMs = 24 * 3_600_000;

/** What is due happens once a day, and in the end. */
async function passTo(day: string, time = '12:00'): Promise<void> {
  const target = at(day, time);
  while (clock < target) {
    clock = new Date(Math.min(target.getTime(), clock.getTime() + dayMs));
    await reconcile();
  }
  await reconcile();
}

const daysBefore = (day: string, count: number): string =>
  new Date(at(day).getTime() - count * dayMs).toISOString().slice(0, 10);

/** Delivers what Woovi has to tell, and looks at what that is about. */
async function hear(how: Parameters<LiveAccount['emulator']['tellAll']>[0] = 'once'): Promise<void> {
  await account.emulator.tellAll(how);
  await app.services.notifications.drain();
  await reconcile();
}

const address = {
  street: 'Avenida Paulista',
  number: '1578',
  district: 'Bela Vista',
  city: 'São Paulo',
  state: 'SP',
  postalCode: '01310-200',
};

const body = {
  payer: { name: 'Fulano de Tal', document: '529.982.247-25', address },
  contract: '63100862',
  amount: 35,
  frequency: 'monthly',
  startDate: '2026-12-17',
  retries: 'three_in_seven_days',
  authorization: 'qr',
};

const withPayment = {
  authorization: 'qr_with_payment',
  startDate: '2027-01-01',
  firstPayment: { amount: 35, expirationMinutes: 60 },
};

async function created(more: object = {}): Promise<{ id: string; firstPaymentId: string; psp: string }> {
  const answer = await client.post('/v1/recurrences', { ...body, ...more });
  expect(answer).toMatchObject({ status: 201, body: { status: 'pending', provider: 'woovi' } });
  const { id, firstPaymentId } = answer.body as { id: string; firstPaymentId: string };
  return { id, firstPaymentId, psp: payers().recurrences().at(-1)?.id ?? '' };
}

async function active(more: object = {}) {
  const made = await created(more);
  payers().approves(made.psp);
  await hear();
  expect((await client.get(`/v1/recurrences/${made.id}`)).body).toMatchObject({ status: 'active' });
  return made;
}

const statusOf = async (path: string): Promise<string> =>
  String((await client.get(`/v1/${path}`)).body['status']);

const debitsOf = async (id: string) =>
  (await client.get(`/v1/recurrences/${id}/payments`)).body.data as {
    id: string;
    status: string;
    dueDate: string;
    debit: { state: string; retryOn?: string; attempts: { on: string; state: string; reason?: string }[] };
  }[];

const events = async (): Promise<string[]> =>
  ((await client.get('/v1/events?limit=100')).body.data as { type: string }[])
    .map(({ type }) => type)
    .toReversed();

const theirs = () => payers().debits();
const latest = () => theirs().at(-1)?.id ?? '';

/** The payer's bank takes the debit when it has come, and answers it on the evening of its day. */
async function settledOn(day: string, outcome: Outcome): Promise<void> {
  payers().schedules(latest());
  await passTo(day, '21:20');
  payers().settles(latest(), outcome);
}

/** Requests that could have made or moved a debit. */
const orders = () =>
  account.emulator.requests.filter(({ method, path }) => method !== 'GET' && path.includes('/installments/'));

describe('a recurrence at Woovi', () => {
  test('has each debit that Woovi makes, and makes none itself', async () => {
    const { id } = await active();
    await passTo('2026-12-12');
    expect(await debitsOf(id)).toEqual([]);
    await passTo('2026-12-13');
    expect(await debitsOf(id)).toMatchObject([{ status: 'pending', debit: { state: 'scheduled' } }]);
    for (const day of ['2026-12-17', '2027-01-17', '2027-02-17']) {
      await passTo(daysBefore(day, 4), '13:00');
      await settledOn(day, 'paid');
      await hear();
    }
    expect(await debitsOf(id)).toMatchObject([
      { status: 'completed', dueDate: '2027-02-17', debit: { attempts: [{ state: 'paid' }] } },
      { status: 'completed', dueDate: '2027-01-17' },
      { status: 'completed', dueDate: '2026-12-17' },
    ]);
    expect(theirs().map(({ day, pix }) => [day, pix.length])).toEqual([
      ['2026-12-17', 1],
      ['2027-01-17', 1],
      ['2027-02-17', 1],
    ]);
    expect(orders()).toEqual([]);
    expect((await events()).filter((type) => type === 'payment_completed')).toHaveLength(3);
  });

  test('is paid by a Pix that Woovi tells of first, and without a charge: that is not money without a payment', async () => {
    const { id } = await active();
    await passTo('2026-12-13', '13:00');
    await settledOn('2026-12-17', 'paid');
    const [pix] = theirs().at(-1)?.pix ?? [];
    const { notifier, psp } = account.emulator;
    const tell = (endToEndId: string | undefined) =>
      notifier.send(
        psp.sign!({
          path: '',
          query: {},
          headers: {},
          body: JSON.stringify({ event: 'OPENPIX:TRANSACTION_RECEIVED', pix: { endToEndId } }),
          hasCertificate: false,
        }),
      );
    await tell(pix?.endToEndId);
    const stray = await account.emulator.receive({ amountInCents: cents(3_500), notify: 'never' });
    await tell(stray.endToEndId);
    await app.services.notifications.drain();
    clock = new Date(clock.getTime() + 121_000);
    await app.services.reconciliation.psp_notification(100);
    expect(await debitsOf(id)).toMatchObject([{ status: 'completed', dueDate: '2026-12-17' }]);
    const differences = await app.services.differences.list(operatorFor(organizationId), {});
    expect(differences.data).toMatchObject([{ kind: 'unmatched_pix', endToEndId: stray.endToEndId }]);
  });

  test('with a first payment is active once that is paid, and debited a month later', async () => {
    const { id, firstPaymentId } = await created(withPayment);
    expect(await statusOf(`payments/${firstPaymentId}`)).toBe('pending');
    payers().approves(payers().recurrences().at(-1)?.id ?? '');
    await hear('reversed');
    expect(await statusOf(`payments/${firstPaymentId}`)).toBe('completed');
    expect(await statusOf(`recurrences/${id}`)).toBe('active');
    await passTo('2026-12-28');
    await settledOn('2027-01-01', 'paid');
    await hear();
    expect(await debitsOf(id)).toMatchObject([{ status: 'completed', dueDate: '2027-01-01' }]);
    expect(await events()).toEqual(['payment_completed', 'payment_scheduled', 'payment_completed']);
    expect(orders()).toEqual([]);
  });

  test('whose first payment nobody tells of is completed all the same', async () => {
    const { id, firstPaymentId, psp } = await created(withPayment);
    payers().approves(psp);
    await account.emulator.tellAll('never');
    await passTo('2026-12-01', '15:00');
    expect(await statusOf(`payments/${firstPaymentId}`)).toBe('completed');
    expect(await statusOf(`recurrences/${id}`)).toBe('active');
  });

  test('whose first payment is not made in time is ended there', async () => {
    const { id, firstPaymentId } = await created(withPayment);
    await passTo('2026-12-01', '13:01');
    await passTo('2026-12-01', '16:00');
    expect(await statusOf(`payments/${firstPaymentId}`)).toBe('expired');
    expect(await statusOf(`recurrences/${id}`)).toMatch(/expired|cancelled/);
    expect(payers().recurrences()).toMatchObject([{ status: 'CANCELED' }]);
  });

  test('says what is wrong with a request before Woovi is asked', async () => {
    account.emulator.requests.length = 0;
    const refused = async (more: object) => {
      const { status, body: problem } = await client.post('/v1/recurrences', { ...body, ...more });
      return [status, problem['message']];
    };
    expect(await refused({ payer: { ...body.payer, address: undefined } })).toEqual([
      400,
      'The provider refused the recurrence: payer.address must be given: Woovi requires it',
    ]);
    expect(await refused({ ...withPayment, startDate: '2027-01-02' })).toMatchObject([
      400,
      expect.stringContaining('startDate must be 2027-01-01'),
    ]);
    expect(account.emulator.requests).toEqual([]);
  });

  test('is retried by Woovi for want of balance, on the days that the payment says', async () => {
    const { id } = await active();
    await passTo('2026-12-13');
    await settledOn('2026-12-17', 'no_balance');
    await hear();
    expect(await debitsOf(id)).toMatchObject([
      {
        status: 'pending',
        debit: { attempts: [{ state: 'rejected', reason: 'no_balance' }, { on: '2026-12-18' }] },
      },
    ]);
    await settledOn('2026-12-18', 'no_balance');
    await passTo('2026-12-18', '21:50');
    await settledOn('2026-12-20', 'paid');
    await passTo('2026-12-21');
    expect(await debitsOf(id)).toMatchObject([
      {
        status: 'completed',
        debit: { attempts: [{}, { on: '2026-12-18' }, { on: '2026-12-20', state: 'paid' }] },
      },
    ]);
    expect(orders()).toEqual([]);
  });

  test('cannot be retried by hand, even where somebody asked for the debit in the panel of Woovi', async () => {
    const { id, psp } = await active();
    const panel = emulatorClient(account.emulator);
    await passTo('2026-12-11');
    const { json } = await panel.ask(`GET /api/v1/subscriptions/${psp}/installments`);
    const [installment] = json['installments'] as { globalID: string }[];
    await panel.ask(`POST /api/v1/installments/${installment?.globalID}/cobr`, {});
    await panel.close();
    await passTo('2026-12-13');
    await settledOn('2026-12-17', 'limit');
    await hear();
    const [debit] = await debitsOf(id);
    expect(debit).toMatchObject({ status: 'pending', debit: { attempts: [{ reason: 'limit' }] } });
    expect(await client.post(`/v1/payments/${debit?.id}/retry`, { date: '2026-12-19' })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('woovi does so by itself, on days of its own') },
    });
    expect(await debitsOf(id)).toEqual([debit]);
  });

  test.each<[Outcome, string]>([
    ['limit', 'limit'],
    ['account_closed', 'account'],
    [{ code: 'ZZZZ' }, 'unknown'],
  ])('without retries has failed for good when its debit fails with %j', async (outcome, reason) => {
    const { id } = await active({ retries: 'none' });
    await passTo('2026-12-13');
    await settledOn('2026-12-17', outcome);
    await hear();
    expect(await debitsOf(id)).toMatchObject([
      { status: 'failed', debit: { state: 'failed', attempts: [{ state: 'rejected', reason }] } },
    ]);
  });

  test('that its payer takes back is cancelled, and its debit with it', async () => {
    const { id, psp } = await active();
    await passTo('2026-12-13');
    payers().schedules(latest());
    payers().revokes(psp);
    await hear();
    expect((await client.get(`/v1/recurrences/${id}`)).body).toMatchObject({
      status: 'cancelled',
      endedBy: 'payer',
    });
    await passTo('2026-12-14');
    expect(await debitsOf(id)).toMatchObject([{ status: 'cancelled' }]);
  });

  test('that its payer refuses is rejected', async () => {
    const { id, psp } = await created();
    payers().rejects(psp);
    await hear();
    expect(await statusOf(`recurrences/${id}`)).toBe('rejected');
  });

  test('that is cancelled here ends there, and its debit with it', async () => {
    const { id } = await active();
    await passTo('2026-12-13');
    expect(await client.post(`/v1/recurrences/${id}/cancel`)).toMatchObject({
      body: { status: 'cancelled', endedBy: 'receiver' },
    });
    await passTo('2026-12-14');
    expect(await debitsOf(id)).toMatchObject([{ status: 'cancelled' }]);
    expect(theirs()).toMatchObject([{ status: 'CANCELED' }]);
  });

  test('whose answers are lost is made once, and has each debit once', async () => {
    account.emulator.faults.add({ kind: 'reset', operation: 'permit', isDone: true });
    const { id } = await active();
    expect(payers().recurrences()).toHaveLength(1);
    for (const day of ['2026-12-17', '2027-01-17']) {
      await passTo(daysBefore(day, 5));
      account.emulator.faults.add({ kind: 'reset', operation: 'find_debit', times: 2 });
      await passTo(daysBefore(day, 2));
      await settledOn(day, 'paid');
      await passTo(daysBefore(day, -1));
    }
    const made = (await debitsOf(id)).filter(({ status }) => status !== 'failed');
    expect(made.map(({ status, dueDate }) => [status, dueDate])).toEqual([
      ['completed', '2027-01-17'],
      ['completed', '2026-12-17'],
    ]);
    expect(theirs().map(({ pix }) => pix.length)).toEqual([1, 1]);
  });

  test('whose debit nobody knows to be followed has another payment that follows it', async () => {
    const { id } = await active();
    await passTo('2026-12-12');
    account.emulator.faults.add({ kind: 'hang', operation: 'find_debit' });
    await passTo('2026-12-13');
    expect(await debitsOf(id)).toMatchObject([{ status: 'failed' }]);
    await passTo('2026-12-15');
    await settledOn('2026-12-17', 'paid');
    await hear();
    expect(await debitsOf(id)).toMatchObject([{ status: 'completed' }, { status: 'failed' }]);
    expect(await events()).not.toContain('payment_duplicated');
  });

  test('whose payer permits it on the eve of a debit still has the payment for it', async () => {
    const { id, psp } = await created();
    await passTo('2026-12-15', '20:00');
    payers().approves(psp);
    await hear();
    await passTo('2026-12-16', '12:00');
    expect(await debitsOf(id)).toMatchObject([{ status: 'pending', dueDate: '2026-12-17' }]);
    payers().schedules(latest());
    await passTo('2026-12-17', '21:20');
    payers().settles(latest(), 'paid');
    await hear();
    expect(await debitsOf(id)).toMatchObject([{ status: 'completed' }]);
  });

  test('believes no notification that Woovi has not signed', async () => {
    const { id, psp } = await created();
    payers().approves(psp);
    await account.emulator.tellAll('forged');
    await app.services.notifications.drain();
    expect(await statusOf(`recurrences/${id}`)).toBe('pending');
    await passTo('2026-12-01', '15:00');
    expect(await statusOf(`recurrences/${id}`)).toBe('active');
  });

  test('is told of its permission before the answer to its creation', async () => {
    const { id, psp } = await created();
    payers().approves(psp);
    await hear('twice');
    await passTo('2026-12-12', '23:00');
    account.emulator.faults.add({ kind: 'tell_first', operation: 'find_debit', isDone: true });
    await passTo('2026-12-13');
    await app.services.notifications.drain();
    await settledOn('2026-12-17', 'paid');
    await hear('reversed');
    expect(await debitsOf(id)).toMatchObject([{ status: 'completed' }]);
  });

  test('gives the money of a debit back', async () => {
    const { id } = await active();
    await passTo('2026-12-13');
    await settledOn('2026-12-17', 'paid');
    await hear();
    const [debit] = await debitsOf(id);
    const refund = await client.post(`/v1/payments/${debit?.id}/refunds`, { amount: 5 });
    expect(refund).toMatchObject({ status: 201, body: { status: 'pending', amount: 5 } });
    for (const charge of account.emulator.ledger.charges)
      for (const each of charge.refunds) each.status = 'completed';
    await passTo('2026-12-18');
    expect((await client.get(`/v1/payments/${debit?.id}/refunds`)).body).toMatchObject({
      data: [{ id: refund.body['id'], status: 'completed' }],
    });
  });
});
