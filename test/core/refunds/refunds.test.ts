import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { standingFor } from '../../support/chance.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { everyPsp } from '../../support/psp-emulator/all.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import type { DefinePsp } from '../../support/psp-emulator/psp.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';
import { cents } from '../../../src/core/base/money.ts';
import { providers } from '../../../src/psp/providers.ts';

const payer = {
  name: 'Fulano de Tal',
  document: '529.982.247-25',
  email: 'fulano@example.com',
  phone: '(11) 98765-4321',
};

let clock: Date;
let databaseUrl: string;
let app: TestApp;
const opened: LiveOrganization[] = [];

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  // Has no workers of its own: the tests run them.
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((live) => live.stop()));
});

afterAll(() => app.stop());

const pass = (seconds: number): void => {
  clock = new Date(clock.getTime() + seconds * 1_000);
};

/** A payment of R$ 10 that was paid at the PSP. */
async function paidAt(provider: string, define: DefinePsp) {
  const live = await openLiveOrganization(app, () => clock, [provider, define]);
  opened.push(live);
  const { body } = await live.client.post('/v1/payments', { amount: 10, payer });
  const paymentId = String(body.id);
  const [account] = live.accounts;
  const charge = account?.emulator.ledger.charges[0];
  if (!account || !charge) throw new Error('there is no charge');
  const { emulator } = account;
  await emulator.pay(charge.transactionId);
  const statusOf = async () => (await live.client.get(`/v1/payments/${paymentId}`)).body.status;
  await eventually(async () => expect(await statusOf()).toBe('completed'));

  const refund = async (amount?: number, idempotencyKey?: string) =>
    live.client.post(
      `/v1/payments/${paymentId}/refunds`,
      amount === undefined ? {} : { amount },
      idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
    );
  const listed = async () => (await live.client.get(`/v1/payments/${paymentId}/refunds`)).body.data;
  /** Leaves out addresses of the service, as events do, because they are stored for good. */
  const retrieved = async () => {
    const { body } = await live.client.get(`/v1/payments/${paymentId}`);
    delete body.checkoutUrl;
    return body;
  };
  /** Those after the payment was completed. */
  const events = async () => (await live.client.get('/v1/events?after=1')).body.data;
  /** What is stored of its refunds, in the order of their making. */
  const stored = () =>
    query<{ status: string; reference: string | null }>(
      databaseUrl,
      `SELECT status::text, psp_reference AS reference FROM refund WHERE payment_id = $1 ORDER BY created_at, id`,
      [paymentId],
    );
  /** Some time later, by the worker that looks after what is pending. */
  async function reconcileAfter(seconds: number): Promise<void> {
    pass(seconds);
    await app.services.reconciliation.refund(100);
  }
  const sentCount = () => emulator.requests.filter(({ operation }) => operation === 'refund').length;
  const decide = (status: 'completed' | 'failed' = 'completed') => {
    for (const each of charge.refunds) if (each.status === 'pending') each.status = status;
  };
  return {
    paymentId,
    client: live.client,
    emulator,
    charge,
    refund,
    stored,
    reconcileAfter,
    sentCount,
    decide,
    statusOf,
    listed,
    retrieved,
    events,
  };
}

/** Each keeps the ids of refunds for another time: for ever, for a day, not at all. */
const usual = ['bacen', 'mercadopago', 'pagbank'];

const everywhere = describe.each(
  standingFor(everyPsp, ([provider]) => usual.includes(provider)).map(([provider, define]) => ({
    provider,
    define,
  })),
);

