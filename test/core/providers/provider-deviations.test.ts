import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { cents } from '../../../src/core/base/money.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';
import type { EmulatedCharge } from '../../support/psp-emulator/ledger.ts';
import { mercadopago } from '../../support/psp-emulator/mercadopago.ts';
import { rawOf } from '../../support/psp-emulator/notifier.ts';
import { pagarme } from '../../support/psp-emulator/pagarme.ts';
import { pagbank } from '../../support/psp-emulator/pagbank.ts';
import type { DefinePsp, Notification } from '../../support/psp-emulator/psp.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

const payer = {
  name: 'Fulano de Tal',
  document: '529.982.247-25',
  email: 'fulano@example.com',
  phone: '(11) 98765-4321',
};

let clock: Date;
let databaseUrl: string;
let app: TestApp;
let live: LiveOrganization;
let emulator: PspEmulator;
let charge: EmulatedCharge;
let id: string;

const passMinutes = (minutes: number): void => {
  clock = new Date(clock.getTime() + minutes * 60_000);
};

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  // Has no workers of its own: the tests run them.
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
});

afterEach(() => live.stop());

afterAll(() => app.stop());

/** A merchant with one account, and a payment of R$ 10 there. */
async function open(provider: string, define: DefinePsp, ...switches: string[]): Promise<void> {
  live = await openLiveOrganization(app, () => clock, [provider, define]);
  emulator = live.accounts[0]?.emulator as PspEmulator;
  for (const each of switches) emulator.switches.turn(each, true);
  await create();
}

/** Another payment, which the functions below are about from then on. */
async function create(): Promise<void> {
  const { body } = await live.client.post('/v1/payments', { amount: 10, payer });
  id = String(body.id);
  charge = emulator.ledger.charges.at(-1) as EmulatedCharge;
}

const shown = async () => (await live.client.get(`/v1/payments/${id}`)).body;
const refunds = async () => (await live.client.get(`/v1/payments/${id}/refunds`)).body.data as object[];
const events = async () => (await live.client.get('/v1/events')).body.data as object[];

const pix = () =>
  query<object>(
    databaseUrl,
    'SELECT end_to_end_id, told_end_to_end_id FROM received_pix WHERE payment_id = $1',
    [id],
  );

const keptNotifications = () =>
  query(databaseUrl, 'SELECT id FROM psp_notification WHERE credential_id = $1', [
    live.accounts[0]?.credentialId,
  ]);

async function receive(notification: Notification): Promise<void> {
  const token = emulator.notifier.address?.split('/').at(-1) ?? '';
  await app.services.notifications.receive(
    live.accounts[0] ? emulator.psp.name : '',
    token,
    rawOf(notification),
  );
  await app.services.notifications.drain();
}

const paidNotification = (): Notification => {
  const [paid] = charge.pix;
  if (!paid) throw new Error('nothing is paid');
  return emulator.psp.notificationOf(charge, paid);
};

/** The PSP notifies once more, as it does when something about the charge changes. */
const notify = (): Promise<void> => receive(paidNotification());

async function pay(): Promise<void> {
  await emulator.pay(charge.transactionId, { notify: 'never' });
  await notify();
}

async function reconcileAfter(minutes: number): Promise<void> {
  passMinutes(minutes);
  for (const runDue of Object.values(app.services.reconciliation)) await runDue(100);
}

test('a refund that is too early for PagBank is made later, under another key', async () => {
  await open('pagbank', pagbank, 'refundTooEarly');
  await pay();
  const { body } = await live.client.post(`/v1/payments/${id}/refunds`, { amount: 4 });
  expect(body).toMatchObject({ status: 'pending' });
  await reconcileAfter(3);
  expect(await refunds()).toMatchObject([{ status: 'completed', amount: 4 }]);
  expect(charge.refunds).toHaveLength(1);
});

test('a notification of PagBank without a signature makes us look', async () => {
  await open('pagbank', pagbank, 'unsigned');
  await pay();
  expect(await shown()).toMatchObject({ status: 'completed' });
  expect(await keptNotifications()).toEqual([]);
});

