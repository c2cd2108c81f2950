import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { freshDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createKey } from '../../support/factories.ts';
import { type LiveAccount, openAccount } from '../../support/live.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import { no } from '../../support/psp-emulator/automatic.ts';
import { mercadopago } from '../../support/psp-emulator/mercadopago.ts';

/** In São Paulo. */
const at = (day: string, time = '12:00'): Date => new Date(`${day}T${time}:00-03:00`);

let clock: Date;
let app: TestApp;
let client: Client;
let organizationId: string;
let account: LiveAccount;

beforeAll(async () => {
  clock = at('2026-12-01');
  const databaseUrl = await freshDatabase();
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
});

beforeEach(async () => {
  clock = at('2026-12-01');
  const created = await createKey(app.services, { mode: 'live' });
  organizationId = created.organizationId;
  client = createClient(app.baseUrl, created.key);
  account = await openAccount(app, {
    organizationId,
    provider: 'asaas',
    name: 'asaas',
    define: asaas,
    now: () => clock,
    isDefault: true,
  });
});

afterEach(() => account.emulator.stop());

afterAll(() => app.stop());

const payers = () => account.emulator.psp.automatic ?? no('the emulator has no payers');

async function reconcile(): Promise<void> {
  for (const settle of Object.values(app.services.reconciliation)) await settle(100);
}

/** What is due happens in the steps in which workers would find it. */
async function passTo(day: string, time = '12:00', stepHours = 3): Promise<void> {
  const target = at(day, time);
  while (clock < target) {
    clock = new Date(Math.min(target.getTime(), clock.getTime() + stepHours * 3_600_000));
    await reconcile();
  }
  await reconcile();
}

async function tell(how: 'once' | 'twice' | 'reversed' | 'never' | 'forged' = 'once'): Promise<void> {
  await account.emulator.tellAll(how);
  await app.services.notifications.drain();
  await reconcile();
}

const body = {
  payer: { name: 'Fulano de Tal', document: '529.982.247-25' },
  contract: '63100862',
  amount: 35,
  frequency: 'monthly',
  startDate: '2026-12-17',
  retries: 'three_in_seven_days',
  authorization: 'qr_with_payment',
  firstPayment: { amount: 50, expirationMinutes: 60 },
};

const ask = (key: string) => client.post('/v1/recurrences', body, { 'Idempotency-Key': key });

async function created(more: object = {}, key?: string) {
  const { status, body: recurrence } = await client.post(
    '/v1/recurrences',
    { ...body, ...more },
    key === undefined ? {} : { 'Idempotency-Key': key },
  );
  expect({ status, recurrence }).toMatchObject({
    status: 201,
    recurrence: { status: 'pending', provider: 'asaas', pixCopyPaste: expect.any(String) },
  });
  const authorization = payers().recurrences().at(-1)?.id ?? no('nothing was made');
  return { id: recurrence.id as string, firstId: recurrence.firstPaymentId as string, authorization };
}

const recurrenceOf = async (id: string) => (await client.get(`/v1/recurrences/${id}`)).body;
const paymentOf = async (id: string) => (await client.get(`/v1/payments/${id}`)).body;

async function active(more: object = {}) {
  const made = await created(more);
  payers().approves(made.authorization);
  await tell();
  expect(await recurrenceOf(made.id)).toMatchObject({ status: 'active' });
  return made;
}

const debitsOf = async (id: string) =>
  (await client.get(`/v1/recurrences/${id}/payments`)).body.data as {
    id: string;
    status: string;
    debit: {
      state: string;
      reason?: string;
      retryOn?: string;
      attempts: { on: string; state: string; reason?: string; providerCode?: string }[];
    };
  }[];

const events = async (): Promise<string[]> =>
  ((await client.get('/v1/events?limit=100')).body.data as { type: string }[]).map(({ type }) => type);

const debits = () => payers().debits();
const lastDebit = () => debits().at(-1)?.id ?? no('nothing was debited');
const requestsTo = (method: string, part: string) =>
  account.emulator.requests.filter((each) => each.method === method && each.path.includes(part)).length;

/** The debit of December is at the payer's bank. */
async function scheduled(more: object = {}) {
  const made = await active(more);
  await passTo('2026-12-13');
  payers().schedules(lastDebit());
  return made;
}

/** As banks do in the evening of a day. */
function answer(day: string, outcome: Parameters<ReturnType<typeof payers>['settles']>[1]): void {
  clock = at(day, '20:30');
  payers().settles(lastDebit(), outcome);
}

