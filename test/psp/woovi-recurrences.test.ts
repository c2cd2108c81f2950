import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { buildDynamicBrCode, buildRecurrenceBrCode, parseBrCode } from '@pix-service/br-code';
import { cents } from '../../src/core/base/money.ts';
import type { CalendarDay } from '../../src/core/base/time/calendar-day.ts';
import type { Charge, ChargeIds, ChargeRequest } from '../../src/core/providers/rules/charge.ts';
import type { PspAdapter } from '../../src/core/providers/rules/psp.ts';
import type { RecurrenceIds, RecurrenceRequest } from '../../src/core/providers/rules/psp-recurrence.ts';
import { createHttpClients } from '../../src/psp/http/http-clients.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { woovi } from '../../src/psp/woovi/adapter.ts';
import { startEmulator } from '../support/psp-emulator/core.ts';
import { rawOf } from '../support/psp-emulator/notifier.ts';
import type { Notification } from '../support/psp-emulator/psp.ts';
import { woovi as emulated } from '../support/psp-emulator/woovi.ts';
import { address, chargeRequest, failureOf, newHexId, soon } from './contract-setup.ts';
import { fakeTools } from './fake-http.ts';

/** In São Paulo. */
const at = (day: string, time = '12:00'): Date => new Date(`${day}T${time}:00-03:00`);

let clock = at('2026-12-01');
const now = () => clock;
const clients = createHttpClients({ allowedHosts: ['localhost', '127.0.0.1'] });
const emulator = await startEmulator(emulated, { now });
const { automatic } = emulator.psp;
if (!automatic) throw new Error('there is no Pix Automático');

beforeEach(async () => {
  clock = at('2026-12-01');
  emulator.switches.reset();
  emulator.faults.clear();
  emulator.requests.length = 0;
  await emulator.tellAll('never');
});

afterAll(() => Promise.all([clients.close(), emulator.stop()]));

type Recurring = PspAdapter &
  Required<Pick<PspAdapter, 'createRecurrence' | 'findRecurrence' | 'cancelRecurrence'>>;

const tools = { http: clients.open, now };
const adapter = woovi.connect(parseSettings(woovi, emulator.settings), tools) as Recurring;

