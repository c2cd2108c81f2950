import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseBrCode } from '@pix-service/br-code';
import type { Outcome } from '../support/psp-emulator/automatic.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { createClient } from '../support/psp-emulator/client.ts';
import { startEmulator } from '../support/psp-emulator/core.ts';
import { newHexId } from './contract-setup.ts';

let clock = new Date();
const at = (day: string, time = '10:00:00') => {
  clock = new Date(`${day}T${time}-03:00`);
};

const emulator = await startEmulator(defineBacen('standard'), { now: () => clock });
const { ask, close } = createClient(emulator);
const { automatic } = emulator.psp;
if (!automatic) throw new Error('there is no Pix Automático');

beforeEach(async () => {
  emulator.switches.reset();
  await emulator.tellAll('never');
  at('2026-12-01');
});

afterAll(async () => {
  await close();
  await emulator.stop();
});

const rec = {
  vinculo: { contrato: '63100862', devedor: { cpf: '52998224725', nome: 'Fulano de Tal' } },
  calendario: { dataInicial: '2026-12-10', periodicidade: 'MENSAL' },
  valor: { valorRec: '35.00' },
  politicaRetentativa: 'PERMITE_3R_7D',
};

/** As the API Pix has its answers to a bad request. */
const refusal = (text: string) => ({
  status: 400,
  type: 'application/problem+json',
  json: {
    violacoes: expect.arrayContaining([
      { razao: expect.stringContaining(text), propriedade: expect.any(String) },
    ]),
  },
});

const permit = (changes: object = {}) => ask('POST /rec', { ...rec, ...changes });

async function permitted(changes: object = {}): Promise<string> {
  const { status, json } = await permit(changes);
  expect({ status, json }).toMatchObject({ status: 201, json: { status: 'CRIADA' } });
  automatic?.approves(String(json['idRec']));
  return String(json['idRec']);
}

const debit = (idRec: string, dueOn = '2026-12-10', changes: object = {}, txid = newHexId()) =>
  ask(`PUT /cobr/${txid}`, {
    idRec,
    calendario: { dataDeVencimento: dueOn },
    valor: { original: '35.00' },
    ajusteDiaUtil: true,
    recebedor: { agencia: '9708', conta: '012682', tipoConta: 'CORRENTE' },
    ...changes,
  });

const shown = async (txid: string) => (await ask(`GET /cobr/${txid}`)).json;

async function debited(changes: object = {}, outcome?: Outcome): Promise<string> {
  const { status, json } = await debit(await permitted(changes));
  expect(status).toBe(201);
  const txid = String(json['txid']);
  automatic?.schedules(txid);
  if (outcome) {
    at('2026-12-10', '21:30:00');
    automatic?.settles(txid, outcome);
  }
  return txid;
}

