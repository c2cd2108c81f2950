import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { asaas } from '../support/psp-emulator/asaas.ts';
import type { Outcome } from '../support/psp-emulator/automatic.ts';
import { createClient } from '../support/psp-emulator/client.ts';
import { startEmulator } from '../support/psp-emulator/core.ts';
import { newHexId } from './contract-setup.ts';

let clock = new Date();
const at = (day: string, time = '10:00:00') => {
  clock = new Date(`${day}T${time}-03:00`);
};

const emulator = await startEmulator(asaas, { now: () => clock });
const { ask, close } = createClient(emulator);
const { automatic } = emulator.psp;
if (!automatic) throw new Error('there is no Pix Automático');
let [customerId, otherCustomerId] = ['', ''];

beforeAll(async () => {
  const made = async () =>
    String((await ask('POST /customers', { name: 'Gumercindo', cpfCnpj: '52998224725' })).json['id']);
  [customerId, otherCustomerId] = [await made(), await made()];
});

beforeEach(async () => {
  emulator.switches.reset();
  await emulator.tellAll('never');
  // A Tuesday.
  at('2026-12-01');
});

afterAll(async () => {
  await close();
  await emulator.stop();
});

const authorization = {
  frequency: 'MONTHLY',
  contractId: 'assinatura-1',
  startDate: '2026-12-10',
  retryPolicy: 'ALLOW_THREE_IN_SEVEN_DAYS',
  immediateQrCode: { expirationSeconds: 3600, originalValue: 35 },
};

const permit = (changes: object = {}) =>
  ask('POST /pix/automatic/authorizations', { customerId, ...authorization, ...changes });

async function permitted(changes: object = {}): Promise<string> {
  const { status, json } = await permit(changes);
  expect({ status, json }).toMatchObject({ status: 200, json: { status: 'CREATED' } });
  automatic?.approves(String(json['id']));
  return String(json['id']);
}

const debit = (pixAutomaticAuthorizationId: string, changes: object = {}) =>
  ask('POST /payments', {
    customer: customerId,
    billingType: 'PIX',
    value: 35,
    dueDate: '2026-12-10',
    externalReference: newHexId(),
    pixAutomaticAuthorizationId,
    ...changes,
  });

const events = () =>
  automatic.outbox.splice(0).map(({ body }) => (JSON.parse(body) as { event: string }).event);
const instructions = async (query: string) => {
  const { json } = await ask(`GET /pix/automatic/paymentInstructions?${query}`);
  return json['data'] as Record<string, unknown>[];
};

/** A debit that the payer's bank has scheduled, and that fails on its day unless `paid`. */
async function debited(changes: object = {}, outcome?: Outcome) {
  const id = await permitted(changes);
  const paymentId = String((await debit(id)).json['id']);
  automatic?.schedules(paymentId);
  const [instruction] = await instructions(`paymentId=${paymentId}`);
  if (outcome) {
    at('2026-12-10', '21:30:00');
    automatic?.settles(paymentId, outcome);
  }
  return { id, paymentId, instructionId: String(instruction?.['id']) };
}

