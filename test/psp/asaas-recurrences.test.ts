import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseBrCode } from '@pix-service/br-code';
import { cents } from '../../src/core/base/money.ts';
import type { CalendarDay } from '../../src/core/base/time/calendar-day.ts';
import type { Charge, ChargeIds, ChargeRequest } from '../../src/core/providers/rules/charge.ts';
import type { PspAdapter, RawNotification } from '../../src/core/providers/rules/psp.ts';
import type { RecurrenceIds, RecurrenceRequest } from '../../src/core/providers/rules/psp-recurrence.ts';
import { asaas } from '../../src/psp/asaas/adapter.ts';
import { attemptsOf } from '../../src/psp/asaas/debits.ts';
import { createHttpClients } from '../../src/psp/http/http-clients.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { asaas as emulated } from '../support/psp-emulator/asaas.ts';
import { no } from '../support/psp-emulator/automatic.ts';
import { startEmulator } from '../support/psp-emulator/core.ts';
import { chargeRequest, failureOf, newHexId, payer, refundRequest, soon } from './contract-setup.ts';
import { fakeTools } from './fake-http.ts';

/** In São Paulo. */
const at = (day: string, time = '12:00'): Date => new Date(`${day}T${time}:00-03:00`);

let clock = at('2026-12-01');
const now = () => clock;
const clients = createHttpClients({ allowedHosts: ['localhost', '127.0.0.1'] });
const emulator = await startEmulator(emulated, { now });
const automatic = emulator.psp.automatic ?? no('the emulator has no payers');

beforeEach(() => {
  clock = at('2026-12-01');
  emulator.switches.reset();
  emulator.faults.clear();
  emulator.requests.length = 0;
});

afterAll(() => Promise.all([clients.close(), emulator.stop()]));

type Recurring = PspAdapter &
  Required<Pick<PspAdapter, 'createRecurrence' | 'findRecurrence' | 'cancelRecurrence' | 'retryDebit'>>;

const customers = new Map<string, string>();
const adapter = asaas.connect(parseSettings(asaas, emulator.settings), {
  http: clients.open,
  now,
  customers: {
    find: (document) => Promise.resolve(customers.get(document)),
    keep: (document, reference) => Promise.resolve(void customers.set(document, reference)),
  },
}) as Recurring;

/** `METHOD path`, below the version. */
const asked = (): string[] =>
  emulator.requests.map(({ method, path }) => `${method} ${path.replace(/^.*\/v3\//, '/')}`);

const bodyOf = (part: string) =>
  emulator.requests.find(({ method, path }) => method === 'POST' && path.includes(part))?.json;

const firstDay = '2026-12-10' as CalendarDay;
let contracts = 0;

function recurrenceRequest(changes: Partial<RecurrenceRequest> = {}): RecurrenceRequest {
  contracts += 1;
  const expiresAt = new Date(clock.getTime() + 3_600_000);
  const first = chargeRequest({ createdAt: clock, expiresAt, amountInCents: cents(50_00) });
  return {
    recurrenceId: newHexId(),
    reference: null,
    firstTransactionId: first.transactionId,
    authorization: 'qr_with_payment',
    schedule: 'automatic',
    contract: `contract-${contracts}`,
    payer: { name: 'Fulano de Tal', document: '529.982.247-25', email: null, phone: null },
    payerAccount: null,
    expiresAt,
    createdAt: clock,
    amountInCents: cents(35_00),
    minimumAmountInCents: null,
    frequency: 'monthly',
    startDate: firstDay,
    endDate: null,
    retries: 'three_in_seven_days',
    description: 'Serviço de streaming',
    first: { ...first, wasNeverSent: true },
    ...changes,
  };
}

const again = (request: RecurrenceRequest): RecurrenceRequest => ({
  ...request,
  first: request.first && { ...request.first, wasNeverSent: false },
});

async function made(request = recurrenceRequest()) {
  const { reference, firstReference = null } = await adapter.createRecurrence(request, soon());
  const ids: RecurrenceIds = { ...request, reference };
  const first: ChargeIds = { transactionId: request.firstTransactionId ?? '', reference: firstReference };
  return { ids, first, reference };
}

