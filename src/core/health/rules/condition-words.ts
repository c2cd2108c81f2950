import { sandboxAccount } from '../../books/rules/sandbox-account.ts';
import { shortUrl } from '../../webhooks/rules/short-url.ts';
import type { LocalizedText } from '../../base/localized-text.ts';
import { checkReasons } from '../../providers/rules/check-reasons.ts';
import { isCheckReason } from './calls.ts';
import type { Condition, ConditionKind } from './conditions.ts';

type Language = keyof LocalizedText;

/** Prints dates and shares in the language and time zone of the reader. */
export interface WordFormats {
  dateTime(instant: string | Date): string;
  /** Prints the day of an instant. */
  date(instant: string | Date): string;
  share(ratio: number): string;
}

/** A condition as it was found, or as a dashboard gets it over the wire. */
export type WordedCondition = {
  [Member in keyof Condition]: Member extends 'since'
    ? string | Date | null
    : Condition[Member] | null | undefined;
} & { kind: ConditionKind };

export const conditionTitles: Record<ConditionKind, LocalizedText> = {
  provider_outage: { pt: 'Provedor fora do ar', en: 'Provider down' },
  credential_refused: { pt: 'Credencial recusada', en: 'Credential refused' },
  creations_failing: { pt: 'Cobranças falhando', en: 'Payments failing' },
  notifications_missing: { pt: 'Notificações não chegam', en: 'Notifications not arriving' },
  webhook_failing: { pt: 'Webhook falhando', en: 'Webhook failing' },
  deliveries_waiting: { pt: 'Entregas aguardando', en: 'Deliveries waiting' },
  books_open: { pt: 'Conciliação com divergências', en: 'Reconciliation with differences' },
  books_unavailable: { pt: 'Extrato não importado', en: 'Statement not imported' },
  certificate_expiring: { pt: 'Certificado vencendo', en: 'Certificate expiring' },
  refunds_stuck: { pt: 'Estornos parados', en: 'Refunds stuck' },
  disputes_due: { pt: 'Contestações sem resposta', en: 'Disputes without an answer' },
  debits_our_fault: { pt: 'Débitos com falha de envio', en: 'Debits sent too late or wrongly' },
  no_default_credential: { pt: 'Sem credencial padrão', en: 'No default credential' },
  credential_diverted: { pt: 'Cobranças direcionadas', en: 'Payments routed elsewhere' },
  payments_disputed: { pt: 'Pagamentos em contestação', en: 'Disputed payments' },
  payments_duplicated: { pt: 'Pagamentos em duplicidade', en: 'Duplicate payments' },
  payments_other_payer: { pt: 'Pagamentos feitos por outra pessoa', en: 'Paid by somebody else' },
};

/** Why the service disables an endpoint, by the reason that it records. */
export const disabledReasons: Readonly<Record<string, LocalizedText>> = {
  'it answered 410 Gone': { pt: 'respondeu 410 Gone', en: 'it answered 410 Gone' },
  'it failed for five days': { pt: 'falhou por 5 dias', en: 'it failed for five days' },
};

interface Parts {
  /** Each empty where it is not known. */
  since: string;
  share: string;
  day: string;
  reason: string;
  /** The name of the credential that takes the turn. */
  to: string;
  /** The number with what it counts. */
  some(one: string, many: string): string;
  daysLeft: number;
  isDisabled: boolean;
}

type Say = (parts: Parts) => string;