describe('a recurrence', () => {
  test('has the code of its location alone, and of a charge beside it', async () => {
    const loc = (await ask('POST /locrec')).json;
    const { idRec } = (await permit({ loc: loc['id'] })).json as { idRec: string };
    expect(idRec).toMatch(/^RR\d{8}20261201[a-zA-Z0-9]{11}$/);
    const { dadosQR } = (await ask(`GET /rec/${idRec}`)).json as Record<string, Record<string, string>>;
    expect(dadosQR?.['jornada']).toBe('JORNADA_2');
    expect(parseBrCode(dadosQR?.['pixCopiaECola'] ?? '').get('80-25')).toBe(loc['location']);
    expect(await permit({ loc: loc['id'] })).toMatchObject(refusal('já está sendo utilizado'));
    expect(await permit({ loc: 1 })).toMatchObject(refusal('inexiste'));
  });

  test.each<[string, object, string]>([
    ['a member that it does not know', { contrato: 'x' }, 'rec.contrato'],
    [
      'a contract of 36 characters',
      { vinculo: { ...rec.vinculo, contrato: 'x'.repeat(36) } },
      'rec.vinculo.contrato',
    ],
    [
      'a debtor without a name',
      { vinculo: { contrato: '1', devedor: { cpf: '52998224725' } } },
      'rec.vinculo.devedor',
    ],
    [
      'a first day that has passed',
      { calendario: { ...rec.calendario, dataInicial: '2026-11-30' } },
      'anterior',
    ],
    [
      'a day that there is not',
      { calendario: { ...rec.calendario, dataInicial: '2026-20-12' } },
      'dataInicial',
    ],
    ['two amounts', { valor: { valorRec: '35.00', valorMinimoRecebedor: '5.00' } }, 'Ambos'],
    ['an amount of one decimal', { valor: { valorRec: '35.0' } }, 'rec.valor.valorRec'],
    ['another policy', { politicaRetentativa: 'SEMPRE' }, 'rec.politicaRetentativa'],
  ])('is not made with %s', async (_, changes, text) => {
    expect(await permit(changes)).toMatchObject(refusal(text));
  });

  test('ends once, with its debits unless they are of today, and its first day stands once it is permitted', async () => {
    const txid = await debited();
    const { idRec } = (await shown(txid)) as { idRec: string };
    const later = { calendario: { dataInicial: '2026-12-11' } };
    expect(await ask(`PATCH /rec/${idRec}`, later)).toMatchObject(refusal('somente pode ser alterado'));
    expect((await ask(`PATCH /rec/${idRec}`, { status: 'CANCELADA' })).status).toBe(200);
    expect(await ask(`PATCH /rec/${idRec}`, { status: 'CANCELADA' })).toMatchObject(refusal('cancelada'));
    expect(await shown(txid)).toMatchObject({ status: 'CANCELADA', tentativas: [{ status: 'CANCELADA' }] });
    at('2026-12-01');
    const late = await debited();
    at('2026-12-09', '22:00:00');
    automatic.revokes(String((await shown(late))['idRec']));
    expect(await shown(late)).toMatchObject({ status: 'ATIVA', tentativas: [{ status: 'AGENDADA' }] });
  });

  test('is not found by another spelling of its id', async () => {
    const idRec = await permitted();
    expect((await ask(`GET /rec/${idRec.toLowerCase()}`)).status).toBe(404);
  });
});

