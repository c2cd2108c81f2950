import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { cents } from '../../../src/core/base/money.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
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
const slowMs = 1_500;

let clock: Date;
let app: TestApp;
const opened: LiveOrganization[] = [];

beforeAll(async () => {
  clock = new Date();
  // Has no workers of its own: the tests run them.
  app = await startTestApp({ ROLE: 'api' }, { now: () => clock });
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((live) => live.stop()));
});

afterAll(() => app.stop());

/** A payment of R$ 10 that was paid. */
async function openPaid(provider: string, define: DefinePsp) {
  const live = await openLiveOrganization(app, () => clock, [provider, define]);
  opened.push(live);
  const { client } = live;
  const { body } = await client.post('/v1/payments', { amount: 10, payer, expirationMinutes: 40 });
  const [account] = live.accounts;
  const charge = account?.emulator.ledger.charges[0];
  if (!account || !charge) throw new Error('there is no charge');
  const { emulator } = account;
  const pix = emulator.ledger.pay(charge);
  const path = `/v1/payments/${body.id}`;
  const send = () => emulator.notifier.send(emulator.psp.notificationOf(charge, pix));
  async function notify() {
    await send();
    await app.services.notifications.drain();
  }
  await notify();
  return {
    emulator,
    charge,
    notify,
    /** Asks for a report now, which arrives after everything else; returns once the provider has made its answer. */
    async askSlowly() {
      emulator.faults.add({ operation: 'find', kind: 'slow', milliseconds: slowMs });
      const asked = emulator.requests.length;
      await send();
      await eventually(() => expect(emulator.requests.length).toBeGreaterThan(asked));
    },
    /** What somebody does in the panel of the PSP. */
    giveBack: (reais: number, status: 'pending' | 'completed' = 'completed') =>
      emulator.ledger.refund(charge, {
        refundId: `D${Math.random().toString(36).slice(2)}`,
        reference: '4000',
        endToEndId: pix.endToEndId,
        amountInCents: cents(reais * 100),
        status,
      }),
    refund: (reais: number) => client.post(`${path}/refunds`, { amount: reais }),
    async shown() {
      const { status, amountRefunded = 0, disputed = false } = (await client.get(path)).body;
      return { status, amountRefunded, disputed };
    },
    told: async () =>
      ((await client.get('/v1/events?limit=100')).body.data as { type: string }[]).map(({ type }) => type),
  };
}

const drain = () => app.services.notifications.drain();

async function after(seconds: number) {
  clock = new Date(clock.getTime() + seconds * 1_000);
  for (const runDue of Object.values(app.services.reconciliation)) await runDue(100);
}

describe.each<[provider: string, define: DefinePsp]>([
  ['bacen', defineBacen('standard')],
  ['mercadopago', mercadopago],
  ['asaas', asaas],
  ['woovi', woovi],
])('an answer of %s from before a return was completed', (provider, define) => {
  test('does not turn it back, and has it told once', async () => {
    const { giveBack, notify, askSlowly, shown, told } = await openPaid(provider, define);
    const returned = giveBack(4, 'pending');
    await notify();
    await askSlowly();
    returned.status = 'completed';
    await notify();
    await drain();
    await after(60);
    await notify();
    expect(await shown()).toMatchObject({ status: 'completed', amountRefunded: 4 });
    expect(await told()).toEqual(['payment_completed', 'payment_reversed']);
  });
});

describe.each<[provider: string, define: DefinePsp]>([
  ['mercadopago', mercadopago],
  ['pagarme', pagarme],
  ['pagbank', pagbank],
])('an answer of %s from before a refund was settled', (provider, define) => {
  test('does not end the looks for what has left besides', async () => {
    const { giveBack, refund, emulator, notify, askSlowly, shown } = await openPaid(provider, define);
    emulator.faults.add({ operation: 'refund', kind: 'reset', isDone: true });
    emulator.faults.add({ operation: 'find_refund', kind: 'error' });
    expect(await refund(2)).toMatchObject({ body: { status: 'pending' } });
    await notify();
    await askSlowly();
    giveBack(3);
    clock = new Date(clock.getTime() + 30_000);
    await app.services.reconciliation.refund(100);
    expect(await shown()).toMatchObject({ amountRefunded: 2 });
    await drain();
    await after(60);
    expect(await shown()).toMatchObject({ status: 'completed', amountRefunded: 5 });
  });
});

describe.each<[provider: string, define: DefinePsp, on: string]>([
  ['asaas', asaas, 'chargebacks'],
  ['mercadopago', mercadopago, 'chargebacks'],
  ['woovi', woovi, 'disputes'],
])('an answer of %s from before', (provider, define, on) => {
  test('a claim does not close it', async () => {
    const { notify, askSlowly, emulator, told } = await openPaid(provider, define);
    await askSlowly();
    emulator.switches.turn(on, true);
    await notify();
    await drain();
    expect(await told()).toEqual(['payment_completed', 'payment_disputed']);
  });

  test('the end of a claim does not open it again', async () => {
    const { notify, askSlowly, emulator, told, shown } = await openPaid(provider, define);
    emulator.switches.turn(on, true);
    await notify();
    await askSlowly();
    emulator.switches.turn(on, false);
    await notify();
    await drain();
    await after(60);
    expect(await shown()).toMatchObject({ status: 'completed', disputed: false });
    expect(await told()).toEqual(['payment_completed', 'payment_disputed', 'payment_dispute_closed']);
  });
});
