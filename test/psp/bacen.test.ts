import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseBrCode } from '@pix-service/br-code';
import { cents } from '../../src/core/base/money.ts';
import type { Payer } from '../../src/core/providers/rules/charge.ts';
import type { PspAdapter, RawNotification } from '../../src/core/providers/rules/psp.ts';
import { bacen } from '../../src/psp/bacen/adapter.ts';
import { createHttpClients } from '../../src/psp/http/http-clients.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { createAuthority } from '../support/certificates.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { type PspEmulator, startEmulator } from '../support/psp-emulator/core.ts';
import {
  byOurIdOnly,
  chargeRequest,
  failureOf,
  newHexId,
  payer,
  payerData,
  refundRequest,
  soon,
} from './contract-setup.ts';

const clients = createHttpClients({ allowedHosts: ['localhost', '127.0.0.1'] });
let emulator: PspEmulator;
let efi: PspEmulator;
let clockMs: number;

const now = () => new Date(clockMs);

beforeAll(async () => {
  clockMs = Date.now();
  emulator = await startEmulator(defineBacen('standard'), { now });
  efi = await startEmulator(defineBacen('efi'), { now });
});

beforeEach(() => {
  clockMs = Date.now();
  for (const each of [emulator, efi]) {
    each.faults.clear();
    each.requests.length = 0;
  }
});

afterAll(async () => {
  await Promise.all([emulator.stop(), efi.stop(), clients.close()]);
});

const logged: unknown[] = [];
const log = (...line: unknown[]) => void logged.push(line);
const logger = { debug: log, info: log, warn: log, error: log, fatal: log } as never;

/** Connects as a process does that has just started: it has no token. */
const connected = (to = emulator, changes: Record<string, unknown> = {}) =>
  bacen.connect(parseSettings(bacen, { ...to.settings, ...changes }), { http: clients.open, now, logger });

const signIn = async (adapter: PspAdapter): Promise<void> => adapter.signIn?.(soon());

const requestsFor = (operation: string, at = emulator) =>
  at.requests.filter((request) => request.operation === operation);

test('a wrong base URL is named, and is no missing charge', async () => {
  const { baseUrl } = emulator.settings as { baseUrl: string };
  const adapter = connected(emulator, { baseUrl: `${baseUrl}/pix` });
  expect(await failureOf(adapter.findCharge(byOurIdOnly(newHexId()), soon()))).toMatchObject({
    failure: 'unknown',
    reason: 'wrong_base_url',
  });
});

describe('a bank that fails at the creation of a charge', () => {
  const attempted = () => emulator.requests.map(({ operation, method }) => `${method} ${operation}`);
  const afresh = ['POST token', 'PUT create', 'GET find', 'PUT create'];

  test('and does not know it is asked again, once, under the same txid', async () => {
    emulator.faults.add({ kind: 'soap_fault', operation: 'create' });
    const request = chargeRequest();
    const made = await connected().createCharge(request, soon());
    expect(made).toMatchObject({ status: 'active', transactionId: request.transactionId });
    expect(attempted()).toEqual(afresh);
    expect(new Set(requestsFor('create').map(({ path }) => path)).size).toBe(1);
  });

  test('and goes on failing leaves the outcome unknown', async () => {
    emulator.faults.add({ kind: 'soap_fault', operation: 'create', times: 9 });
    expect(await failureOf(connected().createCharge(chargeRequest(), soon()))).toMatchObject({
      failure: 'unknown',
      reason: 'provider_failing',
    });
    expect(attempted()).toEqual(afresh);
  });

  test('and refuses it then leaves the outcome unknown, as the first request may still be carried out', async () => {
    emulator.faults.add({ kind: 'soap_fault', operation: 'create' });
    emulator.faults.add({ kind: 'reject', operation: 'create' });
    const failure = await failureOf(connected().createCharge(chargeRequest(), soon()));
    expect(failure).toMatchObject({ failure: 'unknown' });
    expect(attempted()).toEqual([...afresh, 'GET find']);
  });

  test('and made it nevertheless is not asked again', async () => {
    emulator.faults.add({ kind: 'soap_fault', operation: 'create', isDone: true });
    expect((await connected().createCharge(chargeRequest(), soon())).status).toBe('active');
    expect(attempted()).toEqual(['POST token', 'PUT create', 'GET find']);
  });

  test('and at the look-up too is not asked again', async () => {
    emulator.faults.add({ kind: 'soap_fault', times: 2, operation: 'create' });
    emulator.faults.add({ kind: 'soap_fault', operation: 'find' });
    expect(await failureOf(connected().createCharge(chargeRequest(), soon()))).toMatchObject({
      failure: 'unknown',
    });
    expect(requestsFor('create')).toHaveLength(1);
  });
});

