import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { cents } from '../../src/core/base/money.ts';
import { asaas } from '../support/psp-emulator/asaas.ts';
import { createClient } from '../support/psp-emulator/client.ts';
import { startEmulator } from '../support/psp-emulator/core.ts';
import { newHexId } from './contract-setup.ts';

let clock = new Date();
const at = (day: string, time = '10:00:00') => {
  clock = new Date(`${day}T${time}-03:00`);
};
at('2026-12-01');

const emulator = await startEmulator(asaas, { now: () => clock });
const { ask, close } = createClient(emulator);
let customer: unknown;

beforeAll(async () => {
  const { json } = await ask('POST /customers', { name: 'Gumercindo', cpfCnpj: '52998224725' });
  customer = json['id'];
});

beforeEach(() => {
  emulator.switches.reset();
  at('2026-12-01');
});

afterAll(async () => {
  await close();
  await emulator.stop();
});

/** 2026-12-10 is a Thursday. */
const terms = {
  dueDate: '2026-12-10',
  value: 100,
  interest: { value: 3 },
  fine: { value: 2, type: 'PERCENTAGE' },
  discount: { value: 5, dueDateLimitDays: 3, type: 'FIXED' },
};

async function made(changes: object = {}) {
  const externalReference = newHexId();
  const request = { customer, billingType: 'PIX', externalReference, ...terms, ...changes };
  const { status, json } = await ask('POST /payments', request);
  expect({ status, json }).toMatchObject({ status: 200, json: { externalReference } });
  const path = `/payments/${String(json['id'])}`;
  const shown = async () => (await ask(`GET ${path}`)).json;
  return { externalReference, path, shown, json };
}

describe('a payment with a due date', () => {
  test('shows its terms, and zeros where there are none', async () => {
    const { json } = await made({ daysAfterDueDateToRegistrationCancellation: 30 });
    expect(json).toMatchObject({
      status: 'PENDING',
      value: 100,
      originalValue: null,
      interestValue: null,
      dueDate: '2026-12-10',
      originalDueDate: '2026-12-10',
      daysAfterDueDateToRegistrationCancellation: 30,
      interest: { value: 3, type: 'PERCENTAGE' },
      fine: { value: 2, type: 'PERCENTAGE' },
      discount: { value: 5, limitDate: '2026-12-07', dueDateLimitDays: 3, type: 'FIXED' },
    });
    const none = { interest: undefined, fine: undefined, discount: undefined };
    expect((await made(none)).json).toMatchObject({
      interest: { value: 0 },
      fine: { value: 0 },
      discount: { value: 0, limitDate: null, dueDateLimitDays: 0, type: 'FIXED' },
    });
  });

  test.each([
    ['2026-12-07', { value: 95, originalValue: null, interestValue: null }],
    ['2026-12-10', { value: 100, originalValue: null, interestValue: null }],
    ['2026-12-20', { value: 103, originalValue: 100, interestValue: 3 }],
  ])('that is paid on %s says what came', async (day, values) => {
    const { externalReference, shown } = await made();
    await emulator.pay(externalReference, { day });
    const payment = await shown();
    expect(payment).toMatchObject({ status: 'RECEIVED', paymentDate: day, ...values });
    const pix = (await ask(`GET /pix/transactions/${String(payment['pixTransaction'])}`)).json;
    expect(pix).toMatchObject({ value: values.value, status: 'DONE' });
  });

  test('is overdue the day after, says what is owed, and can be paid for months', async () => {
    const { externalReference, shown, path } = await made({ daysAfterDueDateToRegistrationCancellation: 1 });
    at('2026-12-11');
    expect(await shown()).toMatchObject({ status: 'OVERDUE', value: 100, interestValue: 2.1 });
    await emulator.tell(externalReference, 'overdue');
    const { body, headers } = emulator.notifier.sent.at(-1) ?? {};
    expect(headers).toHaveProperty('asaas-access-token');
    expect(JSON.parse(body ?? '')).toMatchObject({
      event: 'PAYMENT_OVERDUE',
      payment: { externalReference, status: 'OVERDUE' },
    });
    expect((await ask(`GET ${path}/pixQrCode`)).json).toMatchObject({
      expirationDate: '2027-12-10 23:59:59',
    });
    at('2027-03-01');
    await emulator.pay(externalReference);
    expect(await shown()).toMatchObject({ status: 'RECEIVED', originalValue: 100 });
  });

  test('takes any amount that its payer has sent', async () => {
    const { externalReference, shown } = await made();
    at('2026-12-20');
    await emulator.pay(externalReference, { amountInCents: cents(103_02) });
    expect(await shown()).toMatchObject({ value: 103.02, originalValue: 100, interestValue: 3.02 });
  });

  test('is given back with all that was added', async () => {
    const { externalReference, path, shown } = await made();
    await emulator.pay(externalReference, { day: '2026-12-20' });
    expect((await ask(`POST ${path}/refund`, { value: 103.01 })).status).toBe(400);
    expect((await ask(`POST ${path}/refund`, {})).status).toBe(200);
    expect(await shown()).toMatchObject({ status: 'REFUNDED', refunds: [{ value: 103 }] });
  });

  test.each<[string, object, string]>([
    ['yesterday', { dueDate: '2026-11-30' }, 'invalid_dueDate'],
    ['a day that there is not', { dueDate: '2027-02-29' }, 'invalid_dueDate'],
    ['a discount without a value', { discount: { dueDateLimitDays: 1 } }, 'invalid_discount'],
    ['a fine of another kind', { fine: { value: 1, type: 'DAILY' } }, 'invalid_fine'],
  ])('is not made with %s', async (_, changes, code) => {
    const request = { customer, billingType: 'PIX', ...terms, ...changes };
    expect(await ask('POST /payments', request)).toMatchObject({ status: 400, json: { errors: [{ code }] } });
  });
});

describe('an update', () => {
  const update = { billingType: 'PIX', value: 200, dueDate: '2026-12-15' };

  test('keeps what it does not name, and the first due date', async () => {
    const { path, externalReference } = await made();
    const before = (await ask(`GET ${path}/pixQrCode`)).json['payload'];
    at('2026-12-12');
    expect(await ask(`PUT ${path}`, { ...update, interest: { value: 0 } })).toMatchObject({
      status: 200,
      json: {
        status: 'PENDING',
        value: 200,
        dueDate: '2026-12-15',
        originalDueDate: '2026-12-10',
        interest: { value: 0 },
        fine: { value: 2 },
        discount: { limitDate: '2026-12-12' },
      },
    });
    expect((await ask(`GET ${path}/pixQrCode`)).json['payload']).not.toBe(before);
    expect(emulator.owedOn(externalReference, '2026-12-16')).toBe(cents(204_00));
  });

  test('is not for a payment that was received or deleted', async () => {
    const [received, deleted] = [await made(), await made()];
    await emulator.pay(received.externalReference);
    expect((await ask(`DELETE ${deleted.path}`)).json).toMatchObject({ deleted: true });
    for (const { path } of [received, deleted]) expect((await ask(`PUT ${path}`, update)).status).toBe(400);
  });
});

test('what Asaas may leave out or count otherwise', async () => {
  const [late, early] = [await made(), await made()];
  await emulator.pay(late.externalReference, { day: '2026-12-20' });
  await emulator.pay(early.externalReference, { day: '2026-12-02' });
  for (const each of ['noInterestValue', 'discountedValueStays']) emulator.switches.turn(each, true);
  expect(await late.shown()).toMatchObject({ value: 103, originalValue: null, interestValue: null });
  expect(await early.shown()).toMatchObject({ value: 100, originalValue: null });
});
