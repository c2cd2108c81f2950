import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { cents } from '../../../src/core/base/money.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { standingFor } from '../../support/chance.ts';
import { freshDatabase } from '../../support/database.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { everyPsp } from '../../support/psp-emulator/all.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';
import type { EmulatedCharge } from '../../support/psp-emulator/ledger.ts';
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

let clock: Date;
let app: TestApp;
const opened: LiveOrganization[] = [];

const passMinutes = (minutes: number): void => {
  clock = new Date(clock.getTime() + minutes * 60_000);
};

beforeAll(async () => {
  clock = new Date();
  // Has no workers of its own: the tests run them.
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), ROLE: 'api' }, { now: () => clock });
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((live) => live.stop()));
});

afterAll(() => app.stop());

/** A merchant with one account and a payment of R$ 10 for 40 minutes. */
async function openPayment(provider: string, define: DefinePsp) {
  const live = await openLiveOrganization(app, () => clock, [provider, define]);
  opened.push(live);
  const { client } = live;
  const { body } = await client.post('/v1/payments', { amount: 10, payer, expirationMinutes: 40 });
  const [account] = live.accounts;
  const charge = account?.emulator.ledger.charges[0];
  if (!account || !charge) throw new Error('there is no charge');
  const { emulator } = account;
  const id = String(body.id);
  const pay = async () => {
    const { endToEndId } = await emulator.pay(charge.transactionId, { notify: 'never' });
    return endToEndId;
  };
  return {
    client,
    emulator,
    charge,
    id,
    pay,
    /** What somebody does in the panel of the PSP, or a bank. */
    giveBack: (amount: number, endToEndId = charge.pix[0]?.endToEndId ?? '', reason?: string) =>
      emulator.ledger.refund(charge, {
        ...(reason !== undefined && { reason }),
        refundId: reason ?? 'panel',
        reference: '4000',
        endToEndId,
        amountInCents: cents(amount * 100),
        status: 'completed',
      }),
    shown: async () => {
      const { status, amountRefunded } = (await client.get(`/v1/payments/${id}`)).body;
      return { status, amountRefunded };
    },
    /** The events of the payment; those of its refunds are another matter. */
    told: async () => {
      const types = (await client.get('/v1/events')).body.data.map(({ type }: { type: string }) => type);
      return (types as string[]).filter((type) => type.startsWith('payment_'));
    },
    async notify() {
      const [pix] = charge.pix;
      if (pix) await emulator.notifier.send(emulator.psp.notificationOf(charge, pix));
      await app.services.notifications.drain();
    },
    async reconcileAfter(minutes: number) {
      passMinutes(minutes);
      for (const runDue of Object.values(app.services.reconciliation)) await runDue(100);
    },
  };
}

/** One lists what it returned with the Pix, one with the payment, and one the sum alone. */
const usual = ['bacen', 'mercadopago', 'pagbank'];

describe.each(standingFor(everyPsp, ([provider]) => usual.includes(provider)))(
  'money that %s had returned when it was first seen',
  (provider, define) => {
    test('in full never completes the payment', async () => {
      const { pay, giveBack, reconcileAfter, shown, told, client, id } = await openPayment(provider, define);
      await pay();
      giveBack(10);
      await reconcileAfter(1);
      expect(await shown()).toEqual({ status: 'refunded', amountRefunded: 10 });
      expect(await told()).toEqual(['payment_reversed', 'payment_refunded']);
      expect(await client.post(`/v1/payments/${id}/refunds`)).toMatchObject({ status: 409 });
    });

    test('in part completes the payment, with the amount, and the rest can be refunded', async () => {
      const { pay, giveBack, reconcileAfter, shown, told, client, id } = await openPayment(provider, define);
      await pay();
      giveBack(4);
      await reconcileAfter(1);
      expect(await shown()).toEqual({ status: 'completed', amountRefunded: 4 });
      expect(await client.post(`/v1/payments/${id}/refunds`, { amount: 6.01 })).toMatchObject({
        status: 400,
        body: { message: 'amount must be at most 6, the remaining refundable amount' },
      });
      expect(await client.post(`/v1/payments/${id}/refunds`)).toMatchObject({ body: { amount: 6 } });
      expect((await told())[0]).toBe('payment_completed');
    });

    test('later on is reported by the next notification', async () => {
      const { pay, giveBack, notify, shown, told, client, id, charge, reconcileAfter } = await openPayment(
        provider,
        define,
      );
      await pay();
      await notify();
      expect(await shown()).toEqual({ status: 'completed', amountRefunded: undefined });
      expect(await client.post(`/v1/payments/${id}/refunds`, { amount: 1 })).toMatchObject({ status: 201 });
      for (const each of charge.refunds) each.status = 'completed';
      // What was refunded here is not counted twice.
      await notify();
      expect([undefined, 1]).toContain((await shown()).amountRefunded);
      giveBack(8);
      await notify();
      expect([8, 9]).toContain((await shown()).amountRefunded);
      giveBack(1);
      await notify();
      await reconcileAfter(1);
      expect(await shown()).toEqual({ status: 'refunded', amountRefunded: 10 });
      const reversed = ['payment_reversed', 'payment_reversed'];
      expect(await told()).toEqual(['payment_completed', ...reversed, 'payment_refunded']);
    });
  },
);

