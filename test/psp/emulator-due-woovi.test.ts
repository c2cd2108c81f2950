import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { cents } from '../../src/core/base/money.ts';
import { createClient } from '../support/psp-emulator/client.ts';
import { startEmulator } from '../support/psp-emulator/core.ts';
import { woovi } from '../support/psp-emulator/woovi.ts';
import { newHexId } from './contract-setup.ts';

let clock = new Date();
const at = (day: string, time = '10:00:00') => {
  clock = new Date(`${day}T${time}-03:00`);
};
at('2026-12-01');

const emulator = await startEmulator(woovi, { now: () => clock });
const { ask, close } = createClient(emulator);

beforeEach(() => {
  emulator.switches.reset();
  at('2026-12-01');
});

afterAll(async () => {
  await close();
  await emulator.stop();
});

const address = {
  zipcode: '30421322',
  street: 'Street',
  number: '100',
  neighborhood: 'Neighborhood',
  city: 'Belo Horizonte',
  state: 'MG',
};

/** Due on 2026-12-10, a Thursday. */
const overdue = {
  type: 'OVERDUE',
  value: 10_000,
  daysForDueDate: 9,
  daysAfterDueDate: 5,
  interests: { value: 10 },
  fines: { value: 200 },
  customer: { name: 'Dan', taxID: '31324227036', address },
};

const create = (changes: object = {}) =>
  ask('POST /api/v1/charge', { correlationID: newHexId(), ...overdue, ...changes });

async function made(changes: object = {}) {
  const { status, json } = await create(changes);
  expect({ status, json }).toMatchObject({ status: 200, json: { charge: { status: 'ACTIVE' } } });
  const id = String(json['correlationID']);
  const shown = async () => (await ask(`GET /api/v1/charge/${id}`)).json['charge'];
  return { id, shown, charge: json['charge'] };
}

