import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { cents } from '../../../src/core/base/money.ts';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createKey } from '../../support/factories.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { everyPsp } from '../../support/psp-emulator/all.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';
import { mercadopago } from '../../support/psp-emulator/mercadopago.ts';
import { pagarme } from '../../support/psp-emulator/pagarme.ts';
import { pagbank } from '../../support/psp-emulator/pagbank.ts';
import type { DefinePsp } from '../../support/psp-emulator/psp.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

const payer = {
  name: 'Fulano de Tal',
  document: '529.982.247-25',
  email: 'fulano@example.com',
  phone: '(11) 98765-4321',
};

const bacen = defineBacen('standard');

const disputed = {
  status: 409,
  body: {
    message:
      'A payment with an open dispute cannot be refunded before it is closed, unless an owner forces it',
  },
};

let clock: Date;
let databaseUrl: string;
let app: TestApp;
const opened: LiveOrganization[] = [];

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  // Has no workers of its own: the tests run them.
  app = await startTestApp(
    { DATABASE_URL: databaseUrl, ROLE: 'api', DATABASE_POOL_SIZE: '10' },
    { now: () => clock },
  );
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((live) => live.stop()));
});

afterAll(() => app.stop());

/** A merchant with one account and a payment of R$ 10 that was paid. */
async function openPaid(provider: string, define: DefinePsp, amount = 10) {
  const live = await openLiveOrganization(app, () => clock, [provider, define]);
  opened.push(live);
  const { client } = live;
  const { body } = await client.post('/v1/payments', { amount, payer, expirationMinutes: 40 });
  const [account] = live.accounts;
  const charge = account?.emulator.ledger.charges[0];
  if (!account || !charge) throw new Error('there is no charge');
  const { emulator } = account;
  const id = String(body.id);
  await emulator.pay(charge.transactionId, { notify: 'never' });
  async function notify() {
    const [pix] = charge?.pix ?? [];
    if (pix && charge) await emulator.notifier.send(emulator.psp.notificationOf(charge, pix));
    await app.services.notifications.drain();
  }
  await notify();
  return {
    client,
    emulator,
    charge,
    id,
    notify,
    /** What somebody does in the panel of the PSP, or a bank. */
    giveBack: (returned: number, more: { reason?: string; status?: 'pending'; reference?: string } = {}) =>
      emulator.ledger.refund(charge, {
        refundId: `D${Math.random().toString(36).slice(2)}`,
        reference: '4000',
        endToEndId: charge.pix[0]?.endToEndId ?? '',
        amountInCents: cents(returned * 100),
        status: 'completed',
        ...more,
      }),
    refund: (returned?: number) =>
      client.post(`/v1/payments/${id}/refunds`, returned === undefined ? {} : { amount: returned }),
    /** The request is lost on its way; whatever comes after it is refused. */
    refundInVain: async (returned: number) => {
      emulator.faults.add({ operation: 'refund', kind: 'reset' });
      emulator.faults.add({ operation: 'refund', kind: 'reject', times: 100 });
      const { body: refund } = await client.post(`/v1/payments/${id}/refunds`, { amount: returned });
      expect(refund).toMatchObject({ status: 'pending' });
    },
    shown: async () => {
      const {
        status,
        amountRefunded = 0,
        amountReversed = 0,
      } = (await client.get(`/v1/payments/${id}`)).body;
      return { status, amountRefunded, amountReversed };
    },
    told: async () => {
      const events = (await client.get('/v1/events?limit=100')).body.data as { type: string }[];
      return events.map(({ type }) => type);
    },
    refunds: async () => (await client.get(`/v1/payments/${id}/refunds`)).body.data,
    async after(seconds: number) {
      clock = new Date(clock.getTime() + seconds * 1_000);
      // A refund that was settled may have something else looked up.
      for (const runDue of [
        ...Object.values(app.services.reconciliation),
        app.services.reconciliation.payment,
      ])
        await runDue(100);
    },
  };
}

test('a refund that makes up for what a dispute was first thought to take does not return money', async () => {
  const { emulator, charge, refund, notify, after, shown, told } = await openPaid('woovi', woovi);
  emulator.switches.turn('noDisputeValue', true);
  emulator.ledger.decidesRefundsLater = true;
  await refund(2);
  Object.assign(charge.details, { on: 'disputesLost', claimedInCents: 1_000, takenInCents: 800 });
  await notify();
  for (const each of charge.refunds) each.status = 'completed';
  await notify();
  for (const seconds of [10, 30, 80, 121]) await after(seconds);
  expect(await shown()).toEqual({ status: 'refunded', amountRefunded: 2, amountReversed: 8 });
  expect((await told()).filter((type) => type === 'payment_refunded')).toHaveLength(1);
});