describe('at Asaas', () => {
  test('a refund that is too early is made later', async () => {
    await open('asaas', asaas, 'refundTooEarly');
    await pay();
    const { body } = await live.client.post(`/v1/payments/${id}/refunds`);
    expect(body).toMatchObject({ status: 'pending' });
    await reconcileAfter(3);
    expect(await refunds()).toMatchObject([{ status: 'completed', amount: 10 }]);
    expect(charge.refunds).toHaveLength(1);
    expect(await shown()).toMatchObject({ status: 'refunded', amountRefunded: 10 });
  });

  test('a refund that somebody has to authorize says so until it is done', async () => {
    await open('asaas', asaas, 'refundsNeedAuthorization');
    await pay();
    const pendingReason = 'authorization_at_provider';
    const { body } = await live.client.post(`/v1/payments/${id}/refunds`, { amount: 4 });
    expect(body).toMatchObject({ status: 'pending', pendingReason });
    expect(await refunds()).toMatchObject([{ status: 'pending', pendingReason }]);
    for (const refund of charge.refunds) refund.status = 'completed';
    await reconcileAfter(1);
    const [refund] = await refunds();
    expect(refund).toMatchObject({ status: 'completed' });
    expect(refund).not.toHaveProperty('pendingReason');
  });

  test.each([
    ['later', ['noPixTransaction'], []],
    ['earlier', [], ['noPixTransaction']],
  ])('a Pix whose end-to-end id is reported %s is recorded once', async (_, first, then) => {
    await open('asaas', asaas, ...first);
    await pay();
    expect(await shown()).toMatchObject({ status: 'completed' });
    emulator.switches.reset();
    for (const each of then) emulator.switches.turn(each, true);
    await notify();
    const endToEndId = charge.pix[0]?.endToEndId;
    expect(await pix()).toEqual([
      first.length > 0
        ? { end_to_end_id: `ASAAS${charge.transactionId}`, told_end_to_end_id: endToEndId }
        : { end_to_end_id: endToEndId, told_end_to_end_id: null },
    ]);
    expect(await events()).toMatchObject([{ type: 'payment_completed' }]);
  });

  test.each([
    ['raw', '\0'],
    ['escaped', '\\u0000'],
    ['half of a surrogate pair', '\\ud83d'],
  ])('a notification with a text that PostgreSQL cannot store is settled: %s', async (_, character) => {
    await open('asaas', asaas);
    await emulator.pay(charge.transactionId, { notify: 'never' });
    const { body, ...rest } = paidNotification();
    const noted = body.replace('{', `{"note":"a${character}b",`);
    expect(await emulator.notifier.send({ ...rest, body: noted })).toBe(true);
    await app.services.notifications.drain();
    expect(await shown()).toMatchObject({ status: 'completed' });
    expect(await keptNotifications()).toHaveLength(1);
  });

  test('a genuine notification that cannot be read is accepted, and not queued', async () => {
    await open('asaas', asaas);
    await emulator.pay(charge.transactionId, { notify: 'never' });
    const notification = { ...paidNotification(), body: '{"event": ' };
    expect(await emulator.notifier.send(notification)).toBe(true);
    const forged = emulator.psp.forge(notification);
    expect(await emulator.notifier.send(forged)).toBe(false);
    expect(await keptNotifications()).toEqual([]);
  });
});