const authorizationsOf = ({ contract }: Pick<RecurrenceIds, 'contract'>) =>
  automatic.recurrences().filter((each) => each.contract === contract);

async function active(changes: Partial<RecurrenceRequest> = {}) {
  const recurrence = await made(recurrenceRequest(changes));
  automatic.approves(recurrence.reference);
  return recurrence;
}

const statusOf = async (ids: RecurrenceIds) => (await adapter.findRecurrence(ids, soon()))?.status;

describe('a recurrence', () => {
  test('is an authorization with a code that also pays the first payment', async () => {
    const request = recurrenceRequest();
    const psp = await adapter.createRecurrence(request, soon());
    expect(bodyOf('/authorizations')).toEqual({
      customerId: expect.stringMatching(/^cus_/),
      frequency: 'MONTHLY',
      contractId: request.contract,
      startDate: '2026-12-10',
      value: 35,
      description: 'Serviço de streaming',
      paymentCreationMode: 'MANUAL',
      retryPolicy: 'ALLOW_THREE_IN_SEVEN_DAYS',
      immediateQrCode: { expirationSeconds: 3_600, originalValue: 50, description: 'Serviço de streaming' },
    });
    expect(psp).toMatchObject({ status: 'pending', firstReference: expect.stringMatching(/ASA$/) });
    const code = parseBrCode(psp.pixCopyPaste ?? '');
    expect([code.get('26-25'), code.get('80-25')]).toEqual([expect.any(String), expect.any(String)]);
  });

  test('of debits with amounts of their own has the least of the limit', async () => {
    await adapter.createRecurrence(
      recurrenceRequest({
        amountInCents: null,
        minimumAmountInCents: cents(39_90),
        endDate: '2027-12-10' as CalendarDay,
        frequency: 'semiannually',
        retries: 'none',
        description: null,
      }),
      soon(),
    );
    const body = bodyOf('/authorizations');
    expect(body).toMatchObject({
      minLimitValue: 39.9,
      finishDate: '2027-12-10',
      frequency: 'SEMIANNUALLY',
      retryPolicy: 'NOT_ALLOWED',
    });
    expect(body).not.toHaveProperty('value');
    expect(body).not.toHaveProperty('description');
  });

  test.each([
    ['whose debits are less than Asaas takes', { amountInCents: cents(4_99) }, /at least R\$ 5/],
    ['without a first payment', { first: null }, /first payment/],
  ])('%s is refused before anything is sent', async (_, changes, message) => {
    const failure = await failureOf(adapter.createRecurrence(recurrenceRequest(changes), soon()));
    expect(failure).toMatchObject({ failure: 'rejected', message: expect.stringMatching(message) });
    expect(asked()).toEqual([]);
  });

  test('is refused in clear words where the account may have none', async () => {
    emulator.switches.turn('noAutomaticPix', true);
    const failure = await failureOf(adapter.createRecurrence(recurrenceRequest(), soon()));
    expect(failure).toMatchObject({
      failure: 'rejected',
      reason: 'request_refused',
      message: expect.stringContaining('CNPJ is at least six months old'),
    });
  });

  test.each([
    ['403 with a word', 403, [{ code: 'insufficient_permission', description: 'x' }], /Pix Automático/],
    ['403 without any', 403, undefined, /Pix Automático/],
    ['invalid_action', 400, [{ code: 'invalid_action', description: 'x' }], /Pix Automático/],
    ['another rule', 400, [{ code: 'invalid_startDate', description: 'x' }], /invalid_startDate/],
    ['an address', 403, [{ code: 'not_allowed_ip', description: 'x' }], /IP address/],
  ])('that Asaas refuses with %s says why', async (_, status, errors, message) => {
    const tools = fakeTools((name) =>
      name.includes('/customers') ? { json: { id: 'cus_1' } } : { status, json: { errors } },
    );
    const faked = asaas.connect(parseSettings(asaas, emulator.settings), tools) as Recurring;
    const failure = await failureOf(faked.createRecurrence(recurrenceRequest(), soon()));
    expect(failure.message).toMatch(message);
    expect(tools.asked.filter((name) => name.startsWith('POST /v3/customers'))).toHaveLength(1);
  });

  test.each(['', 'brazilianDates'])('that is asked for again is the same (%s)', async (on) => {
    if (on) emulator.switches.turn(on, true);
    const request = recurrenceRequest();
    const one = await adapter.createRecurrence(request, soon());
    expect(await adapter.createRecurrence(again(request), soon())).toEqual(one);
    expect(authorizationsOf(request)).toHaveLength(1);
  });

  test('whose answer is lost is found, and made once', async () => {
    const request = recurrenceRequest();
    emulator.faults.add({ kind: 'reset', operation: 'permit', isDone: true });
    const psp = await adapter.createRecurrence(request, soon());
    expect(authorizationsOf(request)).toMatchObject([{ id: psp.reference, status: 'CREATED' }]);
  });

  test('is not taken for another one of its contract, whose code ends at another time', async () => {
    const request = recurrenceRequest();
    const one = await adapter.createRecurrence(request, soon());
    clock = at('2026-12-01', '12:05');
    const other = again(recurrenceRequest({ contract: request.contract }));
    expect((await adapter.createRecurrence(other, soon())).reference).not.toBe(one.reference);
  });

  test('whose code is not told again is ended, and made anew', async () => {
    const request = again(recurrenceRequest());
    const authorization = (id: string, payload: string | null) => ({
      id,
      status: 'CREATED',
      contractId: request.contract,
      customerId: 'cus_1',
      value: 35,
      payload,
      immediateQrCode: { conciliationIdentifier: 'XASA', expirationDate: '01/12/2026 13:00:02' },
    });
    const tools = fakeTools((name) => {
      if (name.includes('/customers')) return { json: { id: 'cus_1' } };
      if (name.startsWith('GET')) return { json: { data: [authorization('old', null)], hasMore: false } };
      return { json: authorization('new', 'code') };
    }, clock);
    const faked = asaas.connect(parseSettings(asaas, emulator.settings), tools) as Recurring;
    expect((await faked.createRecurrence(request, soon())).reference).toBe('new');
    expect(tools.asked).toContain('DELETE /v3/pix/automatic/authorizations/old');
  });

  test('is active once its code is paid, and cancelled once the payer ends it', async () => {
    const { ids, reference } = await made();
    expect(await statusOf(ids)).toBe('pending');
    automatic.approves(reference);
    expect(await statusOf(ids)).toBe('active');
    automatic.revokes(reference);
    expect(await adapter.findRecurrence(ids, soon())).toMatchObject({
      status: 'cancelled',
      endedBy: 'payer',
      reason: 'REQUESTED_BY_PAYER_USER',
    });
  });

  test('that the bank refuses is rejected', async () => {
    const { ids, reference } = await made();
    automatic.rejects(reference);
    expect(await statusOf(ids)).toBe('rejected');
  });

  test.each(['', 'unpaidExpires'])('whose code nobody paid has expired (%s)', async (on) => {
    if (on) emulator.switches.turn(on, true);
    const { ids } = await made();
    clock = at('2026-12-01', '13:01');
    expect(await statusOf(ids)).toBe('expired');
  });

  test('of another contract is not believed', async () => {
    const { ids } = await made();
    expect(await statusOf({ ...ids, contract: 'another' })).toBe('unrecognised');
  });

  test('that Asaas does not know is gone', async () => {
    const { ids } = await made();
    expect(await adapter.findRecurrence({ ...ids, reference: newHexId() }, soon())).toBeUndefined();
  });

  test.each(['', 'endedIsGone'])('can be cancelled, and again (%s)', async (on) => {
    if (on) emulator.switches.turn(on, true);
    const { ids } = await active();
    expect(await adapter.cancelRecurrence(ids, soon())).toMatchObject({ status: 'cancelled' });
    expect(await adapter.cancelRecurrence(ids, soon())).toMatchObject({ status: 'cancelled' });
  });

  test('that Asaas refuses to cancel goes on', async () => {
    const { ids } = await active();
    emulator.faults.add({ kind: 'reject', operation: 'end_recurrence' });
    expect(await failureOf(adapter.cancelRecurrence(ids, soon()))).toMatchObject({ failure: 'rejected' });
  });

  test('whose cancellation Asaas refuses, and then does not respond, may have ended', async () => {
    const { ids } = await active();
    emulator.faults.add({ kind: 'reject', operation: 'end_recurrence' });
    emulator.faults.add({ kind: 'error', operation: 'find_recurrence' });
    expect(await failureOf(adapter.cancelRecurrence(ids, soon()))).toMatchObject({ failure: 'unknown' });
  });
});

