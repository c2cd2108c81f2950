import { z } from 'zod';
import { cents } from '../../core/base/money.ts';
import { calendarDayOf } from '../../core/base/time/calendar-day.ts';
import { instant, optionally } from '../kit/moment.ts';
import { eachIfReadable, ifReadable, orUnreadable, splitUnreadable, told } from '../kit/response.ts';

// Reading is tolerant: each deviation below is one that a bank's production shows. What counts as paid is decided by
// comparing what was read (mapping.ts), not by how it is written.

/** The standard is a string with two decimals; also seen: one decimal (Banco do Brasil v1), none, a number. */
export const amount = z.union([z.string(), z.number()]).transform((value, context) => {
  const [, whole, decimals = ''] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(String(value)) ?? [];
  if (whole !== undefined) return cents(BigInt(whole + decimals.padEnd(2, '0')));
  context.addIssue('must be an amount');
  return z.NEVER;
});

/** A whole number, also as a string of digits (Banco do Brasil, Santander). */
const wholeNumber = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number),
]);

/** Absent, null or empty. */
export const optionalText = z
  .string()
  .nullish()
  .transform((text) => (text === null || text === '' ? undefined : text));

/** Absent or null, and a single item where a list is meant (notifications of ONZ, the standard's own example). */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .union([z.array(item), item.transform((one) => [one])])
    .nullish()
    .transform((list) => list ?? []);

/** A due date that our calendar knows. */
const day = z
  .string()
  .regex(/^2\d{3}-/)
  .transform(calendarDayOf);

/** A part of the amount of a Pix. */
const component = z.object({ valor: amount }).nullish();

/** What the amount of a Pix is made up of (API Pix 2.9.0, `Pix`). */
const components = z.object({
  original: component,
  abatimento: component,
  desconto: component,
  multa: component,
  juros: component,
});

export const devolucao = z.object({ id: z.string(), valor: amount, status: z.string() });

/** Not in the standard, but at Banco do Brasil and Efí; there, with notifications, among `gnExtras` too. */
const payer = ifReadable(z.object({ cpf: told, cnpj: told, nome: told }));

export const receivedPix = z.object({
  // Not always the 32 characters of the standard: PagBank's test environment leaves out the leading E.
  endToEndId: z.string().trim().min(1).max(64),
  txid: optionalText,
  chave: optionalText,
  valor: amount,
  componentesValor: ifReadable(components),
  horario: optionally(instant),
  pagador: payer,
  gnExtras: ifReadable(z.object({ pagador: payer })),
  infoPagador: told,
  devolucoes: eachIfReadable(
    devolucao.extend({
      id: optionalText,
      natureza: optionalText,
      horario: ifReadable(z.object({ liquidacao: optionally(instant) })),
    }),
  ),
});

/** A Pix in a list, whose time decides into which day's books it goes. */
export const listedPix = receivedPix
  .extend({ horario: instant })
  .refine(({ devolucoes }) => devolucoes.unreadable.length === 0, { path: ['devolucoes'] });

/** A day on which the payer's bank was asked for a debit (CobRTentativas). */
const attempt = z.object({
  dataLiquidacao: ifReadable(day),
  status: optionalText.catch(undefined),
  endToEndId: optionalText.catch(undefined),
  rejeicao: ifReadable(z.object({ codigo: optionalText })),
  atualizacao: listOf(z.object({ data: optionally(instant) })).catch([]),
});

export type WireAttempt = z.output<typeof attempt>;

export type WirePix = z.output<typeof receivedPix>;
export type ListedPix = z.output<typeof listedPix>;

/** A Pix that cannot be read does not hide those that can. */
const pixOfCharge = listOf(orUnreadable(receivedPix, { id: 'endToEndId' })).transform((items, context) => {
  const { read, unreadable } = splitUnreadable(items);
  const members = unreadable.flatMap((item) => item.members.map((member) => `pix.${member}`));
  if (read.length > 0 || unreadable.length === 0) return { read, unreadable: members };
  context.addIssue({ code: 'custom', message: 'must be a Pix', path: [members.join(', ')] });
  return z.NEVER;
});