describe('at Mercado Pago', () => {
  const questions = () => emulator.requests.filter(({ operation }) => operation === 'find').length;

  test.each(['unsigned', 'ipn', 'oldSignatures'])(
    'a notification whose sender is not proved, or is late, makes us ask: %s',
    async (name) => {
      await open('mercadopago', mercadopago, name);
      await pay();
      expect(await shown()).toMatchObject({ status: 'completed' });
    },
  );

  test('an unsigned notification is followed once a minute, and not kept', async () => {
    await open('mercadopago', mercadopago, 'unsigned');
    await emulator.pay(charge.transactionId, { notify: 'never' });
    for (let nth = 0; nth < 3; nth++) expect(await emulator.notifier.send(paidNotification())).toBe(true);
    await app.services.notifications.drain();
    expect(questions()).toBe(1);
    expect(await keptNotifications()).toEqual([]);
  });

  test('unsigned notifications do not count as ones that arrive', async () => {
    await open('mercadopago', mercadopago, 'unsigned');
    await pay();
    expect(await shown()).toMatchObject({ status: 'completed' });
    const counted = () =>
      query(
        app.databaseUrl,
        'SELECT notified_at FROM credential_traffic WHERE notified_at IS NOT NULL AND credential_id = $1',
        [live.accounts[0]?.credentialId],
      );
    expect(await counted()).toEqual([]);
    emulator.switches.reset();
    await create();
    await pay();
    expect(await counted()).toHaveLength(1);
  });

  test('unsigned notifications are followed two at a time, and hold up no genuine one', async () => {
    await open('mercadopago', mercadopago, 'unsigned');
    const charges = [charge];
    for (let nth = 0; nth < 5; nth++) {
      await create();
      charges.push(charge);
    }
    emulator.faults.add({ kind: 'hang', operation: 'find', times: 2 });
    for (const each of charges.slice(0, 5)) await emulator.pay(each.transactionId);
    await eventually(() => expect(questions()).toBe(2));
    emulator.switches.reset();
    await emulator.pay(charge.transactionId);
    await eventually(async () => expect(await shown()).toMatchObject({ status: 'completed' }));
    expect(questions()).toBe(3);
  });

  test('an unsigned notification of a payment that is not ours makes us ask nothing', async () => {
    await open('mercadopago', mercadopago, 'ipn');
    await emulator.pay(charge.transactionId, { notify: 'never' });
    const { body, query: names, ...rest } = paidNotification();
    await receive({ ...rest, query: { ...names, id: '42' }, body: body.replaceAll(charge.reference, '42') });
    expect(questions()).toBe(0);
  });

  test('a notification with a wrong signature is refused', async () => {
    await open('mercadopago', mercadopago);
    await emulator.pay(charge.transactionId, { notify: 'never' });
    expect(await emulator.notifier.send(emulator.psp.forge(paidNotification()))).toBe(false);
    expect(emulator.notifier.failures).toEqual(['HTTP 401']);
    expect(questions()).toBe(0);
  });

  test('a mediation that ends for the seller leaves the money', async () => {
    await open('mercadopago', mercadopago, 'mediation');
    await pay();
    expect(await shown()).toMatchObject({ status: 'pending', disputed: true });
    emulator.switches.reset();
    await notify();
    expect(await shown()).toMatchObject({ status: 'completed' });
    expect((await events()).at(-1)).toMatchObject({
      type: 'payment_dispute_closed',
      dispute: { state: 'won' },
    });
  });
});

describe('at Woovi', () => {
  test.each([
    { data_criacao: '2024-01-23T20:32:14.429Z', event: 'OPENPIX:CHARGE_COMPLETED' },
    { data_criacao: '2021-08-10T20:32:14.429Z', evento: 'teste_webhook' },
    {},
  ])('the ping of a registration is accepted, signed or not, and not kept: %j', async (ping) => {
    await open('woovi', woovi);
    const body = JSON.stringify(ping);
    const unsigned: Notification = { path: '', query: {}, headers: {}, body, hasCertificate: false };
    expect(await emulator.notifier.send(unsigned)).toBe(true);
    expect(await keptNotifications()).toEqual([]);
  });

  test('refunds that cannot be listed now hold up no money, and are told later', async () => {
    await open('woovi', woovi);
    emulator.faults.add({ kind: 'error', operation: 'find_refund', times: 1_000 });
    await emulator.pay(charge.transactionId, { notify: 'never' });
    const { endToEndId = '' } = charge.pix[0] ?? {};
    const about = {
      refundId: '',
      reference: 'D1',
      endToEndId,
      amountInCents: cents(400),
      status: 'completed',
    } as const;
    emulator.ledger.refund(charge, about);
    await notify();
    const completed = await shown();
    expect(completed).toMatchObject({ status: 'completed' });
    expect(completed).not.toHaveProperty('amountRefunded');
    emulator.faults.clear();
    await reconcileAfter(2);
    expect(await shown()).toMatchObject({ status: 'completed', amountRefunded: 4 });
  });

  test('a notification without its Pix is enough, and its end-to-end id is known all the same', async () => {
    await open('woovi', woovi, 'noPix');
    await pay();
    const { endToEndId = '' } = charge.pix[0] ?? {};
    expect(await shown()).toMatchObject({ status: 'completed', endToEndId });
  });

  test('a refund in the panel is found by the notification that names the Pix alone', async () => {
    await open('woovi', woovi);
    await pay();
    const { endToEndId = '' } = charge.pix[0] ?? {};
    const [amountInCents, reference] = [charge.amountInCents, 'D1'];
    emulator.ledger.refund(charge, {
      refundId: '',
      reference,
      endToEndId,
      amountInCents,
      status: 'completed',
    });
    const about = { event: 'PIX_TRANSACTION_REFUND_SENT_CONFIRMED', originalTransaction: { endToEndId } };
    await receive(
      emulator.psp.sign?.({ ...paidNotification(), body: JSON.stringify(about) }) as Notification,
    );
    expect(await shown()).toMatchObject({ status: 'refunded', amountRefunded: 10 });
  });
});

