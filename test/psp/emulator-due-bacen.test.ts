import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { cents } from '../../src/core/base/money.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { pixKey } from '../support/psp-emulator/bacen-request.ts';
import { type Client, createClient } from '../support/psp-emulator/client.ts';
import { startEmulator } from '../support/psp-emulator/core.ts';
import { newHexId } from './contract-setup.ts';

let clock = new Date();
/** The clock shows that; there is no time zone but Brasília's. */
const at = (day: string, time = '10:00:00') => {
  clock = new Date(`${day}T${time}-03:00`);
};
at('2026-12-01');

const emulator = await startEmulator(defineBacen('standard'), { now: () => clock });
const { ask, close } = createClient(emulator);

afterAll(async () => {
  await close();
  await emulator.stop();
});

beforeEach(() => {
  emulator.switches.reset();
  at('2026-12-01');
});

/** The example of the API Pix 2.9.0, with the keys of the emulator and numbers where the schema has numbers. */
const body = {
  calendario: { dataDeVencimento: '2026-12-31', validadeAposVencimento: 30 },
  devedor: {
    logradouro: 'Alameda Souza, Numero 80, Bairro Braz',
    cidade: 'Recife',
    uf: 'PE',
    cep: '70011750',
    cpf: '12345678909',
    nome: 'Francisco da Silva',
  },
  valor: {
    original: '123.45',
    multa: { modalidade: 2, valorPerc: '15.00' },
    juros: { modalidade: 2, valorPerc: '2.00' },
    desconto: { modalidade: 1, descontoDataFixa: [{ data: '2026-12-20', valorPerc: '30.00' }] },
  },
  chave: pixKey,
  solicitacaoPagador: 'Cobrança dos serviços prestados.',
};

/** As the body is, with a due date, an amount and some terms. */
const dated = (
  dataDeVencimento: string,
  validadeAposVencimento: number,
  valor: object = { original: '100.00' },
) => ({
  ...body,
  calendario: { dataDeVencimento, validadeAposVencimento },
  valor: { original: '100.00', ...valor },
});

async function made(request: object = body, by: Client['ask'] = ask): Promise<string> {
  const txid = newHexId();
  const { status, json } = await by(`PUT /cobv/${txid}`, request);
  expect({ status, json }).toMatchObject({ status: 201, json: { txid } });
  return txid;
}

const amount = z.string().regex(/^\d{1,10}\.\d{2}$/);
const share = z.strictObject({ modalidade: z.int(), valorPerc: amount });

/** CobVCompleta of the API Pix 2.9.0. */
const completeCharge = z.strictObject({
  calendario: z.strictObject({
    criacao: z.iso.datetime(),
    dataDeVencimento: z.iso.date(),
    validadeAposVencimento: z.int().nonnegative(),
  }),
  txid: z.string().regex(/^[a-zA-Z0-9]{26,35}$/),
  revisao: z.int().nonnegative(),
  loc: z.strictObject({
    id: z.int(),
    location: z.string().max(77),
    tipoCob: z.literal('cobv'),
    criacao: z.iso.datetime(),
  }),
  location: z.string().max(77),
  status: z.enum(['ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP']),
  devedor: z.looseObject({ cpf: z.string().regex(/^\d{11}$/), nome: z.string().max(200) }),
  recebedor: z.strictObject({
    cnpj: z.string().regex(/^[0-9A-Z]{14}$/),
    nome: z.string().max(200),
    logradouro: z.string().max(200),
    cidade: z.string().max(200),
    uf: z.string().length(2),
    cep: z.string().length(8),
  }),
  valor: z.strictObject({
    original: amount,
    multa: share.optional(),
    juros: share.optional(),
    abatimento: share.optional(),
    desconto: z
      .strictObject({
        modalidade: z.int(),
        valorPerc: amount.optional(),
        descontoDataFixa: z.array(z.strictObject({ data: z.iso.date(), valorPerc: amount })).optional(),
      })
      .optional(),
  }),
  chave: z.string(),
  solicitacaoPagador: z.string().optional(),
  pixCopiaECola: z.string().max(512).optional(),
  pix: z
    .array(
      z.looseObject({
        endToEndId: z.string().length(32),
        txid: z.string(),
        valor: amount,
        horario: z.iso.datetime(),
        componentesValor: z.partialRecord(
          z.enum(['original', 'multa', 'juros', 'abatimento', 'desconto']),
          z.strictObject({ valor: amount }),
        ),
      }),
    )
    .optional(),
});

