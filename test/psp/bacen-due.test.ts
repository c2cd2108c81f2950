import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseBrCode } from '@pix-service/br-code';
import { type Cents, cents } from '../../src/core/base/money.ts';
import type { DueTerms } from '../../src/core/payments/rules/due/due-terms.ts';
import type { Charge, ChargeIds, ChargeRequest } from '../../src/core/providers/rules/charge.ts';
import type { ChargesPage } from '../../src/core/providers/rules/psp-lists.ts';
import { bacen } from '../../src/psp/bacen/adapter.ts';
import { createHttpClients } from '../../src/psp/http/http-clients.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { type PspEmulator, startEmulator } from '../support/psp-emulator/core.ts';
import { rawOf } from '../support/psp-emulator/notifier.ts';
import { adapterWith, chargeRead } from './bacen-setup.ts';
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

/** 12:00 in São Paulo. */
const noonOf = (day: string): Date => new Date(`${day}T15:00:00Z`);

let clock = noonOf('2026-12-01');
const now = () => clock;
const clients = createHttpClients({ allowedHosts: ['localhost', '127.0.0.1'] });
const emulator = await startEmulator(defineBacen('standard'), { now });
const inter = await startEmulator(defineBacen('inter'), { now });

beforeEach(() => {
  clock = noonOf('2026-12-01');
  emulator.switches.reset();
  inter.switches.turn('noDueDates', false);
  for (const each of [emulator, inter]) {
    each.faults.clear();
    each.requests.length = 0;
  }
});

afterAll(() => Promise.all([clients.close(), emulator.stop(), inter.stop()]));

const connected = (to = emulator, changes: Record<string, unknown> = {}) =>
  bacen.connect(parseSettings(bacen, { ...to.settings, ...changes }), { http: clients.open, now });

const requestsFor = (operation: string, at = emulator) =>
  at.requests.filter((request) => request.operation === operation);

/** Due on a Thursday, payable until Monday, 11 January. */
const terms: DueTerms = {
  date: '2026-12-10' as DueTerms['date'],
  payableDaysAfter: 30,
  fine: { basisPoints: 200 },
  interest: { businessDays: false, basisPoints: 100, per: 'month' },
  discounts: [{ until: '2026-12-04' as DueTerms['date'], amountInCents: cents(10_00) }],
  rebate: { amountInCents: cents(5_00) },
};