test.each([
  ['MED_FRAUDE', 'med_fraud'],
  ['MED_OPERACIONAL', 'med_operational_failure'],
  ['MED_PIX_AUTOMATICO', 'med_automatic_pix'],
])('a Pix taken back through the special refund mechanism (%s) is no refund', async (natureza, reason) => {
  const { pay, giveBack, notify, client, id } = await openPayment('bacen', defineBacen('standard'));
  await pay();
  await notify();
  await client.post(`/v1/payments/${id}/refunds`, { amount: 1 });
  giveBack(4, undefined, natureza);
  await notify();
  await notify();
  const { body } = await client.get(`/v1/payments/${id}`);
  expect(body).toMatchObject({ status: 'completed', amountReversed: 4 });
  const events = (await client.get('/v1/events')).body.data as { type: string; reversal?: object }[];
  const reversals = events.filter(({ type }) => type === 'payment_reversed');
  expect(reversals).toMatchObject([{ reversal: { amount: 4, reason, status: 'completed' } }]);
  expect(await client.post(`/v1/payments/${id}/refunds`)).toMatchObject({ body: { amount: 5 } });
});

const contesting: [provider: string, define: DefinePsp, word: string, decided: string][] = [
  ['mercadopago', mercadopago, 'in_mediation', 'charged_back'],
  ['asaas', asaas, 'CHARGEBACK_DISPUTE', 'REFUNDED'],
];

describe.each(contesting)('a Pix disputed at %s', (provider, define, word, decided) => {
  const force = (charge: EmulatedCharge, status: string | undefined) => {
    charge.details['status'] = status;
  };

  test('leaves the payment pending, even after its expiry, until it is decided: returned', async () => {
    const { pay, charge, reconcileAfter, shown, told } = await openPayment(provider, define);
    await pay();
    force(charge, word);
    await reconcileAfter(61);
    expect(await shown()).toEqual({ status: 'pending', amountRefunded: undefined });
    await reconcileAfter(60);
    await reconcileAfter(60);
    expect(await shown()).toMatchObject({ status: 'pending' });
    force(charge, decided);
    await reconcileAfter(60);
    expect(await shown()).toMatchObject({ status: 'refunded' });
    expect(await told()).toEqual([
      'payment_disputed',
      'payment_reversed',
      'payment_dispute_closed',
      'payment_refunded',
    ]);
  });

  test('completes the payment once it is kept', async () => {
    const { pay, charge, reconcileAfter, shown } = await openPayment(provider, define);
    await pay();
    force(charge, word);
    await reconcileAfter(1);
    force(charge, undefined);
    await reconcileAfter(1);
    expect(await shown()).toEqual({ status: 'completed', amountRefunded: undefined });
  });

  test('is looked up when notified, even for a payment that has ended', async () => {
    const { pay, charge, client, id, notify, reconcileAfter, shown } = await openPayment(provider, define);
    expect(await client.post(`/v1/payments/${id}/cancel`)).toMatchObject({ status: 200 });
    await pay();
    force(charge, word);
    await notify();
    expect(await shown()).toMatchObject({ status: 'cancelled' });
    force(charge, undefined);
    await reconcileAfter(120);
    expect(await shown()).toMatchObject({ status: 'completed' });
  });
});

