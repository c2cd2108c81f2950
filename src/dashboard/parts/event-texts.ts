import { endpointEventTypes, type EndpointEventType } from '../../core/events/rules/events.ts';
import type { DisputeState } from '../../core/disputes/rules/dispute.ts';
import type { ReversalReason } from '../../core/payments/rules/reversal.ts';
import { type Texts, texts } from '../base/language.tsx';

export { endpointEventTypes, type EndpointEventType };

export const eventTexts: Texts<Record<EndpointEventType, string>> = texts(
  {
    payment_updated: 'Cobrança alterada',
    payment_scheduled: 'Débito agendado',
    payment_debit_failed: 'Débito não realizado',
    payment_completed: 'Pagamento confirmado',
    payment_overdue: 'Pagamento vencido',
    payment_expired: 'Pagamento expirado',
    payment_cancelled: 'Pagamento cancelado',
    payment_refunded: 'Pagamento estornado',
    payment_duplicated: 'Pago mais de uma vez',
    refund_completed: 'Estorno concluído',
    refund_failed: 'Estorno não realizado',
    payment_reversed: 'Devolução pelo banco ou provedor',
    payment_disputed: 'Contestação aberta',
    payment_dispute_deadline: 'Prazo de defesa terminando',
    payment_dispute_closed: 'Contestação encerrada',
    recurrence_activated: 'Recorrência autorizada',
    recurrence_rejected: 'Recorrência recusada',
    recurrence_cancelled: 'Recorrência cancelada',
    recurrence_expired: 'Recorrência expirada',
    unmatched_pix_received: 'Pix sem pagamento recebido',
    ops_alert_opened: 'Alerta aberto',
    ops_alert_closed: 'Alerta resolvido',
  },
  {
    payment_updated: 'Payment changed',
    payment_scheduled: 'Debit scheduled',
    payment_debit_failed: 'Debit failed',
    payment_completed: 'Payment received',
    payment_overdue: 'Payment overdue',
    payment_expired: 'Payment expired',
    payment_cancelled: 'Payment cancelled',
    payment_refunded: 'Payment refunded',
    payment_duplicated: 'Paid more than once',
    refund_completed: 'Refund completed',
    refund_failed: 'Refund failed',
    payment_reversed: 'Reversed by the bank or provider',
    payment_disputed: 'Dispute opened',
    payment_dispute_deadline: 'Deadline for a defence near',
    payment_dispute_closed: 'Dispute closed',
    recurrence_activated: 'Recurrence permitted',
    recurrence_rejected: 'Recurrence rejected',
    recurrence_cancelled: 'Recurrence cancelled',
    recurrence_expired: 'Recurrence expired',
    unmatched_pix_received: 'Pix without a payment received',
    ops_alert_opened: 'Alert opened',
    ops_alert_closed: 'Alert resolved',
  },
);

export const reversalReasonTexts: Texts<Record<ReversalReason, string>> = texts(
  {
    returned_at_psp: 'estornado no painel do provedor',
    med_fraud: 'devolvido pelo banco (MED): fraude',
    med_operational_failure: 'devolvido pelo banco (MED): falha operacional',
    med_automatic_pix: 'devolvido pelo banco (MED): Pix Automático',
    chargeback: 'devolvido por contestação',
  },
  {
    returned_at_psp: 'refunded in the provider’s panel',
    med_fraud: 'reversed by the bank (MED): fraud',
    med_operational_failure: 'reversed by the bank (MED): operational failure',
    med_automatic_pix: 'reversed by the bank (MED): Pix Automático',
    chargeback: 'reversed by a chargeback',
  },
);

export const disputeStateTexts: Texts<Record<DisputeState, string>> = texts(
  { open: 'em análise', won: 'ganha: o valor fica com a loja', lost: 'perdida: o valor volta ao pagador' },
  {
    open: 'being decided',
    won: 'won: the money stays with the shop',
    lost: 'lost: the money goes back to the payer',
  },
);
