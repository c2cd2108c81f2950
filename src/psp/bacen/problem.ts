import type { PayerField } from '../../core/providers/rules/psp.ts';
import type { PspError } from '../../core/providers/rules/psp-error.ts';
import { type HttpResponse, refusal, wordOf } from '../http/http-client.ts';
import { payerRefusal } from '../kit/payer.ts';
import { problem } from './wire-format.ts';

/** The words that a bank has, besides the standard's, for what its status alone does not say. */
export interface ProblemWords {
  notFound: readonly string[];
  inUse: readonly string[];
}

/** Last segment of `type` in the standard, `nome` at Efí, `codigo` at Banco do Brasil. */
function wordsIn(json: unknown): string[] {
  const { data } = problem.safeParse(json);
  if (!data) return [];
  const words = [data.type?.split('/').at(-1), data.nome, ...data.erros.map(({ codigo }) => codigo)];
  return words.filter((word) => word !== undefined);
}

/** CobNaoEncontrado, PixNaoEncontrado, PixDevolucaoNaoEncontrada, WebhookNaoEncontrado, NaoEncontrado (API Pix 2.9, "Tratamento de erros"). */
const standardNotFound = /^(?:Cob|Pix|PixDevolucao|Webhook)?NaoEncontrad[oa]$/;

/** What only the bank's Pix application says, in the members for prose; Inter has "Entidade não encontrada" and no `type`. */
const notFoundProse =
  /\b(?:cobranca|devolucao|txid|entidade)\b[^/]{0,40}\bnao (?:foi )?(?:encontrad|localizad)|\bnenhuma? (?:cobranca|devolucao|pix)\b[^/]{0,20}\b(?:encontrad|localizad)/;

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function proseIn(json: unknown): string {
  const { data } = problem.safeParse(json);
  if (!data) return '';
  const all = [data.title, data.detail, data.mensagem, ...data.erros.map(({ mensagem }) => mensagem)];
  return plain(all.join('\n').slice(0, 1_000));
}

/**
 * Whether the bank says that what was asked for is not there. The status alone does not say so: a wrong base URL or a proxy
 * responds with 404 too, and believing it would end a payment that may be paid, or repeat a refund. The price of insisting on a
 * word is that a bank with words of its own leaves such an outcome unknown until they are in its preset.
 */
export function saysNotFound({ status, json }: HttpResponse, words: ProblemWords): boolean {
  if (status !== 404 && status !== 400) return false;
  if (wordsIn(json).some((word) => standardNotFound.test(word) || words.notFound.includes(word))) return true;
  return status === 404 && notFoundProse.test(proseIn(json));
}

const standardInUse = ['CobOperacaoInvalida', 'PixDevolucaoInvalida'];

/**
 * Whether the id may be in use: 409, or 400 for an operation that the state of the charge forbids. A lookup decides, so
 * a word too many does no harm.
 */
export const mayBeInUse = ({ status, json }: HttpResponse, words: ProblemWords): boolean =>
  status === 409 ||
  ((status === 400 || status === 422) &&
    wordsIn(json).some((word) => standardInUse.includes(word) || words.inUse.includes(word)));

/** Itaú says so of a URL that is registered for another key or client (bacen/pix-api, issue 9): 400 WebhookOperacaoInvalida. */
export const saysUrlIsTaken = ({ status, text }: HttpResponse): boolean =>
  status === 400 && text.includes('There is a target registered');

const payerMembers: Readonly<Record<string, readonly PayerField[]>> = {
  cpf: ['document'],
  cnpj: ['document'],
  nome: ['name'],
};

/** The error for a 4xx without a more specific meaning. */
export function refusalOf(response: HttpResponse): PspError {
  const fields = response.status === 401 || response.status === 403 ? [] : payerFieldsOf(response.json);
  const word = wordsIn(response.json).map(wordOf).find(Boolean);
  return fields.length > 0 ? payerRefusal(fields) : refusal(response, word);
}

/** The prose is searched for member names only. */
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