describe('the first payment', () => {
  test('is open until its code is paid, by whatever payment Asaas makes of it', async () => {
    const { first, reference } = await made();
    expect(await adapter.findCharge(first, soon())).toMatchObject({ ...first, status: 'active' });
    automatic.approves(reference);
    const paid = await adapter.findCharge(first, soon());
    expect(paid).toMatchObject({
      transactionId: first.transactionId,
      status: 'paid',
      receivedPix: [{ amountInCents: cents(50_00), isOnlyPix: true }],
    });
  });

  test('takes one request where the notification names its Pix', async () => {
    const { first, reference } = await made();
    automatic.outbox.length = 0;
    automatic.approves(reference);
    const told = automatic.outbox.splice(0).map(({ body }) => JSON.parse(body) as { event: string });
    const body = told.find(({ event }) => event === 'PAYMENT_RECEIVED');
    const [notified] = asaas.notifications.charges({
      body: Buffer.from(JSON.stringify(body)),
    } as RawNotification);
    expect(notified).toEqual({
      transactionId: null,
      reference: first.reference,
      pixReference: expect.any(String),
    });
    emulator.requests.length = 0;
    const sought = { ...first, pixReference: notified?.pixReference };
    expect(await adapter.findCharge(sought, soon())).toMatchObject({ status: 'paid' });
    expect(asked()).toHaveLength(1);
  });

  test('that another system made is none of ours', async () => {
    const { reference } = await made();
    const [each] = automatic.recurrences().filter(({ id }) => id === reference);
    expect(each).toBeDefined();
    const stranger = await adapter.findCharge({ transactionId: '', reference: 'OTHER0001ASA' }, soon());
    expect(stranger).toMatchObject({ transactionId: '' });
  });

  test('cannot be cancelled by itself', async () => {
    const { first } = await made();
    emulator.requests.length = 0;
    expect(await failureOf(adapter.cancelCharge(first, soon()))).toMatchObject({ failure: 'rejected' });
    expect(asked()).toEqual([]);
  });

  test('can be refunded, and is named by its code in the statement', async () => {
    const { first, reference } = await made();
    automatic.approves(reference);
    const paid = await adapter.findCharge(first, soon());
    if (!paid) throw new Error('the first payment is gone');
    const refund = await adapter.refundCharge(refundRequest({ ...paid, ...first }), soon());
    expect(refund).toMatchObject({ status: 'completed' });
    const window = { since: at('2026-12-01', '00:00'), until: at('2026-12-02', '00:00') };
    const page = await adapter.listStatement?.(window, null, soon());
    expect(page?.pix.map(({ charge }) => charge)).toContainEqual(
      expect.objectContaining({ transactionId: null, reference: first.reference }),
    );
  });
});