describe.each(everyPsp)('money that leaves at %s while a refund is in flight', (provider, define) => {
  test('is told, once the refund has failed', async () => {
    const { refundInVain, giveBack, notify, after, shown, told, refunds } = await openPaid(provider, define);
    await refundInVain(10);
    giveBack(10);
    await notify();
    for (const seconds of [10, 30, 80, 121]) await after(seconds);
    const outcome = await refunds();
    expect(await shown()).toEqual({ status: 'refunded', amountRefunded: 10, amountReversed: 0 });
    // Where only the sum tells, what has left is what was to be refunded.
    const isSumAlone = outcome[0].status === 'completed';
    expect(isSumAlone).toBe(provider === 'mercadopago' || provider === 'pagarme' || provider === 'pagbank');
    const what = isSumAlone ? ['refund_completed', 'payment_refunded'] : [];
    expect(await told()).toEqual(expect.arrayContaining(['payment_completed', 'payment_refunded', ...what]));
  });

  test('is told besides the refund, once that is completed', async () => {
    const { refund, giveBack, notify, after, shown, emulator, charge } = await openPaid(provider, define, 20);
    emulator.faults.add({ operation: 'refund', kind: 'reset', isDone: true });
    emulator.faults.add({ operation: 'find_refund', kind: 'error', times: 2 });
    await refund(10);
    giveBack(10);
    await notify();
    for (const each of charge.refunds) each.status = 'completed';
    for (const seconds of [10, 121, 600, 3_600]) await after(seconds);
    expect(await shown()).toEqual({ status: 'refunded', amountRefunded: 20, amountReversed: 0 });
  });
});

describe('a return that is under way', () => {
  test.each(everyPsp.filter(([provider]) => !['pagarme', 'pagbank'].includes(provider)))(
    'of everything at %s leaves nothing to refund, and is told when it ends',
    async (provider, define) => {
      const { giveBack, notify, refund, after, shown, charge } = await openPaid(provider, define);
      const returning = giveBack(10, { status: 'pending' });
      await notify();
      expect(await refund()).toMatchObject({
        status: 409,
        body: { message: 'The whole amount is already being returned' },
      });
      expect(charge.refunds).toHaveLength(1);
      returning.status = 'completed';
      await after(60);
      expect(await shown()).toMatchObject({ status: 'refunded', amountRefunded: 10 });
    },
  );

  test('of a part leaves the rest to refund', async () => {
    const { giveBack, notify, refund } = await openPaid('bacen', bacen);
    giveBack(4, { status: 'pending', reason: 'MED_FRAUDE' });
    await notify();
    expect(await refund(6.01)).toMatchObject({
      status: 400,
      body: { message: 'amount must be at most 6, the remaining refundable amount' },
    });
    expect(await refund(6)).toMatchObject({ status: 201 });
  });

  test('and fails leaves everything', async () => {
    const { giveBack, notify, refund, after } = await openPaid('bacen', bacen);
    const returning = giveBack(10, { status: 'pending', reason: 'MED_FRAUDE' });
    await notify();
    Object.assign(returning, { status: 'failed' });
    await after(60);
    expect(await refund(10)).toMatchObject({ status: 201 });
  });

  test.each([
    ['asaas', asaas, 'chargebacks'],
    ['mercadopago', mercadopago, 'chargebacks'],
    ['woovi', woovi, 'disputes'],
  ] as const)(
    'by a claim at %s has its payment not refunded before it is decided',
    async (provider, define, on) => {
      const { notify, refund, emulator, charge, after } = await openPaid(provider, define);
      emulator.switches.turn(on, true);
      await notify();
      expect(await refund(1)).toMatchObject(disputed);
      expect(charge.refunds).toEqual([]);
      emulator.switches.turn(on, false);
      await after(60);
      expect(await refund(1)).toMatchObject({ status: 201 });
    },
  );

  test.each([
    ['bacen', bacen, undefined],
    ['asaas', asaas, 'chargebacks'],
    ['mercadopago', mercadopago, 'chargebacks'],
    ['woovi', woovi, 'disputes'],
  ] as const)('at %s has a refund that was lost not sent again', async (provider, define, claim) => {
    const { refund, giveBack, notify, emulator, charge, refunds, after } = await openPaid(provider, define);
    emulator.faults.add({ operation: 'refund', kind: 'reset' });
    expect(await refund()).toMatchObject({ body: { status: 'pending' } });
    if (claim) emulator.switches.turn(claim, true);
    else giveBack(10, { status: 'pending', reason: 'MED_FRAUDE' });
    await notify();
    for (const seconds of [30, 80, 121]) await after(seconds);
    expect(charge.refunds).toHaveLength(claim ? 0 : 1);
    expect(await refunds()).toMatchObject([{ status: 'failed', failureReason: 'not_carried_out' }]);
  });
});

