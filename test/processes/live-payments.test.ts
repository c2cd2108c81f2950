import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { providers } from '../../src/psp/providers.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { attemptsOf, type LiveOrganization, openLiveOrganization } from '../support/live.ts';
import { everyPsp } from '../support/psp-emulator/all.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import type { EmulatedCharge } from '../support/psp-emulator/ledger.ts';
import { mercadopago } from '../support/psp-emulator/mercadopago.ts';
import { pagarme } from '../support/psp-emulator/pagarme.ts';
import type { DefinePsp } from '../support/psp-emulator/psp.ts';
import { woovi } from '../support/psp-emulator/woovi.ts';

const payer = {
  name: 'Fulano de Tal',
  document: '529.982.247-25',
  email: 'fulano@example.com',
  phone: '(11) 98765-4321',
};

const psps: [provider: string, define: DefinePsp][] = [...everyPsp, ['bacen', defineBacen('efi')]];

let clock: Date;
let databaseUrl: string;
let app: TestApp;
const opened: LiveOrganization[] = [];

const passMinutes = (minutes: number): void => {
  clock = new Date(clock.getTime() + minutes * 60_000);
};

async function organization(...accounts: [string, DefinePsp][]): Promise<LiveOrganization> {
  const live = await openLiveOrganization(app, () => clock, ...accounts);
  opened.push(live);
  return live;
}

const statusOf = async ({ client }: LiveOrganization, id: string): Promise<string> =>
  (await client.get(`/v1/payments/${id}`)).body.status;

const transactionOf = (live: LiveOrganization, index = 0) =>
  live.accounts[index]?.emulator.ledger.charges.at(-1)?.transactionId ?? '';

async function reconcile(): Promise<void> {
  const { reconciliation } = app.services;
  for (const runDue of Object.values(reconciliation)) await runDue(100);
}

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

