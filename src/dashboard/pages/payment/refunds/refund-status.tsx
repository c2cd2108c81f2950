import { Badge } from '@mantine/core';
import { texts, useTexts } from '../../../shell/language.tsx';
import type { Refund } from '../documents.ts';

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
  },
);

const colors: Record<Refund['status'], string> = { pending: 'yellow', completed: 'teal', failed: 'red' };

export function RefundStatus({
  refund: { status, failureReason, awaitingApproval },
}: {
  refund: Pick<Refund, 'status' | 'failureReason' | 'awaitingApproval'>;
}) {
  const text = useTexts(messages);
  return (
    <Badge variant="dot" color={colors[status]} tt="none">
      {text[awaitingApproval ? 'awaiting' : (failureReason ?? status)]}
    </Badge>
  );
}