/** CobGerada and CobCompleta, CobVGerada and CobVCompleta, CobRGerada and CobRCompleta. */
export const cob = z.object({
  txid: optionalText,
  status: z.string(),
  calendario: z
    .object({
      criacao: optionally(instant),
      expiracao: wholeNumber.nullish().transform((seconds) => seconds ?? 86_400),
      dataDeVencimento: day.nullish(),
      validadeAposVencimento: wholeNumber
        .nullish()
        .transform((days) => days ?? 30)
        .pipe(z.int().min(0).max(9_999)),
    })
    .nullish()
    .catch(undefined),
  valor: z.object({ original: amount }),
  chave: optionalText,
  location: optionalText.catch(undefined),
  loc: ifReadable(z.object({ location: optionalText })),
  // The code, by its names at the banks: the standard, Sicoob, Banco do Brasil, and one seen elsewhere.
  pixCopiaECola: optionalText.catch(undefined),
  brcode: optionalText.catch(undefined),
  textoImagemQRcode: optionalText.catch(undefined),
  emv: optionalText.catch(undefined),
  pix: pixOfCharge,
  idRec: optionalText.catch(undefined),
  tentativas: listOf(attempt).catch([]),
  encerramento: ifReadable(z.object({ rejeicao: ifReadable(z.object({ codigo: optionalText })) })),
});

export type Cob = z.output<typeof cob>;

export const paginacao = z
  .object({
    quantidadeDePaginas: wholeNumber,
    quantidadeTotalDeItens: wholeNumber.nullish().catch(undefined),
  })
  .transform((read) => ({ pageCount: read.quantidadeDePaginas, total: read.quantidadeTotalDeItens ?? null }));

/** PixConsultados, the response of `GET /pix`. Without its paging nobody knows whether a page is all there is. */
const pageOf = <Item extends z.ZodType>(item: Item) =>
  z
    .object({ parametros: z.object({ paginacao }), pix: listOf(item) })
    .transform((read) => ({ pix: read.pix, ...read.parametros.paginacao }));

/** The txid is enough, whatever else can be read. */
export const receivedPixPage = pageOf(
  z.looseObject({ txid: optionalText }).transform((item) => ({
    txid: item.txid,
    read: listedPix.safeParse(item).data,
  })),
);

export const statementPage = pageOf(orUnreadable(listedPix, { id: 'endToEndId', receivedAt: 'horario' }));

const named = listOf(z.object({ txid: optionalText }));

/** CobsConsultadas, CobsVConsultadas and CobsRConsultadas. Only the txids of the charges are read. */
export const cobsPage = z
  .object({ parametros: z.object({ paginacao }), cobs: named, cobsr: named })
  .transform((read) => ({ cobs: [...read.cobs, ...read.cobsr], ...read.parametros.paginacao }));

export const emptyPage = { parametros: { paginacao: { quantidadeDePaginas: 0 } } };

const notifiedPix = z.object({ txid: optionalText, endToEndId: optionalText.catch(undefined) });

/**
 * Only the ids of a notification are read; everything else is looked up at the PSP. Those of recurrences and their debits come to
 * `/rec` and `/cobr`. Inter sends the list without the
 * object around it (phpay-io/phpay 2.8.0, "Inter").
 */
export const notification = z.union([
  z.array(notifiedPix).transform((pix) => ({ pix, recs: [], cobsr: [] })),
  z.object({
    pix: listOf(notifiedPix),
    recs: listOf(z.object({ idRec: optionalText })),
    cobsr: named,
  }),
]);

export const webhook = z.object({ webhookUrl: z.string() });

const text = z.string().optional().catch(undefined);

/** Problem Details of the standard, and the formats of Efí and Banco do Brasil. */
export const problem = z.object({
  type: text,
  title: text,
  detail: text,
  violacoes: z.array(z.object({ propriedade: z.string().optional() })).catch([]),
  nome: text,
  mensagem: text,
  erros: z.array(z.object({ codigo: text, caminho: text, mensagem: text })).catch([]),
});
