import { z } from 'zod';
import { BrCodeError, buildDynamicBrCode } from '../../domain/payments/br-code.ts';
import { type Cents, cents, reaisFromCents } from '../../domain/money.ts';
import {
  type Charge,
  type ChargeRequest,
  type PayerField,
  type PspError,
  type Refund,
} from '../../domain/providers/psp.ts';
import { cutTo } from '../../domain/text.ts';
import { instant, translated } from '../kit/answer.ts';
import { type HttpResponse, refusal, wordOf } from '../http/http-client.ts';
import { documentOf, payerRefusal } from '../kit/payer.ts';
import { afterReturns, type ToldReturn } from '../kit/returned.ts';
import type { ToldRefund } from '../kit/reported-refund.ts';
import type { BacenSettings } from './settings.ts';

const maximumNameLength = 200;
const maximumDescriptionLength = 140;

const amount = z
  .string()
  .regex(/^\d{1,10}\.\d{2}$/)
  .transform((text) => cents(BigInt(text.replace('.', ''))));

export const amountOf = (amountInCents: Cents): string => reaisFromCents(amountInCents).toFixed(2);

const returned = z.object({ valor: amount, status: z.string() });

const receivedPix = z.object({
  endToEndId: z.string().min(1).max(64),
  txid: z.string().optional(),
  chave: z.string().optional(),
  valor: amount,
  horario: instant,
  // The standard's example has an object where its schema has a list.
  devolucoes: z.union([z.array(returned), returned.transform((one) => [one])]).nullish(),
});

/** CobGerada and CobCompleta; some PSPs send null for absent members. */
export const cob = z.object({
  txid: z.string(),
  status: z.string(),
  calendario: z.object({ criacao: instant, expiracao: z.int().nonnegative().default(86_400) }),
  valor: z.object({ original: amount }),
  chave: z.string(),
  location: z.string().nullish(),
  loc: z.object({ location: z.string().nullish() }).nullish(),
  pixCopiaECola: z.string().nullish(),
  pix: z.array(receivedPix).nullish(),
});

export type Cob = z.output<typeof cob>;

export const devolucao = z.object({ id: z.string(), valor: amount, status: z.string() });

/** The body of `PUT /cob/{txid}`. */
export function cobRequestOf(request: ChargeRequest, pixKey: string, expirySeconds: number): object {
  const { amountInCents, description, payer } = request;
  const document = documentOf(payer);
  const name = payer.name?.trim();
  return {
    calendario: { expiracao: expirySeconds },
    // The standard requires both or neither.
    ...(name &&
      document && { devedor: { [document.kind]: document.value, nome: cutTo(name, maximumNameLength) } }),
    valor: { original: amountOf(amountInCents), modalidadeAlteracao: 0 },
    chave: pixKey,
    ...(description && { solicitacaoPagador: cutTo(description, maximumDescriptionLength) }),
  };
}

export interface ReadCharge {
  charge: Charge;
  /** Members of the response that differ from the request; if any, the charge is unrecognised and lists no Pix. */
  mismatches: readonly string[];
}

export function readCob(answer: Cob, transactionId: string, settings: BacenSettings): ReadCharge {
  const pix = answer.pix ?? [];
  const isOurs = (key: string | undefined) =>
    key === undefined || key.toLowerCase() === settings.pixKey.toLowerCase();
  const mismatches = [
    ...(answer.txid === transactionId ? [] : ['txid']),
    ...(isOurs(answer.chave) ? [] : ['chave']),
    ...(pix.every(({ chave }) => isOurs(chave)) ? [] : ['pix.chave']),
    ...(pix.every(({ txid }) => txid === undefined || txid === transactionId) ? [] : ['pix.txid']),
    ...(pix.every(({ valor }) => valor === answer.valor.original) ? [] : ['pix.valor']),
  ];
  const { criacao, expiracao } = answer.calendario;
  const isForeign = mismatches.length > 0;
  const received = pix.map((each) => ({ ...each, ...afterReturns(each.valor, returnsOf(each)) }));
  const decided = received.filter(({ status }) => status === 'paid');
  const status = translated(chargeStatuses, answer.status);
  const charge: Charge = {
    transactionId,
    reference: null,
    status: isForeign
      ? 'unrecognised'
      : status === 'paid' && received.length > decided.length && decided.length === 0
        ? 'contested'
        : status,
    amountInCents: answer.valor.original,
    pixCopyPaste: codeOf(answer, settings),
    expiresAt: new Date(criacao.getTime() + expiracao * 1_000),
    receivedPix: isForeign
      ? []
      : decided.map(({ endToEndId, valor, horario, returnedInCents }) => ({
          endToEndId,
          amountInCents: valor,
          returnedInCents,
          paidAt: horario,
        })),
  };
  return { charge, mismatches };
}