describe.each(psps.map(([provider, define], index) => ({ provider, define, index })))(
  'a live payment at $provider ($index)',
  ({ provider, define }) => {
    test('is created, confirmed by notification, refunded in part and in whole', async () => {
      const live = await organization([provider, define]);
      const { status, body } = await live.client.post('/v1/payments', { amount: 12.34, payer });
      expect({ status, body }).toMatchObject({
        status: 201,
        body: { status: 'pending', provider, isTest: false, pixCopyPaste: expect.stringMatching(/^000201/) },
      });

      await live.accounts[0]?.emulator.pay(transactionOf(live));
      await eventually(async () => expect(await statusOf(live, body.id)).toBe('completed'));
      expect(live.accounts[0]?.emulator.notifier.failures).toEqual([]);

      const refunds = `/v1/payments/${body.id}/refunds`;
      expect(await live.client.post(refunds, { amount: 12.35 })).toMatchObject({ status: 400 });
      expect(await live.client.post(refunds, { amount: 2.34 })).toMatchObject({
        status: 201,
        body: { paymentId: body.id, amount: 2.34 },
      });
      expect(await statusOf(live, body.id)).toBe('completed');
      expect(await live.client.post(refunds)).toMatchObject({ status: 201, body: { amount: 10 } });
      // Some providers decide later.
      for (const { emulator } of live.accounts) {
        for (const refund of emulator.ledger.charges.flatMap((charge) => charge.refunds))
          refund.status = 'completed';
      }
      await eventually(async () => {
        passMinutes(10);
        await reconcile();
        expect(await statusOf(live, body.id)).toBe('refunded');
      });
      expect(await live.client.post(refunds)).toMatchObject({ status: 409 });
      const sum = 'SELECT refunded_in_cents::int AS sum FROM payment WHERE id = $1';
      expect(await query(databaseUrl, sum, [body.id])).toEqual([{ sum: 1234 }]);
    });

    test('whose notification is lost is completed by polling', async () => {
      const live = await organization([provider, define]);
      const { body } = await live.client.post('/v1/payments', { amount: 5, payer });
      await live.accounts[0]?.emulator.pay(transactionOf(live), { notify: 'never' });
      passMinutes(1);
      await reconcile();
      expect(await statusOf(live, body.id)).toBe('completed');
    });

    test('is not completed by a forged notification', async () => {
      const live = await organization([provider, define]);
      const { body } = await live.client.post('/v1/payments', { amount: 5, payer });
      const emulator = live.accounts[0]?.emulator;
      const charge = emulator?.ledger.charges.at(-1);
      if (!emulator || !charge) throw new Error('there is no charge');
      const pix = { endToEndId: `E${'1'.repeat(31)}`, amountInCents: charge.amountInCents, paidAt: clock };
      const genuine = emulator.psp.notificationOf(charge, pix);
      await emulator.notifier.send(emulator.psp.forge(genuine));
      await emulator.notifier.send(genuine);
      await app.services.notifications.drain();
      expect(await statusOf(live, body.id)).toBe('pending');
      expect(await query(databaseUrl, 'SELECT 1 FROM received_pix WHERE payment_id = $1', [body.id])).toEqual(
        [],
      );
    });

    test('is cancelled at the provider too, where that is possible', async () => {
      const live = await organization([provider, define]);
      const { body } = await live.client.post('/v1/payments', { amount: 5, payer });
      if (providers[provider]?.capabilities.cancel === 'none') {
        expect(await live.client.post(`/v1/payments/${body.id}/cancel`)).toMatchObject({ status: 409 });
        return;
      }
      expect(await live.client.post(`/v1/payments/${body.id}/cancel`)).toMatchObject({
        status: 200,
        body: { status: 'cancelled' },
      });
      expect(live.accounts[0]?.emulator.ledger.charges.at(-1)?.isCancelled).toBe(true);
    });

    test('that expires is cancelled at the provider and can no longer be paid', async () => {
      const live = await organization([provider, define]);
      const { body } = await live.client.post('/v1/payments', { amount: 5, payer, expirationMinutes: 5 });
      const emulator = live.accounts[0]?.emulator;
      passMinutes(5);
      await reconcile();
      expect(emulator?.ledger.statusOf(emulator.ledger.charges[0] as EmulatedCharge)).not.toBe('active');
      passMinutes(1);
      await reconcile();
      expect(await statusOf(live, body.id)).toBe('expired');
    });

    test.each(['reset', 'error', 'truncate'] as const)(
      'that was created despite a response of %s is found again, not created twice',
      async (kind) => {
        const live = await organization([provider, define]);
        live.accounts[0]?.emulator.faults.add({ kind, operation: 'create', isDone: true });
        const { status } = await live.client.post('/v1/payments', { amount: 5, payer });
        expect(status).toBe(201);
        expect(live.accounts[0]?.emulator.ledger.charges).toHaveLength(1);
      },
    );
  },
);

test('whose create hangs after it was done is found within the time of one create', async () => {
  const live = await organization(['woovi', woovi]);
  live.accounts[0]?.emulator.faults.add({ kind: 'hang', operation: 'create', isDone: true });
  const { status } = await live.client.post('/v1/payments', { amount: 5 });
  expect(status).toBe(201);
  expect(live.accounts[0]?.emulator.ledger.charges).toHaveLength(1);
});

