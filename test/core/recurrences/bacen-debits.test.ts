import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { freshDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createKey } from '../../support/factories.ts';
import { closeGate, installGates, openGates } from '../../support/gate.ts';
import { type LiveAccount, openAccount } from '../../support/live.ts';
import { receivingAccount } from '../../support/psp-emulator/bacen-automatic.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';

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
  await installGates(databaseUrl, ['payment', 'recurrence']);
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
});

beforeEach(async () => {
  clock = at('2026-12-01');
  const created = await createKey(app.services, { mode: 'live' });
  organizationId = created.organizationId;
  client = createClient(app.baseUrl, created.key);
  account = await openAccount(app, {
    organizationId,
    provider: 'bacen',
    name: 'bank',
    define: defineBacen('standard'),
    now: () => clock,
    isDefault: true,
    settings: receivingAccount,
  });
});

afterEach(() => account.emulator.stop());

afterAll(async () => {
  await openGates();
  await app.stop();
});

const payers = () => {
  const { automatic } = account.emulator.psp;
  if (!automatic) throw new Error('the emulator has no payers');
  return automatic;
};

async function reconcile(): Promise<void> {
  for (const settle of Object.values(app.services.reconciliation)) await settle(100);
}

/** What is due happens in the steps in which workers would find it. */
async function passTo(day: string, time = '12:00'): Promise<void> {
  const target = at(day, time);
  while (clock < target) {
    clock = new Date(Math.min(target.getTime(), clock.getTime() + 3 * 3_600_000));
    await reconcile();
  }
  await reconcile();
}

const body = {
  payer: { name: 'Fulano de Tal', document: '529.982.247-25' },
  contract: '63100862',
  amount: 35,
  frequency: 'monthly',
  startDate: '2026-12-17',
  retries: 'three_in_seven_days',
  authorization: 'qr',
};

async function active(more: object = {}) {
  const created = await client.post('/v1/recurrences', { ...body, ...more });
  expect(created).toMatchObject({ status: 201, body: { status: 'pending', provider: 'bacen' } });
  const [rec] = payers().recurrences();
  payers().approves(rec?.id ?? '');
  await passTo('2026-12-01', '14:00');
  const id = created.body.id as string;
  expect((await client.get(`/v1/recurrences/${id}`)).body).toMatchObject({ status: 'active' });
  return { id, idRec: rec?.id ?? '' };
}

const debitsOf = async (id: string) =>
  (await client.get(`/v1/recurrences/${id}/payments`)).body.data as {
    id: string;
    status: string;
    amountPaid?: number;
    debit: { state: string; retryOn?: string; attempts: { on: string; state: string; reason?: string }[] };
  }[];

const events = async (): Promise<string[]> =>
  ((await client.get('/v1/events?limit=100')).body.data as { type: string }[]).map(({ type }) => type);

const cobrs = () => account.emulator.ledger.charges;
const putsOf = (path: string) =>
  account.emulator.requests.filter((request) => request.method === 'PUT' && request.path.includes(path))
    .length;

/** What the bank says is a while on its way. */
function runSlowly(id: string): Promise<void> {
  account.emulator.requests.length = 0;
  account.emulator.faults.add({ kind: 'slow', operation: 'find_recurrence', milliseconds: 500 });
  return app.services.recurrenceRunner.run(id);
}

const looked = () =>
  eventually(() =>
    expect(account.emulator.requests.map(({ operation }) => operation)).toContain('find_recurrence'),
  );

