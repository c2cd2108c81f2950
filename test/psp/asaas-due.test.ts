import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseBrCode } from '@pix-service/br-code';
import { type Cents, cents } from '../../src/core/base/money.ts';
import type { DueTerms } from '../../src/core/payments/rules/due/due-terms.ts';
import { unsupportedTerms } from '../../src/core/providers/rules/due-support.ts';
import type { Charge, ChargeIds, ChargeRequest } from '../../src/core/providers/rules/charge.ts';
import { asaas } from '../../src/psp/asaas/adapter.ts';
import { createHttpClients } from '../../src/psp/http/http-clients.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { asaas as emulated } from '../support/psp-emulator/asaas.ts';
import { startEmulator } from '../support/psp-emulator/core.ts';
import { rawOf } from '../support/psp-emulator/notifier.ts';
import { chargeIdsOf, chargeRequest, failureOf, newHexId, refundRequest, soon } from './contract-setup.ts';
import { fakeTools } from './fake-http.ts';

/** 12:00 in São Paulo. */
const noonOf = (day: string): Date => new Date(`${day}T15:00:00Z`);

let clock = noonOf('2026-12-01');
const now = () => clock;
const clients = createHttpClients({ allowedHosts: ['localhost', '127.0.0.1'] });
const emulator = await startEmulator(emulated, { now });
const adapter = asaas.connect(parseSettings(asaas, emulator.settings), { http: clients.open, now });

beforeEach(() => {
  clock = noonOf('2026-12-01');
  emulator.switches.reset();
  emulator.faults.clear();
  emulator.requests.length = 0;
});

afterAll(() => Promise.all([clients.close(), emulator.stop()]));

const day = (text: string) => text as DueTerms['date'];

/** Due on a Thursday. */
const terms: DueTerms = {
  date: day('2026-12-10'),
  payableDaysAfter: 30,
  fine: { basisPoints: 200 },
  interest: { businessDays: false, basisPoints: 100, per: 'month' },
  discounts: [{ until: day('2026-12-04'), amountInCents: cents(10_00) }],
};