describe('an authorization', () => {
  test('is permitted by paying its code, which makes a payment without our reference', async () => {
    const { json } = await permit();
    expect(json).toMatchObject({
      status: 'CREATED',
      startDate: '2026-12-10',
      value: null,
      subscriptionId: null,
    });
    const { conciliationIdentifier } = json['immediateQrCode'] as Record<string, string>;
    automatic.approves(String(json['id']));
    const shown = (await ask(`GET /pix/automatic/authorizations/${String(json['id'])}`)).json;
    expect(shown).toMatchObject({ status: 'ACTIVE', payload: json['payload'] });
    const payments = (await ask(`GET /payments?customer=${customerId}&limit=100`)).json['data'];
    expect(payments).toContainEqual(
      expect.objectContaining({
        pixQrCodeId: conciliationIdentifier,
        externalReference: null,
        status: 'RECEIVED',
        value: 35,
      }),
    );
    expect(events()).toEqual([
      'PIX_AUTOMATIC_RECURRING_AUTHORIZATION_CREATED',
      'PAYMENT_CREATED',
      'PAYMENT_RECEIVED',
      'PIX_AUTOMATIC_RECURRING_AUTHORIZATION_ACTIVATED',
    ]);
  });

  test.each<[string, object, string]>([
    ['a member that it does not know', { externalReference: 'x' }, 'invalid_object'],
    ['no contract', { contractId: undefined }, 'invalid_contractId'],
    ['a contract of 36 characters', { contractId: 'x'.repeat(36) }, 'invalid_contractId'],
    ['a description of 36 characters', { description: 'x'.repeat(36) }, 'invalid_action'],
    ['no code', { immediateQrCode: undefined }, 'invalid_immediateQrCode'],
    ['the frequency of subscriptions', { frequency: 'YEARLY' }, 'invalid_frequency'],
    ['another customer', { customerId: 'cus_0' }, 'invalid_customer'],
    ['an amount and a least one', { value: 35, minLimitValue: 20 }, 'invalid_action'],
    ['payments by itself without an amount', { paymentCreationMode: 'SUBSCRIPTION' }, 'invalid_value'],
  ])('is not made with %s', async (_, changes, code) => {
    expect(await permit(changes)).toMatchObject({ status: 400, json: { errors: [{ code }] } });
  });

  test('that nobody pays is refused when its code ends, and cannot be permitted any more', async () => {
    const id = String((await permit()).json['id']);
    at('2026-12-01', '11:00:00');
    expect((await ask(`GET /pix/automatic/authorizations/${id}`)).json['status']).toBe('REFUSED');
    expect(() => {
      automatic.approves(id);
    }).toThrow('REFUSED');
  });

  test('ends once, and takes its debits with it unless they are of today', async () => {
    const { id, paymentId } = await debited();
    expect(await ask(`DELETE /pix/automatic/authorizations/${id}`)).toMatchObject({
      status: 200,
      json: { status: 'CANCELLED', cancellationReason: 'REQUESTED_BY_RECEIVER_USER' },
    });
    expect((await ask(`DELETE /pix/automatic/authorizations/${id}`)).status).toBe(400);
    expect((await ask('DELETE /pix/automatic/authorizations/0')).status).toBe(404);
    expect(await instructions(`paymentId=${paymentId}`)).toMatchObject([{ status: 'CANCELLED' }]);
    const late = await debited();
    at('2026-12-09', '22:00:00');
    automatic.revokes(late.id);
    expect(await instructions(`paymentId=${late.paymentId}`)).toMatchObject([{ status: 'SCHEDULED' }]);
  });

  test('has Brazilian dates in notifications', async () => {
    await permit();
    const [told] = automatic.outbox;
    expect(told?.headers).toHaveProperty('asaas-access-token');
    expect(JSON.parse(told?.body ?? '')).toMatchObject({
      dateCreated: '2026-12-01 10:00:00',
      authorization: { startDate: '10/12/2026', immediateQrCode: { expirationDate: '01/12/2026 11:00:00' } },
    });
  });
});

describe('a debit', () => {
  test('is a payment whose instruction the bank schedules and pays', async () => {
    const { paymentId } = await debited({}, 'paid');
    expect(await instructions(`paymentId=${paymentId}`)).toMatchObject([
      { status: 'DONE', purpose: 'SCHEDULE', retryAttempt: null, refusalReason: null, dueDate: '2026-12-10' },
    ]);
    expect((await ask(`GET /payments/${paymentId}`)).json).toMatchObject({ status: 'RECEIVED', value: 35 });
    expect(
      events()
        .filter((each) => !each.includes('AUTHORIZATION'))
        .slice(-4),
    ).toEqual([
      'PAYMENT_CREATED',
      'PIX_AUTOMATIC_RECURRING_PAYMENT_INSTRUCTION_CREATED',
      'PIX_AUTOMATIC_RECURRING_PAYMENT_INSTRUCTION_SCHEDULED',
      'PAYMENT_RECEIVED',
    ]);
    expect(automatic.debits().at(-1)).toMatchObject({ id: paymentId, pix: [{ amountInCents: 35_00n }] });
  });

  test.each<[Outcome, string]>([
    ['no_balance', 'PAYMENT_OVERDUE'],
    ['limit', 'MAXIMUM_AMOUNT_EXCEEDED'],
    ['account_closed', 'ACCOUNT_CLOSED'],
    [{ code: 'SAME_INSTITUTION_ERROR' }, 'SAME_INSTITUTION_ERROR'],
  ])('that fails with %p says %s, and becomes overdue', async (outcome, refusalReason) => {
    const { paymentId } = await debited({}, outcome);
    expect(await instructions(`paymentId=${paymentId}`)).toMatchObject([
      { status: 'REFUSED', refusalReason },
    ]);
    at('2026-12-11');
    expect((await ask(`GET /payments/${paymentId}`)).json['status']).toBe('OVERDUE');
  });

  test.each<[string, string, object, string]>([
    ['one business day before', '2026-12-09', {}, '2 e 10 dias úteis'],
    ['on a Saturday for the next Monday', '2026-12-12', { dueDate: '2026-12-14' }, '2 e 10 dias úteis'],
    ['eleven business days before', '2026-12-01', { dueDate: '2026-12-16' }, '2 e 10 dias úteis'],
    ['before the first day', '2026-12-01', { dueDate: '2026-12-09' }, 'vigência'],
    ['of another customer', '2026-12-01', { customer: 'another' }, 'cliente'],
    ['of another amount than the fixed one', '2026-12-01', { value: 36 }, 'valor fixo'],
  ])('is not made %s', async (_, day, changes, text) => {
    const id = await permitted({ value: 35 });
    at(day);
    const customer = 'customer' in changes ? otherCustomerId : customerId;
    expect(await debit(id, { ...changes, customer })).toMatchObject({
      status: 400,
      json: { errors: [{ code: 'invalid_action', description: expect.stringContaining(text) }] },
    });
  });

  test('is not made before the authorization is active, nor after it ended', async () => {
    const id = String((await permit()).json['id']);
    expect((await debit(id)).status).toBe(400);
    const ended = await permitted();
    automatic.revokes(ended);
    expect((await debit(ended)).status).toBe(400);
  });

  test('is made twice when it is asked for twice, and the bank takes one', async () => {
    const { id } = await debited();
    const second = String((await debit(id)).json['id']);
    automatic.schedules(second);
    expect(await instructions(`paymentId=${second}`)).toMatchObject([
      { status: 'REFUSED', refusalReason: 'PAYMENT_ALREADY_SCHEDULED' },
    ]);
    const creates = automatic.journal.filter((each) => each.recurrenceId === id && each.act === 'create');
    expect(creates).toEqual(Array(2).fill(expect.objectContaining({ day: '2026-12-10', isAccepted: true })));
  });

  test('is called off when its payment is paid by other means before the day', async () => {
    const { paymentId } = await debited();
    const { transactionId } = emulator.ledger.findByReference(paymentId) ?? {};
    await emulator.pay(String(transactionId));
    expect(await instructions(`paymentId=${paymentId}`)).toMatchObject([{ status: 'CANCELLED' }]);
  });

  test('cannot be changed, nor deleted from 22:00 of the day before', async () => {
    const { paymentId } = await debited();
    const change = { billingType: 'PIX', value: 36, dueDate: '2026-12-11' };
    expect((await ask(`PUT /payments/${paymentId}`, change)).status).toBe(400);
    at('2026-12-09', '22:00:00');
    expect((await ask(`DELETE /payments/${paymentId}`)).status).toBe(400);
    at('2026-12-09', '21:59:59');
    expect((await ask(`DELETE /payments/${paymentId}`)).status).toBe(200);
    expect(await instructions(`paymentId=${paymentId}`)).toMatchObject([{ status: 'CANCELLED' }]);
  });

  test('is settled on its day alone', async () => {
    const { paymentId } = await debited();
    expect(() => {
      automatic.settles(paymentId, 'paid');
    }).toThrow('2026-12-01');
  });
});

