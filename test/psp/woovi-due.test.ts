import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseBrCode } from '@pix-service/br-code';
import { type Cents, cents } from '../../src/core/base/money.ts';
import type { DueTerms } from '../../src/core/payments/rules/due/due-terms.ts';
import { missingAddressMembers, unsupportedTerms } from '../../src/core/providers/rules/due-support.ts';
import type { Charge, ChargeIds, ChargeKind, ChargeRequest } from '../../src/core/providers/rules/charge.ts';
import { createHttpClients } from '../../src/psp/http/http-clients.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { woovi } from '../../src/psp/woovi/adapter.ts';
import { wooviDue } from '../../src/psp/woovi/due.ts';
import { startEmulator } from '../support/psp-emulator/core.ts';
import { rawOf } from '../support/psp-emulator/notifier.ts';
import { woovi as emulated } from '../support/psp-emulator/woovi.ts';
import {
  address,
  chargeIdsOf,
  chargeRequest,
  failureOf,
  newHexId,
  payer,
  refundRequest,
  soon,
} from './contract-setup.ts';
import { fakeTools } from './fake-http.ts';

/** 12:00 in São Paulo. */
const noonOf = (day: string): Date => new Date(`${day}T15:00:00Z`);

let clock = noonOf('2026-12-01');
const now = () => clock;
const clients = createHttpClients({ allowedHosts: ['localhost', '127.0.0.1'] });
const emulator = await startEmulator(emulated, { now });
const adapter = woovi.connect(parseSettings(woovi, emulator.settings), { http: clients.open, now });

beforeEach(() => {
  clock = noonOf('2026-12-01');
  emulator.switches.reset();
  emulator.faults.clear();
  emulator.requests.length = 0;
});

afterAll(() => Promise.all([clients.close(), emulator.stop()]));

const day = (text: string) => text as DueTerms['date'];

/** Due on a Thursday. */
const plain: DueTerms = { date: day('2026-12-10'), payableDaysAfter: 30 };

const terms: DueTerms = {
  ...plain,
  fine: { basisPoints: 200 },
  discounts: [{ until: day('2026-12-04'), amountInCents: cents(10_00) }],
};

