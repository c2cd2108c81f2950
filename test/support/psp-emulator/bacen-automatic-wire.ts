import { z } from 'zod';
import { cents, reaisFromCents } from '../../../src/core/base/money.ts';
import type { Outcome } from './automatic.ts';
import type { BacenSwitch } from './bacen-bank.ts';
import { pixOf, type Violation } from './bacen-wire.ts';
import { isDay } from './due.ts';
import type { EmulatedCharge } from './ledger.ts';

type Has = (name: BacenSwitch) => boolean;

const day = z.string().refine(isDay);
const amount = z.string().regex(/^\d{1,10}\.\d{2}$/);
const debtor = z.union([
  z.strictObject({ cpf: z.string().regex(/^\d{11}$/), nome: z.string().min(1).max(140) }),
  z.strictObject({ cnpj: z.string().regex(/^[0-9A-Z]{14}$/), nome: z.string().min(1).max(140) }),
]);
const journey = z.strictObject({
  dadosJornada: z.strictObject({ txid: z.string().regex(/^[a-zA-Z0-9]{26,35}$/) }),
});

/** RecSolicitada. Members that it does not have are refused everywhere: none of them would be heard. */
export const recBody = z.strictObject({
  vinculo: z.strictObject({
    contrato: z.string().min(1).max(35),
    devedor: debtor,
    objeto: z.string().max(35).optional(),
  }),
  calendario: z.strictObject({
    dataInicial: day,
    dataFinal: day.optional(),
    periodicidade: z.enum(['SEMANAL', 'MENSAL', 'TRIMESTRAL', 'SEMESTRAL', 'ANUAL']),
  }),
  valor: z.strictObject({ valorRec: amount.optional(), valorMinimoRecebedor: amount.optional() }).optional(),
  politicaRetentativa: z.enum(['NAO_PERMITE', 'PERMITE_3R_7D']),
  recebedor: z.strictObject({ convenio: z.string().max(60) }).optional(),
  loc: z.int().optional(),
  ativacao: journey.optional(),
});

/** RecRevisada. */
export const recPatch = z.strictObject({
  status: z.literal('CANCELADA').optional(),
  vinculo: z.strictObject({ devedor: z.strictObject({ nome: z.string().min(1).max(140) }) }).optional(),
  loc: z.int().optional(),
  calendario: z.strictObject({ dataInicial: day }).optional(),
  ativacao: journey.optional(),
});

/** SolicRecSolicitada. */
export const solicBody = z.strictObject({
  idRec: z.string().length(29),
  calendario: z.strictObject({ dataExpiracaoSolicitacao: z.iso.datetime({ offset: true }) }),
  destinatario: z
    .strictObject({
      cpf: z
        .string()
        .regex(/^\d{11}$/)
        .optional(),
      cnpj: z
        .string()
        .regex(/^[0-9A-Z]{14}$/)
        .optional(),
      ispbParticipante: z.string().regex(/^[0-9A-Z]{8}$/),
      agencia: z.string().max(4).optional(),
      conta: z.string().max(20),
    })
    .refine(({ cpf, cnpj }) => (cpf === undefined) !== (cnpj === undefined)),
});

/** CobRSolicitada. An example has nine characters for a `cep` of eight. */
export const cobrBody = z.strictObject({
  idRec: z.string().length(29),
  infoAdicional: z.string().max(140).optional(),
  calendario: z.strictObject({ dataDeVencimento: day }),
  valor: z.strictObject({ original: amount }),
  ajusteDiaUtil: z.boolean().default(true),
  recebedor: z.strictObject({
    agencia: z.string().max(4).optional(),
    conta: z.string().max(20),
    tipoConta: z.enum(['CORRENTE', 'POUPANCA', 'PAGAMENTO']),
  }),
  devedor: z
    .strictObject({
      email: z.string().optional(),
      logradouro: z.string().max(200).optional(),
      cidade: z.string().max(200).optional(),
      uf: z.string().length(2).optional(),
      cep: z
        .string()
        .regex(/^\d{5}-?\d{3}$/)
        .optional(),
    })
    .optional(),
});

export const violationsIn = (of: string, { issues }: z.ZodError): Violation[] =>
  issues.map((issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? [issue.keys[0]] : [];
    const propriedade = [of, ...issue.path, ...unknown].join('.');
    return { razao: `O campo ${propriedade} não respeita o _schema_.`, propriedade };
  });

interface Change<Status> {
  status: Status;
  data: Date;
}

export interface Location {
  id: number;
  location: string;
  criacao: Date;
}

export type SolicStatus =
  'CRIADA' | 'ENVIADA' | 'RECEBIDA' | 'ACEITA' | 'REJEITADA' | 'EXPIRADA' | 'CANCELADA';

export interface Solicitation {
  idSolicRec: string;
  body: z.output<typeof solicBody>;
  history: Change<SolicStatus>[];
}

export type RecStatus = 'CRIADA' | 'APROVADA' | 'REJEITADA' | 'EXPIRADA' | 'CANCELADA';

export interface Rec {
  idRec: string;
  body: z.output<typeof recBody>;
  createdAt: Date;
  history: Change<RecStatus>[];
  tipoJornada: string;
  solicitations: Solicitation[];
  loc?: Location | undefined;
  txid?: string | undefined;
  end?: object;
}

export interface Attempt {
  day: string;
  tipo: 'AGND' | 'NTAG';
  endToEndId: string;
  history: Change<'SOLICITADA' | 'AGENDADA' | 'PAGA' | 'CANCELADA' | 'REJEITADA' | 'EXPIRADA'>[];
  code?: string;
}

