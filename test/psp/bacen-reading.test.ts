import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { buildDynamicBrCode, parseBrCode } from '@pix-service/br-code';
import { cents } from '../../src/core/base/money.ts';
import type { RawNotification } from '../../src/core/providers/rules/psp.ts';
import { bacen } from '../../src/psp/bacen/adapter.ts';
import { adapterWith, chargeRead, paidCob } from './bacen-setup.ts';
import { byOurIdOnly, failureOf, newHexId, refundRequest, soon } from './contract-setup.ts';

const captured = (name: string): string => readFileSync(new URL(`captures/${name}`, import.meta.url), 'utf8');

const notified = (text: string): RawNotification => ({
  headers: {},
  query: new URLSearchParams(),
  body: Buffer.from(text),
  hasTrustedCertificate: true,
});

describe('a captured charge', () => {
  const chargeTxid = 'eVShZaaa1aaa2rLTaaaTAADg44';
  const pixTxid = 'eKpVSLh0aaaGaaaM2DvrLTaqA4a4';
  const bb = captured('bb-cob.txt');
  const bbKey = 'aad27bd0-4a06-5f0c-060d-d1da25fa4bd0';

  test('of Banco do Brasil is read: line breaks in strings, digits as text, hundredths with an offset', async () => {
    const charge = await chargeRead(bb.replace(pixTxid, chargeTxid), chargeTxid, { pixKey: bbKey });
    expect(charge).toMatchObject({
      status: 'paid',
      amountInCents: cents(902_50),
      expiresAt: new Date('2022-09-19T10:58:41.290Z'),
      receivedPix: [
        {
          endToEndId: 'E00000000202209121142123454564',
          amountInCents: cents(902_50),
          paidAt: new Date('2022-09-12T11:43:39.000Z'),
        },
      ],
    });
    expect(parseBrCode(charge?.pixCopyPaste ?? '').get('26-25')).toMatch(/^qrcodepix\.bb\.com\.br\//);
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['whose Pix bears another txid', chargeTxid, { pixKey: bbKey }],
    ['of another txid', newHexId(), { pixKey: bbKey }],
    ['of another key', chargeTxid, {}],
  ])('%s decides nothing', async (_, transactionId, changes) => {
    expect(await chargeRead(bb, transactionId, changes)).toMatchObject({
      status: 'unrecognised',
      receivedPix: [],
    });
  });

  test('of PagBank has the txid as its key, and an end-to-end id that is none', async () => {
    const text = captured('pagbank-cob.json');
    const txid = 'g5d6n2xx1fhwhuzplhuul5q6fx1b0cdj';
    expect(await chargeRead(text, txid, { preset: 'pagbank' })).toMatchObject({
      status: 'paid',
      receivedPix: [{ endToEndId: '6a7a924dee164cbcbabfac1ac28d0015', amountInCents: cents(13_44) }],
    });
    expect(await chargeRead(text, txid)).toMatchObject({ status: 'unrecognised', receivedPix: [] });
  });
});

describe('a captured notification', () => {
  test('of C6 names its charge', () => {
    const id = newHexId();
    const text = captured('c6-notification.json').replace('TXID', id);
    expect(bacen.notifications.charges(notified(text))).toMatchObject([{ transactionId: id }]);
  });

  test('of C6 as it came names a Pix, and no charge of ours', () => {
    expect(bacen.notifications.charges(notified(captured('c6-notification.json')))).toEqual([
      { transactionId: null, reference: null, endToEndId: 'E00416968202608191600LlFCsq2cfiy' },
    ]);
  });
});

describe('a notification', () => {
  test.each([
    ['with nothing around its list', (id: string) => `[{"txid":"${id}","valor":"1.00"}]`],
    ['with one Pix where a list is meant', (id: string) => `{"pix":{"txid":"${id}","valor":1}}`],
    [
      'with a line break that the payer typed',
      (id: string) => `{"pix":[{"infoPagador":"a\nb","txid":"${id}"}]}`,
    ],
    ['with nulls', (id: string) => `{"pix":[{"txid":null},{"txid":"${id}","chave":null}],"evento":null}`],
  ])('%s names its charge', (_, textOf) => {
    const id = newHexId();
    expect(bacen.notifications.charges(notified(textOf(id)))).toEqual([
      { transactionId: id, reference: null },
    ]);
  });

  test.each(['', ' \r\n', '{}', '{"pix":null}'])('that tries the address (%j) names none', (text) => {
    expect(bacen.notifications.charges(notified(text))).toEqual([]);
  });
});

describe('a charge is read', () => {
  const id = newHexId();
  type Cob = ReturnType<typeof paidCob>;
  const [pix] = paidCob(id, '10.50').pix;

  test.each<[string, (cob: Cob) => object]>([
    [
      'with amounts of one decimal',
      (cob) => ({ ...cob, valor: { original: '10.5' }, pix: [{ ...pix, valor: '10.5' }] }),
    ],
    [
      'with amounts as numbers',
      (cob) => ({ ...cob, valor: { original: 10.5 }, pix: [{ ...pix, valor: 10.5 }] }),
    ],
    ['with one Pix where a list is meant', (cob) => ({ ...cob, pix })],
    ['without a key', (cob) => ({ ...cob, chave: undefined, pix: [{ ...pix, chave: null }] })],
    ['with a txid in the charge alone', (cob) => ({ ...cob, pix: [{ ...pix, txid: null }] })],
    ['with a txid in its Pix alone', (cob) => ({ ...cob, txid: null })],
    [
      'with null where nothing is meant',
      (cob) => ({ ...cob, loc: null, devedor: null, pixCopiaECola: null }),
    ],
  ])('%s', async (_, change) => {
    const charge = await chargeRead(JSON.stringify(change(paidCob(id, '10.50'))), id);
    expect(charge).toMatchObject({ status: 'paid', receivedPix: [{ amountInCents: cents(10_50) }] });
  });

  test('with whole reais', async () => {
    const cob = { ...paidCob(id, '10.00'), valor: { original: 10 } };
    expect(await chargeRead(JSON.stringify(cob), id)).toMatchObject({ amountInCents: cents(10_00) });
  });

  test.each([
    ['2022-09-12T07:58:41.29-03:00', '2022-09-12T10:58:41.290Z'],
    ['2022-09-12T07:58:41-0300', '2022-09-12T10:58:41.000Z'],
    ['2022-09-12T10:58:41Z', '2022-09-12T10:58:41.000Z'],
    ['2022-09-12T10:58:41.7184860000z', '2022-09-12T10:58:41.718Z'],
    // A time without an offset is Brasília's.
    ['2021-01-14T16:45:46.7184860000', '2021-01-14T19:45:46.000Z'],
  ])('with the time %s', async (horario, paidAt) => {
    const cob = { ...paidCob(id, '10.50'), pix: [{ ...pix, horario }] };
    const charge = await chargeRead(JSON.stringify(cob), id);
    expect(charge?.receivedPix[0]?.paidAt).toEqual(new Date(paidAt));
  });

  test.each(['10,50', '-10.50', '1e1', '10.500', '1.050,00', '', ' ', null, true, [], -1, 0.001])(
    'not with the amount %j',
    async (original) => {
      const cob = { ...paidCob(id, '10.50'), valor: { original } };
      expect(await failureOf(chargeRead(JSON.stringify(cob), id))).toMatchObject({ failure: 'unknown' });
    },
  );

  test.each([
    ['EM_PROCESSAMENTO', 'contested'],
    ['NAO_REALIZADO', 'paid'],
    ['DEVOLVIDO', 'paid'],
  ])("that has Banco do Brasil's word %s for a return is %s", async (status, meaning) => {
    const cob = JSON.stringify({ ...paidCob(id, '10.50'), status });
    expect((await chargeRead(cob, id))?.status).toBe(meaning);
  });

  test('that bears no txid at all only while nobody has paid it', async () => {
    const { txid: _, pix: __, ...cob } = paidCob(id, '10.50');
    const active = JSON.stringify({ ...cob, status: 'ATIVA', pix: [] });
    expect((await chargeRead(active, id))?.status).toBe('active');
    for (const status of ['CONCLUIDA', 'REMOVIDA_PELO_PSP']) {
      expect((await chargeRead(JSON.stringify({ ...cob, status }), id))?.status).toBe('unrecognised');
    }
    const paid = JSON.stringify({ ...cob, pix: [{ ...pix, txid: undefined }] });
    expect(await chargeRead(paid, id)).toMatchObject({ status: 'unrecognised', receivedPix: [] });
  });

  test('with what went back, also when it is one where a list is meant', async () => {
    const devolucoes = { id: '1', valor: 3, status: 'DEVOLVIDO', horario: { solicitacao: 'x' } };
    const cob = { ...paidCob(id, '10.50'), pix: [{ ...pix, devolucoes }] };
    const charge = await chargeRead(JSON.stringify(cob), id);
    expect(charge?.receivedPix[0]?.returnedInCents).toBe(cents(3_00));
  });
});

describe('the code of a charge', () => {
  const id = newHexId();
  const code = buildDynamicBrCode({
    location: 'pix.bank.example/1',
    merchantName: 'Loja',
    merchantCity: 'Belem',
  });
  const codeRead = async (members: object) =>
    (await chargeRead(JSON.stringify({ ...paidCob(id, '10.50'), ...members }), id))?.pixCopyPaste;

  test.each(['pixCopiaECola', 'brcode', 'textoImagemQRcode', 'emv'])('is that of %s', async (member) => {
    expect(await codeRead({ [member]: code })).toBe(code);
    expect(await codeRead({ pixCopiaECola: '', [member]: `${code}\n` })).toBe(code);
  });

  test('is built from the location where there is none, or none that can be paid', async () => {
    for (const members of [{}, { pixCopiaECola: null }, { pixCopiaECola: 'https://bank.example/qr.png' }]) {
      expect(parseBrCode((await codeRead(members)) ?? '').get('59')).toBe('Padaria');
    }
  });

  test('is none without a location', async () => {
    expect(await codeRead({ location: null })).toBeNull();
  });
});

describe('what is not there', () => {
  const id = newHexId();
  const standard = (word: string) => ({ type: `https://pix.bcb.gov.br/api/v2/error/${word}`, status: 404 });
  const efi = JSON.parse(captured('efi-errors.json')) as Record<string, { status: number; body: object }>;

  const found = (status: number, json: unknown, changes = {}) =>
    adapterWith(() => ({ status, json }), changes).findCharge(byOurIdOnly(id), soon());

  test.each<[string, number, unknown, Record<string, unknown>]>([
    ['the word of the standard', 404, standard('CobNaoEncontrado'), {}],
    ['its general word', 404, standard('NaoEncontrado'), {}],
    ['its word at another address', 404, { type: 'https://api.bb.com.br/error/NaoEncontrado' }, {}],
    ['its prose alone', 404, { title: 'Cobrança não encontrada.', status: 404 }, {}],
    [
      'the prose of Inter, which has no type',
      404,
      { title: 'Não encontrado', detail: 'Entidade não encontrada.', correlationId: '4c1d1c34' },
      { preset: 'inter' },
    ],
    ['prose in a list', 404, { erros: [{ mensagem: 'Nenhuma cobrança encontrada para o txid' }] }, {}],
    ['the word of Efí in a 400', 400, { nome: 'cobranca_nao_encontrada' }, { preset: 'efi' }],
    [
      'the number of Banco do Brasil',
      404,
      { erros: [{ codigo: '4769515', mensagem: 'Não há informações para os dados informados.' }] },
      { preset: 'banco-do-brasil', appKey: 'app' },
    ],
  ])('is said by %s', async (_, status, json, changes) => {
    expect(await found(status, json, changes)).toBeUndefined();
  });

  test.each<[string, number, unknown, Record<string, unknown>]>([
    ['a page', 404, undefined, {}],
    ['an empty object', 404, {}, {}],
    ['the JSON of another host', 404, { status: 404, error: 'Not Found', path: '/pix/v2/cob' }, {}],
    ['a gateway', 404, { message: 'no Route matched with those values' }, {}],
    ['a gateway in Portuguese', 404, { mensagem: 'Rota /pix/v2/cob não encontrada' }, {}],
    ['a title alone', 404, { title: 'Não encontrado', status: 404 }, {}],
    ['another word of the standard', 404, standard('AcessoNegado'), {}],
    ['prose in a 400', 400, { title: 'Cobrança não encontrada.' }, {}],
    ['the word of Efí at another bank', 400, { nome: 'cobranca_nao_encontrada' }, {}],
    ['another word of Efí', 400, { nome: 'valor_invalido' }, { preset: 'efi' }],
  ])('is not said by %s', async (_, status, json, changes) => {
    const failure = await failureOf(found(status, json, changes));
    expect(['unknown', 'rejected']).toContain(failure.failure);
    if (status === 404) expect(failure.failure).toBe('unknown');
  });

  test.each([
    ['pix_nao_encontrado', undefined],
    ['access_denied', 'rejected'],
  ] as const)('is told of a refund by %s as captured at Efí', async (name, failure) => {
    const { status = 0, body } = efi[name] ?? {};
    const adapter = adapterWith(() => ({ status, json: body }), { preset: 'efi' });
    const charge = { transactionId: id, reference: null, receivedPix: [], amountInCents: cents(1) } as never;
    const request = refundRequest(charge, { endToEndId: 'E1' });
    if (failure) expect(await failureOf(adapter.findRefund(request, soon()))).toMatchObject({ failure });
    else expect(await adapter.findRefund(request, soon())).toBeUndefined();
  });
});

describe('a cancel', () => {
  const id = newHexId();
  const active = { ...paidCob(id, '10.50'), status: 'ATIVA', pix: [] };
  const cancelledAt = (patch: { status: number }, lookup: object, now?: Date) => {
    const reply = (asked: string) =>
      asked.startsWith('PATCH') ? { ...patch, json: undefined } : { json: lookup };
    return adapterWith(reply, {}, now).cancelCharge(byOurIdOnly(id), soon());
  };
  const before = new Date('2026-09-09T20:30:00Z');

  test.each([400, 403, 404, 405, 410, 422, 501])(
    'that the bank refuses with %i is a refusal while the charge can be paid',
    async (status) => {
      const failure = await failureOf(cancelledAt({ status }, active, before));
      expect(failure).toMatchObject({ failure: 'rejected' });
    },
  );

  test.each([403, 404, 405, 422])(
    'that the bank refuses with %i leaves an expired charge expired',
    async (status) => {
      expect((await cancelledAt({ status }, active)).status).toBe('expired');
    },
  );

  test.each([200, 403, 404, 405])(
    'answered with %i and no body finds out that the payer was faster',
    async (status) => {
      expect((await cancelledAt({ status }, paidCob(id, '10.50'))).status).toBe('paid');
    },
  );

  test.each([
    'REMOVIDA_PELO_USUARIO_RECEBEDOR',
    'REMOVIDO_PELO_USUARIO_RECEBEDOR',
    'REMOVIDA_PELO_PSP',
    'REMOVIDO_PELO_PSP',
  ])('answered without a body finds out that it is done, as %s', async (status) => {
    const removed = { ...active, status };
    expect((await cancelledAt({ status: 204 }, removed, before)).status).toBe('cancelled');
  });
});