test.each([
  ['completed', { status: 'refunded', amountRefunded: 6, amountReversed: 4 }],
  ['failed', { status: 'completed', amountRefunded: 0, amountReversed: 4 }],
] as const)(
  'what a chargeback at Asaas took is told while a refund that it left is under way, until that has %s',
  async (outcome, end) => {
    const { refund, notify, emulator, charge, shown, after } = await openPaid('asaas', asaas);
    emulator.ledger.decidesRefundsLater = true;
    expect(await refund(6)).toMatchObject({ body: { status: 'pending' } });
    charge.details['claimedInCents'] = 400;
    emulator.switches.turn('chargebacksLost', true);
    await notify();
    expect(await shown()).toEqual({ status: 'completed', amountRefunded: 0, amountReversed: 4 });
    for (const each of charge.refunds) each.status = outcome;
    for (const seconds of [60, 60]) await after(seconds);
    expect(await shown()).toEqual(end);
  },
);

test('what a chargeback at Mercado Pago took leaves a refund under way what it returns', async () => {
  const { refund, notify, emulator, charge, shown, told, after } = await openPaid('mercadopago', mercadopago);
  emulator.ledger.decidesRefundsLater = true;
  emulator.faults.add({ operation: 'refund', kind: 'reset', isDone: true });
  emulator.faults.add({ operation: 'find_refund', kind: 'error' });
  expect(await refund(6)).toMatchObject({ body: { status: 'pending' } });
  emulator.switches.turn('chargebacksLost', true);
  await notify();
  expect(await shown()).toEqual({ status: 'completed', amountRefunded: 0, amountReversed: 4 });
  for (const each of charge.refunds) each.status = 'completed';
  await notify();
  for (const seconds of [60, 121]) await after(seconds);
  expect(await shown()).toEqual({ status: 'refunded', amountRefunded: 6, amountReversed: 4 });
  expect((await told()).filter((type) => type === 'payment_refunded')).toHaveLength(1);
});

test('what was returned in the sandbox stays of its Pix when a node whose clock is behind receives the next', async () => {
  const { key } = await createKey(app.services);
  const client = createClient(app.baseUrl, key);
  const { body } = await client.post('/v1/payments', { amount: 10 });
  const simulate = (what: string, more?: object) =>
    client.post(`/v1/sandbox/payments/${body.id}/${what}`, more);
  await simulate('pay');
  await simulate('reverse', { amount: 4, reason: 'returned_at_psp' });
  clock = new Date(clock.getTime() - 1_000);
  await simulate('pay');
  await app.services.notifications.drain();
  const events = (await client.get('/v1/events')).body.data as { type: string }[];
  const types = events.map(({ type }) => type);
  expect(types).toEqual(['payment_completed', 'payment_reversed', 'payment_duplicated']);
});

describe('no more leaves than came', () => {
  test('when Woovi takes the money of a MED without saying how much', async () => {
    const { notify, refund, emulator, shown, told, charge } = await openPaid('woovi', woovi);
    await refund(4);
    for (const each of charge.refunds) each.status = 'completed';
    emulator.switches.turn('noDisputeValue', true);
    emulator.switches.turn('disputesLost', true);
    await notify();
    await notify();
    expect(await shown()).toMatchObject({ amountReversed: 6 });
    expect((await told()).filter((type) => type === 'payment_reversed')).toHaveLength(1);
  });

  test('when that MED is told before the refund that it left', async () => {
    const { notify, refund, emulator, shown, charge, after } = await openPaid('woovi', woovi);
    emulator.ledger.refundsHiddenMs = 60_000;
    await refund(4);
    emulator.switches.turn('noDisputeValue', true);
    emulator.switches.turn('disputesLost', true);
    await notify();
    expect(await shown()).toMatchObject({ amountReversed: 10 });
    for (const each of charge.refunds) each.status = 'completed';
    for (const seconds of [61, 60]) await after(seconds);
    expect(await shown()).toEqual({ status: 'refunded', amountRefunded: 4, amountReversed: 6 });
  });

  test('in the database, whoever writes it', async () => {
    const { id } = await openPaid('bacen', bacen);
    const write = (columns: string) =>
      query(databaseUrl, `UPDATE payment SET ${columns} WHERE id = $1`, [id]);
    await expect(write('refunded_in_cents = 1001')).rejects.toThrow('payment_no_more_leaves_than_came');
    await expect(write('reversed_in_cents = 1')).rejects.toThrow('payment_no_more_leaves_than_came');
    await write('refunded_in_cents = 1000, reversed_in_cents = 1000');
  });
});

