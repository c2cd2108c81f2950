import type { LocalizedText } from '../../base/localized-text.ts';
import { certificateWarningDays } from '../../providers/rules/client-certificate.ts';
import type { AlertKind } from './conditions.ts';

/** When an alert opens and closes, as `conditions.ts` decides. */
export const alertRules: Record<AlertKind, LocalizedText> = {
  provider_outage: {
    pt: 'Em 5 minutos falha metade das chamadas e pelo menos 5, ou 20% e pelo menos 10; ou 3 seguidas em mais de 1 minuto. Termina com menos de 10% de falhas.',
    en: 'Within 5 minutes half of the calls and at least 5 fail, or 20% and at least 10; or 3 in a row over more than 1 minute. Ends below 10% of failures.',
  },
  credential_refused: {
    pt: 'O provedor recusa a credencial. Termina quando ela volta a ser aceita.',
    en: 'The provider refuses the credential. Ends once it is accepted again.',
  },
  creations_failing: {
    pt: 'Metade das cobranças, e pelo menos 3, não são criadas em 15 minutos. Termina com menos de 20% de falhas.',
    en: 'Half of the payments, and at least 3, cannot be created within 15 minutes. Ends below 20% of failures.',
  },
  notifications_missing: {
    pt: 'Onde notificações costumam chegar, um Pix foi encontrado sem elas nas últimas 24 horas, e nenhuma chegou depois.',
    en: 'Where notifications used to arrive, a Pix was found without one in the last 24 hours, and none has come since.',
  },
  webhook_failing: {
    pt: 'O endpoint não aceita nenhuma entrega há mais de 5 minutos.',
    en: 'The endpoint has accepted no delivery for more than 5 minutes.',
  },
  deliveries_waiting: {
    pt: 'Há entregas devidas há mais de 5 minutos. Termina quando esperam menos de 1 minuto.',
    en: 'Deliveries have been due for more than 5 minutes. Ends once they wait for less than 1 minute.',
  },
  books_open: {
    pt: 'Um dia da conciliação tem divergências em aberto.',
    en: 'A day of the reconciliation has open differences.',
  },
  books_unavailable: {
    pt: 'O extrato de um dia não pôde ser lido.',
    en: 'The statement of a day could not be read.',
  },
  certificate_expiring: {
    pt: `Faltam menos de ${certificateWarningDays} dias para o certificado expirar; crítico com menos de 7.`,
    en: `The certificate expires in less than ${certificateWarningDays} days; critical below 7.`,
  },
  refunds_stuck: {
    pt: 'Um estorno aguarda autorização no painel do provedor, ou está há mais de 1 hora sem resposta dele.',
    en: "A refund waits to be authorized in the provider's panel, or has had no outcome from the provider for more than 1 hour.",
  },
  disputes_due: {
    pt: 'O prazo de defesa de uma contestação sem resposta termina em 48 horas.',
    en: 'The deadline for a defence is within 48 hours, and a dispute has no answer.',
  },
  debits_our_fault: {
    pt: 'O débito de uma recorrência não foi enviado a tempo, ou não como o Pix exige. Termina duas semanas depois.',
    en: 'The debit of a recurrence was not sent in time, or not as the scheme asks. Ends two weeks later.',
  },
};