export type CobrStatus = 'CRIADA' | 'ATIVA' | 'CONCLUIDA' | 'EXPIRADA' | 'REJEITADA' | 'CANCELADA';

export interface Cobr {
  rec: Rec;
  body: z.output<typeof cobrBody>;
  /** On which the first attempt is to be settled. */
  day: string;
  charge: EmulatedCharge;
  history: Change<CobrStatus>[];
  attempts: Attempt[];
  end?: object;
}

export const statusOf = <Status>({ history }: { history: Change<Status>[] }): Status =>
  (history.at(-1) as Change<Status>).status;

/** Those that reject the debit itself, CobRTentativas. */
export const fatal = ['AC05', 'AM09', 'DENC', 'DS27', 'DTED', 'MIDI', 'MSUC', 'NITX', 'RC09'];

const codes: Record<Exclude<Outcome, 'paid' | 'no_balance' | object>, string> = {
  limit: 'AM02',
  account_closed: 'AC05',
  account_blocked: 'AC06',
  operational: 'AB10',
  mandate_ended: 'MSUC',
  already_paid: 'NIPA',
};

/** Undefined for want of balance, which has no code: the attempt expires. */
export const codeOf = (outcome: Exclude<Outcome, 'paid'>): string | undefined =>
  outcome === 'no_balance' ? undefined : typeof outcome === 'object' ? outcome.code : codes[outcome];

export const cancelled = (solicitante: string, codigo: string) => ({
  cancelamento: { solicitante, codigo, descricao: 'Cancelamento.' },
});

const shown = (history: readonly Change<string>[], has: Has) =>
  history.map(({ status, data }) => ({
    ...(has('nameForStatus') ? { nome: status } : { status }),
    data: data.toISOString(),
  }));

export const locOf = ({ id, location, criacao }: Location, idRec?: string) => ({
  id,
  location,
  criacao: criacao.toISOString(),
  ...(idRec && { idRec }),
});

/** What a recurrence has in answers and in notifications. */
export const recStateOf = (rec: Rec, has: Has) => ({
  idRec: rec.idRec,
  status: statusOf(rec),
  atualizacao: shown(rec.history, has),
  ...(rec.end && { encerramento: rec.end }),
  ...(!has('noJourney') && {
    ativacao: {
      tipoJornada: rec.tipoJornada,
      ...(rec.txid && { dadosJornada: { txid: rec.txid } }),
    },
  }),
});

/** RecGerada and RecCompleta. */
export function recOf(rec: Rec, has: Has, qr?: { jornada: string; pixCopiaECola: string }) {
  const { vinculo, calendario, valor, politicaRetentativa, recebedor } = rec.body;
  const isPermitted = rec.history.some(({ status }) => status === 'APROVADA');
  return {
    ...recStateOf(rec, has),
    vinculo,
    calendario,
    ...(valor && { valor }),
    politicaRetentativa,
    recebedor: { cnpj: '56989000019533', nome: 'Padaria São José Ltda.', ...recebedor },
    ...(isPermitted && {
      pagador: { codMun: '2673833', cpf: '75633122216', ispbParticipante: '81102623' },
    }),
    ...(rec.loc && { loc: locOf(rec.loc, rec.idRec) }),
    ...(rec.solicitations.length > 0 && {
      solicitacao: rec.solicitations.map((each) => solicitationOf(each, has)),
    }),
    ...(qr && !has('noComposite') && { dadosQR: qr }),
  };
}

/** SolicRecCompleta, without the recurrence. */
export const solicitationOf = (each: Solicitation, has: Has) => ({
  idSolicRec: each.idSolicRec,
  ...each.body,
  status: statusOf(each),
  atualizacao: shown(each.history, has),
});

/** As the example of a notification has it, which has the month of the day and the day of the month. */
const dateOf = (text: string, has: Has): string =>
  has('noDates') ? text.replace(/^(\d{4})-\d\d-(\d\d)$/, '$1-20-$2') : text;

export const cobrStateOf = ({ rec, charge, history, attempts, end }: Cobr, has: Has) => ({
  idRec: rec.idRec,
  txid: charge.transactionId,
  status: statusOf({ history }),
  atualizacao: shown(history, has),
  ...(attempts.length > 0 && {
    tentativas: attempts.map((each) => ({
      dataLiquidacao: dateOf(each.day, has),
      tipo: each.tipo,
      status: statusOf(each),
      endToEndId: each.endToEndId,
      atualizacao: shown(each.history, has),
      ...(each.code && { rejeicao: { codigo: each.code, descricao: 'Rejeição.' } }),
    })),
  }),
  ...(charge.pix.length > 0 &&
    !has('noDebitPix') && {
      // PixAutomatico has no key.
      pix: charge.pix.map((pix) => ({ ...pixOf(charge, pix, has), chave: undefined })),
    }),
  ...(end && { encerramento: end }),
});

/** CobRGerada and CobRCompleta. */
export const cobrOf = (cobr: Cobr, has: Has) => ({
  ...cobrStateOf(cobr, has),
  calendario: {
    criacao: new Date(cobr.charge.createdAt.getTime() - 3 * 3_600_000).toISOString().slice(0, 10),
    ...cobr.body.calendario,
  },
  valor: { original: reaisFromCents(cents(cobr.charge.amountInCents)).toFixed(2) },
  politicaRetentativa: cobr.rec.body.politicaRetentativa,
  ajusteDiaUtil: cobr.body.ajusteDiaUtil,
  recebedor: cobr.body.recebedor,
  ...(cobr.body.infoAdicional !== undefined && { infoAdicional: cobr.body.infoAdicional }),
  ...(cobr.body.devedor && { devedor: cobr.body.devedor }),
});