describe('a retry', () => {
  const retry = (id: string, dueDate: string) =>
    ask(`POST /pix/automatic/paymentInstructions/${id}/retries`, { dueDate });
  const refusal = (text: string) => ({
    status: 400,
    json: { errors: [{ description: expect.stringContaining(text) }] },
  });

  test('comes on another day, and can be paid', async () => {
    const { instructionId, paymentId } = await debited({}, 'no_balance');
    expect(await retry(instructionId, '2026-12-11')).toMatchObject({
      status: 200,
      json: { purpose: 'RETRY_AFTER_DUE_DATE', retryAttempt: 1, dueDate: '2026-12-11', paymentId },
    });
    expect((await retry(instructionId, '2026-12-12')).status).toBe(400);
    automatic.schedules(paymentId);
    at('2026-12-11', '21:30:00');
    automatic.settles(paymentId, 'paid');
    expect((await ask(`GET /payments/${paymentId}`)).json).toMatchObject({ status: 'RECEIVED' });
  });

  test('is refused in the five ways of Asaas', async () => {
    const never = await debited({ retryPolicy: 'NOT_ALLOWED' }, 'no_balance');
    expect(await retry(never.instructionId, '2026-12-11')).toMatchObject(refusal('(Política N)'));
    at('2026-12-01');
    const { instructionId, paymentId } = await debited({}, 'no_balance');
    expect(await retry(instructionId, '2026-12-18')).toMatchObject(refusal('7 dias corridos'));
    expect(await retry(instructionId, '2026-12-10')).toMatchObject(refusal('23h59'));
    for (const day of ['2026-12-11', '2026-12-12', '2026-12-13']) {
      expect((await retry(instructionId, day)).status).toBe(200);
      automatic.schedules(paymentId);
      at(day, '21:30:00');
      automatic.settles(paymentId, 'no_balance');
    }
    expect(await retry(instructionId, '2026-12-17')).toMatchObject(refusal('no máximo 3 tentativas'));
    at('2026-12-01');
    const weekly = await debited({ frequency: 'WEEKLY' }, 'no_balance');
    expect(await retry(weekly.instructionId, '2026-12-17')).toMatchObject(refusal('próximo ciclo'));
  });
});

test('notifications come in whatever way a test wants them', async () => {
  emulator.notifier.sent.length = 0;
  const { json } = await permit();
  await emulator.tellAll('twice');
  automatic.rejects(String(json['id']));
  await emulator.tellAll('forged');
  const tokens = emulator.notifier.sent.map(({ headers }) => headers['asaas-access-token']);
  expect(tokens[0]).toBe(tokens[1]);
  expect(tokens[2]).not.toBe(tokens[0]);
  emulator.faults.add({ kind: 'tell_first', operation: 'permit' });
  await permit();
  expect(emulator.notifier.sent).toHaveLength(4);
});
