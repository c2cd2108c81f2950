import type { EmulatedRec } from './bacen-rec-wire.ts';
import {
  centsOf,
  type KnownMembers,
  lengthOf,
  type Refuse,
  refuseDebtor,
  refuseUnknown,
} from './bacen-request.ts';
import { membersOf, type Violation } from './bacen-wire.ts';
import { isDay } from './due.ts';
import type { Exchange } from './psp.ts';

type Json = Exchange['json'];

/** The account that debits go to here, as settings of a credential. */
export const receivingAccount = {
  recurrenceBranch: '9708',
  recurrenceAccount: '012682',
  recurrenceAccountType: 'checking',
};

const account = { agencia: '9708', conta: '012682', tipoConta: 'CORRENTE' };

/** Months of a `periodicidade`; a week has none. */
const monthsOf: Readonly<Record<string, number>> = {
  SEMANAL: 0,
  MENSAL: 1,
  TRIMESTRAL: 3,
  SEMESTRAL: 6,
  ANUAL: 12,
};

/** RecSolicitada. */
const knownOfRec: KnownMembers = {
  '': ['vinculo', 'calendario', 'valor', 'politicaRetentativa', 'loc', 'ativacao', 'recebedor'],
  vinculo: ['contrato', 'devedor', 'objeto'],
  calendario: ['dataInicial', 'dataFinal', 'periodicidade'],
  valor: ['valorRec', 'valorMinimoRecebedor'],
  ativacao: ['dadosJornada'],
};

/** CobRSolicitada, whose debtor has no document. */
const knownOfCobr: KnownMembers = {
  '': ['idRec', 'infoAdicional', 'calendario', 'valor', 'ajusteDiaUtil', 'recebedor', 'devedor'],
  calendario: ['dataDeVencimento'],
  valor: ['original'],
  recebedor: ['agencia', 'conta', 'tipoConta'],
  devedor: ['email', 'logradouro', 'cidade', 'uf', 'cep'],
};

const collect = (fill: (refuse: Refuse) => void): Violation[] => {
  const violations: Violation[] = [];
  fill((propriedade, razao) => violations.push({ razao, propriedade }));
  return violations;
};

const isFilled = (value: unknown, most: number): boolean => lengthOf(value) > 0 && lengthOf(value) <= most;

/** What the error RecOperacaoInvalida of the API Pix 2.9.0 names for `POST /rec`. */
export function recViolationsOf(json: Json, today: string, freeLocations: ReadonlySet<number>): Violation[] {
  return collect((refuse) => {
    const { contrato, devedor, objeto } = membersOf(json['vinculo']);
    const { dataInicial, dataFinal, periodicidade } = membersOf(json['calendario']);
    const { valorRec, valorMinimoRecebedor } = membersOf(json['valor']);
    if (!isFilled(contrato, 35) || (objeto !== undefined && !isFilled(objeto, 35)))
      refuse('rec.vinculo', 'O objeto rec.vinculo não respeita o _schema_.');
    refuseDebtor('rec.vinculo', devedor, false, refuse);
    if (!isDay(dataInicial) || dataInicial < today)
      refuse('rec.calendario.dataInicial', 'O campo é anterior à data de criação da recorrência.');
    else if (dataFinal !== undefined && (!isDay(dataFinal) || dataFinal < dataInicial))
      refuse('rec.calendario.dataFinal', 'O campo é anterior ao campo rec.calendario.dataInicial.');
    if (monthsOf[String(periodicidade)] === undefined)
      refuse('rec.calendario.periodicidade', 'O campo não respeita o _schema_.');
    for (const [name, value] of Object.entries({ valorRec, valorMinimoRecebedor }))
      if (value !== undefined && !centsOf(value))
        refuse(`rec.valor.${name}`, `O campo rec.valor.${name} não respeita o _schema_.`);
    if (valorRec !== undefined && valorMinimoRecebedor !== undefined)
      refuse('rec.valor', 'Ambos os campos estão preenchidos.');
    if (!['NAO_PERMITE', 'PERMITE_3R_7D'].includes(String(json['politicaRetentativa'])))
      refuse('rec.politicaRetentativa', 'O campo não respeita o _schema_.');
    if (json['loc'] !== undefined && !freeLocations.has(Number(json['loc'])))
      refuse('rec.loc', 'O location referenciado por rec.loc inexiste ou já está sendo utilizado.');
    refuseUnknown('rec', json, knownOfRec, refuse);
  });
}

/** Counts months as a calendar does, and weeks as seven days. */
function cycleOf({ json }: EmulatedRec, day: string): number {
  const { dataInicial, periodicidade } = membersOf(json['calendario']);
  const start = String(dataInicial);
  const months = monthsOf[String(periodicidade)] ?? 0;
  if (months === 0) return Math.floor((Date.parse(day) - Date.parse(start)) / (7 * 86_400_000));
  const monthIn = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
  const isEarlier = day.slice(8) < start.slice(8) ? 1 : 0;
  return Math.floor((monthIn(day) - monthIn(start) - isEarlier) / months);
}

/** What the error CobROperacaoInvalida names for `PUT /cobr/{txid}`. `liveDays` are the due dates of others that are not refused or cancelled. */
export function cobrViolationsOf(
  json: Json,
  { rec, today, liveDays }: { rec: EmulatedRec; today: string; liveDays: readonly string[] },
): Violation[] {
  return collect((refuse) => {
    const { dataDeVencimento } = membersOf(json['calendario']);
    if (rec.status !== 'APROVADA') refuse('cobr.idRec', 'A recorrência não está aprovada.');
    if (json['infoAdicional'] !== undefined && !isFilled(json['infoAdicional'], 140))
      refuse('cobr.infoAdicional', 'O campo cobr.infoAdicional não respeita o _schema_.');
    if (!isDay(dataDeVencimento) || dataDeVencimento < today)
      refuse('cobr.calendario.dataDeVencimento', 'O campo é anterior à data de criação da cobrança.');
    else if (liveDays.some((day) => cycleOf(rec, day) === cycleOf(rec, dataDeVencimento)))
      refuse('cobr.calendario.dataDeVencimento', 'Existe uma CobR no mesmo ciclo.');
    if (!centsOf(membersOf(json['valor'])['original']))
      refuse('cobr.valor', 'O campo cobr.valor não respeita o _schema_.');
    if (typeof json['ajusteDiaUtil'] !== 'boolean')
      refuse('cobr.ajusteDiaUtil', 'O campo não respeita o _schema_.');
    const given = membersOf(json['recebedor']);
    if (Object.entries(account).some(([name, value]) => given[name] !== value))
      refuse('cobr.recebedor', 'A conta não pertence a este usuário recebedor.');
    refuseUnknown('cobr', json, knownOfCobr, refuse);
  });
}