describe('the sign-in', () => {
  test('is made once for many requests at once', async () => {
    const adapter = connected();
    await Promise.all(Array.from({ length: 8 }, () => adapter.createCharge(chargeRequest(), soon())));
    expect(requestsFor('token')).toHaveLength(1);
    expect(requestsFor('create')).toHaveLength(8);
  });

  test('is a form by the standard and JSON at Efí', async () => {
    await signIn(connected());
    await signIn(connected(efi));
    expect(requestsFor('token')[0]?.text).toBe('grant_type=client_credentials');
    expect(requestsFor('token', efi)[0]?.json).toEqual({ grant_type: 'client_credentials' });
  });

  test('is renewed before the token ends, not sooner', async () => {
    const adapter = connected();
    await adapter.createCharge(chargeRequest(), soon());
    clockMs += 3_500_000;
    await adapter.createCharge(chargeRequest(), soon());
    expect(requestsFor('token')).toHaveLength(1);
    clockMs += 60_000;
    await adapter.createCharge(chargeRequest(), soon());
    expect(requestsFor('token')).toHaveLength(2);
    expect(requestsFor('create')).toHaveLength(3);
  });

  test('is repeated once when the token is refused', async () => {
    const adapter = connected();
    await signIn(adapter);
    // The PSP forgets its tokens sooner than it said.
    clockMs += 3_700_000;
    const early = bacen.connect(parseSettings(bacen, emulator.settings), {
      http: clients.open,
      now: () => new Date(0),
      logger,
    });
    await signIn(early);
    clockMs += 3_700_000;
    emulator.requests.length = 0;
    expect((await early.createCharge(chargeRequest(), soon())).amountInCents).toBe(cents(110_10));
    expect(emulator.requests.map(({ operation }) => operation)).toEqual(['create', 'token', 'create']);
  });

  test.each(['reset', 'error', 'truncate', 'reject_credential'] as const)(
    'that fails (%s) is followed by no request',
    async (kind) => {
      emulator.faults.add({ kind, operation: 'token' });
      const failure = await failureOf(connected().createCharge(chargeRequest(), soon()));
      expect(failure.failure).toBe(kind === 'reject_credential' ? 'rejected' : 'not_sent');
      expect(failure.message).toMatch(/sign-in/);
      expect(requestsFor('create')).toHaveLength(0);
    },
  );

  test('given up by one caller goes on for the others', async () => {
    const adapter = connected();
    emulator.faults.add({ kind: 'slow', operation: 'token', milliseconds: 150 });
    const impatient = failureOf(adapter.createCharge(chargeRequest(), AbortSignal.timeout(30)));
    const patient = adapter.createCharge(chargeRequest(), soon());
    expect(await impatient).toMatchObject({ failure: 'not_sent' });
    expect((await patient).status).toBe('active');
    expect(requestsFor('token')).toHaveLength(1);
  });

  test.each(['clientId', 'clientSecret'])(
    'with a wrong %s is refused in words for the operator',
    async (member) => {
      const failure = await failureOf(signIn(connected(emulator, { [member]: 'wrong-0815' })));
      expect(failure).toMatchObject({ failure: 'rejected', reason: 'wrong_key' });
      expect(failure.message).toMatch(/sign-in/);
      expect(failure.message).not.toContain('0815');
    },
  );

  test('with the certificate of another authority does not come about', async () => {
    const { certificate, privateKey } = createAuthority('Another').issue('receiver');
    const failure = await failureOf(signIn(connected(emulator, { certificate, privateKey })));
    expect(failure).toMatchObject({ failure: 'not_sent', reason: 'certificate_rejected' });
    expect(failure.message).toMatch(/certificate/);
    expect(requestsFor('token')).toHaveLength(0);
  });
});