describe('with a fallback', () => {
  async function withFallback() {
    const live = await organization(['woovi', woovi], ['mercadopago', mercadopago]);
    const [first, second] = live.accounts;
    if (!first || !second) throw new Error('both accounts are needed');
    const rules = { fallbackCredentialIds: [second.credentialId] };
    const { id } = await app.services.ruleSets.create(operatorFor(live.organizationId), 'Fallback', rules);
    const create = (headers = {}) =>
      live.client.post('/v1/payments', { amount: 5, payer, ruleSetId: id }, headers);
    return { live, first: first.emulator, second: second.emulator, create };
  }

  test('a refused connection moves on to the next candidate', async () => {
    const { first, create } = await withFallback();
    await first.refuseConnections();
    const { body } = await create();
    expect(body.provider).toBe('mercadopago');
    expect(await attemptsOf(databaseUrl, body.id)).toMatchObject([
      { provider: 'woovi', outcome: 'not_sent' },
      { provider: 'mercadopago', outcome: 'created' },
    ]);
  });

  test('a definite no moves on to the next candidate, a no to the payer is returned to the caller', async () => {
    const { first, create } = await withFallback();
    first.faults.add({ kind: 'reject', operation: 'create' });
    expect((await create()).body.provider).toBe('mercadopago');
    first.faults.add({ kind: 'reject_payer', operation: 'create' });
    expect(await create()).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('payer') },
    });
  });

  test('a charge whose response was lost is cancelled when found', async () => {
    const { first, create } = await withFallback();
    first.faults.add({ kind: 'reset', operation: 'create', isDone: true });
    first.faults.add({ kind: 'error', operation: 'find', times: 9 });
    const { body } = await create();
    expect(body.provider).toBe('mercadopago');
    expect(await attemptsOf(databaseUrl, body.id)).toMatchObject([
      { outcome: 'unknown' },
      { outcome: 'created' },
    ]);
    first.faults.clear();
    passMinutes(5);
    await reconcile();
    expect(first.ledger.charges.map(({ isCancelled }) => isCancelled)).toEqual([true]);
    expect(await attemptsOf(databaseUrl, body.id)).toMatchObject([
      { outcome: 'withdrawn' },
      { outcome: 'created' },
    ]);
  });

  test('a lost charge that is paid anyway is flagged for a person and changes nothing else', async () => {
    const { live, first, create } = await withFallback();
    first.faults.add({ kind: 'reset', operation: 'create', isDone: true });
    first.faults.add({ kind: 'error', operation: 'find', times: 9 });
    const { body } = await create();
    first.faults.clear();
    await first.pay(transactionOf(live, 0), { notify: 'never' });
    passMinutes(5);
    await reconcile();
    const [row] = await query<{ status: string; duplicate_payment: boolean }>(
      databaseUrl,
      'SELECT status::text, duplicate_payment FROM payment WHERE id = $1',
      [body.id],
    );
    expect(row).toEqual({ status: 'pending', duplicate_payment: true });
  });

  test('if every candidate fails, the caller gets 500 and the payment fails', async () => {
    const { live, first, second, create } = await withFallback();
    await first.refuseConnections();
    await second.refuseConnections();
    expect(await create()).toMatchObject({ status: 500, body: { error: 'InternalError' } });
    const { body } = await live.client.get('/v1/payments?status=failed');
    expect(body.data).toHaveLength(1);
  });
});

describe('confirmations', () => {
  test('a Pix of another amount confirms nothing', async () => {
    const live = await organization(['bacen', defineBacen()]);
    const { body } = await live.client.post('/v1/payments', { amount: 5 });
    await live.accounts[0]?.emulator.pay(transactionOf(live), { amountInCents: 499n as never });
    await app.services.notifications.drain();
    passMinutes(1);
    await reconcile();
    expect(await statusOf(live, body.id)).toBe('pending');
  });

  test("a notification for another account's charge is refused, however genuine", async () => {
    const live = await organization(['woovi', woovi]);
    const stranger = await organization(['woovi', woovi]);
    const { body } = await live.client.post('/v1/payments', { amount: 5 });
    const emulator = live.accounts[0]?.emulator;
    if (emulator) emulator.notifier.address = stranger.accounts[0]?.emulator.notifier.address;
    await emulator?.pay(transactionOf(live));
    await app.services.notifications.drain();
    expect(await statusOf(live, body.id)).toBe('pending');
  });

  test('repeated, and before the response to the create, count once', async () => {
    const live = await organization(['mercadopago', mercadopago]);
    live.accounts[0]?.emulator.faults.add({ kind: 'pay_first', operation: 'create' });
    const { status, body } = await live.client.post('/v1/payments', { amount: 5, payer });
    expect(status).toBe(201);
    await eventually(async () => {
      passMinutes(1);
      await reconcile();
      expect(await statusOf(live, body.id)).toBe('completed');
    });
    const [count] = await query<{ count: string }>(
      databaseUrl,
      'SELECT count(*) FROM received_pix WHERE payment_id = $1',
      [body.id],
    );
    expect(count).toEqual({ count: '1' });
  });

  test('an unknown notification address gets 404', async () => {
    const live = await organization();
    expect(await live.client.post('/psp/woovi/unknown-token', {})).toMatchObject({
      status: 404,
      body: { error: 'NotFound' },
    });
  });
});

test('pagarme requires a phone, and says so', async () => {
  const live = await organization(['pagarme', pagarme]);
  const { phone: _phone, ...withoutPhone } = payer;
  expect(await live.client.post('/v1/payments', { amount: 5, payer: withoutPhone })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('payer.phone') },
  });
});
