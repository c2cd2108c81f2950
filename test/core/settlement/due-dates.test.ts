import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { attemptsOf, type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';
import type { EmulatedCharge } from '../../support/psp-emulator/ledger.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';
import type { DefinePsp } from '../../support/psp-emulator/psp.ts';

const payer = {
  name: 'Fulano de Tal',
  document: '529.982.247-25',
  email: 'fulano@example.com',
  address: {
    street: 'Avenida Paulista',
    number: '1578',
    district: 'Bela Vista',
    city: 'São Paulo',
    state: 'SP',
    postalCode: '01310-200',
  },
};

/** 12:00 in São Paulo. */
const noonOf = (day: string): Date => new Date(`${day}T15:00:00Z`);

let clock: Date;
let databaseUrl: string;
let app: TestApp;
const opened: LiveOrganization[] = [];

beforeAll(async () => {
  clock = noonOf('2026-12-01');
  databaseUrl = await freshDatabase();
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
});

beforeEach(() => {
  clock = noonOf('2026-12-01');
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((live) => live.stop()));
});

afterAll(() => app.stop());

async function reconcile(): Promise<void> {
  for (const settle of Object.values(app.services.reconciliation)) await settle(100);
}

async function passTo(day: string): Promise<void> {
  clock = noonOf(day);
  // What a check begins, a later one may end.
  for (let round = 0; round < 3; round++) {
    await reconcile();
    clock = new Date(clock.getTime() + 20 * 60_000);
  }
}

async function open(...psps: [provider: string, define: DefinePsp][]) {
  const live = await openLiveOrganization(app, () => clock, ...psps);
  opened.push(live);
  return live;
}

/** Due on a Thursday, with what every provider takes. */
const due = {
  date: '2026-12-10',
  fine: { percent: 2 },
  interest: { percentPerMonth: 1 },
  discounts: [{ until: '2026-12-04', amount: 10 }],
};

const create = ({ client }: LiveOrganization, input: object = {}) =>
  client.post('/v1/payments', { amount: 100, payer, due, ...input });

const emulatorOf = ({ accounts }: LiveOrganization, index = 0): PspEmulator =>
  accounts[index]?.emulator as PspEmulator;

async function openPayment(provider: string, define: DefinePsp, input: object = {}) {
  const live = await open([provider, define]);
  const created = await create(live, input);
  expect(created).toMatchObject({ status: 201, body: { status: 'pending' } });
  const id = created.body.id as string;
  const emulator = emulatorOf(live);
  const charge = emulator.ledger.charges.at(-1) as EmulatedCharge;
  const read = async () => (await live.client.get(`/v1/payments/${id}`)).body;
  const events = async () =>
    (await live.client.get('/v1/events')).body.data.map(({ type }: { type: string }) => type);
  return { live, id, emulator, charge, read, events };
}

describe.each<[provider: string, define: DefinePsp]>([
  ['bacen', defineBacen('standard')],
  ['asaas', asaas],
])('a change of a payment with a due date at %s', (provider, define) => {
  test('happens there as well, and drops the terms that are left out', async () => {
    const { live, id, emulator, charge, read } = await openPayment(provider, define);
    const changed = await live.client.patch(`/v1/payments/${id}`, {
      revision: 0,
      amount: 80,
      due: { date: '2026-12-15', interest: { percentPerMonth: 3 } },
      description: 'Mensalidade',
    });
    expect(changed).toMatchObject({ status: 200, body: { amount: 80, revision: 1 } });
    clock = noonOf('2026-12-25');
    const owed = emulator.owedOn(charge.transactionId, '2026-12-25' as never);
    // Ten days of 3 % a month, and no fine.
    expect(Number(owed)).toBe(80_80);
    await emulator.pay(charge.transactionId);
    await reconcile();
    expect(await read()).toMatchObject({ status: 'completed', amount: 80, amountPaid: 80.8 });
  });

  test('is refused once it is paid there', async () => {
    const { live, id, emulator, charge, read } = await openPayment(provider, define);
    await emulator.pay(charge.transactionId, { notify: 'never' });
    const refused = await live.client.patch(`/v1/payments/${id}`, { amount: 80 });
    expect(refused.status).toBe(409);
    expect(await read()).toMatchObject({ amount: 100, revision: 0 });
  });
});

