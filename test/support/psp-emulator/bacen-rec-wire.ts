import { crc16 } from '@pix-service/br-code';
import type { BacenSwitch } from './bacen-bank.ts';
import { locationOf, pixOf } from './bacen-wire.ts';
import type { EmulatedCharge } from './ledger.ts';
import type { Exchange } from './psp.ts';
import type { Switches } from './switches.ts';

type Has = Switches<BacenSwitch>['isOn'];

interface Change {
  status: string;
  data: string;
}

export interface EmulatedRec {
  idRec: string;
  json: Exchange['json'];
  status: string;
  changes: Change[];
  createdAt: Date;
  location: { id: number; location: string; criacao: string } | undefined;
  txid: string | undefined;
  journey: string;
  encerramento?: object;
}

export interface EmulatedAttempt {
  dataLiquidacao: string;
  tipo: 'AGND' | 'NTAG' | 'RIFL';
  status: string;
  endToEndId: string;
  atualizacao: Change[];
  rejeicao?: { codigo: string; descricao: string };
}

/** What a debit was made of and what became of it, beside its charge of the ledger. */
export interface EmulatedCobr {
  json: Exchange['json'];
  status: string;
  changes: Change[];
  attempts: EmulatedAttempt[];
  encerramento?: object;
}

export const cobrIn = ({ details }: EmulatedCharge): EmulatedCobr | undefined =>
  details['cobr'] as EmulatedCobr | undefined;

const tlv = (id: string, value: string): string => `${id}${String(value.length).padStart(2, '0')}${value}`;

/** As the examples of the API Pix 2.9.0 compose it. */
function compositeOf(location: string, charge: EmulatedCharge | undefined): string {
  const gui = tlv('00', 'br.gov.bcb.pix');
  const text = [
    '000201',
    charge ? tlv('01', '12') : '',
    tlv('26', gui + (charge ? tlv('25', locationOf(charge)) : '')),
    '5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***',
    tlv('80', gui + tlv('25', location)),
    '6304',
  ].join('');
  return text + crc16(text);
}

const historyOf = (changes: readonly Change[], has: Has): object[] =>
  changes.map(({ status, data }) => (has('nameForStatus') ? { nome: status, data } : { status, data }));

interface Shown {
  /** That of the `txid` that was asked for with it. */
  charge?: EmulatedCharge | undefined;
  hasCode: boolean;
}

/** RecCompleta, and RecCompletaPesquisada without its code. */
export function recOf(rec: EmulatedRec, has: Has, { charge, hasCode }: Shown): object {
  const { idRec, json, status, location, encerramento, txid, journey } = rec;
  const { vinculo, calendario, valor, politicaRetentativa } = json;
  const isShown = hasCode && location !== undefined && !has('noComposite');
  return {
    idRec,
    status,
    vinculo,
    calendario,
    ...(valor !== undefined && { valor }),
    politicaRetentativa,
    recebedor: { cnpj: '92221288310574', nome: 'Padaria São José Ltda.' },
    ...(status !== 'CRIADA' && { pagador: { codMun: '2673833', ispbParticipante: '81102623' } }),
    ...(location && { loc: { ...location, idRec } }),
    ...(!has('noJourney') && {
      ativacao: { tipoJornada: journey, ...(txid !== undefined && { dadosJornada: { txid } }) },
    }),
    atualizacao: historyOf(rec.changes, has),
    ...(encerramento && { encerramento }),
    ...(isShown && {
      dadosQR: {
        jornada: charge ? (charge.due ? 'JORNADA_4' : 'JORNADA_3') : 'JORNADA_2',
        pixCopiaECola: compositeOf(location.location, charge),
      },
    }),
  };
}

const shownAttempt = (attempt: EmulatedAttempt, has: Has): object => ({
  ...attempt,
  ...(has('noDates') && { dataLiquidacao: attempt.dataLiquidacao.replace(/-\d\d-/, '-20-') }),
});

/** CobRGerada, and with what became of it CobRCompleta. */
export function cobrOf(charge: EmulatedCharge, cobr: EmulatedCobr, has: Has, isComplete: boolean): object {
  const { idRec, infoAdicional, calendario, valor, ajusteDiaUtil, recebedor } = cobr.json;
  const isListed = charge.pix.length > 0 && !has('noDebitPix');
  return {
    idRec,
    txid: charge.transactionId,
    ...(infoAdicional !== undefined && { infoAdicional }),
    calendario: { criacao: charge.createdAt.toISOString().slice(0, 10), ...Object(calendario) },
    status: cobr.status,
    valor,
    ajusteDiaUtil,
    recebedor,
    politicaRetentativa: String(idRec).startsWith('RR') ? 'PERMITE_3R_7D' : 'NAO_PERMITE',
    atualizacao: historyOf(cobr.changes, has),
    ...(cobr.encerramento && { encerramento: cobr.encerramento }),
    ...(isComplete && {
      tentativas: cobr.attempts.map((attempt) => shownAttempt(attempt, has)),
      ...(isListed && { pix: charge.pix.map((pix) => withoutKey(pixOf(charge, pix, has, true))) }),
    }),
  };
}

/** PixAutomatico has no key. */
export function withoutKey(pix: object): object {
  const { chave: _key, ...others } = pix as Record<string, unknown>;
  return others;
}