test('whose creation has no answer is finished by whoever repeats the key', async () => {
  const { faults } = account.emulator;
  faults.add({ kind: 'reset', operation: 'permit', isDone: true });
  faults.add({ kind: 'error', operation: 'find_recurrence' });
  expect(await ask('lost')).toMatchObject({ status: 500 });
  expect(payers().recurrences()).toHaveLength(1);
  const { id } = (await eventually(async () => {
    const { status, body: made } = await ask('lost');
    expect(status).toBe(201);
    return made;
  })) as { id: string };
  expect(payers().recurrences()).toHaveLength(1);
  expect((await client.get('/v1/recurrences')).body.data).toMatchObject([{ id }]);
});

describe('a recurrence at Asaas', () => {
  test('is not made of a QR code alone', async () => {
    const { firstPayment: _, ...others } = body;
    expect(await client.post('/v1/recurrences', { ...others, authorization: 'qr' })).toMatchObject({
      status: 400,
      body: { message: 'asaas does not take recurrences with authorization qr' },
    });
  });

  test('is chosen where the provider before it in the rules makes none', async () => {
    const other = await openAccount(app, {
      organizationId,
      provider: 'mercadopago',
      name: 'other',
      define: mercadopago,
      isDefault: true,
    });
    const rules = { fallbackCredentialIds: [account.credentialId] };
    const { id } = await app.services.ruleSets.create(operatorFor(organizationId), 'rules', rules);
    await created({ ruleSetId: id });
    await other.emulator.stop();
  });

  test('that Asaas does not offer to the account is refused in clear words', async () => {
    account.emulator.switches.turn('noAutomaticPix', true);
    expect(await client.post('/v1/recurrences', body)).toMatchObject({
      status: 400,
      body: {
        message: expect.stringContaining('CNPJ is at least six months old'),
      },
    });
  });

  test.each(['once', 'twice', 'reversed', 'never'] as const)(
    'is active, and its first payment completed, when its code is paid: notifications come %s',
    async (how) => {
      const { id, firstId, authorization } = await created();
      payers().approves(authorization);
      await tell(how);
      await passTo('2026-12-01', '15:00');
      expect(await recurrenceOf(id)).toMatchObject({ status: 'active', nextDebitOn: '2026-12-17' });
      expect(await paymentOf(firstId)).toMatchObject({ status: 'completed', amount: 50 });
      expect((await events()).filter((type) => type === 'payment_completed')).toHaveLength(1);
    },
  );

  test('is not made active by somebody else', async () => {
    const { id, firstId } = await created();
    payers().outbox.splice(0);
    const { authorization } = await created({ contract: 'another' });
    payers().approves(authorization);
    await tell('forged');
    expect(await recurrenceOf(id)).toMatchObject({ status: 'pending' });
    expect(await paymentOf(firstId)).toMatchObject({ status: 'pending' });
  });

  test('whose first payment is returned has it refunded', async () => {
    const { firstId } = await active();
    const refunded = await client.post(`/v1/payments/${firstId}/refunds`, { amount: 20 });
    expect(refunded).toMatchObject({ status: 201, body: { status: 'completed' } });
  });

  test('that nobody permits expires with its first payment', async () => {
    const { id, firstId } = await created();
    await passTo('2026-12-01', '15:00');
    expect(await recurrenceOf(id)).toMatchObject({ status: 'expired' });
    expect(await paymentOf(firstId)).toMatchObject({ status: 'expired' });
  });

  test('of which notifications tell before its creation is answered is made once', async () => {
    account.emulator.faults.add({ kind: 'tell_first', operation: 'permit' });
    const { id, authorization } = await created();
    payers().approves(authorization);
    await tell();
    expect(await recurrenceOf(id)).toMatchObject({ status: 'active' });
    account.emulator.faults.add({ kind: 'tell_first', operation: 'create' });
    await passTo('2026-12-13');
    expect(await debitsOf(id)).toMatchObject([{ status: 'pending' }]);
    expect(debits()).toHaveLength(1);
  });

  test('whose answer is lost is found', async () => {
    account.emulator.faults.add({ kind: 'reset', operation: 'permit', isDone: true });
    const made = await created();
    expect(payers().recurrences()).toHaveLength(1);
    payers().approves(made.authorization);
    await tell();
    expect(await recurrenceOf(made.id)).toMatchObject({ status: 'active' });
    expect(await paymentOf(made.firstId)).toMatchObject({ status: 'completed' });
  });

  test('whose answer is lost for good can be asked for again with another key, and the first is shown to nobody', async () => {
    account.emulator.faults.add({ kind: 'reset', operation: 'permit', isDone: true });
    account.emulator.faults.add({ kind: 'error', operation: 'find_recurrence' });
    const headers = { 'Idempotency-Key': 'subscription-77' };
    expect(await client.post('/v1/recurrences', body, headers)).toMatchObject({
      status: 500,
      body: { message: expect.stringContaining('did not respond') },
    });
    const made = await created({}, 'subscription-78');
    payers().approves(made.authorization);
    await tell();
    await passTo('2026-12-02');
    expect((await client.get('/v1/recurrences')).body.data).toMatchObject([
      { id: made.id, status: 'active' },
    ]);
    expect(await paymentOf(made.firstId)).toMatchObject({ status: 'completed' });
  });
});