describe('at Pagar.me', () => {
  const created = (...switches: string[]) => open('pagarme', pagarme, ...switches);

  test('a create that gets 409 is looked up, and made once', async () => {
    await created('conflicts');
    expect(await shown()).toMatchObject({ status: 'pending', provider: 'pagarme' });
    expect(emulator.ledger.charges).toHaveLength(1);
  });

  test('an address instead of a code is not given to anybody', async () => {
    await created('addressCodes');
    expect(id).toBe('undefined');
    expect(emulator.ledger.charges).toHaveLength(1);
  });

  test('a chargeback takes the money', async () => {
    await created();
    await pay();
    emulator.switches.turn('chargebacksLost', true);
    await notify();
    expect(await shown()).toMatchObject({ status: 'refunded', amountReversed: 10 });
  });

  test.each([9_99, 10_01])('a Pix of %d centavos completes nothing', async (amount) => {
    await created();
    await emulator.pay(charge.transactionId, { amountInCents: cents(amount), notify: 'never' });
    await notify();
    await reconcileAfter(60);
    expect(await shown()).toMatchObject({ status: 'pending' });
  });
});

/** The switches with which each PSP shows an open claim, and one that took the money. */
describe.each<[string, DefinePsp, string, string]>([
  ['asaas', asaas, 'chargebacks', 'chargebacksLost'],
  ['mercadopago', mercadopago, 'chargebacks', 'chargebacksLost'],
  ['woovi', woovi, 'disputes', 'disputesLost'],
])('a claim on a Pix at %s', (provider, define, opened, lost) => {
  test('is a dispute while it is open, and leaves the money when it is won', async () => {
    await open(provider, define);
    await pay();
    emulator.switches.turn(opened, true);
    await notify();
    expect(await shown()).toMatchObject({ status: 'completed', disputed: true });
    emulator.switches.turn(opened, false);
    await notify();
    expect(await shown()).toMatchObject({ status: 'completed' });
    expect(await shown()).not.toHaveProperty('disputed');
    expect(await events()).toMatchObject([
      { type: 'payment_completed' },
      { type: 'payment_disputed', dispute: { state: 'open', amount: 10 } },
      { type: 'payment_dispute_closed', dispute: { state: 'won' } },
    ]);
  });

  test('takes the money when it is lost, and is never paid anew', async () => {
    await open(provider, define);
    await pay();
    emulator.switches.turn(opened, true);
    await notify();
    emulator.switches.turn(opened, false);
    emulator.switches.turn(lost, true);
    await notify();
    expect(await shown()).toMatchObject({ status: 'refunded', amountReversed: 10 });
    expect(await events()).toMatchObject([
      { type: 'payment_completed' },
      { type: 'payment_disputed' },
      { type: 'payment_reversed', reversal: { reason: 'chargeback', amount: 10 } },
      { type: 'payment_dispute_closed', dispute: { state: 'lost' } },
      { type: 'payment_refunded' },
    ]);
  });

  test('on money that was never seen completes nothing', async () => {
    await open(provider, define, opened);
    await pay();
    expect(await shown()).toMatchObject({ status: 'pending', disputed: true });
  });
});