/** `METHOD path`, below the version. */
const asked = (): string[] =>
  emulator.requests.map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`);
const sent = () => emulator.requests.find(({ method }) => method === 'POST')?.json;

const firstDay = '2026-12-10' as CalendarDay;

const recurrenceRequest = (changes: Partial<RecurrenceRequest> = {}): RecurrenceRequest => ({
  recurrenceId: crypto.randomUUID(),
  reference: null,
  firstTransactionId: changes.first?.transactionId ?? null,
  contract: 'assinatura-1',
  payer: { name: 'Fulano de Tal', document: '529.982.247-25', email: null, phone: null, address },
  createdAt: clock,
  amountInCents: cents(35_00),
  minimumAmountInCents: null,
  frequency: 'monthly',
  startDate: firstDay,
  endDate: null,
  retries: 'three_in_seven_days',
  schedule: 'automatic',
  description: 'Plano Ouro',
  payerAccount: null,
  expiresAt: new Date(clock.getTime() + 3_600_000),
  authorization: changes.first ? 'qr_with_payment' : 'qr',
  first: null,
  ...changes,
});

const withFirst = (changes: Partial<RecurrenceRequest> = {}): RecurrenceRequest =>
  recurrenceRequest({
    first: chargeRequest({ createdAt: clock, amountInCents: cents(35_00) }),
    startDate: '2027-01-01' as CalendarDay,
    ...changes,
  });

async function made(request = recurrenceRequest()) {
  const { reference, firstReference = null, pixCopyPaste } = await adapter.createRecurrence(request, soon());
  const ids: RecurrenceIds = { ...request, reference };
  const first: ChargeIds = { transactionId: request.firstTransactionId ?? '', reference: firstReference };
  return { reference, ids, first, pixCopyPaste };
}

const found = (ids: RecurrenceIds) => adapter.findRecurrence(ids, soon());

async function approved(changes: Partial<RecurrenceRequest> = {}): Promise<string> {
  const { reference } = await made(recurrenceRequest(changes));
  automatic?.approves(reference);
  return reference;
}

const debitRequest = (recurrence: string, dueOn: CalendarDay = firstDay): ChargeRequest =>
  chargeRequest({ amountInCents: cents(35_00), createdAt: clock, debit: { recurrence, dueOn } });

const idsOf = ({ transactionId, reference }: Charge): ChargeIds => ({
  transactionId,
  reference,
  kind: 'recurring',
});

/** Taken over by the service on the day on which Woovi makes it. */
async function debited(changes: Partial<RecurrenceRequest> = {}) {
  const recurrence = await approved(changes);
  clock = at('2026-12-06');
  const charge = await adapter.createCharge(debitRequest(recurrence), soon());
  return { ids: idsOf(charge), charge, recurrence };
}

async function seen(ids: ChargeIds): Promise<Charge> {
  const charge = await adapter.findCharge(ids, soon());
  if (!charge) throw new Error('the charge is gone');
  return charge;
}

describe('a recurrence is refused, before Woovi is asked,', () => {
  test.each<[string, Partial<RecurrenceRequest>, string]>([
    ['that starts in two days', { startDate: '2026-12-03' as CalendarDay }, 'startDate must be at least 3'],
    ['with an amount of its own for each debit', { amountInCents: null }, 'amount must be given'],
    ['whose debits somebody else asks for', { schedule: 'manual' }, 'schedule must be automatic'],
    ['with a contract of 30 characters', { contract: 'x'.repeat(30) }, 'contract must have at most 29'],
    [
      'whose first payment is of another amount',
      { ...withFirst(), first: chargeRequest({ amountInCents: cents(50_00) }) },
      'firstPayment.amount must be amount',
    ],
    [
      'with a first payment, whose next debit is not a month later',
      { ...withFirst(), startDate: firstDay },
      'startDate must be 2027-01-01',
    ],
  ])('%s', async (_, changes, message) => {
    const failure = await failureOf(adapter.createRecurrence(recurrenceRequest(changes), soon()));
    expect(failure).toMatchObject({ failure: 'rejected', message: expect.stringContaining(message) });
    expect(asked()).toEqual([]);
  });

  test.each<[string, Partial<RecurrenceRequest['payer']>, string]>([
    ['without an address', { address: null }, 'payer.address must be given'],
    ['without a district', { address: { ...address, district: '' } }, 'payer.address.district must be given'],
    ['without a document', { document: '1' }, 'payer.document must be a CPF or a CNPJ'],
  ])('of a payer %s', async (_, changes, message) => {
    const request = recurrenceRequest();
    const failure = await failureOf(
      adapter.createRecurrence({ ...request, payer: { ...request.payer, ...changes } }, soon()),
    );
    expect(failure).toMatchObject({ failure: 'rejected_payer', message: expect.stringContaining(message) });
    expect(asked()).toEqual([]);
  });
});

describe('a recurrence', () => {
  test('is asked for as the pages on Pix Automático say', async () => {
    const request = recurrenceRequest({ retries: 'none', endDate: '2027-12-10' as CalendarDay });
    const { reference, pixCopyPaste } = await made(request);
    const path = `/subscriptions/${request.recurrenceId}`;
    expect(asked()).toEqual([`GET ${path}`, 'POST /subscriptions']);
    expect(sent()).toEqual({
      type: 'PIX_RECURRING',
      correlationID: request.recurrenceId,
      name: 'Plano Ouro',
      value: 3500,
      comment: 'assinatura-1',
      frequency: 'MONTHLY',
      dayGenerateCharge: '2026-12-10T15:00:00.000Z',
      dayDue: 3,
      installmentCount: 13,
      customer: {
        name: 'Fulano de Tal',
        taxID: '52998224725',
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
      pixRecurringOptions: { journey: 'ONLY_RECURRENCY', retryPolicy: 'NON_PERMITED' },
    });
    const code = parseBrCode(pixCopyPaste ?? '');
    expect([code.has('26-25'), code.has('80-25')]).toEqual([false, true]);
    expect(automatic.recurrences().at(-1)).toMatchObject({ id: reference });
  });

  test('with a first payment is of today, and has the code that pays it', async () => {
    const request = withFirst({ endDate: '2027-03-31' as CalendarDay });
    const { reference, first, pixCopyPaste } = await made(request);
    expect(sent()).toMatchObject({
      correlationID: request.firstTransactionId,
      dayGenerateCharge: clock.toISOString(),
      dayDue: 6,
      // The first payment, and the debits of three months.
      installmentCount: 4,
      pixRecurringOptions: { journey: 'PAYMENT_ON_APPROVAL', retryPolicy: 'THREE_RETRIES_7_DAYS' },
    });
    const code = parseBrCode(pixCopyPaste ?? '');
    expect([code.has('26-25'), code.has('80-25')]).toEqual([true, true]);
    expect(first.reference).toBe(`first:${reference}`);
  });

  test.each([
    ['weekly', 'WEEKLY', '2026-12-08'],
    ['quarterly', 'QUARTERLY', '2027-03-01'],
    ['semiannually', 'SEMIANNUALLY', '2027-06-01'],
    ['annually', 'ANNUALLY', '2027-12-01'],
  ] as const)('goes %s', async (frequency, word, startDate) => {
    await made(withFirst({ frequency, startDate: startDate as CalendarDay }));
    expect(sent()).toMatchObject({ frequency: word });
  });

  test.each(['reset', 'truncate', 'error'] as const)(
    'whose creation is not answered (%s) is made once, and found',
    async (kind) => {
      for (const request of [recurrenceRequest(), withFirst()]) {
        emulator.faults.add({ kind, operation: 'permit', isDone: true });
        const before = automatic.recurrences().length;
        const { reference } = await adapter.createRecurrence(request, soon());
        expect((await adapter.createRecurrence(request, soon())).reference).toBe(reference);
        expect(automatic.recurrences()).toHaveLength(before + 1);
      }
    },
  );

  test('whose creation failed is unknown, and asked for again', async () => {
    emulator.faults.add({ kind: 'error', operation: 'permit' });
    const request = recurrenceRequest();
    expect(await failureOf(adapter.createRecurrence(request, soon()))).toMatchObject({ failure: 'unknown' });
    expect((await adapter.createRecurrence(request, soon())).status).toBe('pending');
  });

  test('becomes what the payer makes of it, who has one word for what was refused and what was taken back', async () => {
    const [permitted, declined, revoked] = [await made(), await made(), await made()];
    automatic.approves(permitted.reference);
    automatic.rejects(declined.reference);
    automatic.approves(revoked.reference);
    automatic.revokes(revoked.reference);
    expect(await found(permitted.ids)).toMatchObject({ status: 'active', endedBy: null, pixCopyPaste: null });
    expect(await found(declined.ids)).toMatchObject({ status: 'rejected', endedBy: 'payer' });
    expect(await found(revoked.ids)).toMatchObject({ status: 'rejected', endedBy: 'payer' });
  });

  test('ends when it is cancelled, and says so again', async () => {
    const { ids } = await made();
    const ended = { status: 'cancelled', endedBy: null, pixCopyPaste: null };
    expect(await adapter.cancelRecurrence(ids, soon())).toMatchObject(ended);
    expect(await adapter.cancelRecurrence({ ...ids, reference: null }, soon())).toMatchObject(ended);
  });

  test('that Woovi does not know is certain to be absent', async () => {
    const ids = { ...recurrenceRequest(), reference: 'unknown' };
    expect(await found(ids)).toBeUndefined();
    expect(await failureOf(adapter.cancelRecurrence(ids, soon()))).toMatchObject({ failure: 'rejected' });
  });

  test('of others is not recognised', async () => {
    const { ids } = await made();
    for (const change of [{ recurrenceId: newHexId() }, { payer: { document: '12ABC34501DE35' } }])
      expect(await found({ ...ids, ...change })).toMatchObject({ status: 'unrecognised' });
  });
});

describe('an answer about a subscription', () => {
  const recurrence = buildRecurrenceBrCode({
    recurrenceLocation: 'woovi.example/rec/1',
    merchantName: 'a',
    merchantCity: 'b',
  });
  const answer = (changes: object, pix: object = {}) => ({
    subscription: {
      globalID: 'id',
      correlationID: '',
      value: 3500,
      status: 'ACTIVE',
      pixRecurring: { status: 'CREATED', emv: recurrence, ...pix },
      ...changes,
    },
  });
  const reading = (json: object) =>
    woovi.connect(
      parseSettings(woovi, { appId: 'app' }),
      fakeTools(() => ({ json }), clock),
    ) as Recurring;
  const read = (json: object) =>
    reading(json).findRecurrence({ ...recurrenceRequest(), reference: 'id' }, soon());

  test.each([
    ['of a status that nobody knows', answer({}, { status: 'SUSPENDED' }), 'unrecognised'],
    ['that expired', answer({}, { status: 'EXPIRED' }), 'expired'],
    ['that Woovi has ended', answer({ status: 'INACTIVE' }, { status: 'APPROVED' }), 'cancelled'],
    ['of another id', answer({ globalID: 'other' }), 'unrecognised'],
  ])('%s is %j', async (_, json, status) => {
    expect(await read(json)).toMatchObject({ status });
  });

  test.each([
    [
      'that also pays',
      buildRecurrenceBrCode({
        recurrenceLocation: 'a.example/1',
        location: 'a.example/2',
        merchantName: 'a',
        merchantCity: 'b',
      }),
    ],
    ['that only pays', buildDynamicBrCode({ location: 'a.example/1', merchantName: 'a', merchantCity: 'b' })],
    ['that no bank reads', 'pix'],
  ])('with a code %s is not given out', async (_, emv) => {
    expect(await read(answer({}, { emv }))).toMatchObject({ status: 'pending', pixCopyPaste: null });
    const create = reading(answer({}, { emv })).createRecurrence(recurrenceRequest(), soon());
    expect(await failureOf(create)).toMatchObject({ failure: 'unknown' });
  });

  test('of another amount is not believed', async () => {
    const create = reading(answer({ value: 1 })).createRecurrence(recurrenceRequest(), soon());
    expect(await failureOf(create)).toMatchObject({ failure: 'unknown' });
  });
});

describe('the first payment', () => {
  test('is open until it is permitted, and then the first of the installments, paid', async () => {
    const { reference, first } = await made(withFirst());
    expect(await seen(first)).toMatchObject({
      status: 'active',
      amountInCents: cents(35_00),
      receivedPix: [],
    });
    automatic.approves(reference);
    const [pix, ...others] = (await seen(first)).receivedPix;
    expect(others).toEqual([]);
    expect(pix).toMatchObject({
      endToEndId: expect.stringMatching(/^E\w{31}$/),
      amountInCents: cents(35_00),
      paidAt: clock,
      returnedInCents: 0n,
    });
    expect(await seen(first)).toMatchObject({ status: 'paid', transactionId: first.transactionId });
  });

  test('takes the permission with it when it is cancelled, unless it was paid', async () => {
    const [open, paid] = [await made(withFirst()), await made(withFirst())];
    automatic.approves(paid.reference);
    expect(await adapter.cancelCharge(open.first, soon())).toMatchObject({ status: 'cancelled' });
    expect(await found(open.ids)).toMatchObject({ status: 'cancelled' });
    expect(await adapter.cancelCharge(paid.first, soon())).toMatchObject({ status: 'paid' });
    expect(await found(paid.ids)).toMatchObject({ status: 'active' });
  });

  test('of a permission that the payer refuses has ended', async () => {
    const { reference, first } = await made(withFirst());
    automatic.rejects(reference);
    expect(await seen(first)).toMatchObject({ status: 'cancelled', receivedPix: [] });
  });

  test('is not that of another subscription', async () => {
    const { first } = await made(withFirst());
    const other = await made(withFirst());
    const mixed = { ...first, reference: other.first.reference };
    expect(await failureOf(adapter.findCharge(mixed, soon()))).toMatchObject({ failure: 'unknown' });
  });
});

describe('a debit', () => {
  test.each([[], ['monthsAhead'], ['wrappedInstallment']])(
    'follows what Woovi makes by itself, and asks for nothing (%j)',
    async (...on) => {
      for (const each of on) emulator.switches.turn(each, true);
      const { ids, charge, recurrence } = await debited();
      expect(charge).toMatchObject({ status: 'active', amountInCents: cents(35_00), pixCopyPaste: null });
      const [debit] = automatic.debits().filter(({ recurrenceId }) => recurrenceId === recurrence);
      expect(ids.reference).toBe(debit?.id);
      expect((await seen(ids)).attempts).toEqual([{ on: firstDay, state: 'requested' }]);
      automatic.schedules(debit?.id ?? '');
      expect((await seen(ids)).attempts).toEqual([{ on: firstDay, state: 'scheduled' }]);
      clock = at(firstDay, '21:30');
      automatic.settles(debit?.id ?? '', 'paid');
      const { status, receivedPix, attempts } = await seen(ids);
      const [pix] = receivedPix;
      expect({ status, receivedPix }).toMatchObject({
        status: 'paid',
        receivedPix: [{ amountInCents: cents(35_00), paidAt: clock, isOnlyPix: true }],
      });
      expect(attempts).toEqual([{ on: firstDay, state: 'paid', endToEndId: pix?.endToEndId }]);
      expect(asked().filter((each) => !each.startsWith('GET'))).toEqual(['POST /subscriptions']);
    },
  );

  test('is taken over before Woovi has made it', async () => {
    const recurrence = await approved();
    clock = at('2026-12-05');
    const charge = await adapter.createCharge(debitRequest(recurrence), soon());
    expect(charge).toMatchObject({ status: 'active', attempts: [] });
    expect(await seen(idsOf(charge))).toEqual(charge);
    expect(automatic.debits().filter(({ recurrenceId }) => recurrenceId === recurrence)).toEqual([]);
  });

  test.each([
    ['2027-01-31', '2027-02-28', 28],
    ['2027-01-31', '2027-02-26', 28],
  ])('of the 31st (%s, due on %s) is that of the %s.', async (start, dueOn, date) => {
    const recurrence = await approved({ startDate: start as CalendarDay });
    emulator.switches.turn('monthsAhead', true);
    clock = at('2027-01-27');
    const first = automatic.recurrences().find(({ id }) => id === recurrence);
    expect(first).toBeDefined();
    await adapter.createCharge(debitRequest(recurrence, start as CalendarDay), soon());
    const [january] = automatic.debits().filter(({ recurrenceId }) => recurrenceId === recurrence);
    automatic.schedules(january?.id ?? '');
    clock = at(start, '21:00');
    automatic.settles(january?.id ?? '', 'paid');
    clock = at('2027-02-25');
    await adapter.createCharge(debitRequest(recurrence, dueOn as CalendarDay), soon());
    const days = automatic.debits().filter(({ recurrenceId }) => recurrenceId === recurrence);
    expect(days.map(({ day }) => day)).toEqual([start, `2027-02-${date}`]);
  });

  test('that comes after others is open until its installment is made', async () => {
    const recurrence = await approved({ frequency: 'weekly' });
    clock = at('2026-12-13');
    const next = await adapter.createCharge(debitRequest(recurrence, '2026-12-17' as CalendarDay), soon());
    expect(next).toMatchObject({ status: 'active', reference: `cycle:2026-12-17:${recurrence}` });
    expect(await seen(idsOf(next))).toEqual(next);
    automatic.revokes(recurrence);
    expect(await seen(idsOf(next))).toMatchObject({ status: 'cancelled', receivedPix: [] });
  });

  test('of a day for which Woovi has none is refused', async () => {
    emulator.switches.turn('monthsAhead', true);
    const recurrence = await approved();
    const elsewhere = debitRequest(recurrence, '2026-12-20' as CalendarDay);
    expect(await failureOf(adapter.createCharge(elsewhere, soon()))).toMatchObject({
      failure: 'rejected',
      message: 'Woovi has no installment of 2026-12-20',
    });
  });

  test('that cannot be looked for was not made, so that another may be', async () => {
    const recurrence = await approved();
    for (const kind of ['error', 'reset', 'truncate'] as const) {
      emulator.faults.add({ kind, operation: 'find_debit' });
      const request = debitRequest(recurrence);
      expect(await failureOf(adapter.createCharge(request, soon()))).toMatchObject({ failure: 'not_sent' });
      const ids: ChargeIds = { ...request, reference: null, kind: 'recurring' };
      expect(await adapter.findCharge(ids, soon())).toBeUndefined();
    }
  });

  test('of another amount than the subscription is not taken for ours', async () => {
    const request = { ...debitRequest(await approved()), amountInCents: cents(36_00) };
    expect(await failureOf(adapter.createCharge(request, soon()))).toMatchObject({ failure: 'not_sent' });
  });

  test.each([
    ['no_balance', { reason: 'no_balance', providerCode: 'EXPR' }],
    ['limit', { reason: 'limit', providerCode: 'AM02' }],
    ['account_closed', { reason: 'account', providerCode: 'AC05' }],
    ['mandate_ended', { reason: 'mandate_ended', providerCode: 'MSUC' }],
    [{ code: 'AG12' }, { reason: 'unknown', providerCode: 'AG12' }],
  ] as const)('that fails with %j says why, and Woovi tries again', async (outcome, attempt) => {
    const { ids } = await debited();
    automatic.schedules(ids.reference ?? '');
    clock = at(firstDay, '21:30');
    automatic.settles(ids.reference ?? '', outcome);
    expect(await seen(ids)).toMatchObject({
      status: 'active',
      attempts: [
        { on: firstDay, state: 'rejected', ...attempt },
        { on: '2026-12-11', state: 'requested' },
      ],
    });
    expect(adapter).not.toHaveProperty('retryDebit');
  });

  test.each([[], ['noTries']])('without retries has failed for good after the first (%j)', async (...on) => {
    for (const each of on) emulator.switches.turn(each, true);
    const { ids } = await debited({ retries: 'none' });
    automatic.schedules(ids.reference ?? '');
    clock = at(firstDay, '21:30');
    automatic.settles(ids.reference ?? '', 'limit');
    expect(await seen(ids)).toMatchObject({
      status: 'failed',
      attempts: [{ on: firstDay, state: 'rejected', reason: 'limit', providerCode: 'AM02' }],
    });
  });

  test('whose money has moved in another way is paid', async () => {
    const { ids } = await debited();
    automatic.schedules(ids.reference ?? '');
    clock = at(firstDay, '21:30');
    automatic.settles(ids.reference ?? '', 'already_paid');
    expect(await seen(ids)).toMatchObject({
      status: 'paid',
      attempts: [{ state: 'rejected', reason: 'already_paid' }],
    });
  });

  test('ends with its recurrence, and in no other way', async () => {
    const { ids, recurrence } = await debited();
    const failure = await failureOf(adapter.cancelCharge(ids, soon()));
    expect(failure).toMatchObject({ failure: 'rejected' });
    expect(failure.message).toMatch('ends a debit only together with its recurrence');
    automatic.revokes(recurrence);
    expect(await adapter.cancelCharge(ids, soon())).toMatchObject({ status: 'cancelled' });
  });

  test('gives its money back by the name of its Pix', async () => {
    const { ids } = await debited();
    automatic.schedules(ids.reference ?? '');
    clock = at(firstDay, '21:30');
    automatic.settles(ids.reference ?? '', 'paid');
    const [pix] = (await seen(ids)).receivedPix;
    const refund = {
      ...ids,
      refundId: newHexId(),
      endToEndId: pix?.endToEndId ?? '',
      refundReference: null,
      otherRefunds: [],
      startedAt: clock,
      amountInCents: cents(5_00),
    };
    expect(await adapter.findRefund(refund, soon())).toBeUndefined();
    expect(await adapter.refundCharge(refund, soon())).toMatchObject({ status: 'pending' });
    expect(await failureOf(adapter.refundCharge(refund, soon()))).toMatchObject({ failure: 'rejected' });
    for (const [status, meaning] of [
      ['completed', 'completed'],
      ['failed', 'failed'],
    ] as const) {
      const [made] = emulator.ledger.findByEndToEndId(refund.endToEndId)?.refunds ?? [];
      if (made) made.status = status;
      expect(await adapter.findRefund(refund, soon())).toMatchObject({ status: meaning });
    }
  });
});

describe('an answer about an installment', () => {
  const answer = (changes: object, cobr?: object) => ({
    globalID: 'installment',
    paymentSubscriptionGlobalID: 'subscription',
    dateGenerateCharge: '2026-12-10T12:00:00.000Z',
    installmentNumber: 1,
    value: 3500,
    status: 'ACTIVE',
    cobr: cobr ? { status: 'ACTIVE', value: 3500, ...cobr } : null,
    ...changes,
  });
  const ids: ChargeIds = { transactionId: newHexId(), reference: 'installment', kind: 'recurring' };
  const read = (json: object) =>
    woovi
      .connect(
        parseSettings(woovi, { appId: 'app' }),
        fakeTools(() => ({ json }), clock),
      )
      .findCharge(ids, soon());

  test.each<[string, object, Charge['status']]>([
    ['is only planned', answer({ status: 'SCHEDULED' }), 'active'],
    ['has expired unasked', answer({ status: 'EXPIRED' }), 'failed'],
    ['was cancelled', answer({ status: 'CANCELED' }), 'cancelled'],
    ['has a word that nobody knows', answer({ status: 'PAUSED' }), 'unrecognised'],
    ['is a debit with a word that nobody knows', answer({}, { status: 'FROZEN' }), 'unrecognised'],
    ['is said to be paid while its debit is not', answer({ status: 'COMPLETED' }, {}), 'unrecognised'],
    [
      'is paid, in the word of notifications',
      answer({ status: 'COMPLETED' }, { status: 'COMPLETED' }),
      'paid',
    ],
    ['was refused', answer({ status: 'CANCELED' }, { status: 'REJECTED' }), 'failed'],
  ])('that %s', async (_, json, status) => {
    expect(await read(json)).toMatchObject({ status });
  });

  test('that is paid with no name of the Pix has one that is the installment’s', async () => {
    const charge = await read(answer({ status: 'COMPLETED' }, { status: 'CONCLUDED' }));
    expect(charge?.receivedPix).toMatchObject([
      { endToEndId: 'WOOVIinstallment', amountInCents: cents(35_00) },
    ]);
  });

  test('that is paid with another amount says so', async () => {
    const json = answer({ status: 'COMPLETED' }, { status: 'CONCLUDED', value: 1 });
    expect(await read(json)).toMatchObject({ status: 'paid', amountInCents: cents(1) });
  });
});

describe('a notification', () => {
  const heard = (notification: Notification) => woovi.notifications.charges(rawOf(notification));
  const verified = (notification: Notification) =>
    woovi.notifications.verify(rawOf(notification), parseSettings(woovi, emulator.settings), tools);

  test('of a permission names it, and the payment that came with it', async () => {
    const { reference, first } = await made(withFirst());
    automatic.approves(reference);
    const all = automatic.outbox.splice(0);
    expect(all.map(heard)).toEqual([
      [
        { transactionId: null, reference: null, recurrence: reference },
        { transactionId: first.transactionId, reference: null },
      ],
      [{ transactionId: first.transactionId, reference: null }],
    ]);
    for (const each of all) expect(await verified(each)).toBe(true);
  });

  test('of a debit names its installment', async () => {
    const { ids } = await debited();
    automatic.outbox.splice(0);
    automatic.schedules(ids.reference ?? '');
    expect(automatic.outbox.splice(0).map(heard)).toEqual([
      [{ transactionId: null, reference: ids.reference }],
    ]);
  });

  test('that somebody else signed, or nobody, is not believed', async () => {
    automatic.approves((await made()).reference);
    const [told] = automatic.outbox.splice(0);
    if (!told) throw new Error('nothing was told');
    expect(await verified(emulator.psp.forge(told))).toBe(false);
    expect(await verified({ ...told, headers: {} })).toBe(false);
  });
});
