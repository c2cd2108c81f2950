import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { buildDynamicBrCode, parseBrCode } from '@pix-service/br-code';
import { cents } from '../../src/core/base/money.ts';
import { addDays, type CalendarDay } from '../../src/core/base/time/calendar-day.ts';
import type { Charge, ChargeIds, ChargeRequest } from '../../src/core/providers/rules/charge.ts';
import type { PspAdapter } from '../../src/core/providers/rules/psp.ts';
import type { ChargesPage } from '../../src/core/providers/rules/psp-lists.ts';
import type {
  PspRecurrence,
  RecurrenceIds,
  RecurrenceRequest,
} from '../../src/core/providers/rules/psp-recurrence.ts';
import { authorizations } from '../../src/core/recurrences/rules/recurrence.ts';
import { bacen } from '../../src/psp/bacen/adapter.ts';
import { createHttpClients } from '../../src/psp/http/http-clients.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import type { Outcome } from '../support/psp-emulator/automatic.ts';
import { receivingAccount } from '../support/psp-emulator/bacen-automatic.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { createClient } from '../support/psp-emulator/client.ts';
import { type PspEmulator, startEmulator } from '../support/psp-emulator/core.ts';
import { rawOf } from '../support/psp-emulator/notifier.ts';
import type { Notification } from '../support/psp-emulator/psp.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { adapterWith } from './bacen-setup.ts';
import { chargeRequest, failureOf, newHexId, payer, soon } from './contract-setup.ts';

/** In São Paulo. */
const at = (day: string, time = '12:00'): Date => new Date(`${day}T${time}:00-03:00`);

let clock = at('2026-12-01');
const now = () => clock;
const clients = createHttpClients({ allowedHosts: ['localhost', '127.0.0.1'] });
const emulator = await startEmulator(defineBacen('standard'), { now });
const inter = await startEmulator(defineBacen('inter'), { now });
const bank = createClient(emulator);

beforeEach(() => {
  clock = at('2026-12-01');
  emulator.switches.reset();
  inter.switches.turn('noRecurrences', false);
  for (const each of [emulator, inter]) {
    each.faults.clear();
    each.requests.length = 0;
  }
});

afterAll(() => Promise.all([clients.close(), bank.close(), emulator.stop(), inter.stop()]));

type Recurring = PspAdapter &
  Required<Pick<PspAdapter, 'createRecurrence' | 'findRecurrence' | 'cancelRecurrence' | 'retryDebit'>>;

function connected(to: PspEmulator = emulator, changes: Record<string, unknown> = {}): Recurring {
  const settings = { ...to.settings, ...receivingAccount, ...changes };
  const adapter = bacen.connect(parseSettings(bacen, settings), { http: clients.open, now });
  if (!adapter.createRecurrence) throw new Error('the adapter has no recurrences');
  return adapter as Recurring;
}

const payers = () => {
  const { automatic } = emulator.psp;
  if (!automatic) throw new Error('the emulator has no payers');
  return automatic;
};

/** The payer's bank has scheduled the newest attempt of a debit, and its day has come. */
function settled(txid: string, outcome: Outcome): void {
  const newest = () => {
    const debit = payers()
      .debits()
      .find(({ id }) => id === txid);
    return debit?.attempts.at(-1);
  };
  if (newest()?.status === 'SOLICITADA') payers().schedules(txid);
  clock = at(newest()?.day ?? '', outcome === 'paid' ? '08:00' : '21:30');
  payers().settles(txid, outcome);
}

/** What the bank has to tell by now. */
const told = () => payers().outbox.splice(0);

/** `METHOD path`, below the version. */
const asked = (to = emulator): string[] =>
  to.requests
    .filter(({ operation }) => operation !== 'token')
    .map(({ method, path }) => `${method} ${path.replace(/^.*\/v2\//, '/')}`);

const bodyOf = (method: string, part: string, to = emulator) =>
  to.requests.find((request) => request.method === method && request.path.includes(part))?.json;

const firstDay = '2026-12-10' as CalendarDay;

let contracts = 0;

function recurrenceRequest(changes: Partial<RecurrenceRequest> = {}): RecurrenceRequest {
  contracts += 1;
  return {
    recurrenceId: newHexId(),
    reference: null,
    firstTransactionId: changes.first?.transactionId ?? null,
    authorization: changes.first ? 'qr_with_payment' : 'qr',
    payerAccount: null,
    expiresAt: new Date(clock.getTime() + 30 * 86_400_000),
    contract: `contract-${contracts}`,
    payer: { ...payer, name: 'Fulano de Tal', document: '529.982.247-25' },
    createdAt: clock,
    amountInCents: cents(35_00),
    minimumAmountInCents: null,
    frequency: 'monthly',
    startDate: firstDay,
    endDate: null,
    retries: 'three_in_seven_days',
    schedule: 'automatic',
    description: 'Serviço de streaming',
    first: null,
    ...changes,
  };
}

const withFirst = (changes: Partial<RecurrenceRequest> = {}): RecurrenceRequest =>
  recurrenceRequest({ first: chargeRequest({ createdAt: clock, amountInCents: cents(50_00) }), ...changes });