test.each([
  ['asaas', asaas, 'chargebacksLost'],
  ['mercadopago', mercadopago, 'chargebacksLost'],
  ['woovi', woovi, 'disputesLost'],
] as const)(
  'what a chargeback took is counted once, also when %s lists it as a refund later',
  async (provider, define, lost) => {
    const { pay, giveBack, notify, emulator, client, id, told } = await openPayment(provider, define);
    await pay();
    await notify();
    emulator.switches.turn(lost, true);
    await notify();
    giveBack(10);
    await notify();
    const { body } = await client.get(`/v1/payments/${id}`);
    expect(body).toMatchObject({ status: 'refunded', amountReversed: 10 });
    expect(body).not.toHaveProperty('amountRefunded');
    expect((await told()).filter((type) => type === 'payment_reversed')).toHaveLength(1);
  },
);

describe('a chargeback at Mercado Pago', () => {
  const openPaid = async () => {
    const payment = await openPayment('mercadopago', mercadopago);
    await payment.pay();
    await payment.notify();
    const turn = async (name: string, on: boolean) => {
      payment.emulator.switches.turn(name, on);
      await payment.notify();
      await payment.reconcileAfter(1);
    };
    return { ...payment, turn };
  };

  test('that is decided again is told each time', async () => {
    const { turn, shown, told, client } = await openPaid();
    await turn('chargebacks', true);
    await turn('chargebacks', false);
    await turn('chargebacks', true);
    await turn('chargebacksLost', true);
    expect(await shown()).toMatchObject({ status: 'refunded' });
    expect(await told()).toEqual([
      'payment_completed',
      'payment_disputed',
      'payment_dispute_closed',
      'payment_disputed',
      'payment_reversed',
      'payment_dispute_closed',
      'payment_refunded',
    ]);
    const { data } = (await client.get('/v1/events')).body;
    const states = (data as { dispute?: { state: string } }[]).flatMap(({ dispute }) => dispute?.state ?? []);
    expect(states).toEqual(['open', 'won', 'open', 'lost']);
  });

  test('that was lost and then won leaves a payment that can be refunded', async () => {
    const { turn, emulator, shown, told, client, id } = await openPaid();
    await turn('chargebacks', true);
    await turn('chargebacksLost', true);
    expect(await shown()).toMatchObject({ status: 'refunded' });
    emulator.switches.turn('chargebacks', false);
    await turn('chargebacksLost', false);
    expect(await shown()).toMatchObject({ status: 'completed' });
    emulator.switches.reset();
    const refund = await client.post(`/v1/payments/${id}/refunds`);
    expect(refund).toMatchObject({ status: 201, body: { status: 'completed', amount: 10 } });
    expect(await shown()).toEqual({ status: 'refunded', amountRefunded: 10 });
    expect((await told()).filter((type) => type === 'payment_refunded')).toHaveLength(2);
    const { data } = (await client.get('/v1/events')).body;
    const sequences = (data as { sequence: number }[]).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  });
});