describe('a debit at Asaas', () => {
  test('is sent four days before, scheduled, paid, and the next one follows', async () => {
    const { id } = await scheduled();
    await tell();
    expect(await debitsOf(id)).toMatchObject([
      { status: 'pending', debit: { state: 'scheduled', attempts: [{ state: 'scheduled' }] } },
    ]);
    answer('2026-12-17', 'paid');
    await tell();
    expect(await debitsOf(id)).toMatchObject([
      { status: 'completed', debit: { attempts: [{ on: '2026-12-17', state: 'paid' }] } },
    ]);
    await passTo('2027-01-14', '12:00', 24);
    expect(debits()).toMatchObject([{ day: '2026-12-17' }, { day: '2027-01-17' }]);
    expect(requestsTo('POST', '/v3/payments')).toBe(2);
    expect(await events()).toEqual(['payment_completed', 'payment_scheduled', 'payment_completed']);
  });

  test('is found paid where no notification comes', async () => {
    const { id } = await scheduled();
    answer('2026-12-17', 'paid');
    await tell('never');
    await passTo('2026-12-17', '22:00');
    expect(await debitsOf(id)).toMatchObject([{ status: 'completed' }]);
  });

  test('without balance is tried again on the next day, and paid', async () => {
    const { id } = await scheduled();
    answer('2026-12-17', 'no_balance');
    await passTo('2026-12-17', '21:50');
    expect(await debitsOf(id)).toMatchObject([
      {
        status: 'pending',
        debit: { state: 'retrying', attempts: [{ state: 'expired', reason: 'no_balance' }, {}] },
      },
    ]);
    payers().schedules(lastDebit());
    answer('2026-12-18', 'paid');
    await passTo('2026-12-18', '22:00');
    expect(await debitsOf(id)).toMatchObject([{ status: 'completed' }]);
    expect(debits()).toMatchObject([
      { attempts: [{ status: 'REFUSED' }, { day: '2026-12-18', status: 'DONE' }], pix: [{}] },
    ]);
  });

  test('is commanded once for a day whose answer is lost', async () => {
    const { id } = await scheduled();
    answer('2026-12-17', 'no_balance');
    account.emulator.faults.add({ kind: 'reset', operation: 'retry_debit', isDone: true });
    await passTo('2026-12-17', '21:50');
    await passTo('2026-12-17', '21:55');
    expect(await debitsOf(id)).toMatchObject([
      { debit: { attempts: [{ state: 'expired' }, { on: '2026-12-18' }] } },
    ]);
    expect(payers().journal.filter(({ act }) => act === 'retry')).toHaveLength(1);
  });

  test('that no retry can help any more is withdrawn, so that nobody pays it as well as the next', async () => {
    const { id } = await scheduled({ retries: 'none' });
    answer('2026-12-17', 'no_balance');
    await passTo('2026-12-17', '21:50');
    expect(await debitsOf(id)).toMatchObject([
      { status: 'failed', debit: { state: 'failed', attempts: [{ reason: 'no_balance' }] } },
    ]);
    expect(debits()).toMatchObject([{ status: 'DELETED' }]);
    expect(await events()).toContain('payment_debit_failed');
  });

  test('that has failed is withdrawn once Asaas responds again', async () => {
    const { id } = await scheduled({ retries: 'none' });
    answer('2026-12-17', 'no_balance');
    account.emulator.faults.add({ kind: 'reset', operation: 'cancel', isDone: true });
    await passTo('2026-12-18');
    expect(await debitsOf(id)).toMatchObject([{ status: 'failed', debit: { state: 'failed' } }]);
    expect(debits()).toMatchObject([{ status: 'DELETED' }]);
  });

  test('above the limit waits until the payer has raised it', async () => {
    const { id } = await scheduled();
    answer('2026-12-17', 'limit');
    await passTo('2026-12-17', '21:50');
    const [debit] = await debitsOf(id);
    expect(debit).toMatchObject({
      status: 'pending',
      debit: { state: 'retrying', attempts: [{ reason: 'limit', providerCode: 'MAXIMUM_AMOUNT_EXCEEDED' }] },
    });
    expect(await client.post(`/v1/payments/${debit?.id}/retry`, { date: '2026-12-21' })).toMatchObject({
      status: 200,
      body: { debit: { attempts: [{}, { on: '2026-12-21', state: 'requested' }] } },
    });
  });

  test('that the bank says was paid is settled', async () => {
    const { id } = await scheduled();
    answer('2026-12-17', 'already_paid');
    await passTo('2026-12-17', '21:50');
    expect(await debitsOf(id)).toMatchObject([{ status: 'completed' }]);
  });

  test('whose money is held back for days is completed when it is free', async () => {
    account.emulator.switches.turn('staysConfirmed', true);
    const { id } = await scheduled({ retries: 'none' });
    answer('2026-12-17', 'paid');
    await passTo('2026-12-19');
    expect(await debitsOf(id)).toMatchObject([{ status: 'pending' }]);
    const looks = () => requestsTo('GET', '/paymentInstructions');
    const before = looks();
    await passTo('2026-12-20');
    expect(looks() - before).toBeLessThan(25);
    account.emulator.switches.turn('staysConfirmed', false);
    await passTo('2026-12-20', '15:00');
    expect(await debitsOf(id)).toMatchObject([{ status: 'completed' }]);
  });

  test('whose answer is lost is one nonetheless', async () => {
    const { id } = await active();
    account.emulator.faults.add({ kind: 'reset', operation: 'create', isDone: true });
    await passTo('2026-12-15');
    expect((await debitsOf(id)).filter(({ status }) => status === 'pending')).toHaveLength(1);
    expect(debits().filter(({ status }) => status !== 'DELETED')).toHaveLength(1);
  });

  test('ends, and its payment with it, when the payer ends the recurrence', async () => {
    const { id, authorization } = await scheduled();
    payers().revokes(authorization);
    await tell();
    await passTo('2026-12-14');
    expect(await recurrenceOf(id)).toMatchObject({ status: 'cancelled', endedBy: 'payer' });
    expect(await debitsOf(id)).toMatchObject([{ status: 'cancelled' }]);
    expect(debits()).toMatchObject([{ status: 'DELETED' }]);
  });

  test('ends when the recurrence is cancelled, and so it is without notifications', async () => {
    const { id } = await scheduled();
    expect(await client.post(`/v1/recurrences/${id}/cancel`)).toMatchObject({
      body: { status: 'cancelled', endedBy: 'receiver' },
    });
    await passTo('2026-12-14');
    expect(await debitsOf(id)).toMatchObject([{ status: 'cancelled' }]);
  });

  test('is cancelled and made anew for another amount', async () => {
    const { amount: _, ...metered } = body;
    const made = await client.post('/v1/recurrences', { ...metered, minimumAmount: 50 });
    const id = made.body.id as string;
    payers().approves(payers().recurrences().at(-1)?.id ?? '');
    await tell();
    clock = at('2026-12-10');
    const due = { dueDate: '2026-12-17' };
    const first = await client.post(`/v1/recurrences/${id}/payments`, { ...due, amount: 47.9 });
    expect(first).toMatchObject({ status: 201, body: { status: 'pending', amount: 47.9 } });
    const taken = await client.post(`/v1/recurrences/${id}/payments`, { ...due, amount: 30 });
    expect(taken).toMatchObject({ status: 409, body: { message: expect.stringContaining('has a debit') } });
    const firstId = first.body.id as string;
    expect(await client.post(`/v1/payments/${firstId}/cancel`)).toMatchObject({
      body: { status: 'cancelled' },
    });
    const second = await client.post(`/v1/recurrences/${id}/payments`, { ...due, amount: 30 });
    expect(second).toMatchObject({ status: 201, body: { status: 'pending', amount: 30 } });
    expect(debits()).toMatchObject([{ status: 'DELETED' }, { amountInCents: 3_000n }]);
  });

  test('takes few of the requests that an account has', async () => {
    const { id } = await active();
    const before = account.emulator.requests.length;
    await passTo('2026-12-13');
    payers().schedules(lastDebit());
    await tell();
    answer('2026-12-17', 'paid');
    await tell();
    await passTo('2026-12-20');
    expect(await debitsOf(id)).toMatchObject([{ status: 'completed' }]);
    const count = account.emulator.requests.length - before;
    process.stdout.write(`A debit takes ${count} requests at Asaas.\n`);
    expect(count).toBeLessThan(30);
  });
});