describe('a charge with a due date', () => {
  test('shows what it was made of, as CobVCompleta has it, unpaid and paid', async () => {
    const txid = await made();
    const { json } = await ask(`GET /cobv/${txid}`);
    expect(completeCharge.parse(json)).toMatchObject({
      status: 'ATIVA',
      revisao: 0,
      calendario: body.calendario,
      devedor: body.devedor,
      valor: body.valor,
    });
    await emulator.pay(txid);
    const paid = (await ask(`GET /cobv/${txid}`)).json;
    expect(completeCharge.parse(paid)).toMatchObject({ status: 'CONCLUIDA', pix: [{ txid }] });
  });

  test('can be paid for 30 days after its date unless it says otherwise', async () => {
    const txid = await made({ ...body, calendario: { dataDeVencimento: '2026-12-31' } });
    const { json } = await ask(`GET /cobv/${txid}`);
    expect(json['calendario']).toMatchObject({ validadeAposVencimento: 30 });
  });

  test('is none of the charges without one, which cannot take its txid', async () => {
    const txid = await made();
    expect(await ask(`GET /cob/${txid}`)).toMatchObject({ status: 404, json: { title: expect.any(String) } });
    const cob = { calendario: { expiracao: 3600 }, valor: { original: '1.00' }, chave: pixKey };
    expect((await ask(`PUT /cob/${txid}`, cob)).status).toBe(400);
    const other = newHexId();
    expect((await ask(`PUT /cob/${other}`, cob)).status).toBe(201);
    expect(await ask(`GET /cobv/${other}`)).toMatchObject({
      status: 404,
      type: 'application/problem+json',
      json: { type: 'https://pix.bcb.gov.br/api/v2/error/CobVNaoEncontrada', status: 404 },
    });
    expect((await ask(`PATCH /cobv/${other}`, { valor: { original: '2.00' } })).status).toBe(404);
    expect((await ask(`PUT /cobv/${other}`, body)).status).toBe(400);
    const range = 'inicio=2026-12-01T00:00:00Z&fim=2026-12-02T00:00:00Z';
    const listed = async (name: string) => JSON.stringify((await ask(`GET /${name}?${range}`)).json['cobs']);
    expect(await listed('cob')).not.toContain(txid);
    expect(await listed('cobv')).not.toContain(other);
  });

  const valor = (changes: object) => ({ valor: { ...body.valor, ...changes } });
  const discount = (desconto: object) => valor({ desconto });
  const calendar = (changes: object) => ({ calendario: { ...body.calendario, ...changes } });
  const until = (data: string, valorPerc = '1.00') => ({ data, valorPerc });

  test.each<[string, object, string]>([
    ['no due date', calendar({ dataDeVencimento: undefined }), 'calendario.dataDeVencimento'],
    ['a date that is none', calendar({ dataDeVencimento: '2027-02-29' }), 'calendario.dataDeVencimento'],
    ['yesterday', calendar({ dataDeVencimento: '2026-11-30' }), 'calendario.dataDeVencimento'],
    ['a negative validity', calendar({ validadeAposVencimento: -1 }), 'calendario.validadeAposVencimento'],
    ['a validity as text', calendar({ validadeAposVencimento: '30' }), 'calendario.validadeAposVencimento'],
    ['no debtor', { devedor: undefined }, 'devedor.nome'],
    ['a debtor without a name', { devedor: { cpf: '12345678909' } }, 'devedor.nome'],
    ['a debtor without a document', { devedor: { nome: 'Ana' } }, 'devedor.cnpj'],
    ['a debtor with two', { devedor: { ...body.devedor, cnpj: '56989000019533' } }, 'devedor'],
    ['a state of three letters', { devedor: { ...body.devedor, uf: 'PER' } }, 'devedor'],
    ['nothing to pay', valor({ original: '0.00' }), 'valor.original'],
    ['an amount as a number', valor({ original: 123.45 }), 'valor.original'],
    ['a fine of modality 3', valor({ multa: { modalidade: 3, valorPerc: '1.00' } }), 'valor.multa'],
    ['a fine without a value', valor({ multa: { modalidade: 1 } }), 'valor.multa'],
    ['interest of modality 9', valor({ juros: { modalidade: 9, valorPerc: '1.00' } }), 'valor.juros'],
    ['a rebate of all', valor({ abatimento: { modalidade: 1, valorPerc: '123.45' } }), 'valor.abatimento'],
    ['a rebate of 100 %', valor({ abatimento: { modalidade: 2, valorPerc: '100.00' } }), 'valor.abatimento'],
    ['modality 1 with valorPerc', discount({ modalidade: 1, valorPerc: '1.00' }), 'valor.desconto'],
    ['modality 2 without dates', discount({ modalidade: 2, descontoDataFixa: [] }), 'valor.desconto'],
    ['modality 3 without valorPerc', discount({ modalidade: 3 }), 'valor.desconto'],
    [
      'modality 3 with dates',
      discount({ modalidade: 3, valorPerc: '1.00', descontoDataFixa: [until('2026-12-20')] }),
      'valor.desconto',
    ],
    ['modality 7', discount({ modalidade: 7, valorPerc: '1.00' }), 'valor.desconto'],
    [
      'a discount after the due date',
      discount({ modalidade: 1, descontoDataFixa: [until('2027-01-01')] }),
      'valor.desconto',
    ],
    [
      'a discount of all',
      discount({ modalidade: 1, descontoDataFixa: [until('2026-12-20', '123.45')] }),
      'valor.desconto',
    ],
    [
      'four discounts',
      discount({
        modalidade: 1,
        descontoDataFixa: ['17', '18', '19', '20'].map((each) => until(`2026-12-${each}`)),
      }),
      'valor.desconto',
    ],
    ["somebody else's key", { chave: '00000000-0000-4000-8000-000000000000' }, 'chave'],
    ['a location that is not there', { loc: { id: 1 } }, 'loc.id'],
    ['a long question', { solicitacaoPagador: 'x'.repeat(141) }, 'solicitacaoPagador'],
  ])('is not made with %s', async (_, changes, propriedade) => {
    const txid = newHexId();
    const refused = await ask(`PUT /cobv/${txid}`, { ...body, ...changes });
    expect(refused).toMatchObject({
      status: 400,
      type: 'application/problem+json',
      json: {
        type: 'https://pix.bcb.gov.br/api/v2/error/CobVOperacaoInvalida',
        status: 400,
        violacoes: expect.arrayContaining([
          { propriedade: `cobv.${propriedade}`, razao: expect.stringMatching(/.{10}/) },
        ]),
      },
    });
    expect((await ask(`GET /cobv/${txid}`)).status).toBe(404);
  });

  test('may be due today, and needs a txid of 26 to 35 letters and digits', async () => {
    await made({ ...body, calendario: { dataDeVencimento: '2026-12-01' }, valor: { original: '1.00' } });
    for (const txid of ['a'.repeat(25), 'a'.repeat(36), `${'a'.repeat(26)}-`]) {
      expect((await ask(`PUT /cobv/${txid}`, body)).status).toBe(404);
    }
  });
});