const idsOf = (request: RecurrenceRequest, { reference }: { reference: string | null }): RecurrenceIds => ({
  ...request,
  reference,
});

async function made(request = recurrenceRequest(), adapter = connected()): Promise<RecurrenceIds> {
  return idsOf(request, await adapter.createRecurrence(request, soon()));
}

async function found(ids: RecurrenceIds, adapter = connected()): Promise<PspRecurrence> {
  const seen = await adapter.findRecurrence(ids, soon());
  if (!seen) throw new Error('the recurrence is gone');
  return seen;
}

const recsOf = ({ contract }: RecurrenceIds) =>
  payers()
    .recurrences()
    .filter((each) => each.contract === contract);

/** Where the bank of the payer finds it. */
async function locationOf(request: RecurrenceIds): Promise<{ id?: number; location?: string }> {
  const { json } = await bank.ask(`GET /rec/${recsOf(request)[0]?.id}`);
  return json['loc'] as { id: number; location: string };
}

async function approved(changes: Partial<RecurrenceRequest> = {}): Promise<string> {
  const { reference } = await made(recurrenceRequest(changes));
  payers().approves(reference ?? '');
  return reference ?? '';
}

const debitRequest = (recurrence: string, changes: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({
    amountInCents: cents(35_00),
    createdAt: clock,
    description: 'Mensalidade de dezembro',
    debit: { recurrence, dueOn: firstDay },
    ...changes,
  });

const debitIdsOf = ({ transactionId }: { transactionId: string }): ChargeIds => ({
  transactionId,
  reference: null,
  kind: 'recurring',
});

async function debited(changes: Partial<RecurrenceRequest> = {}): Promise<Charge> {
  return connected().createCharge(debitRequest(await approved(changes)), soon());
}

async function seen(charge: { transactionId: string }, adapter: PspAdapter = connected()): Promise<Charge> {
  const read = await adapter.findCharge(debitIdsOf(charge), soon());
  if (!read) throw new Error('the debit is gone');
  return read;
}

const heard = (notification: Notification) => bacen.notifications.charges(rawOf(notification));

const rec = (dadosQR: object | undefined, location = 'pix.bank.example/qr/v2/rec/1') => ({
  idRec: 'RR1234567820261201abcdefghijk',
  status: 'CRIADA',
  vinculo: { contrato: 'contract', devedor: { cpf: '52998224725', nome: 'Fulano' } },
  calendario: { dataInicial: firstDay, periodicidade: 'MENSAL' },
  valor: { valorRec: '35.00' },
  loc: { id: 1, location, idRec: 'RR1234567820261201abcdefghijk' },
  atualizacao: [{ nome: 'CRIADA', data: clock.toISOString() }],
  ...(dadosQR && { dadosQR }),
});
/** A bank that shows a recurrence as it likes. */
const bankOf = (body: object) =>
  adapterWith(
    (name) =>
      name.startsWith('GET') && name.includes('/rec?')
        ? { json: { parametros: { paginacao: { quantidadeDePaginas: 1 } }, recs: [body] } }
        : { json: body },
    { ...receivingAccount },
    clock,
  ) as Recurring;

describe('a credential', () => {
  test('without the account that receives debits says so before anything is made', async () => {
    const efi = bacen.connect(
      parseSettings(bacen, {
        ...emulator.settings,
        preset: 'efi',
        tokenUrl: `${emulator.origin}/oauth/token`,
      }),
      { http: clients.open, now },
    );
    const failure = await failureOf(efi.createRecurrence?.(recurrenceRequest(), soon()) ?? Promise.resolve());
    expect(failure).toMatchObject({ failure: 'rejected', reason: 'request_refused' });
    expect(failure.message).toMatch('recurrenceAccount and recurrenceAccountType must be set');
    const debit = debitRequest('RR1234567820261201abcdefghijk');
    expect((await failureOf(efi.createCharge(debit, soon()))).message).toMatch('recurrenceAccount');
    expect(asked()).toEqual([]);
  });

  test('has no recurrences at a bank that is not known to have them, until it names the account', () => {
    const open = (changes: object) =>
      bacen.connect(parseSettings(bacen, { ...emulator.settings, ...changes }), { http: clients.open, now });
    expect(open({}).capabilities.recurrences).toBeUndefined();
    expect(open({})).not.toHaveProperty('createRecurrence');
    expect(open(receivingAccount).capabilities.recurrences).toEqual([...authorizations]);
  });

  test.each([
    [{ recurrenceAccount: '1' }, 'recurrenceAccountType must be given with the rest of the account'],
    [{ recurrenceBranch: '1' }, 'recurrenceAccount must be given with the rest of the account'],
    [{ ...receivingAccount, recurrenceBranch: '12345' }, 'recurrenceBranch must be 1 to 4 digits or letters'],
    [{ ...receivingAccount, recurrenceAccount: '1234-5' }, 'recurrenceAccount must be 1 to 20 digits or'],
    [{ ...receivingAccount, recurrenceAccountType: 'salary' }, 'recurrenceAccountType must be one of check'],
  ])('refuses %j', (changes, message) => {
    expect(() => parseSettings(bacen, { ...emulator.settings, ...changes })).toThrow(message);
  });
});

describe('a refusal', () => {
  test.each(['standard', 'inter'] as const)(
    'for want of the scopes (%s) is definite, names them and leaves other charges alone',
    async (bank) => {
      const to = bank === 'inter' ? inter : emulator;
      to.switches.turn('noRecurrences', true);
      const adapter = connected(to);
      const failure = await failureOf(adapter.createRecurrence(recurrenceRequest(), soon()));
      expect(failure).toMatchObject({ failure: 'rejected', reason: 'request_refused' });
      expect(failure.message).toMatch('recurrences need the scopes rec.read, rec.write, cobr.read');
      expect((await adapter.createCharge(chargeRequest(), soon())).status).toBe('active');
    },
  );

  test('of the payer names the field', async () => {
    emulator.faults.add({ kind: 'reject_payer', operation: 'permit' });
    const failure = await failureOf(connected().createRecurrence(recurrenceRequest(), soon()));
    expect(failure).toMatchObject({ failure: 'rejected_payer' });
    expect(failure.message).toMatch('payer.document');
  });

  test('of a start in the past is definite', async () => {
    const request = recurrenceRequest({ startDate: '2026-11-30' as CalendarDay });
    expect(await failureOf(connected().createRecurrence(request, soon()))).toMatchObject({
      failure: 'rejected',
    });
    expect(recsOf(request)).toEqual([]);
  });

  test('of a second debit in a cycle is definite', async () => {
    const reference = await approved();
    const adapter = connected();
    await adapter.createCharge(debitRequest(reference), soon());
    const second = debitRequest(reference, {
      debit: { recurrence: reference, dueOn: addDays(firstDay, 5) },
    });
    expect(await failureOf(adapter.createCharge(second, soon()))).toMatchObject({ failure: 'rejected' });
  });

  test('of a debit that nobody has permitted is definite', async () => {
    const { reference } = await made();
    const debit = debitRequest(reference ?? '');
    expect(await failureOf(connected().createCharge(debit, soon()))).toMatchObject({ failure: 'rejected' });
  });
});

describe('an answer that is lost', () => {
  test.each(['reset', 'truncate', 'error'] as const)(
    'to the creation (%s) leaves one recurrence, which the request finds',
    async (kind) => {
      emulator.faults.add({ kind, operation: 'permit', isDone: true });
      const request = recurrenceRequest();
      const adapter = connected();
      const { reference } = await adapter.createRecurrence(request, soon());
      const again = await adapter.createRecurrence(request, soon());
      expect(again.reference).toBe(reference);
      expect(recsOf(request)).toHaveLength(1);
    },
  );

  test('to the creation and to the look after it is found by the same request', async () => {
    emulator.faults.add({ kind: 'error', operation: 'list', isDone: true });
    const request = recurrenceRequest();
    const adapter = connected();
    expect(await failureOf(adapter.createRecurrence(request, soon()))).toMatchObject({ failure: 'unknown' });
    emulator.faults.clear();
    // The first look before the creation passes.
    emulator.faults.add({ kind: 'slow', operation: 'list', milliseconds: 0 });
    emulator.faults.add({ kind: 'error', operation: 'list', times: 2 });
    emulator.faults.add({ kind: 'reset', operation: 'permit', isDone: true });
    expect(await failureOf(adapter.createRecurrence(request, soon()))).toMatchObject({ failure: 'unknown' });
    emulator.faults.clear();
    clock = new Date(clock.getTime() + 20 * 60_000);
    const { reference, pixCopyPaste } = await adapter.createRecurrence(request, soon());
    expect(recsOf(request).map(({ id }) => id)).toEqual([reference]);
    expect(parseBrCode(pixCopyPaste ?? '').get('80-25')).toBe((await locationOf(request)).location);
  });

  test.each([[], ['noJourney'], ['nameForStatus'], ['noFutureEnd'], ['singleItem']])(
    'to a creation with a first charge is found by that charge (%j)',
    async (...on) => {
      for (const each of on) emulator.switches.turn(each, true);
      const request = withFirst();
      const adapter = connected();
      const one = await adapter.createRecurrence(request, soon());
      clock = new Date(clock.getTime() + 60_000);
      expect(await adapter.createRecurrence(request, soon())).toEqual(one);
      expect(recsOf(request)).toHaveLength(1);
    },
  );

  test('is not taken for that of another contract, amount, day, payer or charge', async () => {
    const adapter = connected();
    const contract = 'the-same';
    const requests = [
      recurrenceRequest({ contract }),
      recurrenceRequest({ contract: 'another' }),
      recurrenceRequest({ contract, amountInCents: cents(36_00) }),
      recurrenceRequest({ contract, amountInCents: null, minimumAmountInCents: cents(10_00) }),
      recurrenceRequest({ contract, startDate: addDays(firstDay, 1) }),
      recurrenceRequest({ contract, payer: { ...payer, name: 'Outra', document: '12ABC34501DE35' } }),
      withFirst({ contract }),
      withFirst({ contract }),
    ];
    const references = [];
    for (const request of requests)
      references.push((await adapter.createRecurrence(request, soon())).reference);
    expect(new Set(references).size).toBe(requests.length);
    for (const [index, request] of requests.entries())
      expect((await adapter.createRecurrence(request, soon())).reference).toBe(references[index]);
  });

  test('is not taken for that of an earlier one of the same contract', async () => {
    const adapter = connected();
    const earlier = recurrenceRequest();
    const ids = await made(earlier, adapter);
    await adapter.cancelRecurrence(ids, soon());
    const next = { ...earlier, recurrenceId: newHexId() };
    expect((await adapter.createRecurrence(next, soon())).reference).not.toBe(ids.reference);
    clock = new Date(clock.getTime() + 3_600_000);
    const later = { ...earlier, recurrenceId: newHexId(), createdAt: clock };
    await adapter.createRecurrence(later, soon());
    expect(recsOf(earlier)).toHaveLength(3);
  });

  test('to the creation of a debit is found by its transaction id', async () => {
    const reference = await approved();
    emulator.faults.add({ kind: 'reset', operation: 'create', isDone: true });
    const request = debitRequest(reference);
    const adapter = connected();
    expect(await failureOf(adapter.createCharge(request, soon()))).toMatchObject({ failure: 'unknown' });
    expect(await seen(request, adapter)).toMatchObject({ status: 'active', amountInCents: cents(35_00) });
    expect(await adapter.createCharge(request, soon())).toMatchObject({ status: 'active' });
  });

  test('to a retry is found by the same retry', async () => {
    const charge = await debited();
    payers().schedules(charge.transactionId);
    settled(charge.transactionId, 'no_balance');
    emulator.faults.add({ kind: 'reset', operation: 'retry_debit', isDone: true });
    const day = addDays(firstDay, 1);
    const adapter = connected();
    const retry = () => adapter.retryDebit(debitIdsOf(charge), day, soon());
    expect(await failureOf(retry())).toMatchObject({ failure: 'unknown' });
    expect((await retry()).attempts).toMatchObject([{ state: 'expired' }, { on: day, state: 'requested' }]);
  });
});

describe('a code', () => {
  const request = () => recurrenceRequest({ contract: 'contract' });

  test.each([
    ['a charge alone', buildDynamicBrCode({ location: 'a.example/1', merchantName: 'a', merchantCity: 'b' })],
    ['no code at all', 'pix'],
    [
      'another recurrence',
      '00020126180014br.gov.bcb.pix5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002630462C9',
    ],
  ])('of %s is not given out', async (_, pixCopiaECola) => {
    const adapter = bankOf(rec({ pixCopiaECola }));
    expect(await failureOf(adapter.createRecurrence(request(), soon()))).toMatchObject({
      failure: 'unknown',
    });
    const ids = idsOf(request(), { reference: 'RR1234567820261201abcdefghijk' });
    expect(await adapter.findRecurrence({ ...ids, contract: 'contract' }, soon())).toMatchObject({
      status: 'pending',
      pixCopyPaste: null,
    });
  });

  test('that the bank leaves out is built from the locations', async () => {
    emulator.switches.turn('noComposite', true);
    const [alone, both] = [recurrenceRequest(), withFirst()];
    const ofAlone = parseBrCode((await connected().createRecurrence(alone, soon())).pixCopyPaste ?? '');
    expect(ofAlone.get('80-25')).toBe((await locationOf(alone)).location);
    expect(ofAlone.has('26-25')).toBe(false);
    const ofBoth = parseBrCode((await connected().createRecurrence(both, soon())).pixCopyPaste ?? '');
    expect(ofBoth.get('80-25')).toBe((await locationOf(both)).location);
    expect(ofBoth.get('26-25')).toMatch(/^pix\.bank\.example\/qr\/v2\/\w{32}$/);
  });
});

describe('a recurrence', () => {
  test('is asked for as the API Pix 2.9.0 says', async () => {
    const request = recurrenceRequest({
      endDate: '2027-12-10' as CalendarDay,
      retries: 'none',
      description: 'Um plano cujo nome é mais longo do que os bancos mostram',
    });
    const { reference, status, endedBy, reason, pixCopyPaste } = await connected().createRecurrence(
      request,
      soon(),
    );
    expect(asked()).toEqual(['GET /rec', 'POST /locrec', 'POST /rec', `GET /rec/${reference}`]);
    expect(bodyOf('POST', '/rec')).toEqual({
      vinculo: {
        contrato: request.contract,
        devedor: { cpf: '52998224725', nome: 'Fulano de Tal' },
        objeto: 'Um plano cujo nome é mais longo do ',
      },
      calendario: { dataInicial: '2026-12-10', dataFinal: '2027-12-10', periodicidade: 'MENSAL' },
      valor: { valorRec: '35.00' },
      politicaRetentativa: 'NAO_PERMITE',
      loc: (await locationOf(request)).id,
    });
    expect([status, endedBy, reason]).toEqual(['pending', null, null]);
    expect(parseBrCode(pixCopyPaste ?? '').get('80-25')).toBe((await locationOf(request)).location);
  });

  test('with a first charge names it, and has the code of both', async () => {
    const request = withFirst();
    const txid = request.firstTransactionId ?? '';
    const { pixCopyPaste } = await connected().createRecurrence(request, soon());
    expect(bodyOf('POST', '/rec')).toMatchObject({ ativacao: { dadosJornada: { txid } } });
    expect(bodyOf('PUT', `/cob/${txid}`)).toMatchObject({ valor: { original: '50.00' } });
    const code = parseBrCode(pixCopyPaste ?? '');
    expect([code.get('01'), code.get('80-25')]).toEqual(['12', (await locationOf(request)).location]);
    const charge = await connected().findCharge({ transactionId: txid, reference: null }, soon());
    expect(code.get('26-25')).toBe(parseBrCode(charge?.pixCopyPaste ?? '').get('26-25'));
  });

  test.each([
    ['weekly', 'SEMANAL'],
    ['quarterly', 'TRIMESTRAL'],
    ['semiannually', 'SEMESTRAL'],
    ['annually', 'ANUAL'],
  ] as const)('goes %s', async (frequency, periodicidade) => {
    await made(recurrenceRequest({ frequency, amountInCents: null, minimumAmountInCents: cents(5_00) }));
    expect(bodyOf('POST', '/rec')).toMatchObject({
      calendario: { periodicidade },
      valor: { valorMinimoRecebedor: '5.00' },
    });
  });

  test('of any amount has none', async () => {
    await made(recurrenceRequest({ amountInCents: null }));
    expect(bodyOf('POST', '/rec')).not.toHaveProperty('valor');
  });

  test('becomes what the payer makes of it', async () => {
    const [permitted, declined, expired, revoked, byBank] = [
      await made(),
      await made(),
      await made(recurrenceRequest({ endDate: '2027-01-10' as CalendarDay })),
      await made(),
      await made(),
    ];
    payers().approves(permitted.reference ?? '');
    payers().rejects(declined.reference ?? '');
    payers().approves(revoked.reference ?? '');
    payers().revokes(revoked.reference ?? '');
    payers().approves(byBank.reference ?? '');
    payers().revokes(byBank.reference ?? '', 'payer_bank');
    expect(await found(permitted)).toMatchObject({ status: 'active', endedBy: null, reason: null });
    expect(await found(declined)).toMatchObject({ status: 'rejected', reason: 'AP13' });
    expect(await found(revoked)).toMatchObject({ status: 'cancelled', endedBy: 'payer', reason: 'SLDB' });
    expect(await found(byBank)).toMatchObject({ status: 'cancelled', endedBy: 'payer_bank', reason: 'ACCL' });
    clock = at('2027-01-11');
    expect(await found(expired)).toMatchObject({ status: 'expired', endedBy: null });
  });

  test('may be permitted in another way than was meant', async () => {
    const ids = await made(withFirst());
    payers().approves(ids.reference ?? '', 'JORNADA_1');
    expect((await found(ids)).status).toBe('active');
  });

  test('of others is not recognised', async () => {
    const ids = await made(withFirst());
    payers().approves(ids.reference ?? '');
    for (const change of [
      { contract: 'another' },
      { payer: { document: '12ABC34501DE35' } },
      { firstTransactionId: newHexId() },
    ])
      expect((await found({ ...ids, ...change })).status).toBe('unrecognised');
    expect((await found(ids)).status).toBe('active');
  });

  test('of a status that nobody knows is not recognised', async () => {
    const ids = { ...recurrenceRequest(), contract: 'contract', reference: 'RR1234567820261201abcdefghijk' };
    const adapter = bankOf({ ...rec(undefined), status: 'SUSPENSA' });
    expect((await found(ids, adapter)).status).toBe('unrecognised');
  });

  test('that the bank does not know is certain to be absent', async () => {
    const ids = idsOf(recurrenceRequest(), { reference: 'RR1234567820261201abcdefghijk' });
    expect(await connected().findRecurrence(ids, soon())).toBeUndefined();
    expect(await connected().findRecurrence({ ...ids, reference: null }, soon())).toBeUndefined();
    expect(await failureOf(connected().cancelRecurrence(ids, soon()))).toMatchObject({ failure: 'rejected' });
  });

  test('is found without the id of the bank', async () => {
    for (const request of [recurrenceRequest(), withFirst()]) {
      const { reference } = await made(request);
      expect((await found({ ...request, reference: null })).reference).toBe(reference);
    }
  });

  test.each(['', 'emptyCancel', 'nameForStatus'])('ends when it is cancelled (%s)', async (name) => {
    if (name) emulator.switches.turn(name, true);
    const ids = await made();
    const ended = { status: 'cancelled', endedBy: 'receiver', reason: 'SLCR', pixCopyPaste: null };
    expect(await connected().cancelRecurrence(ids, soon())).toMatchObject(ended);
    expect(bodyOf('PATCH', '/rec/')).toEqual({ status: 'CANCELADA' });
    expect(await connected().cancelRecurrence(ids, soon())).toMatchObject(ended);
  });

  test('that had ended otherwise says so when it is cancelled', async () => {
    const ids = await made();
    payers().rejects(ids.reference ?? '');
    expect(await connected().cancelRecurrence(ids, soon())).toMatchObject({ status: 'rejected' });
  });

  test('that the bank does not cancel goes on', async () => {
    const ids = await made();
    payers().approves(ids.reference ?? '');
    emulator.switches.turn('noCancel', true);
    expect(await failureOf(connected().cancelRecurrence(ids, soon()))).toMatchObject({ failure: 'rejected' });
    expect((await found(ids)).status).toBe('active');
  });
});

describe('a debit', () => {
  test('is asked for as the API Pix 2.9.0 says', async () => {
    const reference = await approved();
    const request = debitRequest(reference, {
      payer: {
        ...payer,
        address: { street: 'Rua Um', number: '2', city: 'Ouro Preto', state: 'MG', postalCode: '35400000' },
      },
    });
    const charge = await connected().createCharge(request, soon());
    expect(bodyOf('PUT', `/cobr/${request.transactionId}`)).toEqual({
      idRec: reference,
      infoAdicional: 'Mensalidade de dezembro',
      calendario: { dataDeVencimento: '2026-12-10' },
      valor: { original: '35.00' },
      ajusteDiaUtil: true,
      recebedor: { agencia: '9708', conta: '012682', tipoConta: 'CORRENTE' },
      devedor: {
        email: 'gumercindo@albuquerque.example',
        logradouro: 'Rua Um, 2',
        cidade: 'Ouro Preto',
        uf: 'MG',
        cep: '35400000',
      },
    });
    expect(charge).toMatchObject({
      status: 'active',
      amountInCents: cents(35_00),
      pixCopyPaste: null,
      expiresAt: null,
      receivedPix: [],
    });
  });

  test('is tried on its day, and paid', async () => {
    const charge = await debited();
    expect((await seen(charge)).attempts).toMatchObject([{ on: firstDay, state: 'requested' }]);
    payers().schedules(charge.transactionId);
    expect((await seen(charge)).attempts).toMatchObject([{ on: firstDay, state: 'scheduled' }]);
    settled(charge.transactionId, 'paid');
    const paid = await seen(charge);
    const [pix] = paid.receivedPix;
    expect(paid).toMatchObject({
      status: 'paid',
      receivedPix: [{ amountInCents: cents(35_00), paidAt: clock }],
    });
    expect(paid.attempts).toEqual([{ on: firstDay, state: 'paid', endToEndId: pix?.endToEndId }]);
  });

  test.each(['noDebitPix', 'noDebitPix+noDates', 'nameForStatus', 'keyLeftOut+numericAmounts'])(
    'is paid whatever the bank leaves out or gets wrong (%s)',
    async (names) => {
      const charge = await debited();
      for (const each of names.split('+')) emulator.switches.turn(each, true);
      clock = at('2026-12-10', '08:00');
      settled(charge.transactionId, 'paid');
      expect(await seen(charge)).toMatchObject({
        status: 'paid',
        receivedPix: [{ amountInCents: cents(35_00), paidAt: clock }],
        attempts: [{ on: firstDay, state: 'paid' }],
      });
    },
  );

  test('that is paid without a Pix that anybody knows has none', async () => {
    const charge = await debited();
    settled(charge.transactionId, 'paid');
    emulator.switches.turn('noDebitPix', true);
    const kept = emulator.ledger.find(charge.transactionId);
    if (kept) kept.pix = [];
    expect(await seen(charge)).toMatchObject({ status: 'paid', receivedPix: [] });
  });

  test('that the payer pays too little of pays nothing', async () => {
    const charge = await debited();
    settled(charge.transactionId, 'paid');
    const [pix] = emulator.ledger.find(charge.transactionId)?.pix ?? [];
    if (pix) pix.amountInCents = cents(34_99);
    expect(await seen(charge)).toMatchObject({
      status: 'unrecognised',
      hasOtherMoney: true,
      receivedPix: [],
    });
  });

  test('of a date that is none keeps its other attempts', async () => {
    const charge = await debited();
    settled(charge.transactionId, 'no_balance');
    await connected().retryDebit(debitIdsOf(charge), addDays(firstDay, 3), soon());
    emulator.switches.turn('noDates', true);
    const { status, attempts } = await seen(charge);
    expect(status).toBe('active');
    // The first is made on the due date; of others, the bank dates the request.
    expect(attempts).toMatchObject([
      { on: firstDay, state: 'expired' },
      { on: firstDay, state: 'requested' },
    ]);
  });

  test.each([
    ['AM02', 'limit', 'active'],
    ['AC05', 'account', 'failed'],
    ['AC06', 'account', 'active'],
    ['MIDI', 'mandate_ended', 'failed'],
    ['MSUC', 'mandate_ended', 'failed'],
    ['UDEI', 'payer_data', 'active'],
    ['FBRD', 'payer_data', 'active'],
    ['DTED', 'our_fault', 'failed'],
    ['AM09', 'our_fault', 'failed'],
    ['QUNT', 'our_fault', 'active'],
    ['NIEC', 'our_fault', 'active'],
    ['IRNT', 'our_fault', 'active'],
    ['DTNT', 'our_fault', 'active'],
    ['AB10', 'operational', 'active'],
    ['DS27', 'operational', 'failed'],
    ['NIPA', 'already_paid', 'active'],
    ['DENC', 'unknown', 'failed'],
    ['NITX', 'unknown', 'failed'],
    ['RC09', 'unknown', 'failed'],
    ['ZZ99', 'unknown', 'active'],
  ])('that fails with %s failed for the reason %s and is %s', async (codigo, reason, status) => {
    const charge = await debited();
    payers().declines(charge.transactionId, { code: codigo });
    expect(await seen(charge)).toMatchObject({
      status,
      attempts: [{ state: 'rejected', reason, providerCode: codigo }],
    });
  });

  test('whose bank found too little failed for that, and can be tried on other days', async () => {
    const charge = await debited();
    payers().schedules(charge.transactionId);
    settled(charge.transactionId, 'no_balance');
    expect(await seen(charge)).toMatchObject({
      status: 'active',
      attempts: [{ on: firstDay, state: 'expired', reason: 'no_balance' }],
    });
    const retried = await connected().retryDebit(debitIdsOf(charge), addDays(firstDay, 1), soon());
    expect(asked().at(-1)).toBe(`POST /cobr/${charge.transactionId}/retentativa/2026-12-11`);
    expect(retried.attempts).toMatchObject([{ state: 'expired' }, { on: '2026-12-11', state: 'requested' }]);
    settled(charge.transactionId, 'paid');
    expect(await seen(charge)).toMatchObject({
      status: 'paid',
      attempts: [{ state: 'expired' }, { on: '2026-12-11', state: 'paid' }],
    });
  });

  test('that the bank gives up has failed', async () => {
    const charge = await debited();
    settled(charge.transactionId, 'no_balance');
    clock = at('2026-12-18');
    expect(await seen(charge)).toMatchObject({ status: 'failed', attempts: [{ reason: 'no_balance' }] });
  });

  test.each([
    ['a day that has begun', 2],
    ['the next day after 22:00', 3],
    ['a day more than a week later', 8],
  ])('is not tried again on %s', async (_, days) => {
    const charge = await debited();
    settled(charge.transactionId, 'no_balance');
    clock = at('2026-12-12', '22:00');
    const retry = connected().retryDebit(debitIdsOf(charge), addDays(firstDay, days), soon());
    expect(await failureOf(retry)).toMatchObject({ failure: 'rejected' });
    expect((await seen(charge)).attempts).toHaveLength(1);
  });

  test('that may not be tried again is not', async () => {
    const charge = await debited({ retries: 'none' });
    settled(charge.transactionId, 'no_balance');
    const retry = connected().retryDebit(debitIdsOf(charge), addDays(firstDay, 1), soon());
    expect(await failureOf(retry)).toMatchObject({ failure: 'rejected' });
  });

  test('that nobody made cannot be tried again', async () => {
    const retry = connected().retryDebit(debitIdsOf({ transactionId: newHexId() }), firstDay, soon());
    expect(await failureOf(retry)).toMatchObject({ failure: 'rejected' });
  });

  test.each(['', 'emptyCancel'])('is cancelled until 22:00 of the day before (%s)', async (name) => {
    if (name) emulator.switches.turn(name, true);
    const charge = await debited();
    clock = at('2026-12-09', '21:59');
    expect(await connected().cancelCharge(debitIdsOf(charge), soon())).toMatchObject({
      status: 'cancelled',
      attempts: [{ state: 'cancelled' }],
    });
    expect(bodyOf('PATCH', '/cobr/')).toEqual({ status: 'CANCELADA' });
    expect((await seen(charge)).status).toBe('cancelled');
  });

  test('is not cancelled after that', async () => {
    const charge = await debited();
    clock = at('2026-12-09', '22:00');
    expect(await failureOf(connected().cancelCharge(debitIdsOf(charge), soon()))).toMatchObject({
      failure: 'rejected',
    });
    expect((await seen(charge)).status).toBe('active');
  });

  test('that was paid says so when it is cancelled', async () => {
    const charge = await debited();
    settled(charge.transactionId, 'paid');
    emulator.switches.turn('noDebitPix', true);
    expect(await connected().cancelCharge(debitIdsOf(charge), soon())).toMatchObject({
      status: 'paid',
      receivedPix: [{ amountInCents: cents(35_00) }],
    });
  });

  test('ends with its recurrence', async () => {
    const charge = await debited();
    payers().revokes(String(bodyOf('PUT', '/cobr/')?.['idRec']));
    expect(await seen(charge)).toMatchObject({ status: 'cancelled', attempts: [{ state: 'cancelled' }] });
  });

  test('is apart from charges of other kinds', async () => {
    const charge = await debited();
    const adapter = connected();
    for (const kind of ['immediate', 'due'] as const)
      expect(await adapter.findCharge({ ...debitIdsOf(charge), kind }, soon())).toBeUndefined();
    const immediate = await adapter.createCharge(chargeRequest(), soon());
    expect(await adapter.findCharge(debitIdsOf(immediate), soon())).toBeUndefined();
  });

  test('is in the list of charges that a restored database is compared with', async () => {
    const charge = await debited();
    const adapter = connected();
    const window = { since: at('2026-11-30'), until: at('2026-12-02') };
    const kinds = new Map<string | null, string | undefined>();
    for (let cursor: string | null | undefined = null; cursor !== undefined;) {
      const page: ChargesPage | undefined = await adapter.listCharges?.(window, cursor, soon());
      for (const each of page?.charges ?? []) kinds.set(each.transactionId, each.kind);
      cursor = page?.nextCursor ?? undefined;
    }
    expect(kinds.get(charge.transactionId)).toBe('recurring');
  });

  test('of another recurrence is not believed', async () => {
    const reference = await approved();
    const request = debitRequest(reference);
    await connected().createCharge(request, soon());
    const other = { ...request, debit: { recurrence: await approved(), dueOn: firstDay } };
    expect(await failureOf(connected().createCharge(other, soon()))).toMatchObject({ failure: 'unknown' });
  });
});

describe('a notification', () => {
  test('of a recurrence names it, and none of its charges', async () => {
    const { reference } = await made(withFirst());
    told();
    payers().approves(reference ?? '');
    const [first, permitted] = told();
    if (!first || !permitted) throw new Error('both are told');
    expect([first.path, permitted.path]).toEqual(['/pix', '/rec']);
    expect(heard(permitted)).toEqual([{ transactionId: null, reference: null, recurrence: reference }]);
  });

  test('of a debit names it, also where its Pix comes first or a date is none', async () => {
    emulator.switches.turn('noDates', true);
    told();
    const { transactionId } = await debited();
    const named = [{ transactionId, reference: null, kind: 'recurring' }];
    settled(transactionId, 'paid');
    const debits = told().filter(({ path }) => path === '/cobr');
    expect(debits.length).toBeGreaterThan(2);
    for (const debit of debits) expect(heard(debit)).toEqual(named);
    const charge = emulator.ledger.find(transactionId);
    const [pix] = charge?.pix ?? [];
    if (!charge || !pix) throw new Error('nothing is paid');
    const { endToEndId } = pix;
    expect(heard(emulator.psp.notificationOf(charge, pix))).toEqual([
      { transactionId, reference: null, endToEndId },
    ]);
  });

  test('of the examples of the API Pix is read, and names nothing of ours but the recurrence', () => {
    const raw = (body: object) => ({
      headers: {},
      query: new URLSearchParams(),
      body: Buffer.from(JSON.stringify(body)),
      hasTrustedCertificate: true,
    });
    const cobsr = [
      {
        idRec: 'RR1234567820240115abcdefghijk',
        txid: '3136957d93134f2184b369e8f1c0729d',
        status: 'ATIVA',
        tentativas: [{ dataLiquidacao: '2024-20-08', tipo: 'AGND', status: 'SOLICITADA' }],
      },
    ];
    expect(bacen.notifications.charges(raw({ cobsr }))).toMatchObject([{ kind: 'recurring' }]);
    const recs = [{ idRec: 'RR1026652320240821lab77511abf', status: 'APROVADA' }, { idRec: null }];
    expect(bacen.notifications.charges(raw({ recs }))).toEqual([
      { transactionId: null, reference: null, recurrence: 'RR1026652320240821lab77511abf' },
    ]);
    expect(bacen.notifications.charges(raw({ recs: null, cobsr: [] }))).toEqual([]);
  });
});

describe('the webhooks', () => {
  test('of recurrences and debits are registered with that of the key', async () => {
    const receiver = await startWebhookReceiver();
    receiver.reply = { status: 200 };
    try {
      const url = `${receiver.url}/psp/bacen/token`;
      const adapter = connected();
      const before = bacen.connect(parseSettings(bacen, emulator.settings), { http: clients.open, now });
      await before.registerWebhook?.(url, soon());
      expect(await before.findWebhook?.(url, soon())).toEqual({ url, state: 'active' });
      expect(await adapter.findWebhook?.(url, soon())).toEqual({ url, state: 'incomplete' });
      await adapter.registerWebhook?.(url, soon());
      expect(await adapter.findWebhook?.(url, soon())).toEqual({ url, state: 'active' });
      const puts = asked().filter((each) => each.startsWith('PUT'));
      expect(puts.map((each) => each.split('/')[1])).toEqual([
        'webhook',
        'webhook',
        'webhookrec',
        'webhookcobr',
      ]);
    } finally {
      await receiver.stop();
    }
  });
});

describe('the sign-in', () => {
  const scopes = () =>
    inter.requests
      .filter(({ operation }) => operation === 'token')
      .map(({ text }) => new URLSearchParams(text).get('scope'));
  const usual = 'cob.read cob.write pix.read pix.write webhook.read webhook.write';

  test('requests the scopes of recurrences only once they are needed', async () => {
    const adapter = connected(inter);
    await adapter.createCharge(chargeRequest(), soon());
    expect(scopes()).toEqual([usual]);
    await adapter.createRecurrence(recurrenceRequest(), soon());
    expect(scopes()).toHaveLength(2);
    expect(scopes()[1]?.split(' ')).toEqual([
      ...usual.split(' '),
      ...['rec', 'cobr', 'payloadlocationrec', 'solicrec', 'webhookrec', 'webhookcobr'].flatMap((name) => [
        `${name}.read`,
        `${name}.write`,
      ]),
    ]);
  });
});