interface Facts {
  /** Whether the provider itself says what an amount with a fine and interest consists of. */
  tellsParts: boolean;
  takesInterest: boolean;
  /** Whether a charge says when it has ended, so that it need not be cancelled. */
  endsAlone: boolean;
}

describe.each<[provider: string, define: DefinePsp, facts: Facts]>([
  ['bacen', defineBacen('standard'), { tellsParts: true, takesInterest: true, endsAlone: false }],
  ['asaas', asaas, { tellsParts: false, takesInterest: true, endsAlone: false }],
  ['woovi', woovi, { tellsParts: false, takesInterest: false, endsAlone: true }],
])('a payment with a due date at %s', (provider, define, { tellsParts, takesInterest, endsAlone }) => {
  const { interest, ...others } = due;
  const input = { due: takesInterest ? { ...others, interest } : others };
  const late = { paid: takesInterest ? 102.33 : 102, interest: takesInterest ? 0.33 : 0 };

  test('is overdue, paid late as the provider says, and refunded whole', async () => {
    const { live, id, emulator, charge, read, events } = await openPayment(provider, define, input);
    await passTo('2026-12-11');
    expect(await read()).toMatchObject({ status: 'pending', overdue: true });
    clock = noonOf('2026-12-20');
    await emulator.pay(charge.transactionId);
    await reconcile();
    expect(await read()).toMatchObject({
      status: 'completed',
      amount: 100,
      amountPaid: late.paid,
      amountParts: { original: 100, rebate: 0, discount: 0, fine: 2, interest: late.interest },
    });
    expect((await read())['amountParts']['computed']).toBe(tellsParts ? undefined : true);
    expect(await events()).toEqual(['payment_overdue', 'payment_completed']);

    clock = new Date(clock.getTime() + 3_600_000);
    const refund = await live.client.post(`/v1/payments/${id}/refunds`);
    expect(refund).toMatchObject({ status: 201, body: { amount: late.paid } });
    for (const each of charge.refunds) each.status = 'completed';
    await passTo('2026-12-21');
    expect(await read()).toMatchObject({ status: 'refunded', amountRefunded: late.paid });
  });

  test('is paid early, without a notification', async () => {
    const { emulator, charge, read } = await openPayment(provider, define, input);
    clock = noonOf('2026-12-03');
    await emulator.pay(charge.transactionId, { notify: 'never' });
    await passTo('2026-12-11');
    expect(await read()).toMatchObject({ status: 'completed', amountPaid: 90 });
  });

  test('is cancelled at the provider at its end, unless it has ended there', async () => {
    const { charge, read, events } = await openPayment(provider, define, input);
    await passTo('2026-12-11');
    await passTo('2027-01-13');
    expect(await read()).toMatchObject({ status: 'expired', expiresAt: '2027-01-12T02:59:59.999Z' });
    expect(charge.isCancelled).toBe(!endsAlone);
    expect(await events()).toEqual(['payment_overdue', 'payment_expired']);
  });

  test('is cancelled by its client', async () => {
    const { live, id, charge } = await openPayment(provider, define, input);
    expect((await live.client.post(`/v1/payments/${id}/cancel`)).body).toMatchObject({
      status: 'cancelled',
    });
    expect(charge.isCancelled).toBe(true);
  });
});