const dueRequest = (due: Partial<DueTerms> = {}, changes: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({ amountInCents: cents(105_00), createdAt: clock, due: { ...terms, ...due }, ...changes });

const dueIdsOf = (charge: Charge): ChargeIds => ({ ...chargeIdsOf(charge), kind: 'due' as const });

async function made(due: Partial<DueTerms> = {}, adapter = connected()): Promise<Charge> {
  return adapter.createCharge(dueRequest(due), soon());
}

async function found(charge: Charge, adapter = connected()): Promise<Charge> {
  const seen = await adapter.findCharge(dueIdsOf(charge), soon());
  if (!seen) throw new Error('the charge is gone');
  return seen;
}

/** What was sent of the amount and of the dates. */
async function sentOf(due: Partial<DueTerms>) {
  await connected().createCharge(dueRequest(due), soon());
  const [sent] = requestsFor('create');
  return sent?.json as { calendario: object; valor: Record<string, unknown> };
}

describe('the request', () => {
  test('is that of the API Pix 2.9.0', async () => {
    const request = chargeRequest({
      amountInCents: cents(123_45),
      description: 'Cobrança dos serviços prestados.',
      payer: { name: 'Francisco da Silva', document: '123.456.789-09', email: 'f@example.com', phone: null },
      due: {
        date: '2026-12-31' as DueTerms['date'],
        payableDaysAfter: 30,
        fine: { basisPoints: 15_00 },
        interest: { businessDays: false, basisPoints: 2_00, per: 'day' },
        discounts: [{ until: '2026-11-30' as DueTerms['date'], amountInCents: cents(30_00) }],
      },
    });
    await connected().createCharge(request, soon());
    const [sent] = requestsFor('create');
    expect([sent?.method, sent?.path]).toEqual(['PUT', `/api/v2/cobv/${request.transactionId}`]);
    expect(sent?.json).toEqual({
      calendario: { dataDeVencimento: '2026-12-31', validadeAposVencimento: 30 },
      devedor: { cpf: '12345678909', nome: 'Francisco da Silva' },
      valor: {
        original: '123.45',
        multa: { modalidade: 2, valorPerc: '15.00' },
        juros: { modalidade: 2, valorPerc: '2.00' },
        desconto: { modalidade: 1, descontoDataFixa: [{ data: '2026-11-30', valorPerc: '30.00' }] },
      },
      chave: emulator.settings['pixKey'],
      solicitacaoPagador: 'Cobrança dos serviços prestados.',
    });
  });

  test('of bare terms has no others', async () => {
    const request = dueRequest({}, { due: { date: terms.date, payableDaysAfter: 0 } });
    await connected().createCharge(request, soon());
    expect(requestsFor('create')[0]?.json).toMatchObject({
      calendario: { dataDeVencimento: '2026-12-10', validadeAposVencimento: 0 },
    });
    expect(requestsFor('create')[0]?.json['valor']).toEqual({ original: '105.00' });
  });

  const ofDay = { amountInCentsPerDay: cents(1_50) };
  const interests: [number, string, DueTerms['interest']][] = [
    [1, '1.50', { businessDays: false, ...ofDay }],
    [2, '0.03', { businessDays: false, basisPoints: 3, per: 'day' }],
    [3, '1.00', { businessDays: false, basisPoints: 100, per: 'month' }],
    [4, '12.50', { businessDays: false, basisPoints: 1_250, per: 'year' }],
    [5, '1.50', { businessDays: true, ...ofDay }],
    [6, '0.03', { businessDays: true, basisPoints: 3, per: 'day' }],
    [7, '1.00', { businessDays: true, basisPoints: 100, per: 'month' }],
    [8, '100.00', { businessDays: true, basisPoints: 10_000, per: 'year' }],
  ];
  test.each(interests)('has interest of the modality %i', async (modalidade, valorPerc, interest) => {
    expect((await sentOf({ interest })).valor['juros']).toEqual({ modalidade, valorPerc });
  });

  test('has a fine, a rebate and dated discounts as amounts or percents', async () => {
    const [first, second] = ['2026-12-03', '2026-12-08'] as DueTerms['date'][];
    if (!first || !second) throw new Error('there are two days');
    const { valor } = await sentOf({
      fine: { amountInCents: cents(2_00) },
      rebate: { basisPoints: 250 },
      discounts: [
        { until: first, basisPoints: 1_000 },
        { until: second, basisPoints: 500 },
      ],
    });
    expect(valor).toMatchObject({
      multa: { modalidade: 1, valorPerc: '2.00' },
      abatimento: { modalidade: 2, valorPerc: '2.50' },
      desconto: {
        modalidade: 2,
        descontoDataFixa: [
          { data: '2026-12-03', valorPerc: '10.00' },
          { data: '2026-12-08', valorPerc: '5.00' },
        ],
      },
    });
  });

  const early: [number, string, DueTerms['earlyDiscount']][] = [
    [3, '1.50', { businessDays: false, ...ofDay }],
    [4, '1.50', { businessDays: true, ...ofDay }],
    [5, '0.10', { businessDays: false, basisPointsPerDay: 10 }],
    [6, '0.10', { businessDays: true, basisPointsPerDay: 10 }],
  ];
  test.each(early)(
    'has a discount by day of the modality %i',
    async (modalidade, valorPerc, earlyDiscount) => {
      const request = dueRequest({ earlyDiscount });
      delete (request.due as DueTerms).discounts;
      await connected().createCharge(request, soon());
      const valor = requestsFor('create')[0]?.json['valor'];
      expect(valor).toMatchObject({ desconto: { modalidade, valorPerc } });
    },
  );
});

describe('a refusal', () => {
  const refused = async (adapter = connected()) => failureOf(adapter.createCharge(dueRequest(), soon()));

  test.each(['standard', 'inter'] as const)(
    'for want of the scopes (%s) is definite, says what is missing and leaves other charges alone',
    async (bank) => {
      const at = bank === 'inter' ? inter : emulator;
      at.switches.turn('noDueDates', true);
      const adapter = connected(at);
      const failure = await refused(adapter);
      expect(failure).toMatchObject({ failure: 'rejected', reason: 'request_refused' });
      expect(failure.message).toMatch('need the scopes cobv.read and cobv.write');
      expect((await adapter.createCharge(chargeRequest(), soon())).status).toBe('active');
    },
  );

  test('is the same for a bank without the path, whoever says so', async () => {
    let mayBeUnserved: boolean | undefined;
    const adapter = adapterWith((_, request) => {
      ({ mayBeUnserved } = request);
      return { status: 404, json: undefined };
    });
    const failure = await failureOf(adapter.createCharge(dueRequest(), soon()));
    expect(failure).toMatchObject({ failure: 'rejected', reason: 'request_refused' });
    expect(mayBeUnserved).toBe(true);
  });

  test.each([404, 405, 501])('is definite with the status %i', async (status) => {
    const adapter = adapterWith(() => ({ status, json: { title: 'x' } }));
    expect(await failureOf(adapter.createCharge(dueRequest(), soon()))).toMatchObject({
      failure: 'rejected',
    });
  });

  test('for want of an address is not a fault of the payer, and does not happen with one', async () => {
    emulator.switches.turn('neededAddress', true);
    expect(await refused()).toMatchObject({
      failure: 'rejected',
      message: expect.stringContaining('payer.address'),
    });
    emulator.requests.length = 0;
    const request = dueRequest({}, { payer: { ...payer, address } });
    expect(await connected().createCharge(request, soon())).toMatchObject({ status: 'active' });
    expect(requestsFor('create')[0]?.json['devedor']).toEqual({
      cpf: '52998224725',
      nome: payer.name,
      logradouro: 'Avenida Paulista, 1578, Conjunto 2, Bela Vista',
      cidade: 'São Paulo',
      uf: 'SP',
      cep: '01310200',
    });
  });

  test('is not risked by an address where no due date is, which the API Pix has no members for', async () => {
    await connected().createCharge(chargeRequest({ payer: { ...payer, address } }), soon());
    expect(requestsFor('create')[0]?.json['devedor']).toEqual({ cpf: '52998224725', nome: payer.name });
  });

  test('of today as the due date, at a bank whose day is over, is definite', async () => {
    clock = new Date('2026-12-11T02:30:00Z');
    emulator.switches.turn('dueDatesInUtc', true);
    expect(await refused()).toMatchObject({ failure: 'rejected' });
  });

  test('is no answer to a charge that may have been made before', async () => {
    emulator.faults.add({ kind: 'soap_fault', operation: 'create' });
    emulator.faults.add({ kind: 'reject', operation: 'create' });
    expect(await refused()).toMatchObject({ failure: 'unknown' });
  });
});

describe('the sign-in', () => {
  const scopesAt = (at: PspEmulator) =>
    requestsFor('token', at).map(({ text }) => new URLSearchParams(text).get('scope'));
  const usual = 'cob.read cob.write pix.read pix.write webhook.read webhook.write';

  test('requests the scopes of due dates only once they are needed, and keeps both tokens', async () => {
    const adapter = connected(inter);
    const immediate = await adapter.createCharge(chargeRequest(), soon());
    expect(scopesAt(inter)).toEqual([usual]);
    const due = await made({}, adapter);
    await found(due, adapter);
    await adapter.findCharge(chargeIdsOf(immediate), soon());
    expect(scopesAt(inter)).toEqual([usual, `${usual} cobv.read cobv.write`]);
  });

  test('requests none where none are requested', async () => {
    const adapter = connected();
    await adapter.createCharge(chargeRequest(), soon());
    await made({}, adapter);
    expect(scopesAt(emulator)).toEqual([null]);
  });

  test('is made once where the setting has the scopes', async () => {
    const adapter = connected(inter, { scope: `${usual} cobv.write cobv.read` });
    await adapter.createCharge(chargeRequest(), soon());
    await made({}, adapter);
    expect(scopesAt(inter)).toEqual([`${usual} cobv.write cobv.read`]);
  });

  test('that is refused whatever its scopes says so', async () => {
    const adapter = connected(inter, { clientSecret: 'another' });
    expect(await failureOf(made({}, adapter))).toMatchObject({ failure: 'rejected', reason: 'wrong_key' });
  });

  test('is repeated for the token that is refused', async () => {
    const adapter = connected(inter);
    const due = await made({}, adapter);
    clock = new Date(clock.getTime() + 3_700_000);
    await found(due, adapter);
    expect(scopesAt(inter)).toHaveLength(2);
  });
});

describe('a charge with a due date', () => {
  test('is made once, however often its request is sent', async () => {
    const request = dueRequest();
    const one = await connected().createCharge(request, soon());
    const again = await connected().createCharge(request, soon());
    expect(again).toEqual(one);
    expect(one).toMatchObject({
      status: 'active',
      transactionId: request.transactionId,
      amountInCents: cents(105_00),
      // The end of the business day after the last one, 11 January.
      expiresAt: new Date('2027-01-13T02:59:59.999Z'),
      receivedPix: [],
    });
  });

  test.each(['reset', 'truncate', 'error'] as const)('whose answer is lost (%s) is found', async (kind) => {
    emulator.faults.add({ kind, operation: 'create', isDone: true });
    const request = dueRequest();
    const adapter = connected();
    const outcome = await adapter.createCharge(request, soon()).catch((error: unknown) => error);
    const seen = await adapter.findCharge(
      { transactionId: request.transactionId, reference: null, kind: 'due' as const },
      soon(),
    );
    expect(seen).toMatchObject({ status: 'active', amountInCents: cents(105_00) });
    if (outcome instanceof Error) expect(outcome).toMatchObject({ failure: 'unknown' });
  });

  test('fails at the bank and is asked for again', async () => {
    emulator.faults.add({ kind: 'soap_fault', operation: 'create' });
    expect(await made()).toMatchObject({ status: 'active' });
    expect(emulator.requests.map(({ method, operation }) => `${method} ${operation}`)).toEqual([
      'POST token',
      'PUT create',
      'GET find',
      'PUT create',
    ]);
  });

  test.each(['pixCopiaECola', 'onlyLoc', ''])('has a code without an amount (%s)', async (name) => {
    if (name) emulator.switches.turn(name, true);
    const charge = await made();
    const code = parseBrCode(charge.pixCopyPaste ?? '');
    expect(code.get('26-25')).toMatch(/\/cobv\//);
    expect([undefined, '0.00', '105.00']).toContain(code.get('54'));
    if (name !== 'pixCopiaECola') expect(code.get('54')).toBeUndefined();
  });

  test('is apart from those without', async () => {
    const adapter = connected();
    const [due, immediate] = [
      await made({}, adapter),
      await adapter.createCharge(chargeRequest({ amountInCents: cents(105_00) }), soon()),
    ];
    expect(await adapter.findCharge(chargeIdsOf(due), soon())).toBeUndefined();
    expect(await adapter.findCharge(dueIdsOf(immediate), soon())).toBeUndefined();
    await emulator.pay(due.transactionId, { day: '2026-12-20' });
    await emulator.pay(immediate.transactionId);
    expect((await found(due, adapter)).receivedPix[0]?.amountInCents).toBe(cents(102_33));
    expect(await adapter.findCharge(chargeIdsOf(immediate), soon())).toMatchObject({
      status: 'paid',
      receivedPix: [{ amountInCents: cents(105_00) }],
    });
  });

  test('stays active after its due date and after its last day', async () => {
    const charge = await made();
    for (const day of ['2026-12-20', '2027-03-01']) {
      clock = noonOf(day);
      expect((await found(charge)).status).toBe('active');
    }
  });
});

describe('a Pix', () => {
  const paidOn = async (day: string, options: { amountInCents?: Cents; anyway?: boolean } = {}) => {
    const charge = await made();
    clock = noonOf(day);
    await emulator.pay(charge.transactionId, options);
    return found(charge);
  };
  const none = cents(0);

  test.each([
    ['2026-12-02', 90_00, { discountInCents: cents(10_00) }],
    ['2026-12-10', 100_00, {}],
    ['2026-12-20', 102_33, { fineInCents: cents(2_00), interestInCents: cents(33) }],
  ])('of %s has the amount of that day and its parts', async (day, amount, parts) => {
    const { status, receivedPix } = await paidOn(day);
    expect(status).toBe('paid');
    expect(receivedPix).toMatchObject([
      {
        amountInCents: cents(BigInt(amount)),
        parts: {
          originalInCents: cents(105_00),
          rebateInCents: cents(5_00),
          discountInCents: none,
          fineInCents: none,
          interestInCents: none,
          ...parts,
        },
      },
    ]);
  });

  test('need not say what it consists of', async () => {
    emulator.switches.turn('noComponents', true);
    const [pix] = (await paidOn('2026-12-20')).receivedPix;
    expect(pix).toMatchObject({ amountInCents: cents(102_33) });
    expect(pix).not.toHaveProperty('parts');
  });

  test.each([100_03, 1, 999_99])('of %i centavos is reported, whatever the terms say', async (amount) => {
    const charge = await paidOn('2026-12-10', { amountInCents: cents(BigInt(amount)) });
    expect(charge).toMatchObject({ status: 'paid', receivedPix: [{ amountInCents: cents(BigInt(amount)) }] });
  });

  test('of a bank that cuts the interest of a day is reported as the bank says', async () => {
    emulator.switches.turn('cutFactor', true);
    const charge = await made();
    const owed = emulator.owedOn(charge.transactionId, '2027-01-11');
    clock = noonOf('2027-01-11');
    await emulator.pay(charge.transactionId);
    expect((await found(charge)).receivedPix).toMatchObject([{ amountInCents: owed }]);
  });

  test('that is the second is reported too', async () => {
    const charge = await made();
    await emulator.pay(charge.transactionId, { day: '2026-12-02' });
    await emulator.pay(charge.transactionId, { day: '2026-12-20', anyway: true });
    const { receivedPix } = await found(charge);
    expect(receivedPix).toHaveLength(2);
  });

  test('is notified, listed and in the statement under the id of its charge', async () => {
    const charge = await made();
    clock = noonOf('2026-12-20');
    emulator.notifier.sent.length = 0;
    await emulator.pay(charge.transactionId);
    const [raw] = emulator.notifier.sent.map(rawOf);
    if (!raw) throw new Error('nobody was notified');
    expect(bacen.notifications.charges(raw)).toMatchObject([{ transactionId: charge.transactionId }]);
    const adapter = connected();
    const window = { since: noonOf('2026-12-19'), until: noonOf('2026-12-21'), bookmark: null };
    const { charges } = (await adapter.listReceived?.(window, null, soon())) ?? { charges: [] };
    expect(charges.map(({ transactionId }) => transactionId)).toContain(charge.transactionId);
    const { pix } = (await adapter.listStatement?.(window, null, soon())) ?? { pix: [] };
    expect(pix.find((each) => each.charge.transactionId === charge.transactionId)).toMatchObject({
      amountInCents: cents(102_33),
    });
  });

  test('is refunded whole, with what was paid late', async () => {
    const paid = await paidOn('2026-12-20');
    const adapter = connected();
    const request = { ...refundRequest(paid, { amountInCents: cents(102_33) }), kind: 'due' as const };
    expect(await adapter.refundCharge(request, soon())).toMatchObject({ reference: request.refundId });
    expect((await adapter.findRefund(request, soon()))?.reference).toBe(request.refundId);
    for (const refund of emulator.ledger.find(paid.transactionId)?.refunds ?? []) refund.status = 'completed';
    expect((await found(paid)).receivedPix).toMatchObject([{ returnedInCents: cents(102_33) }]);
    const more = refundRequest(paid, { amountInCents: cents(1) });
    expect(await failureOf(adapter.refundCharge(more, soon()))).toMatchObject({ failure: 'rejected' });
  });
});

describe('the list of charges', () => {
  const window = { since: noonOf('2026-11-30'), until: noonOf('2026-12-02') };
  async function listed(adapter = connected()) {
    const all = [];
    let cursor: string | null = null;
    do {
      const page: ChargesPage | undefined = await adapter.listCharges?.(window, cursor, soon());
      all.push(...(page?.charges ?? []));
      cursor = page?.nextCursor ?? null;
    } while (cursor !== null);
    return all;
  }

  test('tells those with a due date from the others', async () => {
    const due = await made();
    const immediate = await connected().createCharge(chargeRequest(), soon());
    const all = await listed();
    const kindOf = ({ transactionId }: Charge) =>
      all.find((each) => each.transactionId === transactionId)?.kind;
    expect([kindOf(due), kindOf(immediate)]).toEqual(['due', undefined]);
  });

  test.each(['standard', 'inter'] as const)('has the others of a bank that has none (%s)', async (bank) => {
    const at = bank === 'inter' ? inter : emulator;
    at.switches.turn('noDueDates', true);
    const { transactionId } = await connected(at).createCharge(chargeRequest(), soon());
    const all = await listed(connected(at));
    expect(all.map((each) => each.transactionId)).toContain(transactionId);
    expect(all.some(({ kind }) => kind === 'due')).toBe(false);
  });

  test('fails with its part that cannot be read', async () => {
    const broken = (asked: string) =>
      asked.includes('/cobv')
        ? { status: 400, json: { title: 'x' } }
        : { json: { parametros: { paginacao: { quantidadeDePaginas: 1 } }, cobs: [] } };
    expect(await failureOf(listed(adapterWith(broken)))).toMatchObject({ failure: 'rejected' });
  });
});

describe('what the bank tells of a Pix', () => {
  const txid = newHexId();
  const paidCobv = (components: unknown) =>
    JSON.stringify({
      calendario: { criacao: '2026-12-01T12:00:00Z', dataDeVencimento: '2026-12-10' },
      txid,
      status: 'CONCLUIDA',
      valor: { original: '100.00' },
      pix: [
        {
          endToEndId: 'E12345678202612201200kkkkkkkkkkk',
          txid,
          valor: '102.33',
          horario: '2026-12-20T12:00:00Z',
          componentesValor: components,
        },
      ],
    });
  const read = (text: string) =>
    adapterWith(() => ({ json: JSON.parse(text) })).findCharge(
      { transactionId: txid, reference: null, kind: 'due' as const },
      soon(),
    );

  test('may be null, odd, or written as numbers', async () => {
    for (const odd of [null, 'x', { original: 'x' }, { juros: { valor: -1 } }]) {
      const charge = await read(paidCobv(odd));
      expect(charge).toMatchObject({ status: 'paid', receivedPix: [{ amountInCents: cents(102_33) }] });
      expect(charge?.receivedPix[0]?.parts).toBeUndefined();
    }
    const charge = await read(
      paidCobv({
        original: { valor: 100 },
        multa: { valor: '2.0' },
        juros: { valor: '0.33' },
        desconto: null,
      }),
    );
    expect(charge?.receivedPix[0]?.parts).toEqual({
      originalInCents: cents(100_00),
      rebateInCents: cents(0),
      discountInCents: cents(0),
      fineInCents: cents(2_00),
      interestInCents: cents(33),
    });
  });

  test('is not believed of a charge without a due date', async () => {
    const charge = await chargeRead(paidCobv({ original: { valor: '102.33' } }), txid);
    expect(charge).toMatchObject({ status: 'unrecognised', hasOtherMoney: true });
  });

  test.each(['2026-02-30', '9999-12-31', '', 7, '2026-12-10T00:00:00Z'])(
    'is read whatever its due date is (%p)',
    async (date) => {
      const text = paidCobv(null).replace('"2026-12-10"', JSON.stringify(date));
      expect(await read(text)).toMatchObject({ status: 'paid', expiresAt: null });
    },
  );
});

describe('a cancel', () => {
  test('removes the charge for good', async () => {
    const charge = await made();
    const adapter = connected();
    expect((await adapter.cancelCharge(dueIdsOf(charge), soon())).status).toBe('cancelled');
    const [sent] = requestsFor('cancel');
    expect(sent).toMatchObject({ method: 'PATCH', json: { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' } });
    expect(sent?.path).toBe(`/api/v2/cobv/${charge.transactionId}`);
    expect((await adapter.cancelCharge(dueIdsOf(charge), soon())).status).toBe('cancelled');
    expect((await found(charge)).status).toBe('cancelled');
  });

  test('finds that it was paid', async () => {
    const charge = await made();
    clock = noonOf('2026-12-20');
    await emulator.pay(charge.transactionId);
    expect(await connected().cancelCharge(dueIdsOf(charge), soon())).toMatchObject({
      status: 'paid',
      receivedPix: [{ amountInCents: cents(102_33) }],
    });
  });

  test('that the bank does not serve leaves the charge to its end', async () => {
    const charge = await made();
    emulator.switches.turn('noCancel', true);
    expect(await failureOf(connected().cancelCharge(dueIdsOf(charge), soon()))).toMatchObject({
      failure: 'rejected',
    });
    clock = noonOf('2027-01-13');
    expect((await connected().cancelCharge(dueIdsOf(charge), soon())).status).toBe('expired');
  });
});