everywhere('a refund that $provider takes and decides later', ({ provider, define }) => {
  test('is reported when it fails: it can be read, emits an event, and can be refunded again', async () => {
    const { emulator, paymentId, refund, reconcileAfter, decide, listed, retrieved, events } = await paidAt(
      provider,
      define,
    );
    // One that failed is indistinguishable from one that is late where only their sum is known.
    if (emulator.psp.cannotFind?.includes('single refunds')) return;
    emulator.ledger.decidesRefundsLater = true;
    const { body: answered } = await refund(4, 'refund-1');
    expect(answered).toMatchObject({ status: 'pending' });
    expect(await listed()).toEqual([answered]);
    decide('failed');
    await reconcileAfter(458);
    const failed = { ...answered, status: 'failed', failureReason: 'not_carried_out' };
    expect(await listed()).toEqual([failed]);
    const payment = await retrieved();
    expect(payment).toMatchObject({ status: 'completed' });
    expect(payment).not.toHaveProperty('amountRefunded');
    expect(await events()).toEqual([
      expect.objectContaining({ type: 'refund_failed', sequence: 2, data: payment, refund: failed }),
    ]);
    // The key tells what has become of it, and gives nothing back once more.
    const replay = await refund(4, 'refund-1');
    expect(replay).toMatchObject({ status: 201, body: failed });
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(await refund(10)).toMatchObject({ status: 201, body: { amount: 10, paymentId } });
  });

  test('is reported when it is completed, each part once', async () => {
    const { client, emulator, paymentId, refund, reconcileAfter, decide, listed, retrieved, events } =
      await paidAt(provider, define);
    emulator.ledger.decidesRefundsLater = true;
    const amounts = [4, 2.5];
    for (const amount of amounts) {
      await refund(amount, `refund-${amount}`);
      decide();
      await reconcileAfter(60);
      await reconcileAfter(3_600);
    }
    const refunds = await listed();
    expect(refunds).toMatchObject(amounts.map((amount) => ({ amount, status: 'completed' })));
    const payment = await retrieved();
    expect(payment).toMatchObject({ status: 'completed', amountRefunded: 6.5 });
    expect(await events()).toEqual([
      expect.objectContaining({
        type: 'refund_completed',
        data: { ...payment, amountRefunded: 4 },
        refund: refunds[0],
      }),
      expect.objectContaining({ type: 'refund_completed', data: payment, refund: refunds[1] }),
    ]);
    expect((await refund(4, 'refund-4')).body).toEqual(refunds[0]);
    await refund();
    decide();
    await reconcileAfter(60);
    expect((await events()).slice(2)).toMatchObject([
      { type: 'refund_completed', refund: { amount: 3.5 }, data: { status: 'refunded', amountRefunded: 10 } },
      { type: 'payment_refunded', data: { status: 'refunded', amountRefunded: 10 } },
    ]);
    const text = `query ($id: ID!) {
      payment(id: $id) { status amountRefunded }
      refunds(paymentId: $id, first: 2) { edges { node { amount status failureReason } } pageInfo { hasNextPage } }
      events(first: 1, after: "2") { edges { node { type refund { amount } } } }
    }`;
    expect((await client.graphql(text, { id: paymentId })).body.data).toEqual({
      payment: { status: 'refunded', amountRefunded: 10 },
      refunds: {
        edges: amounts.map((amount) => ({ node: { amount, status: 'completed', failureReason: null } })),
        pageInfo: { hasNextPage: true },
      },
      events: { edges: [{ node: { type: 'refund_completed', refund: { amount: 2.5 } } }] },
    });
  });
});

test('that the provider refuses fails at once, with the reason', async () => {
  const { emulator, refund, events } = await paidAt('woovi', woovi);
  emulator.faults.add({ operation: 'refund', kind: 'reject' });
  const { status, body } = await refund(1);
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { status: 'failed', failureReason: 'refused_by_provider' },
  });
  expect(await events()).toMatchObject([{ type: 'refund_failed', refund: body }]);
});

everywhere('a refund whose answer is lost at $provider', ({ provider, define }) => {
  const lose = { operation: 'refund', kind: 'reset' } as const;

  test('is not failed by a refused lookup, and is made once', async () => {
    const { emulator, charge, refund, stored, reconcileAfter, decide } = await paidAt(provider, define);
    emulator.faults.add({ ...lose, isDone: true });
    emulator.faults.add({ operation: 'find_refund', kind: 'reject_credential' });
    expect(await refund(4)).toMatchObject({ status: 201, body: { status: 'pending' } });
    emulator.faults.clear();
    emulator.faults.add({ kind: 'reject_credential', times: 100 });
    for (const seconds of [30, 300, 3_000]) await reconcileAfter(seconds);
    expect(await stored()).toMatchObject([{ status: 'pending' }]);
    // What may have gone back is not there to be given back again.
    expect(await refund(6.01)).toMatchObject({ status: 400 });
    emulator.faults.clear();
    decide();
    await reconcileAfter(3_600);
    expect(await stored()).toMatchObject([{ status: 'completed' }]);
    expect(charge.refunds).toHaveLength(1);
  });

  test('is made once, however late the provider shows it', async () => {
    const { emulator, charge, refund, stored, reconcileAfter, decide } = await paidAt(provider, define);
    emulator.ledger.refundsHiddenMs = 110_000;
    emulator.faults.add({ ...lose, isDone: true });
    await refund(2);
    for (let round = 0; round < 8; round++) await reconcileAfter(30);
    decide();
    await reconcileAfter(600);
    expect(await stored()).toMatchObject([{ status: 'completed' }]);
    expect(charge.refunds).toHaveLength(1);
  });

  test('is sent again if it never arrived, but not before that is certain', async () => {
    const { emulator, charge, refund, stored, reconcileAfter, sentCount, decide } = await paidAt(
      provider,
      define,
    );
    emulator.faults.add(lose);
    await refund(2);
    await reconcileAfter(60);
    // A provider that knows it by its id may be asked at once.
    expect(sentCount()).toBe(providers[provider]?.capabilities.refundIdRetentionHours === 0 ? 1 : 2);
    await reconcileAfter(61);
    expect(sentCount()).toBe(2);
    decide();
    await reconcileAfter(600);
    expect(await stored()).toMatchObject([{ status: 'completed' }]);
    expect(charge.refunds).toHaveLength(1);
  });

  test('that never arrived is sent again once, by whoever is first', async () => {
    const { emulator, charge, refund, sentCount } = await paidAt(provider, define);
    emulator.faults.add(lose);
    await refund(2);
    pass(130);
    const [stored] = await query<{ id: string }>(
      databaseUrl,
      `SELECT id FROM refund WHERE status = 'pending' ORDER BY created_at DESC LIMIT 1`,
      [],
    );
    const check = () => app.services.refunds.check(stored?.id ?? '');
    await Promise.all([check(), check(), check()]);
    expect(sentCount()).toBe(2);
    expect(charge.refunds).toHaveLength(1);
  });

  test('that was refused for good has failed', async () => {
    const { emulator, refund, stored, reconcileAfter } = await paidAt(provider, define);
    emulator.faults.add(lose);
    emulator.faults.add({ operation: 'refund', kind: 'reject', times: 9 });
    await refund(2);
    await reconcileAfter(130);
    expect(await stored()).toMatchObject([{ status: 'failed' }]);
  });
});

