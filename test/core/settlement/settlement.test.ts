import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { nextCheckOf } from '../../support/payment-checks.ts';
import { attemptsOf, type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';
import type { EmulatedCharge } from '../../support/psp-emulator/ledger.ts';
import type { DefinePsp } from '../../support/psp-emulator/psp.ts';
import { mercadopago } from '../../support/psp-emulator/mercadopago.ts';
import { pagarme } from '../../support/psp-emulator/pagarme.ts';
import { sentStatements } from '../../support/statements.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

const payer = { name: 'Fulano de Tal', document: '529.982.247-25', email: 'fulano@example.com' };

let clock: Date;
let databaseUrl: string;
let app: TestApp;
const opened: LiveOrganization[] = [];

const passMinutes = (minutes: number): void => {
  clock = new Date(clock.getTime() + minutes * 60_000);
};

async function reconcile(): Promise<void> {
  for (const runDue of Object.values(app.services.reconciliation)) await runDue(100);
}

/** A merchant with one account and one payment, which lives for five minutes unless it is said otherwise. */
async function openPayment(provider: string, define: DefinePsp, input: object = {}) {
  const live = await openLiveOrganization(app, () => clock, [provider, define]);
  opened.push(live);
  const emulator = live.accounts[0]?.emulator as PspEmulator;
  const { body } = await live.client.post('/v1/payments', {
    amount: 5,
    payer,
    expirationMinutes: 5,
    ...input,
  });
  const charge = emulator.ledger.charges.at(-1) as EmulatedCharge;
  return { live, emulator, charge, id: body.id as string };
}

const statusOf = async ({ client }: LiveOrganization, id: string): Promise<string> =>
  (await client.get(`/v1/payments/${id}`)).body.status;

const eventsOf = async ({ client }: LiveOrganization): Promise<string[]> =>
  (await client.get('/v1/events')).body.data.map(({ type }: { type: string }) => type);

const flagsOf = (id: string) =>
  query(databaseUrl, 'SELECT status::text, paid_late, duplicate_payment FROM payment WHERE id = $1', [id]);

/** Until what the reconciler does next about it. */
async function pauseOf(table: 'payment' | 'payment_attempt', paymentId: string): Promise<number> {
  const ofAttempt = async () => {
    const [row] = await query<{ at: Date }>(
      databaseUrl,
      `SELECT next_check_at AS at FROM payment_attempt WHERE payment_id = $1 AND next_check_at IS NOT NULL`,
      [paymentId],
    );
    return row?.at;
  };
  const at = table === 'payment' ? await nextCheckOf(databaseUrl, paymentId) : await ofAttempt();
  return ((at?.getTime() ?? NaN) - clock.getTime()) / 60_000;
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

describe('money whose Pix the provider does not report yet', () => {
  const withhold = ({ details }: EmulatedCharge) => {
    details['hidesPix'] = true;
    return () => (details['hidesPix'] = false);
  };

  test('completes an expired payment once reported, however long after the notification', async () => {
    const { live, emulator, charge, id } = await openPayment('bacen', defineBacen());
    passMinutes(5);
    await reconcile();
    passMinutes(1);
    await reconcile();
    expect(await statusOf(live, id)).toBe('expired');

    const tell = withhold(charge);
    await emulator.pay(charge.transactionId);
    await app.services.notifications.drain();
    passMinutes(10);
    await reconcile();
    expect(await statusOf(live, id)).toBe('expired');
    tell();
    passMinutes(30);
    await reconcile();
    expect(await flagsOf(id)).toEqual([{ status: 'completed', paid_late: true, duplicate_payment: false }]);
  });

  test('marks a payment whose lost charge was paid once reported', async () => {
    const live = await openLiveOrganization(app, () => clock, ['bacen', defineBacen()], ['woovi', woovi]);
    opened.push(live);
    const [lost, second] = live.accounts;
    const rules = { fallbackCredentialIds: [second?.credentialId ?? ''] };
    const { id: ruleSetId } = await app.services.ruleSets.create(
      operatorFor(live.organizationId),
      'Two',
      rules,
    );
    lost?.emulator.faults.add({ kind: 'reset', operation: 'create', isDone: true });
    lost?.emulator.faults.add({ kind: 'error', operation: 'find', times: 9 });
    const { body } = await live.client.post('/v1/payments', { amount: 5, payer, ruleSetId });
    lost?.emulator.faults.clear();

    const charge = lost?.emulator.ledger.charges.at(-1) as EmulatedCharge;
    const tell = withhold(charge);
    await lost?.emulator.pay(charge.transactionId, { notify: 'never' });
    passMinutes(5);
    await reconcile();
    expect((await attemptsOf(databaseUrl, body.id))[0]).toMatchObject({ outcome: 'unknown' });
    tell();
    passMinutes(5);
    await reconcile();
    expect((await attemptsOf(databaseUrl, body.id))[0]).toMatchObject({ outcome: 'created' });
    expect(await flagsOf(body.id)).toMatchObject([{ status: 'pending', duplicate_payment: true }]);
  });

  test('is not waited for once it was reported, even if it no longer is', async () => {
    const { emulator, charge } = await openPayment('bacen', defineBacen());
    await emulator.pay(charge.transactionId);
    await app.services.notifications.drain();
    withhold(charge);
    await emulator.notifier.send(emulator.notifier.sent[0] as never);
    await app.services.notifications.drain();
    const waiting = 'SELECT FROM psp_notification WHERE body LIKE $1 AND processed_at IS NULL';
    expect(await query(databaseUrl, waiting, [`%${charge.transactionId}%`])).toEqual([]);
  });
});

test('money whose time cannot be read is confirmed at once, at our time', async () => {
  const { live, emulator, charge, id } = await openPayment('mercadopago', mercadopago);
  charge.details['dateApproved'] = '0000-00-00';
  await emulator.pay(charge.transactionId);
  await app.services.notifications.drain();
  const { body } = await live.client.get(`/v1/payments/${id}`);
  expect(body).toMatchObject({ status: 'completed', confirmedAt: clock.toISOString() });
});

test('a notified Pix completes its payment with five statements in a transaction, one for the search of its payer', async () => {
  const { live, emulator, charge, id } = await openPayment('bacen', defineBacen());
  const sent = await sentStatements(async () => {
    await emulator.pay(charge.transactionId);
    await app.services.notifications.drain();
  });
  expect(await statusOf(live, id)).toBe('completed');
  // The clocks of test mode are read, and the calls to providers summed, each second or so, over other connections.
  const texts = sent
    .map(({ text }) => text)
    .filter((text) => !/test_clock|psp_call_sum|credential_health/.test(text));
  expect(texts.slice(texts.indexOf('BEGIN') + 1, texts.indexOf('COMMIT'))).toHaveLength(5);
});

describe('a cancelled payment', () => {
  const cancel = async ({ client }: LiveOrganization, id: string) =>
    expect(await client.post(`/v1/payments/${id}/cancel`)).toMatchObject({ body: { status: 'cancelled' } });
  const lookLate = () => app.services.reconciliation.late_payment(100);

  test.each([
    ['pagarme', pagarme],
    ['bacen', defineBacen()],
  ] as const)('is looked at by %s after a minute, for a Pix that was in flight', async (provider, define) => {
    const input = { payer: { ...payer, phone: '+5511912345678' } };
    const { live, emulator, charge, id } = await openPayment(provider, define, input);
    await cancel(live, id);
    await emulator.pay(charge.transactionId, { notify: 'never' });
    passMinutes(0.9);
    expect(await lookLate()).toBe(0);
    passMinutes(0.1);
    expect(await lookLate()).toBe(1);
    expect(await flagsOf(id)).toEqual([{ status: 'completed', paid_late: true, duplicate_payment: false }]);
    expect(await eventsOf(live)).toEqual(['payment_cancelled', 'payment_completed']);
  });

  test('is left alone once its provider has shown it unpaid then', async () => {
    const { live, id } = await openPayment('bacen', defineBacen());
    await cancel(live, id);
    passMinutes(1);
    await lookLate();
    expect(await pauseOf('payment', id)).toBeNaN();
    expect(await statusOf(live, id)).toBe('cancelled');
  });

  test('is looked at again after a pause that grows when its provider does not respond', async () => {
    const { live, emulator, charge, id } = await openPayment('bacen', defineBacen(), {
      expirationMinutes: 60,
    });
    await cancel(live, id);
    await emulator.pay(charge.transactionId, { notify: 'never' });
    emulator.faults.add({ kind: 'error', operation: 'find', times: 2 });
    passMinutes(1);
    await lookLate();
    expect(await pauseOf('payment', id)).toBe(0.5);
    passMinutes(9);
    await lookLate();
    expect(await pauseOf('payment', id)).toBe(5);
    passMinutes(5);
    await lookLate();
    expect(await statusOf(live, id)).toBe('completed');
  });

  test('that was found so at its provider is looked at as well', async () => {
    const { live, emulator, charge, id } = await openPayment('bacen', defineBacen());
    charge.isCancelled = true;
    passMinutes(1);
    await app.services.reconciliation.payment(100);
    expect(await statusOf(live, id)).toBe('cancelled');
    await emulator.pay(charge.transactionId, { notify: 'never' });
    passMinutes(1);
    await lookLate();
    expect(await statusOf(live, id)).toBe('completed');
  });
});

describe('at the expiry', () => {
  test('the charge is cancelled, and a Pix in flight still completes the payment in time', async () => {
    const { live, emulator, charge, id } = await openPayment('bacen', defineBacen());
    passMinutes(5);
    await reconcile();
    expect(charge.isCancelled).toBe(true);
    expect(await statusOf(live, id)).toBe('pending');
    await emulator.pay(charge.transactionId, { notify: 'never' });
    passMinutes(1);
    await reconcile();
    expect(await flagsOf(id)).toEqual([{ status: 'completed', paid_late: false, duplicate_payment: false }]);
  });

  test('a charge that its provider does not cancel expires a minute later all the same', async () => {
    const { live, emulator, id } = await openPayment('bacen', defineBacen());
    emulator.faults.add({ kind: 'reject', operation: 'cancel', times: 9 });
    passMinutes(5);
    await reconcile();
    passMinutes(0.75);
    await reconcile();
    expect(await statusOf(live, id)).toBe('pending');
    passMinutes(1);
    await reconcile();
    expect(await statusOf(live, id)).toBe('expired');
  });

  test.each([
    ['bacen', defineBacen()],
    ['asaas', asaas],
  ] as const)(
    'a lost answer to the cancel at %s ends in one event, which says expired',
    async (provider, define) => {
      const { live, emulator, charge, id } = await openPayment(provider, define);
      emulator.faults.add({ kind: 'reset', operation: 'cancel', isDone: true });
      passMinutes(5);
      await reconcile();
      expect(charge.isCancelled).toBe(true);
      passMinutes(1);
      await reconcile();
      expect(await statusOf(live, id)).toBe('expired');
      expect(await eventsOf(live)).toEqual(['payment_expired']);
    },
  );

  test('a caller can still cancel what has not expired yet', async () => {
    const { live, id } = await openPayment('bacen', defineBacen());
    passMinutes(5);
    await reconcile();
    expect(await live.client.post(`/v1/payments/${id}/cancel`)).toMatchObject({ status: 200 });
    expect(await eventsOf(live)).toEqual(['payment_cancelled']);
  });
});

test('a check of a payment that a node of 1.0 has ended asks nobody, and is the last', async () => {
  const { emulator, id } = await openPayment('woovi', woovi, { expirationMinutes: 60 });
  passMinutes(5);
  await reconcile();
  expect(await pauseOf('payment', id)).toBeGreaterThan(0);
  await query(databaseUrl, "UPDATE payment SET status = 'cancelled', next_check_at = NULL WHERE id = $1", [
    id,
  ]);
  const asked = emulator.requests.length;
  passMinutes(60);
  await reconcile();
  expect(emulator.requests).toHaveLength(asked);
  expect(await query(databaseUrl, 'SELECT FROM payment_check WHERE payment_id = $1', [id])).toEqual([]);
});

describe('while the credential is refused', () => {
  const refuse = ({ faults }: PspEmulator) => {
    faults.add({ kind: 'reject_credential', times: 1_000 });
  };

  test('a payment is checked less and less often, and never given up', async () => {
    const { live, emulator, charge, id } = await openPayment('woovi', woovi, { expirationMinutes: 60 * 24 });
    refuse(emulator);
    passMinutes(12 * 60);
    await reconcile();
    expect(await pauseOf('payment', id)).toBe(9);
    passMinutes(3 * 24 * 60);
    await reconcile();
    expect(await pauseOf('payment', id)).toBe(15);
    expect(await statusOf(live, id)).toBe('pending');
    emulator.faults.clear();
    await emulator.pay(charge.transactionId, { notify: 'never' });
    passMinutes(15);
    await reconcile();
    expect(await statusOf(live, id)).toBe('completed');
  });

  test('a charge whose response was lost is checked likewise', async () => {
    const live = await openLiveOrganization(app, () => clock, ['woovi', woovi]);
    opened.push(live);
    const { emulator } = live.accounts[0] ?? {};
    emulator?.faults.add({ kind: 'reset', operation: 'create', isDone: true });
    emulator?.faults.add({ kind: 'error', operation: 'find', times: 9 });
    await live.client.post('/v1/payments', { amount: 5 });
    emulator?.faults.clear();
    const { body } = await live.client.get('/v1/payments?status=failed');
    const [{ id }] = body.data;
    refuse(emulator as PspEmulator);
    passMinutes(60);
    await reconcile();
    expect(await pauseOf('payment_attempt', id)).toBeCloseTo(30, 1);
  });
});

describe('the end-to-end id of a Pix', () => {
  const paidWith = async (
    endToEndId: string,
    { emulator, charge }: Awaited<ReturnType<typeof openPayment>>,
  ) => {
    charge.pix.push({ endToEndId, amountInCents: charge.amountInCents, paidAt: clock });
    await emulator.notifier.send(emulator.psp.notificationOf(charge, charge.pix[0] as never));
    await app.services.notifications.drain();
  };
  const refused = async (): Promise<string> => {
    const text = await (await fetch(`${app.baseUrl}/metrics`)).text();
    return /refused_total\{provider="bacen",reason="taken"\} (\d+)/.exec(text)?.[1] ?? '0';
  };

  test("that one organization's provider makes up takes nothing from another organization", async () => {
    const endToEndId = `E${'1'.repeat(31)}`;
    const stranger = await openPayment('bacen', defineBacen());
    const honest = await openPayment('bacen', defineBacen());
    await paidWith(endToEndId, stranger);
    await paidWith(endToEndId, honest);
    expect(await statusOf(honest.live, honest.id)).toBe('completed');
  });

  test('counts for one payment of an organization, and is refused and counted for the other', async () => {
    const endToEndId = `E${'2'.repeat(31)}`;
    const first = await openPayment('bacen', defineBacen());
    const { body } = await first.live.client.post('/v1/payments', { amount: 5, payer });
    const second = { ...first, charge: first.emulator.ledger.charges.at(-1) as EmulatedCharge };
    await paidWith(endToEndId, first);
    await paidWith(endToEndId, first);
    expect(await refused()).toBe('0');
    await paidWith(endToEndId, second);
    expect(await refused()).toBe('1');
    expect([await statusOf(first.live, first.id), await statusOf(first.live, body.id)]).toEqual([
      'completed',
      'pending',
    ]);
    const stored = 'SELECT payment_id FROM received_pix WHERE end_to_end_id = $1';
    expect(await query(databaseUrl, stored, [endToEndId])).toEqual([{ payment_id: first.id }]);
  });

  const somebody = { ...payer, phone: '(11) 98765-4321' };
  const shown = async ({ live, id }: Awaited<ReturnType<typeof openPayment>>): Promise<unknown> =>
    (await live.client.get(`/v1/payments/${id}`)).body.endToEndId;

  test.each([
    ['bacen', defineBacen()],
    ['asaas', asaas],
    ['pagarme', pagarme],
  ] as const)('that paid is shown at %s, and found by whoever searches for it', async (provider, define) => {
    const opening = await openPayment(provider, define, { payer: somebody });
    const { live, emulator, charge, id } = opening;
    expect(await shown(opening)).toBeUndefined();
    await emulator.pay(charge.transactionId);
    await app.services.notifications.drain();
    const [pix] = charge.pix;
    expect(await shown(opening)).toBe(pix?.endToEndId);
    const operator = operatorFor(live.organizationId);
    expect(await app.services.investigation.search(operator, pix?.endToEndId ?? '', 20)).toMatchObject([
      { id },
    ]);
    expect(
      await app.services.investigation.search(
        operatorFor(live.organizationId, 'test'),
        pix?.endToEndId ?? '',
        20,
      ),
    ).toEqual([]);
  });

  test('is not made up if its provider does not report it, and is shown once it does', async () => {
    const opening = await openPayment('mercadopago', mercadopago, { payer: somebody });
    const { live, emulator, charge, id } = opening;
    await emulator.pay(charge.transactionId);
    await app.services.notifications.drain();
    expect(await statusOf(live, id)).toBe('completed');
    expect(await shown(opening)).toBeUndefined();
    charge.details['tellsEndToEndId'] = true;
    await emulator.notifier.send(emulator.psp.notificationOf(charge, charge.pix[0] as never));
    await app.services.notifications.drain();
    expect(await shown(opening)).toBe(charge.pix[0]?.endToEndId);
    expect(await flagsOf(id)).toMatchObject([{ status: 'completed', duplicate_payment: false }]);
  });

  test('is that of the first Pix if there are more', async () => {
    const opening = await openPayment('bacen', defineBacen());
    const first = `E${'3'.repeat(31)}`;
    await paidWith(first, opening);
    passMinutes(1);
    opening.charge.pix.unshift({
      endToEndId: `E${'0'.repeat(31)}`,
      amountInCents: opening.charge.amountInCents,
      paidAt: clock,
    });
    await opening.emulator.notifier.send(
      opening.emulator.psp.notificationOf(opening.charge, opening.charge.pix[0] as never),
    );
    await app.services.notifications.drain();
    expect(await flagsOf(opening.id)).toMatchObject([{ duplicate_payment: true }]);
    expect(await shown(opening)).toBe(first);
  });
});
