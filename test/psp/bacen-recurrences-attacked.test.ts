import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseBrCode } from '@pix-service/br-code';
import { cents } from '../../src/core/base/money.ts';
import { addDays, type CalendarDay } from '../../src/core/base/time/calendar-day.ts';
import type { ChargeIds, ChargeRequest } from '../../src/core/providers/rules/charge.ts';
import type { PspAdapter } from '../../src/core/providers/rules/psp.ts';
import type { RecurrenceRequest } from '../../src/core/providers/rules/psp-recurrence.ts';
import { bacen } from '../../src/psp/bacen/adapter.ts';
import { createHttpClients } from '../../src/psp/http/http-clients.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import type { Outcome } from '../support/psp-emulator/automatic.ts';
import { receivingAccount } from '../support/psp-emulator/bacen-automatic.ts';
import type { BankName } from '../support/psp-emulator/bacen-bank.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { type PspEmulator, startEmulator } from '../support/psp-emulator/core.ts';
import type { Fault } from '../support/psp-emulator/faults.ts';
import { chargeRequest, failureOf, newHexId, payer, soon } from './contract-setup.ts';

const at = (day: string, time = '12:00'): Date => new Date(`${day}T${time}:00-03:00`);

let clock = at('2026-12-01');
const now = () => clock;
const clients = createHttpClients({ allowedHosts: ['localhost', '127.0.0.1'] });
const standard = await startEmulator(defineBacen('standard'), { now });
const efi = await startEmulator(defineBacen('efi'), { now });
const banks: readonly [BankName, PspEmulator][] = [
  ['standard', standard],
  ['efi', efi],
];

beforeEach(() => {
  clock = at('2026-12-01');
  for (const [, each] of banks) {
    each.switches.reset();
    each.faults.clear();
    each.requests.length = 0;
  }
});

afterAll(() => Promise.all([clients.close(), ...banks.map(([, each]) => each.stop())]));

type Recurring = PspAdapter &
  Required<Pick<PspAdapter, 'createRecurrence' | 'findRecurrence' | 'cancelRecurrence' | 'retryDebit'>>;

const connected = (to: PspEmulator): Recurring =>
  bacen.connect(parseSettings(bacen, { ...to.settings, ...receivingAccount }), {
    http: clients.open,
    now,
  }) as Recurring;

function payersOf({ psp }: PspEmulator) {
  if (!psp.automatic) throw new Error('the emulator has no payers');
  return psp.automatic;
}

const firstDay = '2026-12-10' as CalendarDay;
let contracts = 0;

function recurrenceRequest(changes: Partial<RecurrenceRequest> = {}): RecurrenceRequest {
  contracts += 1;
  return {
    recurrenceId: newHexId(),
    reference: null,
    firstTransactionId: changes.first?.transactionId ?? null,
    authorization: 'qr',
    payerAccount: null,
    expiresAt: new Date(clock.getTime() + 20 * 86_400_000),
    contract: `attacked-${contracts}`,
    payer: { ...payer, name: 'Fulano de Tal', document: '529.982.247-25' },
    schedule: 'automatic',
    createdAt: clock,
    amountInCents: cents(35_00),
    minimumAmountInCents: null,
    frequency: 'monthly',
    startDate: firstDay,
    endDate: null,
    retries: 'three_in_seven_days',
    description: 'Serviço de streaming',
    first: null,
    ...changes,
  };
}

const push = (): RecurrenceRequest =>
  recurrenceRequest({
    authorization: 'push',
    payerAccount: { ispb: '81102623', branch: '2569', account: '550689' },
  });

const recsOf = (to: PspEmulator, { contract }: RecurrenceRequest) =>
  payersOf(to)
    .recurrences()
    .filter((each) => each.contract === contract);

async function approved(to: PspEmulator, changes: Partial<RecurrenceRequest> = {}): Promise<string> {
  const { reference } = await connected(to).createRecurrence(recurrenceRequest(changes), soon());
  payersOf(to).approves(reference);
  return reference;
}