everywhere('a refund at $provider', ({ provider, define }) => {
  test('whose process stalls before the request is left to the worker that has taken over', async () => {
    const { charge, refund, stored, sentCount, paymentId } = await paidAt(provider, define);
    const holder = new pg.Client({ connectionString: databaseUrl });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE credential');
    const stalled = refund();
    await eventually(async () => expect(await stored()).toHaveLength(1));
    const takeOver = `UPDATE refund SET sent_at = sent_at + interval '3 minutes' WHERE payment_id = $1`;
    await query(databaseUrl, takeOver, [paymentId]);
    await holder.query('ROLLBACK');
    await holder.end();
    expect(await stalled).toMatchObject({ status: 201, body: { status: 'pending' } });
    expect(sentCount()).toBe(0);
    expect(charge.refunds).toEqual([]);
  });

  test('of the full amount is not made if part was returned elsewhere', async () => {
    const { emulator, charge, refund, stored } = await paidAt(provider, define);
    const elsewhere = { refundId: 'panel', reference: '4000', endToEndId: charge.pix[0]?.endToEndId ?? '' };
    emulator.ledger.refund(charge, { ...elsewhere, amountInCents: cents(400), status: 'completed' });
    expect(await refund()).toMatchObject({ status: 201, body: { status: 'failed', amount: 10 } });
    expect(await stored()).toMatchObject([{ status: 'failed' }]);
    expect(charge.refunds).toHaveLength(1);
    expect(await refund(6)).toMatchObject({ status: 201 });
    expect(charge.refunds).toHaveLength(2);
  });

  test('that was accepted is never sent again, even if the provider never shows it', async () => {
    const { emulator, charge, refund, reconcileAfter, sentCount } = await paidAt(provider, define);
    emulator.ledger.refundsHiddenMs = 100 * 86_400_000;
    await refund(2);
    for (const seconds of [130, 3_600, 90_000]) await reconcileAfter(seconds);
    expect(sentCount()).toBe(1);
    expect(charge.refunds).toHaveLength(1);
  });

  test('keeps the id that the provider gave it, next to another of the same amount', async () => {
    const { emulator, charge, refund, stored, reconcileAfter, decide, statusOf } = await paidAt(
      provider,
      define,
    );
    const { ledger } = emulator;
    const make = ledger.refund.bind(ledger);
    ledger.refund = (of, made) => make(of, { ...made, status: 'pending' });
    await refund(5);
    await refund(5);
    const names = (await stored()).map(({ reference }) => reference);
    expect(new Set(names).size).toBe(2);
    expect(names).not.toContain(null);
    await reconcileAfter(60);
    expect(await stored()).toEqual(names.map((reference) => ({ status: 'pending', reference })));
    decide();
    await reconcileAfter(600);
    expect(charge.refunds).toHaveLength(2);
    expect((await stored()).map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(await statusOf()).toBe('refunded');
  });

  test.each([
    ['at once', 60],
    ['when the provider knows its id no more', 90_000],
  ])('that never arrived is not mistaken for a later one of its amount: %s', async (_when, seconds) => {
    const { emulator, charge, refund, stored, reconcileAfter, decide } = await paidAt(provider, define);
    emulator.faults.add({ operation: 'refund', kind: 'reset' });
    await refund(5);
    await refund(5);
    await reconcileAfter(seconds);
    decide();
    await reconcileAfter(seconds + 3_600);
    const names = (await stored()).map(({ reference }) => reference);
    expect(await stored()).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
    expect(new Set(names).size).toBe(2);
    expect(charge.refunds).toHaveLength(2);
  });
});

test('a refund refused the second time, because the first request had made it, is completed', async () => {
  const { emulator, charge, refund, stored, reconcileAfter, sentCount } = await paidAt('asaas', asaas);
  // It is shown as soon as it has been asked for again.
  Object.defineProperty(emulator.ledger, 'refundsHiddenMs', {
    get: () => (sentCount() < 2 ? Number.MAX_SAFE_INTEGER : 0),
  });
  emulator.faults.add({ operation: 'refund', kind: 'reset', isDone: true });
  await refund();
  await reconcileAfter(130);
  expect(sentCount()).toBe(2);
  expect(await stored()).toMatchObject([{ status: 'completed' }]);
  expect(charge.refunds).toHaveLength(1);
});