const pt: Record<ConditionKind, Say> = {
  provider_outage: ({ since, share }) =>
    `o provedor não responde${since && ` desde ${since}`}${share && ` (${share} das chamadas falharam)`}`,
  credential_refused: ({ since, reason }) =>
    `recusada${since && ` desde ${since}`}${reason && `. ${reason}`}`,
  creations_failing: ({ share }) =>
    `${share || 'Muitas'} das últimas cobranças não foram criadas por nenhum provedor`,
  notifications_missing: ({ since }) =>
    `pagamentos só foram encontrados por consulta. Última notificação: ${since}`,
  webhook_failing: ({ since, reason, isDisabled }) =>
    isDisabled
      ? `desativado automaticamente: ${reason}`
      : `falhando desde ${since}. Será desativado após 5 dias de falhas`,
  deliveries_waiting: ({ since }) =>
    `Webhooks aguardam envio desde ${since}. Verifique se há um worker em execução`,
  books_open: ({ some, day }) =>
    `${some('divergência em aberto', 'divergências em aberto')} na conciliação desde ${day}`,
  books_unavailable: ({ some, day }) =>
    `${some('extrato não importado', 'extratos não importados')} desde ${day}`,
  certificate_expiring: ({ daysLeft }) =>
    daysLeft < 0
      ? 'o certificado venceu: o provedor pode recusar as chamadas'
      : `o certificado vence em ${daysLeft === 1 ? '1 dia' : `${daysLeft} dias`}: renove-o no provedor`,
  refunds_stuck: ({ some }) =>
    `${some('estorno parado', 'estornos parados')} no provedor: confira no painel dele`,
  disputes_due: ({ some, since }) =>
    `${some('contestação', 'contestações')} sem resposta: o primeiro prazo termina em ${since}`,
  debits_our_fault: ({ some }) =>
    `${some('débito enviado', 'débitos enviados')} fora do prazo ou das regras em duas semanas, sem culpa do pagador`,
  no_default_credential: () => 'Nenhuma credencial padrão ativa: cobranças sem regra serão recusadas',
  credential_diverted: ({ since, to }) => `cobranças direcionadas para ${to} desde ${since}`,
  payments_disputed: ({ some }) => `${some('pagamento', 'pagamentos')} em contestação`,
  payments_duplicated: ({ some }) =>
    `${some('cobrança paga', 'cobranças pagas')} mais de uma vez ou com outro valor, sem estorno, nos últimos 90 dias`,
  payments_other_payer: ({ some }) =>
    `${some('cobrança paga', 'cobranças pagas')} por outra pessoa, sem estorno, nos últimos 90 dias`,
};

const en: Record<ConditionKind, Say> = {
  provider_outage: ({ since, share }) =>
    `the provider has not responded${since && ` since ${since}`}${share && ` (${share} of calls failed)`}`,
  credential_refused: ({ since, reason }) => `refused${since && ` since ${since}`}${reason && `. ${reason}`}`,
  creations_failing: ({ share }) =>
    `${share || 'Many'} of the latest payments could not be created by any provider`,
  notifications_missing: ({ since }) => `payments were only found by polling. Last notification: ${since}`,
  webhook_failing: ({ since, reason, isDisabled }) =>
    isDisabled
      ? `disabled automatically: ${reason}`
      : `failing since ${since}. It will be disabled after 5 days of failures`,
  deliveries_waiting: ({ since }) =>
    `Webhooks have been waiting since ${since}. Check that a worker is running`,
  books_open: ({ some, day }) =>
    `${some('open difference', 'open differences')} in the reconciliation since ${day}`,
  books_unavailable: ({ some, day }) =>
    `${some('statement has', 'statements have')} not been imported since ${day}`,
  certificate_expiring: ({ daysLeft }) =>
    daysLeft < 0
      ? 'the certificate has expired: the provider may refuse calls'
      : `the certificate expires in ${daysLeft === 1 ? '1 day' : `${daysLeft} days`}: renew it at the provider`,
  refunds_stuck: ({ some }) => `${some('refund waits', 'refunds wait')} at the provider: see its panel`,
  disputes_due: ({ some, since }) =>
    `${some('dispute', 'disputes')} without an answer: the first deadline is ${since}`,
  debits_our_fault: ({ some }) =>
    `${some('debit', 'debits')} sent too late or against the rules in two weeks, through no fault of the payer`,
  no_default_credential: () =>
    'No active default credential: payments without a routing rule will be refused',
  credential_diverted: ({ since, to }) => `payments have gone to ${to} since ${since}`,
  payments_disputed: ({ some }) => some('disputed payment', 'disputed payments'),
  payments_duplicated: ({ some }) =>
    `${some('payment', 'payments')} paid more than once, or another amount, and not refunded in the last 90 days`,
  payments_other_payer: ({ some }) =>
    `${some('payment', 'payments')} made by somebody else, and not refunded in the last 90 days`,
};

const sentences: Record<Language, Record<ConditionKind, Say>> = { pt, en };
const moreThan: LocalizedText = { pt: 'Mais de', en: 'More than' };