describe('a recurrence at a bank of the API Pix', () => {
  test('is sent to its bank four days before, and debited once', async () => {
    const { id } = await active();
    await passTo('2026-12-12');
    expect(await debitsOf(id)).toEqual([]);
    await passTo('2026-12-13');
    expect(await debitsOf(id)).toMatchObject([{ status: 'pending', debit: { state: 'scheduled' } }]);
    const [cobr] = cobrs();
    payers().schedules(cobr?.transactionId ?? '');
    clock = at('2026-12-17', '08:00');
    payers().settles(cobr?.transactionId ?? '', 'paid');
    await passTo('2026-12-17', '22:00');
    expect(await debitsOf(id)).toMatchObject([
      { status: 'completed', debit: { attempts: [{ state: 'paid' }] } },
    ]);
    expect(await events()).toEqual(['payment_completed']);
    expect(putsOf('/cobr/')).toBe(1);
  });

  test('is retried on another day for want of balance, once for each day', async () => {
    const { id } = await active();
    await passTo('2026-12-13');
    const txid = cobrs()[0]?.transactionId ?? '';
    payers().schedules(txid);
    clock = at('2026-12-17', '21:00');
    payers().settles(txid, 'no_balance');
    await passTo('2026-12-17', '21:50');
    expect(await debitsOf(id)).toMatchObject([
      {
        status: 'pending',
        debit: {
          state: 'retrying',
          attempts: [{ state: 'expired', reason: 'no_balance' }, { on: '2026-12-18' }],
        },
      },
    ]);
    clock = at('2026-12-18', '08:00');
    payers().schedules(txid);
    payers().settles(txid, 'paid');
    await passTo('2026-12-18', '22:00');
    expect(await debitsOf(id)).toMatchObject([{ status: 'completed' }]);
    const retries = account.emulator.requests.filter(({ path }) => path.includes('/retentativa/'));
    expect(retries).toHaveLength(1);
  });

  test('says that the bank takes no other debit in the cycle of one that it refused', async () => {
    const { id } = await active({ retries: 'none' });
    await passTo('2026-12-17', '20:00');
    payers().schedules(cobrs()[0]?.transactionId ?? '');
    payers().settles(cobrs()[0]?.transactionId ?? '', 'no_balance');
    await passTo('2026-12-18');
    expect(await debitsOf(id)).toMatchObject([{ status: 'failed' }]);
    const again = await client.post(`/v1/recurrences/${id}/payments`, { dueDate: '2026-12-23' });
    expect(again).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('The provider refused the debit') },
    });
  });

  test('whose end is decided has no debit tried again, although its bank does not answer', async () => {
    const { id } = await active();
    await passTo('2026-12-17', '20:00');
    payers().schedules(cobrs()[0]?.transactionId ?? '');
    payers().settles(cobrs()[0]?.transactionId ?? '', 'limit');
    await passTo('2026-12-18');
    const [debit] = await debitsOf(id);
    account.emulator.faults.add({ kind: 'error', operation: 'end_recurrence', times: 9 });
    expect(await client.post(`/v1/recurrences/${id}/cancel`)).toMatchObject({ status: 500 });
    const retried = await client.post(`/v1/payments/${debit?.id}/retry`, { date: '2026-12-21' });
    expect(retried).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('its recurrence is being ended') },
    });
  });

  test('whose answer to a debit is lost has one debit nonetheless', async () => {
    const { id } = await active();
    account.emulator.faults.add({ kind: 'reset', operation: 'create', isDone: true });
    await passTo('2026-12-16');
    const live = (await debitsOf(id)).filter(({ status }) => status === 'pending');
    expect(live).toHaveLength(1);
    expect(cobrs().filter(({ isCancelled }) => !isCancelled)).toHaveLength(1);
  });

  test('is not debited by a node that stood still until others had taken over', async () => {
    const { id } = await active();
    clock = at('2026-12-13');
    const gate = await closeGate(app.databaseUrl, 'INSERT', 'payment');
    const run = app.services.recurrenceRunner.run(id);
    await gate.waiting(1);
    clock = new Date(clock.getTime() + 61_000);
    await gate.open();
    await expect(run).rejects.toMatchObject({ code: 'cycle_has_debit' });
    expect(putsOf('/cobr/')).toBe(0);
    await passTo('2026-12-14');
    expect(await debitsOf(id)).toMatchObject([{ status: 'pending' }, { status: 'failed' }]);
    expect(putsOf('/cobr/')).toBe(1);
  });

  /** The node is gone before it has noted that the debit of this cycle is done. */
  async function runThatDies(id: string): Promise<void> {
    const gate = await closeGate(app.databaseUrl, 'UPDATE', 'recurrence');
    const run = app.services.recurrenceRunner.run(id).catch(() => undefined);
    await gate.waiting(1);
    await gate.endWaiting();
    await gate.open();
    await run;
  }

  test('that the bank refused for good is not sent again, though its node died', async () => {
    const { id } = await active();
    clock = at('2026-12-13');
    await runThatDies(id);
    payers().declines(cobrs()[0]?.transactionId ?? '', 'account_closed');
    await account.emulator.tellAll();
    await app.services.notifications.drain();
    await passTo('2026-12-16');
    expect(await debitsOf(id)).toMatchObject([
      { status: 'failed', debit: { attempts: [{ reason: 'account' }] } },
    ]);
    expect(putsOf('/cobr/')).toBe(1);
  });

  test('that was not sent in time is told of once, though the node that told of it died', async () => {
    const { id } = await active();
    clock = at('2026-12-16');
    await runThatDies(id);
    await passTo('2026-12-17');
    expect(await debitsOf(id)).toMatchObject([{ status: 'failed', debit: { reason: 'our_fault' } }]);
    expect((await client.get(`/v1/recurrences/${id}`)).body).toMatchObject({ nextDebitOn: '2027-01-17' });
  });

  test('that nobody permitted in time has expired, though the answer to its end was lost', async () => {
    const { body: created } = await client.post('/v1/recurrences', body);
    account.emulator.faults.add({ kind: 'reset', operation: 'end_recurrence', isDone: true });
    await passTo('2027-01-02');
    const after = (await client.get(`/v1/recurrences/${created.id}`)).body;
    expect(after).toMatchObject({ status: 'expired' });
    expect(after.endedBy).toBeUndefined();
    expect(await events()).toEqual(expect.not.arrayContaining(['recurrence_cancelled']));
  });

  test('is asked for again, ever more rarely, while the bank refuses a debit, and then is our fault', async () => {
    const { id } = await active();
    account.emulator.faults.add({ kind: 'reject', operation: 'create', times: 100 });
    await passTo('2026-12-15', '23:00');
    const refused = await debitsOf(id);
    expect(refused.length).toBeGreaterThan(2);
    expect(refused.length).toBeLessThan(20);
    expect(refused.every(({ status }) => status === 'failed')).toBe(true);
    account.emulator.faults.clear();
    await passTo('2026-12-17');
    const [missed] = await debitsOf(id);
    expect(missed).toMatchObject({ status: 'failed', debit: { reason: 'our_fault' } });
    expect((await client.get(`/v1/recurrences/${id}`)).body).toMatchObject({ nextDebitOn: '2027-01-17' });
  });

  test('ends when the payer ends it, as the bank tells', async () => {
    const { id, idRec } = await active();
    await passTo('2026-12-13');
    await account.emulator.tellAll('never');
    payers().revokes(idRec);
    await account.emulator.tellAll();
    await app.services.notifications.drain();
    await reconcile();
    expect((await client.get(`/v1/recurrences/${id}`)).body).toMatchObject({
      status: 'cancelled',
      endedBy: 'payer',
    });
    await passTo('2026-12-14');
    expect(await debitsOf(id)).toMatchObject([{ status: 'cancelled' }]);
  });

  test('ends when the payer ends it during a look at it', async () => {
    const { id, idRec } = await active();
    const run = runSlowly(id);
    await looked();
    payers().revokes(idRec);
    await account.emulator.tellAll();
    await app.services.notifications.drain();
    await run;
    await reconcile();
    expect((await client.get(`/v1/recurrences/${id}`)).body).toMatchObject({ status: 'cancelled' });
  });

  test('is looked at now and then, while the payer has paid and the bank has not permitted it yet', async () => {
    const created = await client.post('/v1/recurrences', {
      ...body,
      authorization: 'qr_with_payment',
      firstPayment: { amount: 10, expirationMinutes: 10 },
    });
    await account.emulator.pay(account.emulator.ledger.charges[0]?.transactionId ?? '', { notify: 'never' });
    clock = new Date(clock.getTime() + 15 * 60_000);
    await reconcile();
    const before = account.emulator.requests.length;
    for (let times = 0; times < 5; times++) await reconcile();
    expect(account.emulator.requests.length - before).toBeLessThan(3);
    payers().approves(payers().recurrences()[0]?.id ?? '');
    await passTo('2026-12-01', '18:00');
    expect((await client.get(`/v1/recurrences/${created.body.id}`)).body).toMatchObject({ status: 'active' });
  });

  test.each(['qr', 'qr_with_payment'])(
    'that was made and not stored, and is permitted all the same (%s), is what the repeated request returns',
    async (authorization) => {
      const { emulator } = account;
      const first = authorization === 'qr' ? {} : { firstPayment: { amount: 10 } };
      const create = () =>
        client.post('/v1/recurrences', { ...body, authorization, ...first }, { 'Idempotency-Key': 'once' });
      const gate = await closeGate(app.databaseUrl, 'UPDATE', 'recurrence');
      const unanswered = create();
      await gate.waiting(1);
      await gate.endWaiting();
      expect((await unanswered).status).toBe(503);
      await gate.open();
      const [charge] = emulator.ledger.charges;
      if (charge) await emulator.pay(charge.transactionId, { notify: 'never' });
      payers().approves(payers().recurrences()[0]?.id ?? '');
      const made = await eventually(async () => {
        const repeated = await create();
        expect(repeated).toMatchObject({ status: 201, body: { status: 'pending' } });
        return repeated.body;
      });
      await passTo('2026-12-01', '14:00');
      expect((await client.get(`/v1/recurrences/${made.id}`)).body).toMatchObject({ status: 'active' });
      expect(payers().recurrences()).toHaveLength(1);
      if (made.firstPaymentId)
        expect((await client.get(`/v1/payments/${made.firstPaymentId}`)).body).toMatchObject({
          status: 'completed',
        });
    },
  );

  test('that was asked for twice is made twice', async () => {
    const create = () => client.post('/v1/recurrences', body);
    const made = [await create(), await create(), ...(await Promise.all([create(), create()]))];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(made.map(({ body: { pixCopyPaste } }) => pixCopyPaste)).size).toBe(4);
  });

  test('keeps its credential, which says how many it has', async () => {
    const { credentialId } = account;
    const operator = operatorFor(organizationId);
    const other = await openAccount(app, {
      organizationId,
      provider: 'bacen',
      name: 'other',
      define: defineBacen('standard'),
      isDefault: true,
    });
    const { id } = await active({ credentialId });
    await expect(app.services.credentials.remove(operator, credentialId)).rejects.toMatchObject({
      code: 'credential_in_use',
      message: expect.stringContaining('1 active recurrences'),
    });
    expect(await client.post(`/v1/recurrences/${id}/cancel`)).toMatchObject({
      body: { status: 'cancelled', endedBy: 'receiver' },
    });
    expect(await app.services.credentials.remove(operator, credentialId)).toBe('archived');
    await other.emulator.stop();
  });
});