describe('the charge that is asked for', () => {
  const sent = async (changes: Parameters<typeof chargeRequest>[0]) => {
    await connected().createCharge(chargeRequest({ createdAt: now(), ...changes }), soon());
    return requestsFor('create')[0]?.json ?? {};
  };

  test('is written as the standard says', async () => {
    const expiresAt = new Date(clockMs + 1_800_000);
    expect(await sent({ amountInCents: cents(1_005), expiresAt })).toEqual({
      calendario: { expiracao: 1_800 },
      devedor: { cpf: '52998224725', nome: payer.name },
      valor: { original: '10.05' },
      chave: emulator.settings['pixKey'],
      solicitacaoPagador: 'Pedido 42',
    });
  });

  test.each<[string, Partial<Payer>, object | undefined]>([
    ['no document', { document: null }, undefined],
    ['no name', { name: null }, undefined],
    ['a blank name', { name: '  ' }, undefined],
    ['a document that is none', { document: '123' }, undefined],
    ['a CNPJ', { document: '11.222.333/0001-81' }, { cnpj: '11222333000181', nome: payer.name }],
    ['a CNPJ with letters', { document: '12.ABC.345/01DE-35' }, { cnpj: '12ABC34501DE35', nome: payer.name }],
  ])('with %s names the payer only as the standard knows one', async (_, changes, devedor) => {
    expect((await sent({ payer: { ...payer, ...changes } }))['devedor']).toEqual(devedor);
  });

  test('has at most 140 characters of description, none of them cut in two', async () => {
    const text = (await sent({ description: '🥖'.repeat(200) }))['solicitacaoPagador'];
    expect(text).toBe('🥖'.repeat(140));
  });

  test('has no description when there is none', async () => {
    expect(await sent({ description: null })).not.toHaveProperty('solicitacaoPagador');
  });

  test('asks for whole seconds', async () => {
    const expiresAt = new Date(clockMs + 123_400);
    expect((await sent({ expiresAt }))['calendario']).toEqual({ expiracao: 124 });
  });
});