const debitRequest = (recurrence: string, changes: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({
    amountInCents: cents(35_00),
    createdAt: clock,
    debit: { recurrence, dueOn: firstDay },
    ...changes,
  });

const idsOf = ({ transactionId }: { transactionId: string }): ChargeIds => ({
  transactionId,
  reference: null,
  kind: 'recurring',
});

/** The same request until it succeeds, as the service sends it, and how often it was sent. */
async function insisted<Made>(ask: () => Promise<Made>, most = 6): Promise<Made> {
  for (let count = 1; ; count += 1) {
    try {
      return await ask();
    } catch (error) {
      if (count === most) throw error;
      clock = new Date(clock.getTime() + 60_000);
    }
  }
}

const broken: Fault['kind'][] = ['reset', 'error', 'soap_fault', 'truncate', 'cut', 'busy', 'oversize'];
type Step = Fault['operation'];

describe.each(banks)('at %s, a recurrence', (_, to) => {
  const steps: Step[] = ['list', 'prepare', 'permit', 'find_recurrence', 'token'];

  test.each(steps.flatMap((step) => broken.map((kind) => [step, kind] as const)))(
    'whose answer to %s is broken (%s) is made once and found by the same request',
    async (operation, kind) => {
      for (const isDone of [true, false]) {
        const request = recurrenceRequest();
        to.faults.add({ kind, operation, isDone });
        const { reference } = await insisted(() => connected(to).createRecurrence(request, soon()));
        to.faults.clear();
        expect(recsOf(to, request)).toEqual([expect.objectContaining({ id: reference })]);
      }
    },
  );

  test('that is not there for a moment after it was made is made once', async () => {
    const request = recurrenceRequest();
    to.faults.add({ kind: 'not_found', operation: 'find_recurrence', times: 2 });
    const { reference } = await insisted(() => connected(to).createRecurrence(request, soon()));
    expect(recsOf(to, request)).toEqual([expect.objectContaining({ id: reference })]);
  });

  test.each(broken)('whose end is not answered (%s) says what has become of it', async (kind) => {
    for (const isDone of [true, false]) {
      const request = recurrenceRequest();
      const { reference } = await connected(to).createRecurrence(request, soon());
      to.faults.add({ kind, operation: 'end_recurrence', isDone });
      const ended = await insisted(() => connected(to).cancelRecurrence({ ...request, reference }, soon()));
      to.faults.clear();
      expect(ended).toMatchObject({ status: 'cancelled', endedBy: 'receiver' });
      expect(recsOf(to, request)).toMatchObject([{ status: 'CANCELADA' }]);
    }
  });
});

describe.each(banks)('at %s, a push', (_, to) => {
  const solicited = () => to.requests.filter(({ operation }) => operation === 'solicit');

  test('is asked for once, and permitted', async () => {
    const request = push();
    const { reference, pixCopyPaste } = await connected(to).createRecurrence(request, soon());
    expect(pixCopyPaste).toBeNull();
    expect(solicited().map(({ json }) => json)).toEqual([
      {
        idRec: reference,
        // A minute less, by which a bank's clock may be behind.
        calendario: { dataExpiracaoSolicitacao: '2026-12-21T14:59:00.000Z' },
        destinatario: { cpf: '52998224725', ispbParticipante: '81102623', agencia: '2569', conta: '550689' },
      },
    ]);
    await connected(to).createRecurrence(request, soon());
    expect(solicited()).toHaveLength(1);
    payersOf(to).approves(reference);
    const found = await connected(to).findRecurrence({ ...request, reference }, soon());
    expect(found).toMatchObject({ status: 'active' });
  });

  test.each(broken)('whose answer is broken (%s) is asked for once', async (kind) => {
    for (const isDone of [true, false]) {
      const request = push();
      to.requests.length = 0;
      to.faults.add({ kind, operation: 'solicit', isDone });
      const { reference } = await insisted(() => connected(to).createRecurrence(request, soon()));
      to.faults.clear();
      expect(recsOf(to, request)).toEqual([{ id: reference, contract: request.contract, status: 'CRIADA' }]);
      payersOf(to).approves(reference);
    }
  });

  test('that the bank refuses leaves nothing that could be permitted', async () => {
    const request = push();
    to.faults.add({ kind: 'reject', operation: 'solicit' });
    expect(await failureOf(connected(to).createRecurrence(request, soon()))).toMatchObject({
      failure: 'rejected',
    });
    expect(recsOf(to, request)).toMatchObject([{ status: 'CANCELADA' }]);
  });

  test('that nobody answers can be permitted no more', async () => {
    const request = { ...push(), expiresAt: new Date(clock.getTime() + 3_600_000) };
    const { reference } = await connected(to).createRecurrence(request, soon());
    clock = new Date(clock.getTime() + 3_700_000);
    const found = await connected(to).findRecurrence({ ...request, reference }, soon());
    expect(found).toMatchObject({ status: 'pending' });
  });
});

test('an offer has the code of its charge and of the recurrence, and can be paid without it', async () => {
  const first = chargeRequest({
    createdAt: clock,
    due: { date: '2026-12-20' as CalendarDay, payableDaysAfter: 5 },
    expiresAt: at('2026-12-28'),
  });
  const request = recurrenceRequest({ authorization: 'offer', first });
  const adapter = connected(standard);
  const { reference, pixCopyPaste } = await adapter.createRecurrence(request, soon());
  const code = parseBrCode(pixCopyPaste ?? '');
  expect(code.get('80-25')).toMatch(/\/rec\//);
  expect(code.get('26-25')).toMatch(/\/cobv\//);
  expect(await adapter.createRecurrence(request, soon())).toMatchObject({ reference });
  await standard.pay(first.transactionId, { notify: 'never' });
  const ids = { ...request, reference };
  expect(await adapter.findRecurrence(ids, soon())).toMatchObject({ status: 'pending' });
  payersOf(standard).approves(reference);
  expect(await adapter.findRecurrence(ids, soon())).toMatchObject({ status: 'active' });
});

describe.each(banks)('at %s, a debit', (_, to) => {
  test.each(broken)('whose answer is broken (%s) is made once', async (kind) => {
    for (const isDone of [true, false]) {
      const reference = await approved(to);
      const request = debitRequest(reference);
      to.faults.add({ kind, operation: 'create', isDone });
      const charge = await insisted(() => connected(to).createCharge(request, soon()));
      to.faults.clear();
      expect(charge).toMatchObject({ status: 'active', amountInCents: cents(35_00) });
      const made = payersOf(to)
        .debits()
        .filter(({ recurrenceId }) => recurrenceId === reference);
      expect(made).toMatchObject([{ id: request.transactionId }]);
    }
  });

  test('that was made already is found, in whatever words the bank says so', async () => {
    to.switches.turn('ownWords', true);
    const request = debitRequest(await approved(to));
    for (const _ of ['made', 'found'])
      expect(await connected(to).createCharge(request, soon())).toMatchObject({ status: 'active' });
  });

  test.each(broken)('whose answer to a cancel is broken (%s) says what has become of it', async (kind) => {
    for (const isDone of [true, false]) {
      const request = debitRequest(await approved(to));
      await connected(to).createCharge(request, soon());
      to.faults.add({ kind, operation: 'cancel', isDone });
      const charge = await insisted(() => connected(to).cancelCharge(idsOf(request), soon()));
      to.faults.clear();
      expect(charge).toMatchObject({ status: 'cancelled' });
    }
  });

  test.each(broken)('whose answer to a retry is broken (%s) is retried once for its day', async (kind) => {
    for (const isDone of [true, false]) {
      clock = at('2026-12-01');
      const { transactionId } = await settled(to, 'no_balance');
      to.faults.add({ kind, operation: 'retry_debit', isDone });
      const day = addDays(firstDay, 2);
      const ids = idsOf({ transactionId });
      await insisted(() => connected(to).retryDebit(ids, day, soon()));
      to.faults.clear();
      const debit = payersOf(to)
        .debits()
        .find(({ id }) => id === transactionId);
      expect(debit?.attempts).toMatchObject([{ day: firstDay }, { day }]);
    }
  });

  test('of a Saturday is tried on Monday, and again within a week of the Saturday', async () => {
    const saturday = '2026-12-12' as CalendarDay;
    clock = at('2026-12-04');
    const request = debitRequest(await approved(to), {});
    request.debit = { recurrence: request.debit?.recurrence ?? '', dueOn: saturday };
    await connected(to).createCharge(request, soon());
    payersOf(to).schedules(request.transactionId);
    clock = at('2026-12-14', '21:30');
    payersOf(to).settles(request.transactionId, 'no_balance');
    const ids = idsOf(request);
    const retried = await connected(to).retryDebit(ids, addDays(saturday, 7), soon());
    expect(retried.attempts).toMatchObject([
      { on: '2026-12-14', state: 'expired' },
      { on: '2026-12-19', state: 'requested' },
    ]);
  });

  test.each<[Outcome, object]>([
    ['limit', { status: 'active', attempts: [{ reason: 'limit' }] }],
    ['account_closed', { status: 'failed', attempts: [{ reason: 'account' }] }],
    ['operational', { status: 'active', attempts: [{ reason: 'operational' }] }],
    ['mandate_ended', { status: 'failed', attempts: [{ reason: 'mandate_ended' }] }],
    ['already_paid', { status: 'paid', receivedPix: [{ amountInCents: cents(35_00) }] }],
    ['paid', { status: 'paid', receivedPix: [{ amountInCents: cents(35_00) }] }],
  ])('that ends with %p is seen so', async (outcome, expected) => {
    const { transactionId } = await settled(to, outcome);
    expect(await connected(to).findCharge(idsOf({ transactionId }), soon())).toMatchObject(expected);
  });

  test('that the payer calls off is seen so', async () => {
    const request = debitRequest(await approved(to));
    await connected(to).createCharge(request, soon());
    payersOf(to).schedules(request.transactionId);
    payersOf(to).callsOff(request.transactionId);
    expect(await connected(to).findCharge(idsOf(request), soon())).toMatchObject({
      status: 'cancelled',
      attempts: [{ state: 'cancelled' }],
    });
  });

  test('that only the payer’s bank refuses has failed, and is our fault', async () => {
    to.switches.turn('bankChecks', true);
    const request = debitRequest(await approved(to), { amountInCents: cents(36_00) });
    await connected(to).createCharge(request, soon());
    payersOf(to).schedules(request.transactionId);
    expect(await connected(to).findCharge(idsOf(request), soon())).toMatchObject({
      status: 'failed',
      attempts: [{ reason: 'our_fault', providerCode: 'AM09' }],
    });
  });
});

async function settled(to: PspEmulator, outcome: Outcome) {
  const request = debitRequest(await approved(to));
  await connected(to).createCharge(request, soon());
  payersOf(to).schedules(request.transactionId);
  clock = at(firstDay, '21:30');
  payersOf(to).settles(request.transactionId, outcome);
  return request;
}
