import { texts, useTexts } from '../../../base/language.tsx';
import { LongBadge } from '../base/long-badge.tsx';
import type { Refund } from '../base/documents.ts';

const messages = texts(
  {
    pending: 'aguardando o provedor',
    awaiting: 'aguardando aprovação',
    completed: 'concluído',
    failed: 'não realizado',
    insufficient_balance: 'saldo insuficiente no provedor',
    refused_by_provider: 'recusado pelo provedor',
    not_carried_out: 'não realizado pelo provedor',
    not_approved: 'não aprovado',
    authorization_at_provider: 'aguardando autorização no painel do provedor',
    no_outcome_from_provider: 'sem resposta do provedor há mais de uma hora: verifique no painel dele',
  },
  {
    pending: 'waiting for the provider',
    awaiting: 'awaiting approval',
    completed: 'completed',
    failed: 'failed',
    insufficient_balance: 'insufficient balance at the provider',
    refused_by_provider: 'refused by the provider',
    not_carried_out: 'not executed by the provider',
    not_approved: 'not approved',
    authorization_at_provider: "waiting for authorization in the provider's panel",
    no_outcome_from_provider: "not decided by the provider for over an hour: look at the provider's panel",
  },
);

const colors: Record<Refund['status'], string> = { pending: 'yellow', completed: 'teal', failed: 'red' };

export function RefundStatus({
  refund: { status, failureReason, pendingReason, awaitingApproval },
}: {
  refund: Pick<Refund, 'status' | 'failureReason' | 'pendingReason' | 'awaitingApproval'>;
}) {
  const text = useTexts(messages);
  return (
    <LongBadge color={colors[status]}>
      {text[awaitingApproval ? 'awaiting' : (failureReason ?? pendingReason ?? status)]}
    </LongBadge>
  );
}