describe('the code', () => {
  test('is built from the location when the PSP gives none', async () => {
    const { pixCopyPaste } = await connected().createCharge(chargeRequest(), soon());
    const code = parseBrCode(pixCopyPaste ?? '');
    expect(code.get('26-25')).toMatch(/^pix\.bank\.example\//);
    expect([code.get('54'), code.get('59'), code.get('60')]).toEqual([
      '110.10',
      'Padaria Sao Jose',
      'Sao Paulo',
    ]);
  });

  test('is the PSP’s own when it gives one', async () => {
    const { pixCopyPaste } = await connected(efi).createCharge(chargeRequest(), soon());
    expect(parseBrCode(pixCopyPaste ?? '').get('59')).toBe('Loja');
  });
});

describe('a charge that is not as we asked for it', () => {
  const paid = async () => {
    const adapter = connected();
    const { transactionId } = await adapter.createCharge(chargeRequest(), soon());
    const charge = emulator.ledger.find(transactionId);
    if (!charge) throw new Error('the emulator has no charge');
    await emulator.pay(transactionId);
    const find = () => adapter.findCharge(byOurIdOnly(transactionId), soon());
    expect((await find())?.status).toBe('paid');
    return { charge, find };
  };

  test('because its key is another’s is unrecognised, without a Pix, and logged', async () => {
    const { charge, find } = await paid();
    charge.details['chave'] = 'somebody@else.example';
    logged.length = 0;
    expect(await find()).toMatchObject({ status: 'unrecognised', receivedPix: [] });
    expect(JSON.stringify(logged)).toContain('chave');
    expect(JSON.stringify(logged)).not.toContain('somebody');
  });

  test('is unrecognised before it is paid, too', async () => {
    const adapter = connected();
    const made = await adapter.createCharge(chargeRequest(), soon());
    const stored = emulator.ledger.find(made.transactionId);
    if (stored) stored.details['chave'] = 'somebody@else.example';
    expect((await adapter.findCharge(made, soon()))?.status).toBe('unrecognised');
  });

  test('because another amount was paid is unrecognised, without a Pix', async () => {
    const { charge, find } = await paid();
    charge.pix = [];
    emulator.ledger.pay(charge, cents(1));
    expect(await find()).toMatchObject({ status: 'unrecognised', receivedPix: [] });
  });

  test('is paid by its Pix, whatever else is listed beside it', async () => {
    const { charge, find } = await paid();
    const [pix] = charge.pix;
    emulator.ledger.pay(charge, cents(1));
    const found = await find();
    expect(found).toMatchObject({ status: 'paid', amountInCents: charge.amountInCents });
    expect(found?.receivedPix).toContainEqual(expect.objectContaining({ endToEndId: pix?.endToEndId }));
  });

  test('because of its amount tells it, so that it can be compared', async () => {
    const { charge, find } = await paid();
    charge.amountInCents = cents(1);
    for (const pix of charge.pix) pix.amountInCents = cents(1);
    expect(await find()).toMatchObject({ amountInCents: cents(1) });
  });

  test('because of its state is unrecognised', async () => {
    const { charge, find } = await paid();
    charge.details['status'] = 'EM_ANALISE';
    expect(await find()).toMatchObject({ status: 'unrecognised' });
  });

  test('shows both Pix when it was paid twice', async () => {
    const { charge, find } = await paid();
    emulator.ledger.pay(charge);
    expect((await find())?.receivedPix).toHaveLength(2);
  });
});

describe('the state of a charge', () => {
  const lasting = async (minutes: number) => {
    const adapter = connected();
    const request = chargeRequest({ createdAt: now(), expiresAt: new Date(clockMs + minutes * 60_000) });
    const charge = await adapter.createCharge(request, soon());
    expect(charge.expiresAt).toEqual(request.expiresAt);
    return { adapter, charge };
  };

  test('is active for as long as the PSP says so, whatever our clock says', async () => {
    const { adapter, charge } = await lasting(5);
    clockMs += 20 * 60_000;
    expect((await adapter.findCharge(charge, soon()))?.status).toBe('active');
  });

  test('is cancelled after its time is over, too', async () => {
    const { adapter, charge } = await lasting(5);
    clockMs += 5 * 60_000;
    expect((await adapter.cancelCharge(charge, soon())).status).toBe('cancelled');
    expect(emulator.ledger.find(charge.transactionId)?.isCancelled).toBe(true);
  });

  test('is expired a minute after its time where the PSP refuses to remove what is over', async () => {
    const { adapter, charge } = await lasting(5);
    emulator.faults.add({ kind: 'reject', operation: 'cancel', times: 2 });
    clockMs += 6 * 60_000 - 1;
    expect(await failureOf(adapter.cancelCharge(charge, soon()))).toMatchObject({ failure: 'rejected' });
    clockMs += 1;
    expect((await adapter.cancelCharge(charge, soon())).status).toBe('expired');
  });

  test.each(['noCancel', 'noCancelPage'])(
    'is expired in its time where the bank cancels nothing: %s',
    async (name) => {
      emulator.switches.turn(name, true);
      const { adapter, charge } = await lasting(5);
      expect(await failureOf(adapter.cancelCharge(charge, soon()))).toMatchObject({ failure: 'rejected' });
      clockMs += 6 * 60_000;
      expect((await adapter.cancelCharge(charge, soon())).status).toBe('expired');
      await emulator.pay(charge.transactionId);
      expect((await adapter.cancelCharge(charge, soon())).status).toBe('paid');
      emulator.switches.turn(name, false);
    },
  );

  test('is cancelled when the PSP removed it', async () => {
    const adapter = connected();
    const charge = await adapter.createCharge(chargeRequest(), soon());
    const stored = emulator.ledger.find(charge.transactionId);
    if (stored) stored.details['status'] = 'REMOVIDA_PELO_PSP';
    expect((await adapter.findCharge(charge, soon()))?.status).toBe('cancelled');
  });

  test.each([
    ['the standard', () => emulator],
    ['Efí', () => efi],
  ])('decides what a txid that is in use answers, by %s', async (_, at) => {
    const adapter = connected(at());
    const request = chargeRequest();
    await adapter.createCharge(request, soon());
    expect((await adapter.createCharge(request, soon())).status).toBe('active');
    const other = { ...request, amountInCents: cents(1) };
    if (at() === efi) {
      expect(await failureOf(adapter.createCharge(other, soon()))).toMatchObject({ failure: 'unknown' });
    }
    await at().pay(request.transactionId);
    expect((await adapter.createCharge(request, soon())).status).toBe('paid');
    const cancelled = chargeRequest();
    await adapter.cancelCharge(await adapter.createCharge(cancelled, soon()), soon());
    expect(await failureOf(adapter.createCharge(cancelled, soon()))).toMatchObject({ failure: 'rejected' });
    expect(at().ledger.charges.filter((each) => each.transactionId === request.transactionId)).toHaveLength(
      1,
    );
  });

  test('that cannot be asked after a conflict is unknown', async () => {
    const adapter = connected(efi);
    const request = chargeRequest();
    await adapter.createCharge(request, soon());
    efi.faults.add({ kind: 'busy', operation: 'find' });
    expect(await failureOf(adapter.createCharge(request, soon()))).toMatchObject({ failure: 'unknown' });
  });

  test('ends by nothing but the one member that the standard allows', async () => {
    const adapter = connected();
    await adapter.cancelCharge(await adapter.createCharge(chargeRequest(), soon()), soon());
    expect(requestsFor('cancel')[0]?.json).toEqual({ status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
  });
});

describe('a refund', () => {
  const paidAt = async (at: PspEmulator) => {
    const adapter = connected(at);
    const made = await adapter.createCharge(chargeRequest(), soon());
    await at.pay(made.transactionId);
    const charge = await adapter.findCharge(made, soon());
    if (!charge) throw new Error('no charge');
    return { adapter, charge };
  };

  test('is asked for with an amount in words of the standard', async () => {
    const { adapter, charge } = await paidAt(emulator);
    await adapter.refundCharge(refundRequest(charge, { amountInCents: cents(5) }), soon());
    expect(requestsFor('refund')[0]?.json).toEqual({ valor: '0.05' });
  });

  test.each([
    ['completed', 'completed'],
    ['failed', 'failed'],
  ] as const)('that is %s says so', async (stored, status) => {
    const { adapter, charge } = await paidAt(emulator);
    const request = refundRequest(charge);
    expect((await adapter.refundCharge(request, soon())).status).toBe('pending');
    const [refund] = emulator.ledger.find(charge.transactionId)?.refunds ?? [];
    if (refund) refund.status = stored;
    expect((await adapter.findRefund(request, soon()))?.status).toBe(status);
  });

  test.each([
    ['the standard', () => emulator],
    ['Efí', () => efi],
  ])('whose id was used for another amount is unknown: money may have left, at %s', async (_, at) => {
    const { adapter, charge } = await paidAt(at());
    const request = refundRequest(charge, { amountInCents: cents(100) });
    await adapter.refundCharge(request, soon());
    const other = { ...request, amountInCents: cents(200) };
    expect(await failureOf(adapter.refundCharge(other, soon()))).toMatchObject({ failure: 'unknown' });
  });
});

describe('a refusal', () => {
  test('of a document by its check digits names our field, at Efí too', async () => {
    const request = chargeRequest({ payer: { ...payer, document: '52998224726' } });
    const failure = await failureOf(connected(efi).createCharge(request, soon()));
    expect(failure).toMatchObject({
      failure: 'rejected_payer',
      message: 'the provider rejected payer.document',
    });
  });

  test('carries the code of the PSP and nothing of the payer', async () => {
    const failure = await failureOf(
      connected(emulator, { pixKey: 'another@key.example' }).createCharge(chargeRequest(), soon()),
    );
    expect(failure).toMatchObject({
      failure: 'rejected',
      message: 'the provider refused the request (HTTP 400, CobOperacaoInvalida)',
    });
    for (const text of payerData) expect(failure.message).not.toContain(text);
  });
});

describe('a notification', () => {
  const settings = (changes: object = {}) => parseSettings(bacen, { ...emulator.settings, ...changes });
  const tools = { http: clients.open, now };
  const notified = (body: unknown, hasTrustedCertificate = true): RawNotification => ({
    headers: {},
    query: new URLSearchParams(),
    body: Buffer.from(JSON.stringify(body)),
    hasTrustedCertificate,
  });
  const pix = (txid?: string) => ({
    endToEndId: 'E12345678202009091221kkkkkkkkkkk',
    valor: '110.00',
    horario: '2020-09-09T20:15:00.358Z',
    ...(txid && { txid }),
  });

  test('names each of our charges once, whatever its refunds look like, and what is of none by its Pix', () => {
    const [one, two] = [newHexId(), newHexId()];
    const refund = { id: '1', status: 'DEVOLVIDO' };
    const body = {
      pix: [
        { ...pix(one), devolucoes: [refund] },
        { ...pix(two), devolucoes: refund },
        pix(one),
        pix(),
        pix('fc9a43k6ff384ryP5f41719'),
      ],
    };
    const { endToEndId } = pix();
    expect(bacen.notifications.charges(notified(body))).toEqual([
      { transactionId: one, reference: null, endToEndId },
      { transactionId: two, reference: null, endToEndId },
      { transactionId: null, reference: null, endToEndId },
    ]);
  });

  test.each([{}, { pix: [] }, { pix: null }, { evento: 'teste_webhook' }])(
    'that is %j names none',
    (body) => {
      expect(bacen.notifications.charges(notified(body))).toEqual([]);
    },
  );

  test('without a certificate is believed only where the address is the secret', async () => {
    const raw = notified({ pix: [] }, false);
    expect(await bacen.notifications.verify(raw, settings(), tools)).toBe(false);
    const open = settings({ notificationAuth: 'urlToken' });
    expect(await bacen.notifications.verify(raw, open, tools)).toBe(true);
  });
});
