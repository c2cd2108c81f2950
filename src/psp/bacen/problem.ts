import type { PayerField } from '../../core/providers/rules/charge.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { type HttpResponse, refusal, wordOf } from '../http/http-client.ts';
import { payerRefusal } from '../kit/payer.ts';
import type { BacenPreset, ProblemWords } from './account/presets.ts';
import { optionalServiceAt } from './account/scopes.ts';
import { problem } from './wire-format.ts';

/** Last segment of `type` in the standard, `nome` at Efí, `codigo` at Banco do Brasil. */
function wordsIn(json: unknown): string[] {
  const { data } = problem.safeParse(json);
  if (!data) return [];
  const words = [data.type?.split('/').at(-1), data.nome, ...data.erros.map(({ codigo }) => codigo)];
  return words.filter((word) => word !== undefined);
}

/** CobNaoEncontrado, CobVNaoEncontrada, CobRNaoEncontrado, RecNaoEncontrada, PixNaoEncontrado, PixDevolucaoNaoEncontrada, WebhookNaoEncontrado, NaoEncontrado (API Pix 2.9, "Tratamento de erros"). */
const standardNotFound = /^(?:Cob[VR]?|Rec|Pix|PixDevolucao|Webhook)?NaoEncontrad[oa]$/;

/** What only the bank's Pix application says, in the members for prose; Inter has "Entidade não encontrada" and no `type`. */
const notFoundProse =
  /\b(?:cobranca|recorrencia|devolucao|txid|entidade)\b[^/]{0,40}\bnao (?:foi )?(?:encontrad|localizad)|\bnenhuma? (?:cobranca|devolucao|pix)\b[^/]{0,20}\b(?:encontrad|localizad)/;

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

/**
 * Whether the id may be in use, so that a lookup has to decide. The standard has no word for it (for a debit not even a
 * status), and banks have their own: believing the status would call a charge refused that the payer can still pay.
 */
export const mayBeInUse = ({ status }: HttpResponse): boolean => [400, 409, 422].includes(status);

/** Itaú says so of a URL that is registered for another key or client (bacen/pix-api, issue 9): 400 WebhookOperacaoInvalida. */
export const saysUrlIsTaken = ({ status, text }: HttpResponse): boolean =>
  status === 400 && text.includes('There is a target registered');

const payerMembers: Readonly<Record<string, readonly PayerField[]>> = {
  cpf: ['document'],
  cnpj: ['document'],
  nome: ['name'],
  email: ['email'],
};

/** The address, or the debtor as a whole where it has one. It is optional by the standard, and some banks demand it. */
const addressMember = /\bdevedor\.(?:logradouro|cidade|uf|cep)\b|\bcob[vr]\.devedor\b(?!\.\w)/;

const mayDemandAddress = (json: unknown): boolean => textsIn(json).some((text) => addressMember.test(text));

/** The error for a 4xx without a more specific meaning. */
export function refusalOf(response: HttpResponse): PspError {
  if (response.status === 400 && mayDemandAddress(response.json)) {
    const text = 'the provider refused payer.address, or demands it (HTTP 400)';
    return new PspError('rejected', text, { reason: 'request_refused' });
  }
  const fields = response.status === 401 || response.status === 403 ? [] : payerFieldsOf(response.json);
  const word = wordsIn(response.json).map(wordOf).find(Boolean);
  return fields.length > 0 ? payerRefusal(fields) : refusal(response, word);
}

const unservedStatuses = [404, 405, 501];

/** A bank without an optional service, or an application without its scopes. */
export const isUnserved = (error: unknown): error is PspError =>
  error instanceof PspError && error.failure === 'rejected' && error.reason === 'scope_missing';

/** `refusalOf` for requests that a bank without an optional service does not serve. */
export function refusalAt(path: string, response: HttpResponse): PspError {
  const service = optionalServiceAt(path);
  if (!service || !unservedStatuses.includes(response.status)) return refusalOf(response);
  const text = `the provider does not serve ${service.name} (HTTP ${response.status})`;
  return new PspError('rejected', text, { reason: 'scope_missing' });
}

const listed = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' and ');

/** The error for a refused optional service. That is no fault of the credential, whose other charges go on. */
export function unservedRefusalOf(path: string, error: unknown, preset: BacenPreset): unknown {
  const service = optionalServiceAt(path);
  if (!service || !isUnserved(error)) return error;
  const needed = `${service.name} need the scopes ${listed(service.scopes)}`;
  const doubt = service.isKnownAt(preset) ? '' : `, if the bank has ${service.name} at all`;
  return new PspError('rejected', `${error.message}: ${needed}${doubt}`, {
    reason: 'request_refused',
    isUnserved: true,
  });
}

/** The prose is searched for member names only. */
function textsIn(json: unknown): string[] {
  const { data } = problem.safeParse(json);
  if (!data) return [];
  const texts = [
    ...data.violacoes.map(({ propriedade }) => propriedade),
    ...data.erros.flatMap(({ caminho, mensagem }) => [caminho, mensagem]),
    ...(data.violacoes.length > 0 ? [] : [data.detail, data.mensagem]),
  ];
  return texts.filter((text) => text !== undefined);
}

const payerFieldsOf = (json: unknown): PayerField[] =>
  textsIn(json).flatMap((text) =>
    [...text.matchAll(/\bdevedor\b(?:\.(\w+))?/g)].flatMap(
      ([, member = '']) => payerMembers[member] ?? ['name', 'document'],
    ),
  );