describe('a revision', () => {
  test('counts only what changes, keeps what it does not name, and leaves the older ones to be read', async () => {
    const txid = await made();
    expect((await ask(`PUT /cobv/${txid}`, body)).json['revisao']).toBe(0);
    const { solicitacaoPagador: _, ...silent } = body;
    expect((await ask(`PUT /cobv/${txid}`, silent)).json).toMatchObject({ revisao: 1 });
    const changes = {
      calendario: { dataDeVencimento: '2027-01-15' },
      valor: { original: '200.00', multa: null },
    };
    const { status, json } = await ask(`PATCH /cobv/${txid}`, changes);
    expect({ status, json }).toMatchObject({
      status: 200,
      json: {
        revisao: 2,
        calendario: { dataDeVencimento: '2027-01-15', validadeAposVencimento: 30 },
        valor: { original: '200.00', juros: body.valor.juros, desconto: body.valor.desconto },
      },
    });
    expect(json['valor']).not.toHaveProperty('multa');
    const first = (await ask(`GET /cobv/${txid}?revisao=0`)).json;
    expect(first).toMatchObject({
      revisao: 0,
      valor: body.valor,
      solicitacaoPagador: body.solicitacaoPagador,
    });
    expect(await ask(`GET /cobv/${txid}?revisao=3`)).toMatchObject({
      status: 400,
      json: { type: 'https://pix.bcb.gov.br/api/v2/error/CobVConsultaInvalida' },
    });
    expect(emulator.owedOn(txid, '2027-01-15')).toBe(cents(200_00));
  });

  test.each<[string, object]>([
    ['an earlier due date than its creation', { calendario: { dataDeVencimento: '2026-11-30' } }],
    ['a calendar without a due date', { calendario: { validadeAposVencimento: 1 } }],
    ['nothing to pay', { valor: { original: '0.00' } }],
    ['a removal and more', { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR', valor: { original: '1.00' } }],
    ['a state that is for the bank to say', { status: 'CONCLUIDA' }],
  ])('is refused that asks for %s', async (_, changes) => {
    const txid = await made();
    expect(await ask(`PATCH /cobv/${txid}`, changes)).toMatchObject({
      status: 400,
      json: { type: 'https://pix.bcb.gov.br/api/v2/error/CobVOperacaoInvalida' },
    });
    expect((await ask(`GET /cobv/${txid}`)).json).toMatchObject({ revisao: 0, status: 'ATIVA' });
  });

  test('is not for a charge that was removed or paid', async () => {
    const removed = await made();
    const remove = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
    expect(await ask(`PATCH /cobv/${removed}`, remove)).toMatchObject({ status: 200, json: remove });
    const paid = await made();
    await emulator.pay(paid);
    for (const txid of [removed, paid]) {
      expect((await ask(`PATCH /cobv/${txid}`, remove)).status).toBe(400);
      expect((await ask(`PATCH /cobv/${txid}`, { valor: { original: '1.00' } })).status).toBe(400);
      expect((await ask(`PUT /cobv/${txid}`, dated('2026-12-31', 1))).status).toBe(400);
    }
  });
});

test('charges are listed by their creation, page by page, and by debtor and state', async () => {
  at('2026-12-02');
  const made3 = [await made(), await made(), await made()];
  const [first = ''] = made3;
  const range = 'inicio=2026-12-02T00:00:00Z&fim=2026-12-03T00:00:00Z';
  const listed = async (query: string, of = range) => (await ask(`GET /cobv?${of}${query}`)).json;
  const page = await listed('&paginacao.itensPorPagina=2&paginacao.paginaAtual=1');
  expect(page).toMatchObject({
    parametros: { paginacao: { paginaAtual: 1, quantidadeDePaginas: 2, quantidadeTotalDeItens: 3 } },
    cobs: [{ txid: made3[2] }],
  });
  await emulator.pay(first);
  expect((await listed('&status=CONCLUIDA'))['cobs']).toMatchObject([{ txid: first }]);
  expect((await listed('&cpf=12345678909'))['cobs']).toHaveLength(3);
  expect((await listed('&cpf=52998224725'))['cobs']).toEqual([]);
  expect(await listed('', 'inicio=2026-12-03T00:00:00Z&fim=2026-12-04T00:00:00Z')).toMatchObject({
    cobs: [],
  });
  expect(await ask(`GET /cobv?${range}&cpf=12345678909&cnpj=56989000019533`)).toMatchObject({
    status: 400,
    json: { type: 'https://pix.bcb.gov.br/api/v2/error/CobVConsultaInvalida' },
  });
});

describe('what is owed', () => {
  /** Description of `validadeAposVencimento`, API Pix 2.9.0. */
  test.each([
    ['A', '2020-10-20', 4, '2020-10-26', '2020-10-27'],
    ['B', '2020-12-25', 0, '2020-12-28', '2020-12-29'],
    ['C', '2020-12-25', 1, '2020-12-29', '2020-12-30'],
    ['D', '2020-12-25', 3, '2020-12-31', '2021-01-01'],
    ['E', '2020-12-25', 4, '2021-01-04', '2021-01-05'],
    ['F', '2021-08-27', 5, '2021-09-01', '2021-09-02'],
    ['G', '2021-08-28', 5, '2021-09-06', '2021-09-07'],
  ])('can be paid until the last day of example %s', async (_, due, validity, last, refused) => {
    at('2020-10-01');
    const txid = await made(dated(due, validity));
    at(refused);
    await expect(emulator.pay(txid)).rejects.toThrow(`until ${last}`);
    expect((await ask(`GET /cobv/${txid}`)).json['status']).toBe('ATIVA');
    await emulator.pay(txid, { day: last });
    expect((await ask(`GET /cobv/${txid}`)).json['status']).toBe('CONCLUIDA');
  });

  const terms = {
    multa: { modalidade: 2, valorPerc: '3.00' },
    juros: { modalidade: 2, valorPerc: '1.00' },
    desconto: { modalidade: 2, descontoDataFixa: [{ data: '2026-12-07', valorPerc: '10.00' }] },
  };
  const componentsOf = async (txid: string) => {
    const { pix } = (await ask(`GET /cobv/${txid}`)).json as {
      pix: { valor: string; componentesValor?: object }[];
    };
    return { valor: pix[0]?.valor, components: pix[0]?.componentesValor };
  };

  // The third is the example of `componentesValor`.
  test.each<[string, string, object]>([
    ['2026-12-07', '90.00', { original: { valor: '100.00' }, desconto: { valor: '10.00' } }],
    ['2026-12-08', '100.00', { original: { valor: '100.00' } }],
    [
      '2026-12-12',
      '105.00',
      { original: { valor: '100.00' }, multa: { valor: '3.00' }, juros: { valor: '2.00' } },
    ],
  ])('on %s is %s, and the Pix says why', async (day, valor, components) => {
    const txid = await made(dated('2026-12-10', 30, terms));
    await emulator.pay(txid, { day });
    expect(await componentsOf(txid)).toEqual({ valor, components });
  });

  test('follows the clock, and any other amount is explained as well', async () => {
    at('2026-12-01');
    const [late, more, less] = [
      await made(dated('2026-12-10', 30, terms)),
      await made(dated('2026-12-10', 30, terms)),
      await made(dated('2026-12-10', 30, terms)),
    ];
    at('2026-12-12');
    await emulator.pay(late);
    expect(await componentsOf(late)).toMatchObject({ valor: '105.00' });
    await emulator.pay(more, { amountInCents: cents(105_03) });
    expect(await componentsOf(more)).toMatchObject({
      valor: '105.03',
      components: { multa: { valor: '3.00' }, juros: { valor: '2.03' } },
    });
    await emulator.pay(less, { amountInCents: cents(50_00) });
    expect(await componentsOf(less)).toMatchObject({
      valor: '50.00',
      components: { desconto: { valor: '55.00' } },
    });
  });

  test('and everything of it can be given back', async () => {
    const txid = await made(dated('2026-12-10', 30, terms));
    const { endToEndId } = await emulator.pay(txid, { day: '2026-12-12' });
    const giveBack = (id: string, valor: string) => ask(`PUT /pix/${endToEndId}/devolucao/${id}`, { valor });
    expect((await giveBack('1', '105.01')).status).toBe(400);
    expect((await giveBack('2', '105.00')).status).toBe(201);
  });

  test('is in notifications and in the list of Pix as any other', async () => {
    at('2026-12-03');
    const txid = await made(dated('2026-12-10', 30, terms));
    const { endToEndId } = await emulator.pay(txid, { day: '2026-12-13' });
    const shown = { endToEndId, txid, valor: '106.00', componentesValor: { juros: { valor: '3.00' } } };
    const { sent } = emulator.notifier;
    expect(JSON.parse(sent.at(-1)?.body ?? '{}')).toMatchObject({ pix: [shown] });
    const { json } = await ask('GET /pix?inicio=2026-12-13T00:00:00Z&fim=2026-12-14T00:00:00Z');
    expect(json['pix']).toMatchObject([shown]);
  });
});

describe('banks disagree:', () => {
  test('the location alone, in loc', async () => {
    for (const each of ['pixCopiaECola', 'onlyLoc']) emulator.switches.turn(each, true);
    const { json } = await ask(`GET /cobv/${await made()}`);
    expect(json).toMatchObject({ loc: { location: expect.stringContaining('/cobv/') } });
    expect(json).not.toHaveProperty('location');
    expect(json).not.toHaveProperty('pixCopiaECola');
  });

  test('a Pix that is not explained', async () => {
    emulator.switches.turn('noComponents', true);
    const txid = await made();
    await emulator.pay(txid);
    const { pix } = (await ask(`GET /cobv/${txid}`)).json as { pix: object[] };
    expect(pix[0]).not.toHaveProperty('componentesValor');
  });

  test('nine centavos of R$ 30,000', async () => {
    const monthly = { juros: { modalidade: 3, valorPerc: '1.00' } };
    const txid = await made(dated('2026-12-10', 30, { original: '30000.00', ...monthly }));
    expect(emulator.owedOn(txid, '2026-12-11')).toBe(cents(30_010_00));
    emulator.switches.turn('cutFactor', true);
    expect(emulator.owedOn(txid, '2026-12-11')).toBe(cents(30_009_90));
  });

  test('interest from a Saturday', async () => {
    const daily = { original: '10.00', juros: { modalidade: 1, valorPerc: '0.10' } };
    const txid = await made(dated('2026-12-05', 30, daily));
    expect(emulator.owedOn(txid, '2026-12-08')).toBe(cents(10_10));
    emulator.switches.turn('interestFromWrittenDate', true);
    expect(emulator.owedOn(txid, '2026-12-07')).toBe(cents(10_00));
    expect(emulator.owedOn(txid, '2026-12-08')).toBe(cents(10_30));
  });

  test('a validity that ends on a Saturday', async () => {
    emulator.switches.turn('shortValidity', true);
    const txid = await made(dated('2026-12-10', 2));
    await expect(emulator.pay(txid, { day: '2026-12-14' })).rejects.toThrow('until 2026-12-12');
    await emulator.pay(txid, { day: '2026-12-14', anyway: true });
    expect((await ask(`GET /cobv/${txid}`)).json['status']).toBe('CONCLUIDA');
  });

  test('today, after midnight of UTC', async () => {
    at('2026-12-01', '21:30:00');
    await made(dated('2026-12-01', 0));
    emulator.switches.turn('dueDatesInUtc', true);
    expect((await ask(`PUT /cobv/${newHexId()}`, dated('2026-12-01', 0))).status).toBe(400);
    await made(dated('2026-12-02', 0));
  });

  test('the end of a list, an address, a scope', async () => {
    emulator.switches.turn('noFutureEnd', true);
    const range = (end: string) => `inicio=2026-12-01T00:00:00Z&fim=${end}`;
    expect((await ask(`GET /cobv?${range('2026-12-02T00:00:00Z')}`)).status).toBe(400);
    expect((await ask(`GET /cobv?${range('2026-12-01T12:00:00Z')}`)).status).toBe(200);
    emulator.switches.turn('neededAddress', true);
    const { cpf, nome } = body.devedor;
    expect((await ask(`PUT /cobv/${newHexId()}`, { ...body, devedor: { cpf, nome } })).status).toBe(400);
    emulator.switches.turn('noDueDates', true);
    expect(await ask(`PUT /cobv/${newHexId()}`, body)).toMatchObject({
      status: 403,
      json: { type: 'https://pix.bcb.gov.br/api/v2/error/AcessoNegado' },
    });
  });

  test('unknown members, at Efí', async () => {
    emulator.switches.turn('strict', true);
    expect(
      (await ask(`PUT /cobv/${newHexId()}`, { ...body, valor: { ...body.valor, modalidadeAlteracao: 0 } }))
        .status,
    ).toBe(400);
    await made();
  });
});

test('nobody tells that a charge is overdue', async () => {
  const txid = await made();
  await expect(emulator.tell(txid, 'overdue')).rejects.toThrow('does not tell');
});