describe('refunds whose answers are lost', () => {
  test.each(everyPsp)('are decided together at %s', async (provider, define) => {
    const { refund, emulator, refunds, after, charge, shown } = await openPaid(provider, define);
    emulator.ledger.refundsHiddenMs = 60_000;
    for (const amount of [4, 4, 2]) {
      emulator.faults.add({ operation: 'refund', kind: 'reset', isDone: true });
      expect(await refund(amount)).toMatchObject({ body: { status: 'pending' } });
    }
    for (const each of charge.refunds) each.status = 'completed';
    for (const seconds of [121, 300, 3_600]) await after(seconds);
    expect(charge.refunds).toHaveLength(3);
    expect((await refunds()).map(({ status }: { status: string }) => status)).toEqual([
      'completed',
      'completed',
      'completed',
    ]);
    expect(await shown()).toEqual({ status: 'refunded', amountRefunded: 10, amountReversed: 0 });
  });

  test('are told from a return in the panel, where only the sum of all tells', async () => {
    const { refund, giveBack, notify, emulator, charge, refunds, after, shown } = await openPaid(
      'pagbank',
      pagbank,
    );
    giveBack(1);
    emulator.ledger.decidesRefundsLater = true;
    expect(await refund(6)).toMatchObject({ body: { status: 'pending' } });
    emulator.faults.add({ operation: 'refund', kind: 'reset' });
    emulator.faults.add({ operation: 'find_refund', kind: 'error', times: 2 });
    expect(await refund(4)).toMatchObject({ body: { status: 'pending' } });
    for (const each of charge.refunds) each.status = 'completed';
    await notify();
    for (const seconds of [121, 300, 3_600]) await after(seconds);
    const outcomes = (await refunds()) as { amount: number; status: string }[];
    expect(new Map(outcomes.map(({ amount, status }) => [amount, status]))).toEqual(
      new Map([
        [6, 'completed'],
        [4, 'failed'],
      ]),
    );
    expect(await shown()).toEqual({ status: 'completed', amountRefunded: 7, amountReversed: 0 });
  });

  test.each(everyPsp)(
    'are shown to somebody after an hour if %s does not decide them',
    async (provider, define) => {
      const { refund, emulator, refunds, after, charge } = await openPaid(provider, define);
      emulator.faults.add({ kind: 'error', times: 1_000 });
      await refund(4);
      await after(1_800);
      const [early] = await refunds();
      expect(early).toMatchObject({ status: 'pending' });
      expect(early).not.toHaveProperty('pendingReason');
      await after(3_600);
      expect(await refunds()).toMatchObject([{ pendingReason: 'no_outcome_from_provider' }]);
      emulator.faults.clear();
      await after(3_600);
      for (const each of charge.refunds) each.status = 'completed';
      await after(3_600);
      const [late] = await refunds();
      expect(late).toMatchObject({ status: 'completed' });
      expect(late).not.toHaveProperty('pendingReason');
    },
  );

  test('and that are refused from then on have failed within two minutes', async () => {
    const { refundInVain, refunds, after } = await openPaid('bacen', bacen);
    await refundInVain(4);
    for (const seconds of [6, 10, 20, 40, 40]) await after(seconds);
    expect(await refunds()).toMatchObject([{ status: 'pending' }]);
    await after(4);
    expect(await refunds()).toMatchObject([{ status: 'failed', failureReason: 'refused_by_provider' }]);
  });
});

