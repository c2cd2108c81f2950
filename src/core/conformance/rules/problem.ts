import type { CheckReason } from '../../providers/rules/check-reasons.ts';
import { type PspError, type PspFailure, reasonOf } from '../../providers/rules/psp-error.ts';

/** What of a failed call may be published. */
export interface Problem {
  failure: PspFailure;
  reason: CheckReason;
  status: number | null;
  /** Those of the API Pix. A word of the provider's own could be anything, so it is not here. */
  words: string[];
  /** Members of the response that could not be read, by the names of our schemas. */
  members: string[];
}

/** "Tratamento de erros" of the API Pix 2.9.0, and what Efí has in their place (dev.efipay.com.br). */
const errorWords = new Set(
  `RequisicaoInvalida AcessoNegado NaoEncontrado PermanentementeRemovido ErroInternoDoServidor ServicoIndisponivel
  IndisponibilidadePorTempoEsgotado CobNaoEncontrado CobOperacaoInvalida CobConsultaInvalida CobVNaoEncontrada
  CobVOperacaoInvalida CobVConsultaInvalida PixNaoEncontrado PixConsultaInvalida PixDevolucaoNaoEncontrada
  PixDevolucaoInvalida WebhookNaoEncontrado WebhookOperacaoInvalida WebhookConsultaInvalida RecNaoEncontrada
  RecOperacaoInvalida RecConsultaInvalida CobRNaoEncontrado CobROperacaoInvalida SolicRecOperacaoInvalida
  json_invalido valor_invalido txid_duplicado status_cobranca_invalido chave_invalida acesso_negado`.split(
    /\s+/,
  ),
);

const unreadable = /response is unreadable: ([\w., ]+)/;
const member = /^[a-zA-Z]+(\.([a-zA-Z]+|\d{1,2}))*$/;

/** Takes what it knows out of the message, and leaves the rest. */
export function problemOf(error: PspError): Problem {
  const { failure, message } = error;
  const [, status] = /\bHTTP ([1-5]\d\d)\b/.exec(message) ?? [];
  const [, listed = ''] = unreadable.exec(message) ?? [];
  return {
    failure,
    reason: reasonOf(error),
    status: status === undefined ? null : Number(status),
    words: (message.match(/\w+/g) ?? []).filter((word) => errorWords.has(word)),
    members: listed.split(/, | and /).filter((each) => member.test(each)),
  };
}