const dueRequest = (due: DueTerms = terms, changes: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({
    amountInCents: cents(100_00),
    createdAt: clock,
    expiresAt: new Date('2027-01-12T02:59:59.999Z'),
    due,
    ...changes,
  });

const dueIdsOf = (charge: Charge): ChargeIds => ({ ...chargeIdsOf(charge), kind: 'due' as const });
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

describe('the request', () => {
  test('has the due date and the terms as Asaas knows them', async () => {
    const request = dueRequest();
    await adapter.createCharge(request, soon());
    expect(requestsFor('create')[0]?.json).toEqual({
      customer: expect.stringMatching(/^cus_/),
      billingType: 'PIX',
      value: 100,
      dueDate: '2026-12-10',
      interest: { value: 1 },
      fine: { type: 'PERCENTAGE', value: 2 },
      discount: { type: 'FIXED', value: 10, dueDateLimitDays: 6 },
      description: 'Pedido 42',
      externalReference: request.transactionId,
    });
  });

  test('has other kinds of them too', async () => {
    const { date } = terms;
    const sent = await sentOf({
      date,
      payableDaysAfter: 0,
      fine: { amountInCents: cents(3_50) },
      interest: { businessDays: false, basisPoints: 33, per: 'month' },
      discounts: [{ until: date, basisPoints: 550 }],
    });
    expect(sent).toMatchObject({
      fine: { type: 'FIXED', value: 3.5 },
      interest: { value: 0.33 },
      discount: { type: 'PERCENTAGE', value: 5.5, dueDateLimitDays: 0 },
    });
  });

  test('has none where there are none, and a due date in years', async () => {
    const sent = await sentOf({ date: day('2031-05-20'), payableDaysAfter: 30 });
    expect(sent).toMatchObject({ dueDate: '2031-05-20' });
    for (const member of ['fine', 'interest', 'discount']) expect(sent).not.toHaveProperty(member);
  });
});

test('what Asaas has no words for is left to other providers', () => {
  const { due } = adapter.capabilities;
  const [discount] = terms.discounts ?? [];
  const { date, payableDaysAfter } = terms;
  const unsupported = (more: Partial<DueTerms>) => unsupportedTerms(due, { date, payableDaysAfter, ...more });
  if (!discount) throw new Error('there is a discount');
  expect(unsupportedTerms(due, terms)).toEqual([]);
  expect(unsupported({ discounts: [discount, discount] })).toEqual(['due.discounts']);
  expect(unsupported({ rebate: { basisPoints: 1 } })).toEqual(['due.rebate']);
  const amountInCentsPerDay = cents(1);
  expect(unsupported({ interest: { businessDays: false, amountInCentsPerDay } })).toEqual(['due.interest']);
  expect(unsupported({ interest: { businessDays: false, basisPoints: 1, per: 'day' } })).toEqual([
    'due.interest',
  ]);
  expect(unsupported({ interest: { businessDays: true, basisPoints: 1, per: 'month' } })).toEqual([
    'due.interest.businessDays',
  ]);
  expect(unsupported({ earlyDiscount: { businessDays: false, amountInCentsPerDay } })).toEqual([
    'due.earlyDiscount',
  ]);
});

describe('a charge with a due date', () => {
  test('has a code, and ends twelve months after it', async () => {
    const charge = await made();
    expect(charge).toMatchObject({
      status: 'active',
      amountInCents: cents(100_00),
      expiresAt: new Date('2027-12-11T02:59:59Z'),
    });
    parseBrCode(charge.pixCopyPaste ?? '');
  });

  test('whose answer is lost is found by our id, and not made twice', async () => {
    emulator.faults.add({ kind: 'reset', operation: 'create', isDone: true });
    const request = dueRequest();
    expect(await failureOf(adapter.createCharge(request, soon()))).toMatchObject({ failure: 'unknown' });
    const ids = { transactionId: request.transactionId, reference: null, kind: 'due' as const };
    const lost = await adapter.findCharge(ids, soon());
    expect(lost).toMatchObject({ status: 'active', amountInCents: cents(100_00) });
    expect((await adapter.createCharge(request, soon())).reference).toBe(lost?.reference);
    expect(requestsFor('create')).toHaveLength(1);
  });

  test('refused for its due date is refused for good', async () => {
    const past = dueRequest({ ...terms, date: day('2026-11-30') });
    expect(await failureOf(adapter.createCharge(past, soon()))).toMatchObject({ failure: 'rejected' });
  });

  test('stays active when it is overdue, and is deleted then', async () => {
    const charge = await made();
    clock = noonOf('2026-12-20');
    const overdue = await found(charge);
    expect(overdue).toMatchObject({ status: 'active', amountInCents: cents(100_00), receivedPix: [] });
    expect((await adapter.cancelCharge(dueIdsOf(charge), soon())).status).toBe('cancelled');
    expect((await found(charge)).status).toBe('cancelled');
  });

  test('that was paid is not deleted', async () => {
    const charge = await made();
    clock = noonOf('2026-12-20');
    await emulator.pay(charge.transactionId);
    expect(await adapter.cancelCharge(dueIdsOf(charge), soon())).toMatchObject({
      status: 'paid',
      receivedPix: [{ amountInCents: cents(102_33) }],
    });
  });
});

describe('a Pix', () => {
  async function paidOn(on: string, { due, amount }: { due?: DueTerms; amount?: Cents } = {}) {
    const charge = await made(due);
    clock = noonOf(on);
    await emulator.pay(charge.transactionId, amount === undefined ? {} : { amountInCents: amount });
    return found(charge);
  }
  const none = cents(0);

  test.each(['', 'noInterestValue', 'discountedValueStays', 'noPixTransaction', 'noEndToEndId'])(
    'that is late has the amount of its day (%s)',
    async (name) => {
      if (name) emulator.switches.turn(name, true);
      const charge = await paidOn('2026-12-20');
      expect(charge).toMatchObject({ status: 'paid', receivedPix: [{ amountInCents: cents(102_33) }] });
      // Asaas tells fine and interest in one number.
      expect(charge.receivedPix[0]).not.toHaveProperty('parts');
    },
  );

  test.each(['', 'discountedValueStays'])('that is early has the discount taken off (%s)', async (name) => {
    if (name) emulator.switches.turn(name, true);
    const charge = await paidOn('2026-12-03');
    expect(charge).toMatchObject({ status: 'paid', receivedPix: [{ amountInCents: cents(90_00) }] });
  });

  const { date, payableDaysAfter, fine, interest } = terms;
  const single: [string, DueTerms, object][] = [
    ['a fine', { date, payableDaysAfter, ...(fine && { fine }) }, { fineInCents: cents(2_00) }],
    ['interest', { date, payableDaysAfter, ...(interest && { interest }) }, { interestInCents: cents(33) }],
  ];
  test.each(single)('with %s alone says so', async (_, due, part) => {
    const [pix] = (await paidOn('2026-12-20', { due })).receivedPix;
    expect(pix?.parts).toEqual({
      originalInCents: cents(100_00),
      rebateInCents: none,
      discountInCents: none,
      fineInCents: none,
      interestInCents: none,
      ...part,
    });
  });

  test('of an amount that the terms do not ask for is reported', async () => {
    const charge = await paidOn('2026-12-20', { amount: cents(101_00) });
    expect(charge).toMatchObject({ status: 'paid', receivedPix: [{ amountInCents: cents(101_00) }] });
  });

  test('is no payment of a charge without a due date', async () => {
    const charge = await paidOn('2026-12-20');
    const seen = await adapter.findCharge(chargeIdsOf(charge), soon());
    expect(seen).toMatchObject({ status: 'unrecognised', receivedPix: [], hasOtherMoney: true });
  });

  test('that is named by its notification is looked at with its payment', async () => {
    const charge = await made();
    clock = noonOf('2026-12-20');
    emulator.notifier.sent.length = 0;
    await emulator.pay(charge.transactionId);
    const [raw] = emulator.notifier.sent.map(rawOf);
    if (!raw) throw new Error('nobody was notified');
    const [notified] = asaas.notifications.charges(raw);
    expect(notified).toMatchObject({ transactionId: charge.transactionId, reference: charge.reference });
    const seen = await adapter.findCharge(
      { ...dueIdsOf(charge), pixReference: notified?.pixReference },
      soon(),
    );
    expect(seen).toMatchObject({
      status: 'paid',
      amountInCents: cents(100_00),
      receivedPix: [{ amountInCents: cents(102_33) }],
    });
  });

  test('of a payment whose being overdue is told is not there yet', async () => {
    const charge = await made();
    clock = noonOf('2026-12-11');
    emulator.notifier.sent.length = 0;
    await emulator.tell(charge.transactionId, 'overdue');
    const [raw] = emulator.notifier.sent.map(rawOf);
    if (!raw) throw new Error('nobody was notified');
    expect(asaas.notifications.charges(raw)).toMatchObject([{ reference: charge.reference }]);
    expect((await found(charge)).status).toBe('active');
  });

  test('is in the statement with its amount', async () => {
    const charge = await paidOn('2026-12-20');
    const window = { since: noonOf('2026-12-20'), until: noonOf('2026-12-21') };
    const { pix } = (await adapter.listStatement?.(window, null, soon())) ?? { pix: [] };
    expect(pix.find(({ reference }) => reference === charge.reference)).toMatchObject({
      amountInCents: cents(102_33),
    });
  });

  test.each(['', 'discountedValueStays'])('is refunded whole (%s)', async (name) => {
    if (name) emulator.switches.turn(name, true);
    for (const [on, amount] of [
      ['2026-12-03', cents(90_00)],
      ['2026-12-20', cents(102_33)],
    ] as const) {
      clock = noonOf('2026-12-01');
      const paid = await paidOn(on);
      clock = new Date(clock.getTime() + 3_600_000);
      const request = { ...refundRequest(paid, { amountInCents: amount }), kind: 'due' as const };
      await adapter.refundCharge(request, soon());
      for (const refund of emulator.ledger.find(paid.transactionId)?.refunds ?? [])
        refund.status = 'completed';
      expect(await found(paid)).toMatchObject({ status: 'paid', receivedPix: [{ returnedInCents: amount }] });
    }
  });
});

describe('odd members of a payment', () => {
  const transactionId = newHexId();
  const read = (changes: object) => {
    const payment = {
      id: 'pay_1',
      status: 'RECEIVED',
      value: 102,
      externalReference: transactionId,
      ...changes,
    };
    return asaas
      .connect(
        parseSettings(asaas, { apiKey: '$aact_key', webhookToken: 'token' }),
        fakeTools(() => ({ json: payment })),
      )
      .findCharge({ transactionId, reference: 'pay_1', kind: 'due' as const }, soon());
  };

  test.each([
    { originalValue: 'x', interestValue: 2, fine: { value: 2 } },
    { originalValue: 100, interestValue: null, fine: { value: 2 } },
    { originalValue: 100, interestValue: 3, fine: { value: 2 } },
    { originalValue: 100, interestValue: 2, fine: { value: '2' }, interest: 7 },
    { originalValue: 100, interestValue: 2, fine: { value: 2 }, interest: { value: 1 } },
    { originalValue: 100, interestValue: 2 },
  ])('say nothing of its parts and hide no money (%j)', async (changes) => {
    const charge = await read(changes);
    expect(charge).toMatchObject({ status: 'paid', receivedPix: [{ amountInCents: cents(102_00) }] });
    expect(charge?.receivedPix[0]).not.toHaveProperty('parts');
  });
});