const debitRequest = (recurrence: string, changes: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({
    amountInCents: cents(35_00),
    createdAt: clock,
    description: 'Mensalidade de dezembro',
    debit: { recurrence, dueOn: firstDay },
    wasNeverSent: true,
    ...changes,
  });

const idsOf = ({ transactionId, reference }: Charge): ChargeIds => ({
  transactionId,
  reference,
  kind: 'recurring',
});

async function debited(changes: Partial<RecurrenceRequest> = {}) {
  const recurrence = await active(changes);
  clock = at('2026-12-05');
  const charge = await adapter.createCharge(debitRequest(recurrence.reference), soon());
  emulator.requests.length = 0;
  return { ...recurrence, charge, debit: idsOf(charge), id: charge.reference ?? '' };
}

const look = (debit: ChargeIds) => adapter.findCharge(debit, soon());

/** Refused for want of balance in the evening of its day. */
async function failed(changes: Partial<RecurrenceRequest> = {}) {
  const all = await debited(changes);
  automatic.schedules(all.id);
  clock = at('2026-12-10', '21:00');
  automatic.settles(all.id, 'no_balance');
  return all;
}

describe('a debit', () => {
  test('is a payment that names the authorization, of its customer', async () => {
    const { reference } = await active();
    // The book knows another customer by now.
    customers.set('52998224725', 'cus_other');
    emulator.requests.length = 0;
    clock = at('2026-12-05');
    const request = debitRequest(reference);
    const charge = await adapter.createCharge(request, soon());
    customers.clear();
    expect(charge).toMatchObject({ status: 'active', pixCopyPaste: null });
    expect(bodyOf('/payments')).toEqual({
      customer: expect.stringMatching(/^cus_\w{16}$/),
      billingType: 'PIX',
      value: 35,
      dueDate: firstDay,
      description: 'Mensalidade de dezembro',
      externalReference: request.transactionId,
      pixAutomaticAuthorizationId: reference,
    });
    expect(asked()).toHaveLength(2);
  });

  test('that may have been sent is looked for first', async () => {
    const { reference, charge } = await debited();
    const request = debitRequest(reference, {
      transactionId: charge.transactionId,
      wasNeverSent: false,
    });
    expect((await adapter.createCharge(request, soon())).reference).toBe(charge.reference);
    expect(asked()).toEqual(['GET /payments']);
  });

  test('of a recurrence that ended is refused, and of one that cannot be read not sent', async () => {
    const { ids, reference } = await active();
    await adapter.cancelRecurrence(ids, soon());
    clock = at('2026-12-05');
    expect(await failureOf(adapter.createCharge(debitRequest(reference), soon()))).toMatchObject({
      failure: 'rejected',
    });
    emulator.faults.add({ kind: 'error', operation: 'find_recurrence' });
    expect(await failureOf(adapter.createCharge(debitRequest(reference), soon()))).toMatchObject({
      failure: 'not_sent',
    });
    const gone = adapter.createCharge(debitRequest(newHexId()), soon());
    expect(await failureOf(gone)).toMatchObject({ failure: 'rejected' });
  });

  test('is scheduled, then paid', async () => {
    const { debit, id } = await debited();
    expect(await look(debit)).toMatchObject({
      status: 'active',
      attempts: [{ on: firstDay, state: 'requested' }],
    });
    automatic.schedules(id);
    expect(await look(debit)).toMatchObject({ attempts: [{ on: firstDay, state: 'scheduled' }] });
    clock = at('2026-12-10', '08:00');
    automatic.settles(id, 'paid');
    expect(await look(debit)).toMatchObject({
      status: 'paid',
      attempts: [{ on: firstDay, state: 'paid', endToEndId: expect.stringMatching(/^E/) }],
      receivedPix: [{ amountInCents: cents(35_00) }],
    });
  });

  test('that is paid is told as paid while its attempts cannot be read, which is for later', async () => {
    const { debit, id } = await debited();
    automatic.schedules(id);
    clock = at('2026-12-10', '08:00');
    automatic.settles(id, 'paid');
    emulator.faults.add({ kind: 'error', operation: 'find_debit' });
    const charge = await look(debit);
    expect(charge).toMatchObject({ status: 'paid', missing: { failure: 'unknown' } });
    expect(charge).not.toHaveProperty('attempts');
  });

  test('that is held back is contested', async () => {
    emulator.switches.turn('staysConfirmed', true);
    const { debit, id } = await debited();
    automatic.schedules(id);
    clock = at('2026-12-10', '08:00');
    automatic.settles(id, 'paid');
    expect(await look(debit)).toMatchObject({ status: 'contested' });
    expect(await adapter.cancelCharge(debit, soon())).toMatchObject({ status: 'contested' });
  });

  test('that the bank says was paid before is paid once its payment says so', async () => {
    const { debit, id } = await debited();
    automatic.schedules(id);
    clock = at('2026-12-10', '08:00');
    automatic.settles(id, 'already_paid');
    expect(await look(debit)).toMatchObject({ status: 'paid', attempts: [{ state: 'paid' }] });
  });

  test('can be cancelled, which makes room for another amount', async () => {
    const { debit, reference } = await debited({ amountInCents: null });
    expect(await adapter.cancelCharge(debit, soon())).toMatchObject({ status: 'cancelled' });
    expect(await look(debit)).toMatchObject({ status: 'cancelled', attempts: [{ state: 'cancelled' }] });
    const other = debitRequest(reference, { amountInCents: cents(40_00) });
    expect(await adapter.createCharge(other, soon())).toMatchObject({ amountInCents: cents(40_00) });
  });

  test('that is under way cannot be cancelled', async () => {
    const { debit, id } = await debited();
    automatic.schedules(id);
    clock = at('2026-12-09', '22:30');
    expect(await failureOf(adapter.cancelCharge(debit, soon()))).toMatchObject({ failure: 'rejected' });
  });

  test('that was deleted after it had failed has failed', async () => {
    const { debit } = await failed();
    await adapter.cancelCharge(debit, soon());
    expect(await look(debit)).toMatchObject({ status: 'failed', attempts: [{ state: 'expired' }] });
  });
});

describe('a retry', () => {
  const nextDay = '2026-12-11' as CalendarDay;

  test('has the bank asked on another day, once', async () => {
    const { debit, id } = await failed();
    expect(await look(debit)).toMatchObject({
      status: 'active',
      attempts: [{ on: firstDay, state: 'expired', reason: 'no_balance', providerCode: 'PAYMENT_OVERDUE' }],
    });
    const twice = [await adapter.retryDebit(debit, nextDay, soon())];
    twice.push(await adapter.retryDebit(debit, nextDay, soon()));
    for (const charge of twice)
      expect(charge.attempts).toMatchObject([{ state: 'expired' }, { on: nextDay, state: 'requested' }]);
    automatic.schedules(id);
    clock = at('2026-12-11', '08:00');
    automatic.settles(id, 'paid');
    expect(await look(debit)).toMatchObject({
      status: 'paid',
      attempts: [{ state: 'expired' }, { on: nextDay, state: 'paid' }],
    });
    expect(automatic.journal.filter(({ act }) => act === 'retry')).toHaveLength(1);
  });

  test('whose answer is lost has been made', async () => {
    const { debit } = await failed();
    emulator.faults.add({ kind: 'reset', operation: 'retry_debit', isDone: true });
    expect(await failureOf(adapter.retryDebit(debit, nextDay, soon()))).toMatchObject({ failure: 'unknown' });
    expect((await adapter.retryDebit(debit, nextDay, soon())).attempts).toHaveLength(2);
  });

  test.each([
    [/allows no retries/, '2026-12-11', { retries: 'none' }],
    [/more than seven days/, '2026-12-18', {}],
    [/too late for that day/, '2026-12-10', { startDate: '2026-12-03' }],
    [/next cycle/, '2026-12-17', { frequency: 'weekly' }],
  ] as const)('that Asaas refuses says why: %s', async (message, day, changes) => {
    const { debit } = await failed(changes as Partial<RecurrenceRequest>);
    if (day === firstDay) clock = at('2026-12-10', '21:30');
    // The day of the first attempt is one that was asked for.
    const on = day === firstDay ? ('2026-12-09' as CalendarDay) : (day as CalendarDay);
    const failure = await failureOf(adapter.retryDebit(debit, on, soon()));
    expect(failure).toMatchObject({ failure: 'rejected', message: expect.stringMatching(message) });
  });

  test('of a fourth time is refused', async () => {
    const { debit, id } = await failed();
    for (const day of ['2026-12-11', '2026-12-12', '2026-12-13']) {
      await adapter.retryDebit(debit, day as CalendarDay, soon());
      automatic.schedules(id);
      clock = at(day, '21:00');
      automatic.settles(id, 'no_balance');
    }
    const failure = await failureOf(adapter.retryDebit(debit, '2026-12-14' as CalendarDay, soon()));
    expect(failure.message).toContain('three times');
  });

  test('of what was never refused, or was paid, is none', async () => {
    const { debit, id } = await debited();
    expect(await failureOf(adapter.retryDebit(debit, nextDay, soon()))).toMatchObject({
      failure: 'rejected',
    });
    automatic.schedules(id);
    clock = at('2026-12-10', '08:00');
    automatic.settles(id, 'paid');
    expect(await adapter.retryDebit(debit, nextDay, soon())).toMatchObject({ status: 'paid' });
  });
});

describe('what the payer’s bank says', () => {
  const instruction = (changes: object) => ({
    id: 'i',
    status: 'REFUSED',
    dueDate: at('2026-12-10', '00:00'),
    endToEndIdentifier: null,
    refusalReason: null,
    ...changes,
  });
  const payment = { status: 'PENDING', dueDate: at('2026-12-10', '00:00') };
  const read = (changes: object, about = payment, isPaid = false) =>
    attemptsOf([instruction(changes)], about, isPaid);

  test.each([
    ['MAXIMUM_AMOUNT_EXCEEDED', 'rejected', 'limit'],
    ['PAYMENT_OVERDUE', 'expired', 'no_balance'],
    ['INVALID_RECURRING_PAYMENT_ID', 'rejected', 'mandate_ended'],
    ['RECURRING_PAYMENT_NOT_CONFIRMED', 'rejected', 'mandate_ended'],
    ['PAYER_CPF_CNPJ_MISMATCH', 'rejected', 'payer_data'],
    ['ACCOUNT_CLOSED', 'rejected', 'account'],
    ['ACCOUNT_BLOCKED', 'rejected', 'account'],
    ['SAME_INSTITUTION_ERROR', 'rejected', 'account'],
    ['AMOUNT_MISMATCH', 'rejected', 'our_fault'],
    ['RECEIVED_TOO_EARLY', 'rejected', 'our_fault'],
    ['EXCEEDED_MAXIMUM_RETRY_ATTEMPTS', 'rejected', 'our_fault'],
    ['EXTERNAL_INSTITUTION_ERROR', 'rejected', 'operational'],
    ['A_WORD_OF_TOMORROW', 'rejected', 'unknown'],
    ['constructor', 'rejected', 'unknown'],
  ])('%s is %s: %s', (refusalReason, state, reason) => {
    const providerCode = refusalReason === 'constructor' ? {} : { providerCode: refusalReason };
    expect(read({ refusalReason })).toEqual([{ on: firstDay, state, reason, ...providerCode }]);
  });

  test('prose is no code', () => {
    expect(read({ refusalReason: 'Saldo de Fulano' })).toEqual([
      { on: firstDay, state: 'rejected', reason: 'unknown' },
    ]);
  });

  test('PAYMENT_ALREADY_DONE fails nothing, and is paid when the payment is', () => {
    const done = { refusalReason: 'PAYMENT_ALREADY_DONE' };
    expect(read(done)).toEqual([{ on: firstDay, state: 'scheduled' }]);
    expect(read(done, payment, true)).toEqual([{ on: firstDay, state: 'paid' }]);
  });

  test('an instruction that is still open when its payment is overdue has expired', () => {
    const overdue = { ...payment, status: 'OVERDUE' };
    expect(read({ status: 'SCHEDULED' }, overdue)).toEqual([
      { on: firstDay, state: 'expired', reason: 'no_balance' },
    ]);
    const retry = { status: 'SCHEDULED', dueDate: at('2026-12-11', '00:00') };
    expect(read(retry, overdue)).toEqual([{ on: '2026-12-11', state: 'scheduled' }]);
  });

  test('statuses and dates that nobody can read are left out', () => {
    expect(read({ status: 'A_WORD_OF_TOMORROW' })).toEqual([]);
    expect(read({ status: 'toString' })).toEqual([]);
    expect(read({ dueDate: undefined })).toEqual([]);
  });
});

describe('a notification', () => {
  const charges = (body: object) =>
    asaas.notifications.charges({ body: Buffer.from(JSON.stringify(body)) } as RawNotification);

  test.each(['authorization', 'pixAutomaticRecurringAuthorization', 'pixAutomaticAuthorization'])(
    'of an authorization names it (%s)',
    (member) => {
      const event = 'PIX_AUTOMATIC_RECURRING_AUTHORIZATION_ACTIVATED';
      expect(charges({ event, [member]: { id: 'a1', status: 'ACTIVE' } })).toEqual([
        { transactionId: null, reference: null, recurrence: 'a1' },
      ]);
    },
  );

  test.each(['paymentInstruction', 'pixAutomaticRecurringPaymentInstruction'])(
    'of an instruction names its payment (%s)',
    (member) => {
      const event = 'PIX_AUTOMATIC_RECURRING_PAYMENT_INSTRUCTION_REFUSED';
      expect(charges({ event, [member]: { id: 'i1', paymentId: 'pay_1' } })).toEqual([
        { transactionId: null, reference: 'pay_1', kind: 'recurring' },
      ]);
    },
  );

  test('that an account may have recurrences, or an odd one, names none', () => {
    const event = 'PIX_AUTOMATIC_RECURRING_ELIGIBILITY_UPDATED';
    expect(charges({ event, eligibility: { status: 'INELIGIBLE' } })).toEqual([]);
    expect(charges({ event, authorization: 'a1', paymentInstruction: [] })).toEqual([]);
  });

  test('of a payment of ours goes by our id, whatever code was paid', () => {
    const payment = { id: 'pay_1', externalReference: newHexId(), pixQrCodeId: 'X0001ASA' };
    expect(charges({ event: 'PAYMENT_RECEIVED', payment })).toEqual([
      { transactionId: payment.externalReference, reference: 'pay_1' },
    ]);
  });
});

describe('the webhook', () => {
  const url = 'https://pix.example/psp/asaas/token';
  const settings = parseSettings(asaas, emulator.settings);

  /** An account at Asaas with one webhook, whose events are those of the last registration. */
  function account(events: readonly string[], mayHaveRecurrences: boolean) {
    const registered = { id: 'w1', url, enabled: true, hasAuthToken: true, events: [...events] };
    const tools = fakeTools((name, { body }) => {
      if (name.startsWith('GET')) return { json: { data: [registered] } };
      const asked = (body as { events: string[] }).events;
      const isOffered = asked.every((event) => !/AUTHORIZATION|INSTRUCTION/.test(event));
      if (!mayHaveRecurrences && !isOffered)
        return { status: 400, json: { errors: [{ code: 'invalid_events', description: 'x' }] } };
      registered.events = asked;
      return { json: registered };
    });
    return { registered, ...asaas.connect(settings, tools) };
  }

  const before = [
    'PAYMENT_RECEIVED',
    'PAYMENT_CONFIRMED',
    'PAYMENT_REFUNDED',
    'PAYMENT_PARTIALLY_REFUNDED',
    'PAYMENT_REFUND_IN_PROGRESS',
    'PAYMENT_CHARGEBACK_REQUESTED',
    'PAYMENT_CHARGEBACK_DISPUTE',
    'PAYMENT_AWAITING_CHARGEBACK_REVERSAL',
  ];

  test.each([true, false])(
    'of an earlier version is incomplete, until registered again (%s)',
    async (may) => {
      const { registered, findWebhook, registerWebhook } = account(before, may);
      expect(await findWebhook?.(url, soon())).toEqual({ url, state: 'incomplete' });
      await registerWebhook?.(url, soon());
      expect(await findWebhook?.(url, soon())).toEqual({ url, state: 'active' });
      expect(registered.events.includes('PIX_AUTOMATIC_RECURRING_AUTHORIZATION_ACTIVATED')).toBe(may);
    },
  );
});

test('a payer without a document is refused', async () => {
  const request = recurrenceRequest();
  const first = request.first && { ...request.first, payer: { ...payer, document: null } };
  expect(await failureOf(adapter.createRecurrence({ ...request, first }, soon()))).toMatchObject({
    failure: 'rejected_payer',
  });
});