describe('a Pix that arrives while the charge is being cancelled', () => {
  test('is returned by Pagar.me when a caller cancels, and never reported as paid', async () => {
    const { emulator, client, id, shown, told } = await openPayment('pagarme', pagarme);
    emulator.faults.add({ kind: 'pay_before', operation: 'cancel' });
    expect(await client.post(`/v1/payments/${id}/cancel`)).toMatchObject({
      status: 409,
      body: { message: 'A payment that is refunded cannot be cancelled' },
    });
    expect(await shown()).toEqual({ status: 'refunded', amountRefunded: 10 });
    expect(await told()).toEqual(['payment_reversed', 'payment_refunded']);
  });

  // At the others the charge has ended by itself then.
  const payableLonger = everyPsp.filter(([provider]) =>
    ['bacen', 'asaas', 'pagarme', 'pagbank'].includes(provider),
  );
  test.each(payableLonger)('is never returned at the expiry: %s', async (provider, define) => {
    const { emulator, charge, reconcileAfter, shown, told } = await openPayment(provider, define);
    emulator.faults.add({ kind: 'pay_before', operation: 'cancel' });
    await reconcileAfter(40);
    if (provider === 'pagarme' || provider === 'pagbank') {
      // It is not cancelled: its own expiry ends it.
      expect(emulator.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
      emulator.ledger.pay(charge);
      await reconcileAfter(1);
    }
    expect(charge.refunds).toEqual([]);
    expect(await shown()).toEqual({ status: 'completed', amountRefunded: undefined });
    expect(await told()).toEqual(['payment_completed']);
  });
});

test.each([
  ['pagarme', pagarme],
  ['pagbank', pagbank],
] as const)(
  'an unpaid charge at %s expires with the last check and is not cancelled',
  async (provider, define) => {
    const { emulator, reconcileAfter, shown, told } = await openPayment(provider, define);
    await reconcileAfter(40);
    expect(await shown()).toMatchObject({ status: 'pending' });
    await reconcileAfter(1.1);
    expect(await shown()).toMatchObject({ status: 'expired' });
    expect(await told()).toEqual(['payment_expired']);
    expect(emulator.requests.filter(({ operation }) => operation === 'cancel')).toEqual([]);
    expect(emulator.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  },
);

test('a payment at PagBank cannot be cancelled, and says so', async () => {
  const { client, id, shown } = await openPayment('pagbank', pagbank);
  expect(await client.post(`/v1/payments/${id}/cancel`)).toMatchObject({
    body: { message: 'pagbank cannot cancel a payment' },
  });
  expect(await shown()).toMatchObject({ status: 'pending' });
});

test('a Pix at PagBank whose charge is shown late, and whose notification is unsigned, is found', async () => {
  const { emulator, charge, notify, reconcileAfter, shown } = await openPayment('pagbank', pagbank);
  emulator.switches.turn('lateCharges', true);
  emulator.switches.turn('unsigned', true);
  emulator.ledger.pay(charge);
  await notify();
  expect(await shown()).toMatchObject({ status: 'pending' });
  await reconcileAfter(1);
  expect(await shown()).toMatchObject({ status: 'completed' });
});

test.each([
  ['mercadopago', mercadopago],
  ['pagarme', pagarme],
  ['pagbank', pagbank],
] as const)(
  'a refund whose request was lost is not taken for what was given back before: %s',
  async (provider, define) => {
    const { emulator, charge, pay, giveBack, notify, reconcileAfter, shown, client, id } = await openPayment(
      provider,
      define,
    );
    await pay();
    giveBack(4);
    await notify();
    expect(await shown()).toEqual({ status: 'completed', amountRefunded: 4 });
    emulator.faults.add({ kind: 'reset', operation: 'refund' });
    await client.post(`/v1/payments/${id}/refunds`, { amount: 4 });
    expect(charge.refunds).toHaveLength(1);
    expect(await shown()).toEqual({ status: 'completed', amountRefunded: 4 });
    await reconcileAfter(5);
    expect(charge.refunds).toHaveLength(2);
    for (const each of charge.refunds) each.status = 'completed';
    await reconcileAfter(5);
    expect(await shown()).toEqual({ status: 'completed', amountRefunded: 8 });
  },
);

test('of two Pix for one charge, the one that was kept has paid', async () => {
  const { emulator, charge, pay, giveBack, reconcileAfter, shown, told, client, id } = await openPayment(
    'bacen',
    defineBacen('standard'),
  );
  const returned = await pay();
  const stays = emulator.ledger.pay(charge).endToEndId;
  giveBack(10, returned);
  await reconcileAfter(1);
  expect(await shown()).toEqual({ status: 'completed', amountRefunded: undefined });
  expect(await told()).toEqual(['payment_completed', 'payment_reversed']);
  await client.post(`/v1/payments/${id}/refunds`);
  expect(charge.refunds.at(-1)?.endToEndId).toBe(stays);
});