/** The standard has no status for expired charges, and our clock is not the PSP's: ATIVA may still be paid. */
const chargeStatuses: Readonly<Record<string, Charge['status']>> = {
  ATIVA: 'active',
  CONCLUIDA: 'paid',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: 'cancelled',
  REMOVIDA_PELO_PSP: 'cancelled',
};

/** An unusable location fails the create, but must not fail a payment that already exists. */
function codeOf({ pixCopiaECola, loc, location, valor }: Cob, settings: BacenSettings): string | null {
  if (pixCopiaECola) return pixCopiaECola;
  const where = loc?.location ?? location;
  if (!where) return null;
  const { merchantName, merchantCity } = settings;
  try {
    return buildDynamicBrCode({ location: where, merchantName, merchantCity, amountInCents: valor.original });
  } catch (error) {
    if (error instanceof BrCodeError) return null;
    throw error;
  }
}

const refundStatuses: Readonly<Record<string, Refund['status']>> = {
  EM_PROCESSAMENTO: 'pending',
  DEVOLVIDO: 'completed',
  NAO_REALIZADO: 'failed',
};

/** Of any `natureza`: banks may also return money on their own initiative. */
const returnsOf = ({ devolucoes }: z.output<typeof receivedPix>): ToldReturn[] =>
  devolucoes?.map(({ status, valor }) => ({
    status: translated(refundStatuses, status),
    amountInCents: valor,
  })) ?? [];

export const refundOf = ({ id, status, valor }: z.output<typeof devolucao>): ToldRefund => ({
  reference: id,
  status: translated(refundStatuses, status),
  amountInCents: valor,
});

/** Problem Details of the standard, and Efí's own format. The prose is searched for member names only. */
const problem = z.object({
  type: z.string().optional().catch(undefined),
  detail: z.string().optional().catch(undefined),
  violacoes: z.array(z.object({ propriedade: z.string().optional() })).catch([]),
  nome: z.string().optional().catch(undefined),
  mensagem: z.string().optional().catch(undefined),
  erros: z.array(z.object({ caminho: z.string().optional(), mensagem: z.string().optional() })).catch([]),
});

const payerMembers: Readonly<Record<string, readonly PayerField[]>> = {
  cpf: ['document'],
  cnpj: ['document'],
  nome: ['name'],
};

/** The violated rule of the standard: the last segment of `type`, or Efí's `nome`. */
export function problemOf({ json }: HttpResponse): string | undefined {
  const { data } = problem.safeParse(json);
  return wordOf(data?.type?.split('/').at(-1)) ?? wordOf(data?.nome);
}

/** The error for a 4xx without a more specific meaning. */
export function refusalOf(response: HttpResponse): PspError {
  const fields = response.status === 401 || response.status === 403 ? [] : payerFieldsOf(response.json);
  return fields.length > 0 ? payerRefusal(fields) : refusal(response, problemOf(response));
}

function payerFieldsOf(json: unknown): PayerField[] {
  const { data } = problem.safeParse(json);
  if (!data) return [];
  const texts = [
    ...data.violacoes.map(({ propriedade }) => propriedade),
    ...data.erros.flatMap(({ caminho, mensagem }) => [caminho, mensagem]),
    ...(data.violacoes.length > 0 ? [] : [data.detail, data.mensagem]),
  ];
  return texts.flatMap((text) =>
    [...(text ?? '').matchAll(/\bdevedor\b(?:\.(\w+))?/g)].flatMap(
      ([, member = '']) => payerMembers[member] ?? ['name', 'document'],
    ),
  );
}