describe('a payment with a due date at Woovi', () => {
  const { interest: _, ...others } = due;

  test('cannot be changed, as Woovi changes nothing but the day', async () => {
    const { live, id, read } = await openPayment('woovi', woovi, { due: others });
    const { status, headers } = await live.client.patch(`/v1/payments/${id}`, { amount: 80 });
    expect([status, headers.get('X-Error-Code')]).toEqual([409, 'payment_not_changeable']);
    expect(await read()).toMatchObject({ amount: 100, revision: 0 });
  });

  test('can be paid after Woovi says that it has expired, and expires with its own days', async () => {
    const { emulator, charge, read, events } = await openPayment('woovi', woovi, { due: others });
    emulator.switches.turn('expiresOnDueDate', true);
    await passTo('2026-12-20');
    expect(await read()).toMatchObject({ status: 'pending', overdue: true });
    await emulator.pay(charge.transactionId, { notify: 'never' });
    await passTo('2026-12-21');
    expect(await read()).toMatchObject({ status: 'completed', amountPaid: 102 });
    expect(await events()).toEqual(['payment_overdue', 'payment_completed']);
  });

  test('whose Pix cannot be seen stays pending until it can, and then has what came', async () => {
    const { emulator, charge, read } = await openPayment('woovi', woovi, { due: others });
    emulator.switches.turn('noTransactions', true);
    clock = noonOf('2026-12-20');
    await emulator.pay(charge.transactionId);
    await reconcile();
    expect(await read()).toMatchObject({ status: 'pending' });
    emulator.switches.reset();
    await passTo('2026-12-21');
    expect(await read()).toMatchObject({ status: 'completed', amountPaid: 102 });
  });

  test.each<[string, object, string]>([
    ['interest', { due }, 'woovi does not take due.interest'],
    ['a rebate', { due: { ...others, rebate: { amount: 1 } } }, 'woovi does not take due.rebate'],
    [
      'no address',
      { due: others, payer: { ...payer, address: undefined } },
      'payer.address must be given: woovi requires it',
    ],
    [
      'no district',
      { due: others, payer: { ...payer, address: { ...payer.address, district: undefined } } },
      'payer.address.district must be given: woovi requires it',
    ],
  ])(
    'is refused for %s when nobody else can make it, and left to others who can',
    async (_, input, message) => {
      const live = await open(['woovi', woovi], ['bacen', defineBacen('standard')]);
      const [first, second] = live.accounts.map(({ credentialId }) => credentialId);
      const alone = await create(live, { ...input, credentialId: first });
      expect([alone.status, alone.body.message]).toEqual([400, message]);
      const { id: ruleSetId } = await app.services.ruleSets.create(
        operatorFor(live.organizationId, 'live'),
        'Shop',
        { fallbackCredentialIds: [first ?? '', second ?? ''] },
      );
      const created = await create(live, { ...input, ruleSetId });
      expect(created.status).toBe(201);
      const attempts = await attemptsOf(databaseUrl, created.body.id as string);
      expect(attempts).toMatchObject([
        {
          provider: 'woovi',
          outcome: 'skipped',
          error: /address|district/.test(message) ? 'address_incomplete' : 'due_not_supported',
        },
        { provider: 'bacen', outcome: 'created' },
      ]);
      expect(emulatorOf(live).ledger.charges).toEqual([]);
    },
  );
});

describe('a bank without charges with a due date', () => {
  async function openTwo(first: DefinePsp, second: [provider: string, define: DefinePsp]) {
    const live = await open(['bacen', first], second);
    const fallbackCredentialIds = live.accounts.slice(1).map(({ credentialId }) => credentialId);
    const { id: ruleSetId } = await app.services.ruleSets.create(
      operatorFor(live.organizationId, 'live'),
      'Shop',
      { fallbackCredentialIds },
    );
    return { live, ruleSetId };
  }

  test('leaves them to the next candidate, and keeps those without', async () => {
    const { live, ruleSetId } = await openTwo(defineBacen('inter'), ['bacen', defineBacen('standard')]);
    emulatorOf(live).switches.turn('noDueDates', true);
    const created = await create(live, { ruleSetId });
    expect(created.status).toBe(201);
    const attempts = await attemptsOf(databaseUrl, created.body.id as string);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['rejected', 'created']);
    const chargesAt = (index: number) => emulatorOf(live, index).ledger.charges.length;
    expect([chargesAt(0), chargesAt(1)]).toEqual([0, 1]);
    expect((await create(live, { ruleSetId, due: undefined })).status).toBe(201);
    expect([chargesAt(0), chargesAt(1)]).toEqual([1, 1]);
  });
});