describe('a charge of type OVERDUE', () => {
  test('shows its terms, and expires on its due date in name only', async () => {
    const discountSettings = {
      modality: 'FIXED_VALUE_UNTIL_SPECIFIED_DATE',
      discountFixedDate: [{ daysActive: 5, value: 100 }],
    };
    const { charge, id, shown } = await made({ discountSettings });
    expect(charge).toMatchObject({
      type: 'OVERDUE',
      value: 10_000,
      expiresDate: '2026-12-11T02:59:59.999Z',
      interestsSettings: { fines: { value: 200 }, interests: { value: 10 } },
      discountSettings: { discountFixedDate: [{ daysActive: 5, value: 100, data: '2026-12-06' }] },
    });
    at('2026-12-15');
    expect(await shown()).toMatchObject({ status: 'ACTIVE' });
    at('2026-12-16');
    expect(await shown()).toMatchObject({ status: 'EXPIRED' });
    await expect(emulator.pay(id)).rejects.toThrow('until 2026-12-15');
    await emulator.tell(id, 'expired');
    expect(JSON.parse(emulator.notifier.sent.at(-1)?.body ?? '')).toMatchObject({
      event: 'OPENPIX:CHARGE_EXPIRED',
      charge: { correlationID: id, status: 'EXPIRED' },
    });
  });

  test.each([
    ['2026-12-10', 10_000],
    ['2026-12-11', 10_210],
    ['2026-12-13', 10_230],
  ])('that is paid on %s says in its Pix what came', async (day, value) => {
    const { id, shown } = await made();
    await emulator.pay(id, { day });
    expect(await shown()).toMatchObject({ status: 'COMPLETED', value: 10_000 });
    expect(JSON.parse(emulator.notifier.sent.at(-1)?.body ?? '')).toMatchObject({
      event: 'OPENPIX:CHARGE_COMPLETED',
      charge: { type: 'OVERDUE', value: 10_000 },
      pix: { value },
    });
    const { json } = await ask(`GET /api/v1/transaction?charge=${id}`);
    expect(json['transactions']).toMatchObject([{ value }]);
    expect(
      (await ask(`POST /api/v1/charge/${id}/refund`, { correlationID: newHexId(), value: value + 1 })).status,
    ).toBe(400);
    expect((await ask(`POST /api/v1/charge/${id}/refund`, { correlationID: newHexId(), value })).status).toBe(
      200,
    );
  });

  const fixed = (modality: string, ...all: [daysActive: number, value: number][]) => ({
    modality,
    discountFixedDate: all.map(([daysActive, value]) => ({ daysActive, value })),
  });

  test.each<[string, object, string, number]>([
    [
      'the last day of a discount',
      fixed('FIXED_VALUE_UNTIL_SPECIFIED_DATE', [5, 100], [8, 50]),
      '2026-12-06',
      9_900,
    ],
    ['the day after', fixed('FIXED_VALUE_UNTIL_SPECIFIED_DATE', [5, 100], [8, 50]), '2026-12-07', 9_950],
    ['the largest of two', fixed('PERCENTAGE_UNTIL_SPECIFIED_DATE', [5, 100], [8, 500]), '2026-12-02', 9_500],
    [
      'the due date, of a discount',
      fixed('PERCENTAGE_UNTIL_SPECIFIED_DATE', [30, 500]),
      '2026-12-10',
      10_000,
    ],
    ['two days early', { modality: 'VALUE_PER_RUNNING_DAY_ADVANCE', value: 7 }, '2026-12-08', 9_986],
    [
      'a week of business',
      { modality: 'PERCENTAGE_PER_BUSINESS_DAY_ADVANCE', value: 10 },
      '2026-12-03',
      9_950,
    ],
  ])('costs on %s', async (_, discountSettings, day, value) => {
    const { id } = await made({ discountSettings });
    expect(emulator.owedOn(id, day)).toBe(cents(value));
  });

  test.each<[string, object, number]>([
    ['centavos of a fine', { fines: { value: 20, type: 'FIXED' } }, 10_040],
    ['centavos a day', { interests: { value: 3, type: 'FIXED' } }, 10_206],
    ['a given day', { daysForDueDate: undefined, dueDate: '2026-12-11T12:00:00.000Z' }, 10_210],
  ])('is reckoned with %s', async (_, changes, value) => {
    const { id } = await made(changes);
    expect(emulator.owedOn(id, '2026-12-12')).toBe(cents(value));
  });

  test.each<[string, object]>([
    ['a customer', { customer: undefined }],
    ['a document', { customer: { name: 'Dan', email: 'dan@example.com', address } }],
    [
      'a state',
      { customer: { name: 'Dan', taxID: '52998224725', address: { ...address, state: undefined } } },
    ],
    ['an address', { customer: { name: 'Dan', taxID: '52998224725' } }],
    ['a day that is to come', { dueDate: '2026-11-30' }],
    ['a known discount', { discountSettings: { modality: 'HALF_PRICE', value: 1 } }],
    ['a value of its discount', { discountSettings: { modality: 'VALUE_PER_RUNNING_DAY_ADVANCE' } }],
  ])('is not made without %s', async (_, changes) => {
    expect(await create(changes)).toMatchObject({ status: 400, json: { error: expect.any(String) } });
  });

  test('needs the address of a customer once', async () => {
    const taxID = '11144477735';
    await made({ customer: { name: 'Ana', taxID, address } });
    await made({ customer: { name: 'Ana', taxID } });
  });

  test('ends another day when that is changed, unless it is paid', async () => {
    const { id, shown } = await made();
    const change = (expiresDate: string) => ask(`PATCH /api/v1/charge/${id}`, { expiresDate });
    expect(await change('2026-12-21T02:59:59.999Z')).toMatchObject({
      status: 200,
      json: { charge: { expiresDate: '2026-12-21T02:59:59.999Z' } },
    });
    expect(emulator.owedOn(id, '2026-12-20')).toBe(cents(10_000));
    expect((await change('2026-11-30T12:00:00Z')).status).toBe(400);
    await emulator.pay(id, { amountInCents: cents(9_999) });
    expect((await change('2026-12-22T12:00:00Z')).status).toBe(400);
    expect(await shown()).toMatchObject({ status: 'COMPLETED' });
  });
});

test('a charge of type DYNAMIC ends another day when that is changed', async () => {
  const { id, shown } = await made({ type: 'DYNAMIC', customer: undefined });
  await ask(`PATCH /api/v1/charge/${id}`, { expiresDate: '2026-12-20T12:00:00.000Z' });
  at('2026-12-19');
  expect(await shown()).toMatchObject({
    status: 'ACTIVE',
    type: 'DYNAMIC',
    expiresDate: '2026-12-20T12:00:00.000Z',
  });
});

test('interest by the month, and weekends that are no days, as elsewhere', async () => {
  const { id } = await made({ value: 9_999, daysForDueDate: 4, interests: { value: 100 }, fines: undefined });
  // Due on a Saturday: two days of one percent.
  expect(emulator.owedOn(id, '2026-12-07')).toBe(cents(10_199));
  emulator.switches.turn('monthlyInterest', true);
  expect(emulator.owedOn(id, '2026-12-07')).toBe(cents(10_005));
  emulator.switches.turn('extendsWeekends', true);
  expect(emulator.owedOn(id, '2026-12-07')).toBe(cents(9_999));
});