describe('a debit', () => {
  test('is paid on its day, and is told of as the API Pix shows it', async () => {
    const txid = await debited({}, 'paid');
    expect(await shown(txid)).toMatchObject({
      status: 'CONCLUIDA',
      tentativas: [{ tipo: 'AGND', status: 'PAGA', dataLiquidacao: '2026-12-10' }],
      pix: [{ txid, valor: '35.00' }],
      atualizacao: [{ status: 'CRIADA' }, { status: 'ATIVA' }, { status: 'CONCLUIDA' }],
    });
    const paths = automatic.outbox.map(({ path }) => path);
    expect(paths).toEqual(['/rec', '/rec', '/cobr', '/cobr', '/cobr', '/cobr']);
  });

  test('is settled on the next business day where its own is none', async () => {
    at('2026-12-04');
    const idRec = await permitted();
    const { json } = await debit(idRec, '2026-12-12');
    expect(await shown(String(json['txid']))).toMatchObject({
      tentativas: [{ dataLiquidacao: '2026-12-14' }],
    });
  });

  test.each<[string, string, string, object, string]>([
    ['a day before', '2026-12-09', '2026-12-10', {}, 'DTED'],
    ['eleven days before', '2026-12-01', '2026-12-12', { ajusteDiaUtil: false }, 'DTED'],
    ['before the first day', '2026-12-01', '2026-12-09', {}, 'DTED'],
    [
      'of another amount than the fixed one',
      '2026-12-01',
      '2026-12-10',
      { valor: { original: '36.00' } },
      'AM09',
    ],
    [
      'to an account of somebody else',
      '2026-12-01',
      '2026-12-10',
      { recebedor: { conta: '1', tipoConta: 'CORRENTE' } },
      'não pertence',
    ],
    ['with a member that it does not know', '2026-12-01', '2026-12-10', { chave: 'x' }, 'cobr.chave'],
  ])('is not made %s', async (_, day, dueOn, changes, text) => {
    const idRec = await permitted();
    at(day);
    expect(await debit(idRec, dueOn, changes)).toMatchObject(refusal(text));
  });

  test('of a txid that is in use, or of a cycle that has one, is not made', async () => {
    const txid = await debited();
    const { idRec } = (await shown(txid)) as { idRec: string };
    expect(await debit(idRec, '2026-12-10', {}, txid)).toMatchObject(refusal('encontra-se em uso'));
    expect(await debit(idRec, '2026-12-11')).toMatchObject(refusal('no mesmo ciclo'));
    expect((await ask(`PATCH /cobr/${txid}`, { status: 'CANCELADA' })).status).toBe(200);
    expect((await debit(idRec, '2026-12-11')).status).toBe(201);
  });

  test.each<[Outcome, object]>([
    ['no_balance', { status: 'ATIVA', tentativas: [{ status: 'EXPIRADA' }] }],
    ['limit', { status: 'ATIVA', tentativas: [{ status: 'REJEITADA', rejeicao: { codigo: 'AM02' } }] }],
    ['account_closed', { status: 'REJEITADA', encerramento: { rejeicao: { codigo: 'AC05' } } }],
    ['already_paid', { status: 'CONCLUIDA', tentativas: [{ rejeicao: { codigo: 'NIPA' } }], pix: [{}] }],
  ])('that ends with %p is %j', async (outcome, state) => {
    expect(await shown(await debited({}, outcome))).toMatchObject(state);
  });

  test('cannot be cancelled from 22:00 of the day before, or from the day by the letter of the API Pix', async () => {
    const txid = await debited();
    at('2026-12-09', '22:00:00');
    const cancel = () => ask(`PATCH /cobr/${txid}`, { status: 'CANCELADA' });
    expect((await cancel()).status).toBe(400);
    emulator.switches.turn('untilMidnight', true);
    at('2026-12-10', '00:00:00');
    expect(await cancel()).toMatchObject(refusal('igual ou maior que a data prevista'));
    at('2026-12-09', '23:59:59');
    expect((await cancel()).json).toMatchObject({
      status: 'CANCELADA',
      encerramento: { cancelamento: { solicitante: 'USUARIO_RECEBEDOR', codigo: 'SLCR' } },
    });
  });

  test('does nothing that cannot follow', async () => {
    const txid = await debited();
    expect(() => {
      automatic.settles(txid, 'paid');
    }).toThrow('2026-12-01');
    expect(() => {
      automatic.schedules(txid);
    }).toThrow('SOLICITADA');
  });
});

describe('a retry', () => {
  const retry = (txid: string, day: string) => ask(`POST /cobr/${txid}/retentativa/${day}`);

  test('comes on another day, one at a time, three times within a week', async () => {
    const txid = await debited({}, 'no_balance');
    expect(await retry(txid, '2026-12-10')).toMatchObject(refusal('data futura'));
    expect(await retry(txid, '2026-12-18')).toMatchObject(refusal('DTNT'));
    for (const day of ['2026-12-11', '2026-12-12', '2026-12-13']) {
      expect((await retry(txid, day)).status).toBe(201);
      expect(await retry(txid, '2026-12-17')).toMatchObject(refusal('SOLICITADA'));
      automatic.schedules(txid);
      at(day, '21:30:00');
      automatic.settles(txid, 'no_balance');
    }
    expect(await retry(txid, '2026-12-17')).toMatchObject(refusal('QUNT'));
    at('2026-12-18');
    expect(await shown(txid)).toMatchObject({ status: 'EXPIRADA' });
  });

  test('is refused where the recurrence does not permit it', async () => {
    const txid = await debited({ politicaRetentativa: 'NAO_PERMITE' }, 'no_balance');
    expect(await retry(txid, '2026-12-11')).toMatchObject(refusal('não permite'));
    expect(await shown(txid)).toMatchObject({ status: 'EXPIRADA' });
  });
});

test('a bank that leaves the checks to that of the payer has them rejected there', async () => {
  emulator.switches.turn('bankChecks', true);
  const { json } = await debit(await permitted(), '2026-12-10', { valor: { original: '36.00' } });
  const txid = String(json['txid']);
  automatic.schedules(txid);
  expect(await shown(txid)).toMatchObject({
    status: 'REJEITADA',
    tentativas: [{ status: 'REJEITADA', rejeicao: { codigo: 'AM09' } }],
  });
});