function reasonIn(language: Language, reason: string | null | undefined): string {
  if (reason == null) return '';
  return isCheckReason(reason)
    ? checkReasons[reason][language]
    : (disabledReasons[reason]?.[language] ?? reason);
}

/** A sentence about the organization, or what follows the name of the subject and a colon. */
export function conditionSentence(
  condition: WordedCondition,
  language: Language,
  { dateTime, date, share }: WordFormats,
): string {
  const { since, reason, count, isAtLeast, day } = condition;
  const number = `${isAtLeast ? `${moreThan[language]} ` : ''}${count ?? ''}`;
  return sentences[language][condition.kind]({
    since: since ? dateTime(since) : '',
    share: condition.share == null ? '' : share(condition.share),
    // Noon in Brasília, whose day it is.
    day: day == null ? '' : date(`${day}T12:00:00-03:00`),
    reason: reasonIn(language, reason),
    to: condition.divertedTo?.name ?? '',
    some: (one, many) => `${number} ${count === 1 && !isAtLeast ? one : many}`,
    daysLeft: condition.daysLeft ?? 0,
    isDisabled: condition.kind === 'webhook_failing' && reason != null,
  });
}

const subjects = {
  creations: { pt: 'Cobranças', en: 'Payments' },
  webhooks: { pt: 'Webhooks', en: 'Webhooks' },
  books: { pt: 'Conciliação', en: 'Reconciliation' },
  credentials: { pt: 'Credenciais', en: 'Credentials' },
  payments: { pt: 'Pagamentos', en: 'Payments' },
  recurrences: { pt: 'Recorrências', en: 'Recurrences' },
  refunds: { pt: 'Estornos', en: 'Refunds' },
  disputes: { pt: 'Contestações', en: 'Disputes' },
} as const satisfies Record<string, LocalizedText>;

const placeOf: Record<ConditionKind, keyof typeof subjects> = {
  provider_outage: 'credentials',
  credential_refused: 'credentials',
  creations_failing: 'creations',
  notifications_missing: 'credentials',
  webhook_failing: 'webhooks',
  deliveries_waiting: 'webhooks',
  books_open: 'books',
  books_unavailable: 'books',
  certificate_expiring: 'credentials',
  refunds_stuck: 'refunds',
  disputes_due: 'disputes',
  debits_our_fault: 'recurrences',
  no_default_credential: 'credentials',
  credential_diverted: 'credentials',
  payments_disputed: 'payments',
  payments_duplicated: 'payments',
  payments_other_payer: 'payments',
};

/** The name of the subject, or of the part of the dashboard that shows the condition. */
export const conditionSubject = ({ kind, subject }: WordedCondition, language: Language): string =>
  // Older versions of the service named an endpoint by its whole URL.
  subject ? shortUrl(subject.name) : subjects[placeOf[kind]][language];

/** The page of the dashboard that shows the cause, below the organization and mode. */
export function conditionPath({
  kind,
  subject,
  day,
  credentialId,
  paymentId,
  count,
}: WordedCondition): string {
  switch (kind) {
    case 'provider_outage':
    case 'credential_refused':
    case 'notifications_missing':
    case 'certificate_expiring':
    case 'credential_diverted':
      return `/health/${subject?.id ?? ''}`;
    case 'creations_failing':
      return '/payments?status=failed';
    case 'webhook_failing':
      return `/webhooks/${subject?.id ?? ''}`;
    case 'deliveries_waiting':
      return '/webhooks';
    case 'books_open':
    case 'books_unavailable':
      return `/books/${credentialId ?? sandboxAccount}/${day ?? ''}`;
    case 'refunds_stuck':
      return count === 1 ? `/payments/${paymentId ?? ''}` : '/refunds?status=stuck';
    case 'disputes_due':
      return '/disputes';
    case 'debits_our_fault':
      return '/recurrences/failed?fault=ours';
    case 'no_default_credential':
      return '/credentials';
    case 'payments_disputed':
      return '/payments?concern=disputed';
    case 'payments_duplicated':
      return '/payments?concern=duplicated';
    case 'payments_other_payer':
      return '/payments?concern=other_payer';
  }
}