test('what went back before a Pix was seen is told once its details can be had', async () => {
  const live = await openLiveOrganization(app, () => clock, ['woovi', woovi]);
  opened.push(live);
  const { body } = await live.client.post('/v1/payments', { amount: 10, payer });
  const emulator = live.accounts[0]?.emulator;
  const charge = emulator?.ledger.charges[0];
  if (!emulator || !charge) throw new Error('there is no charge');
  const { endToEndId } = emulator.ledger.pay(charge);
  const about = { refundId: 'panel', reference: 'panel', endToEndId };
  emulator.ledger.refund(charge, { ...about, amountInCents: cents(400), status: 'completed' });
  emulator.faults.add({ operation: 'find_refund', kind: 'error' });
  const after = async (seconds: number) => {
    clock = new Date(clock.getTime() + seconds * 1_000);
    for (const runDue of Object.values(app.services.reconciliation)) await runDue(100);
    return (await live.client.get(`/v1/payments/${body.id}`)).body;
  };
  expect(await after(30)).toMatchObject({ status: 'completed' });
  expect(await after(60)).toMatchObject({ status: 'completed', amountRefunded: 4 });
});

describe('a Pix of another amount beside the one that pays', () => {
  test('does not hide it, nor what becomes of it, and is shown to somebody', async () => {
    const live = await openLiveOrganization(app, () => clock, ['bacen', bacen]);
    opened.push(live);
    const { body } = await live.client.post('/v1/payments', { amount: 10, payer });
    const emulator = live.accounts[0]?.emulator;
    const charge = emulator?.ledger.charges[0];
    if (!emulator || !charge) throw new Error('there is no charge');
    emulator.ledger.pay(charge, cents(500));
    const { endToEndId } = emulator.ledger.pay(charge);
    const notify = async () => {
      const [, pix] = charge.pix;
      if (pix) await emulator.notifier.send(emulator.psp.notificationOf(charge, pix));
      await app.services.notifications.drain();
    };
    await notify();
    const shown = async () => (await live.client.get(`/v1/payments/${body.id}`)).body;
    expect(await shown()).toMatchObject({ status: 'completed', endToEndId });
    const about = { refundId: 'med', reference: 'med', reason: 'MED_FRAUDE', endToEndId };
    emulator.ledger.refund(charge, { ...about, amountInCents: cents(1_000), status: 'completed' });
    await notify();
    expect(await shown()).toMatchObject({ status: 'refunded', amountReversed: 10 });
    const events = (await live.client.get('/v1/events')).body.data as { type: string }[];
    expect(events.map(({ type }) => type)).toEqual([
      'payment_completed',
      'payment_duplicated',
      'payment_reversed',
      'payment_refunded',
    ]);
  });
});

describe('money that alone is of another amount', () => {
  test.each([
    ['bacen', bacen],
    ['pagarme', pagarme],
    ['pagbank', pagbank],
  ] as const)('pays nothing at %s, and is shown to somebody, once', async (provider, define) => {
    const live = await openLiveOrganization(app, () => clock, [provider, define]);
    opened.push(live);
    const { organizationId } = live;
    const { body } = await live.client.post('/v1/payments', { amount: 10, payer });
    const emulator = live.accounts[0]?.emulator;
    const charge = emulator?.ledger.charges[0];
    if (!emulator || !charge) throw new Error('there is no charge');
    for (let times = 0; times < 2; times++) {
      await emulator.pay(charge.transactionId, { amountInCents: cents(500) });
      await app.services.notifications.drain();
    }
    expect((await live.client.get(`/v1/payments/${body.id}`)).body).toMatchObject({ status: 'pending' });
    const { data } = (await live.client.get('/v1/payments?concern=duplicated')).body;
    expect(data).toMatchObject([{ id: body.id }]);
    const events = (await live.client.get('/v1/events')).body.data as { type: string }[];
    expect(events.map(({ type }) => type)).toEqual(['payment_duplicated']);
    const conditions = await app.services.attention.list(operatorFor(organizationId));
    expect(conditions).toContainEqual(expect.objectContaining({ kind: 'payments_duplicated', count: 1 }));
  });
});

test('twenty refunds of one payment at once wait for each other, and nobody else for them', async () => {
  const { refund, charge, id, client } = await openPaid('bacen', bacen, 20);
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM payment WHERE id = $1 FOR UPDATE', [id]);
  const answers = Promise.all(Array.from({ length: 20 }, () => refund(1)));
  const waiting = async () => {
    const [row] = await query<{ count: number }>(
      databaseUrl,
      `SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      [],
    );
    return row?.count;
  };
  await eventually(async () => expect(await waiting()).toBe(1));
  expect(await client.get('/v1/payments')).toMatchObject({ status: 200 });
  await holder.query('ROLLBACK');
  await holder.end();
  expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
  expect(charge.refunds).toHaveLength(20);
});