const dueRequest = (due: DueTerms = terms, changes: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({
    amountInCents: cents(100_00),
    createdAt: clock,
    expiresAt: new Date('2027-01-12T02:59:59.999Z'),
    due,
    payer: { ...payer, address },
    ...changes,
  });

const dueIdsOf = (charge: Charge): ChargeIds => ({ ...chargeIdsOf(charge), kind: 'due' });
const made = (due?: DueTerms) => adapter.createCharge(dueRequest(due), soon());

async function found(charge: Charge): Promise<Charge> {
  const seen = await adapter.findCharge(dueIdsOf(charge), soon());
  if (!seen) throw new Error('the charge is gone');
  return seen;
}

const requestsFor = (operation: string) =>
  emulator.requests.filter((request) => request.operation === operation);

async function sentOf(due: DueTerms) {
  await made(due);
  return requestsFor('create')[0]?.json;
}

describe('what Woovi cannot be asked for', () => {
  const [discount] = terms.discounts ?? [];
  const unsupported = (more: Partial<DueTerms>) => unsupportedTerms(wooviDue, { ...plain, ...more });
  const amountInCentsPerDay = cents(1);

  test.each<[string, Partial<DueTerms>, string]>([
    [
      'interest a month, which it may charge for each day',
      { interest: { businessDays: false, basisPoints: 100, per: 'month' } },
      'due.interest',
    ],
    [
      'interest a day, which it may charge for a month',
      { interest: { businessDays: false, basisPoints: 1, per: 'day' } },
      'due.interest',
    ],
    ['centavos a day', { interest: { businessDays: false, amountInCentsPerDay } }, 'due.interest'],
    ['a rebate', { rebate: { basisPoints: 1 } }, 'due.rebate'],
    [
      'a discount on the due date itself',
      { discounts: [{ until: plain.date, basisPoints: 100 }] },
      'due.discounts that hold on due.date',
    ],
    [
      'a discount that a weekend takes to the due date',
      { date: day('2026-12-07'), discounts: [{ until: day('2026-12-05'), basisPoints: 100 }] },
      'due.discounts that hold on due.date',
    ],
  ])('%s', (_, more, term) => {
    expect(unsupported(more)).toEqual([term]);
  });

  test('the rest it takes', () => {
    expect(unsupportedTerms(wooviDue, terms)).toEqual([]);
    if (!discount) throw new Error('there is a discount');
    expect(unsupported({ discounts: [discount, discount, discount] })).toEqual([]);
    expect(unsupported({ earlyDiscount: { businessDays: true, amountInCentsPerDay } })).toEqual([]);
    expect(unsupported({ fine: { amountInCents: cents(1) } })).toEqual([]);
  });

  test('a payer who lives nowhere, or in no district', () => {
    expect(missingAddressMembers(wooviDue, null)).toEqual(['payer.address']);
    const { district: _, complement: __, ...short } = address;
    expect(missingAddressMembers(wooviDue, short)).toEqual(['payer.address.district']);
    expect(missingAddressMembers(wooviDue, { ...short, district: 'Centro' })).toEqual([]);
  });
});

describe('the request', () => {
  test('is that of its contract', async () => {
    const request = dueRequest();
    await adapter.createCharge(request, soon());
    expect(requestsFor('create')[0]?.json).toEqual({
      correlationID: request.transactionId,
      value: 10_000,
      comment: 'Pedido 42',
      type: 'OVERDUE',
      dueDate: '2026-12-10T15:00:00.000Z',
      // To the Monday after 9 January.
      daysAfterDueDate: 32,
      fines: { value: 200, type: 'PERCENTAGE' },
      discountSettings: {
        modality: 'FIXED_VALUE_UNTIL_SPECIFIED_DATE',
        discountFixedDate: [{ daysActive: 3, value: 1_000 }],
      },
      customer: {
        name: payer.name,
        taxID: '52998224725',
        email: payer.email,
        phone: '+5511987654321',
        address: {
          zipcode: '01310200',
          street: 'Avenida Paulista',
          number: '1578',
          neighborhood: 'Bela Vista',
          city: 'São Paulo',
          state: 'SP',
          complement: 'Conjunto 2',
          country: 'BR',
        },
      },
    });
  });

  test('has other kinds of terms too', async () => {
    expect(
      await sentOf({
        ...plain,
        fine: { amountInCents: cents(3_50) },
        earlyDiscount: { businessDays: true, basisPointsPerDay: 5 },
      }),
    ).toMatchObject({
      fines: { type: 'FIXED', value: 350 },
      discountSettings: { modality: 'PERCENTAGE_PER_BUSINESS_DAY_ADVANCE', value: 5 },
    });
  });

  test('has none where there are none', async () => {
    const sent = await sentOf(plain);
    for (const member of ['fines', 'interests', 'discountSettings', 'expiresIn'])
      expect(sent).not.toHaveProperty(member);
  });

  test('of a due date without business has the next day of business, and all days that follow from it', async () => {
    // A Saturday, and discounts until a Saturday and a Wednesday before it.
    const sent = await sentOf({
      date: day('2026-12-12'),
      payableDaysAfter: 5,
      discounts: [
        { until: day('2026-12-05'), basisPoints: 500 },
        { until: day('2026-12-09'), basisPoints: 100 },
      ],
    });
    expect(sent).toMatchObject({
      dueDate: '2026-12-14T15:00:00.000Z',
      // 19 December is a Saturday.
      daysAfterDueDate: 7,
      discountSettings: {
        modality: 'PERCENTAGE_UNTIL_SPECIFIED_DATE',
        discountFixedDate: [
          { daysActive: 6, value: 500 },
          { daysActive: 8, value: 100 },
        ],
      },
    });
  });

  test('of an ordinary charge has the address as well, unless the district is missing', async () => {
    const customerAt = async (where: typeof address) => {
      emulator.requests.length = 0;
      const request = chargeRequest({ createdAt: clock, payer: { ...payer, address: where } });
      await adapter.createCharge({ ...request, expiresAt: new Date(clock.getTime() + 3_600_000) }, soon());
      return requestsFor('create')[0]?.json['customer'];
    };
    expect(await customerAt(address)).toMatchObject({ address: { neighborhood: 'Bela Vista' } });
    expect(await customerAt({ ...address, district: '' })).not.toHaveProperty('address');
  });

  test('is not made for a discount that ends today, as Woovi has none', async () => {
    const request = dueRequest({ ...plain, discounts: [{ until: day('2026-12-01'), basisPoints: 100 }] });
    expect(await failureOf(adapter.createCharge(request, soon()))).toMatchObject({
      failure: 'rejected',
      message: expect.stringContaining('due.discounts'),
    });
    expect(emulator.requests).toEqual([]);
  });
});

describe('a charge with a due date', () => {
  test('has a code', async () => {
    const charge = await made();
    expect(charge).toMatchObject({ status: 'active', amountInCents: cents(100_00), receivedPix: [] });
    parseBrCode(charge.pixCopyPaste ?? '');
  });

  test('whose discount Woovi counts from another day is not given out', async () => {
    clock = new Date('2026-12-02T01:00:00Z');
    emulator.switches.turn('utcDays', true);
    expect(await failureOf(made())).toMatchObject({ failure: 'unknown' });
    emulator.switches.reset();
    expect((await made()).status).toBe('active');
  });

  test('whose answer is lost is found by our id, and not made twice', async () => {
    emulator.faults.add({ kind: 'reset', operation: 'create', isDone: true });
    const request = dueRequest();
    expect(await failureOf(adapter.createCharge(request, soon()))).toMatchObject({ failure: 'unknown' });
    const ids = { transactionId: request.transactionId, reference: null, kind: 'due' } as const;
    const lost = await adapter.findCharge(ids, soon());
    expect(lost).toMatchObject({ status: 'active', amountInCents: cents(100_00) });
    expect((await adapter.createCharge(request, soon())).reference).toBe(lost?.reference);
    expect(
      emulator.ledger.charges.filter((each) => each.transactionId === request.transactionId),
    ).toHaveLength(1);
  });

  test('refused for its due date, or for want of an address, is refused for good', async () => {
    const past = dueRequest({ ...plain, date: day('2026-11-30') });
    expect(await failureOf(adapter.createCharge(past, soon()))).toMatchObject({ failure: 'rejected' });
    const nowhere = dueRequest(plain, { payer: { ...payer, document: '935.411.347-80' } });
    expect(await failureOf(adapter.createCharge(nowhere, soon()))).toMatchObject({ failure: 'rejected' });
  });

  test('cannot be changed', () => {
    expect(adapter).not.toHaveProperty('reviseCharge');
  });

  test.each(['', 'expiresOnDueDate'])(
    'stays active when it is overdue, and is deleted then (%s)',
    async (name) => {
      if (name) emulator.switches.turn(name, true);
      const charge = await made();
      clock = noonOf('2026-12-20');
      expect(await found(charge)).toMatchObject({
        status: 'active',
        amountInCents: cents(100_00),
        receivedPix: [],
      });
      expect((await adapter.cancelCharge(dueIdsOf(charge), soon())).status).toBe('cancelled');
      expect(emulator.ledger.find(charge.transactionId)?.isCancelled).toBe(true);
    },
  );

  test('has expired once nobody can pay it, and not before', async () => {
    const charge = await made();
    clock = noonOf('2027-01-12');
    const at = async (payableUntil: Date) =>
      (await adapter.findCharge({ ...dueIdsOf(charge), payableUntil }, soon()))?.status;
    expect(await at(new Date('2027-01-13T02:59:59.999Z'))).toBe('active');
    expect(await at(new Date('2027-01-12T02:59:59.999Z'))).toBe('expired');
  });

  test('is listed as one', async () => {
    const charge = await made();
    const plainCharge = await adapter.createCharge(
      chargeRequest({ createdAt: clock, expiresAt: noonOf('2026-12-02') }),
      soon(),
    );
    const window = { since: noonOf('2026-11-30'), until: noonOf('2026-12-02') };
    const { charges } = (await adapter.listCharges?.(window, null, soon())) ?? { charges: [] };
    const listed = ({ transactionId }: Charge) =>
      charges.find((each) => each.transactionId === transactionId)?.kind;
    expect([listed(charge), listed(plainCharge)]).toEqual(['due', undefined]);
  });

  test('deleted in the panel before its due date is cancelled', async () => {
    const charge = await made();
    const stored = emulator.ledger.find(charge.transactionId);
    if (stored) stored.isCancelled = true;
    expect((await found(charge)).status).toBe('cancelled');
  });

  test('that was paid is not deleted', async () => {
    const charge = await made();
    clock = noonOf('2026-12-20');
    await emulator.pay(charge.transactionId);
    expect(await adapter.cancelCharge(dueIdsOf(charge), soon())).toMatchObject({
      status: 'paid',
      receivedPix: [{ amountInCents: cents(102_00) }],
    });
  });
});

describe('a Pix', () => {
  async function paidOn(on: string, { due, amount }: { due?: DueTerms; amount?: Cents } = {}) {
    const charge = await made(due);
    clock = noonOf(on);
    await emulator.pay(charge.transactionId, amount === undefined ? {} : { amountInCents: amount });
    return charge;
  }

  const early: DueTerms = {
    ...plain,
    earlyDiscount: { businessDays: false, amountInCentsPerDay: cents(20) },
  };

  test.each<[string, string, DueTerms, number]>([
    ['on the last day of its discount', '2026-12-04', terms, 90_00],
    ['the day after', '2026-12-05', terms, 100_00],
    ['on the due date', '2026-12-10', terms, 100_00],
    ['late', '2026-12-11', terms, 102_00],
    ['four days early', '2026-12-06', early, 99_20],
    [
      'late, with a fine in centavos',
      '2026-12-20',
      { ...plain, fine: { amountInCents: cents(3_50) } },
      103_50,
    ],
  ])('%s has the amount of its day', async (_, on, due, amount) => {
    const charge = await found(await paidOn(on, { due }));
    expect(charge).toMatchObject({
      status: 'paid',
      amountInCents: cents(100_00),
      receivedPix: [{ amountInCents: cents(amount) }],
    });
    expect(charge.receivedPix[0]).not.toHaveProperty('parts');
  });

  test.each(['', 'extendsWeekends'])(
    'on the Monday after a Saturday on which it was due has no fine (%s)',
    async (name) => {
      if (name) emulator.switches.turn(name, true);
      const due = { ...plain, date: day('2026-12-12'), fine: { basisPoints: 200 } };
      expect(await found(await paidOn('2026-12-14', { due }))).toMatchObject({
        receivedPix: [{ amountInCents: cents(100_00) }],
      });
    },
  );

  test('whose fine is rounded otherwise is what it is', async () => {
    emulator.switches.turn('monthlyInterest', true);
    const due = { ...plain, fine: { basisPoints: 199 } };
    const charge = await adapter.createCharge(dueRequest(due, { amountInCents: cents(99_99) }), soon());
    clock = noonOf('2026-12-20');
    await emulator.pay(charge.transactionId);
    expect(await found(charge)).toMatchObject({ receivedPix: [{ amountInCents: cents(101_97) }] });
  });

  test('of an amount that the terms do not ask for is reported', async () => {
    const charge = await paidOn('2026-12-20', { amount: cents(101_00) });
    expect(await found(charge)).toMatchObject({
      status: 'paid',
      receivedPix: [{ amountInCents: cents(101_00) }],
    });
  });

  test('after its charge was said to be expired is found', async () => {
    emulator.switches.turn('expiresOnDueDate', true);
    expect(await found(await paidOn('2026-12-20'))).toMatchObject({ status: 'paid' });
  });

  test('that the AppID may not see is no payment of an amount that nobody told', async () => {
    const charge = await paidOn('2026-12-20');
    emulator.switches.turn('noTransactions', true);
    expect(await failureOf(found(charge))).toMatchObject({
      failure: 'rejected',
      reason: 'scope_missing',
      message: expect.stringContaining('TRANSACTION_GET_LIST'),
    });
    emulator.switches.reset();
    expect(await found(charge)).toMatchObject({ receivedPix: [{ amountInCents: cents(102_00) }] });
  });

  test('is named by its notification', async () => {
    emulator.notifier.sent.length = 0;
    const charge = await paidOn('2026-12-20');
    const [raw] = emulator.notifier.sent.map(rawOf);
    if (!raw) throw new Error('nobody was notified');
    const [notified] = woovi.notifications.charges(raw);
    expect(notified).toMatchObject({ transactionId: charge.transactionId });
  });

  test('is in the statement with its amount', async () => {
    const charge = await paidOn('2026-12-20');
    const window = { since: noonOf('2026-12-20'), until: noonOf('2026-12-21') };
    const { pix } = (await adapter.listStatement?.(window, null, soon())) ?? { pix: [] };
    expect(pix.find((each) => each.charge.transactionId === charge.transactionId)).toMatchObject({
      amountInCents: cents(102_00),
    });
  });

  test('is refunded whole', async () => {
    for (const [on, amount] of [
      ['2026-12-03', cents(90_00)],
      ['2026-12-20', cents(102_00)],
    ] as const) {
      clock = noonOf('2026-12-01');
      const paid = await found(await paidOn(on));
      await adapter.refundCharge({ ...refundRequest(paid, { amountInCents: amount }), kind: 'due' }, soon());
      for (const refund of emulator.ledger.find(paid.transactionId)?.refunds ?? [])
        refund.status = 'completed';
      expect(await found(paid)).toMatchObject({ status: 'paid', receivedPix: [{ returnedInCents: amount }] });
    }
  });
});

describe('what a response says of the Pix', () => {
  const transactionId = newHexId();
  const read = (transactions: object[], kind: ChargeKind = 'due') =>
    woovi
      .connect(
        parseSettings(woovi, { appId: 'app' }),
        fakeTools((asked) => {
          if (asked.includes('/refund')) return { json: { refunds: [] } };
          if (asked.includes('/transaction')) return { json: { transactions } };
          if (asked.includes('/dispute')) return { status: 404, json: { error: 'not found' } };
          return { json: { charge: { status: 'COMPLETED', value: 100_00, correlationID: transactionId } } };
        }),
      )
      .findCharge({ transactionId, reference: null, kind }, soon());
  const endToEndId = 'E18236120202612201503s0f3c9a1b2d';

  test('counts from when it is listed', async () => {
    expect(await failureOf(read([]))).toMatchObject({ failure: 'not_yet' });
  });

  test.each(['102', 10.5, -1, null])('is no amount if it is %j', async (value) => {
    expect((await failureOf(read([{ type: 'PAYMENT', endToEndId, value }]))).failure).toBe('not_yet');
  });

  test('changes nothing without a due date, where the charge tells the amount', async () => {
    expect(await read([{ type: 'PAYMENT', endToEndId, value: 1 }], 'immediate')).toMatchObject({
      status: 'paid',
      receivedPix: [{ amountInCents: cents(100_00) }],
    });
  });
});
