import { Badge } from '@mantine/core';
import { texts, useTexts } from '../../../shell/language.tsx';
import type { Refund } from '../documents.ts';

const said = texts(
  {
    pending: 'aguarda o provedor',
    awaiting: 'aguarda aprovação',
    completed: 'devolvida',
    failed: 'não realizada',
    insufficient_balance: 'saldo insuficiente no provedor',
    refused_by_provider: 'recusada pelo provedor',
    not_carried_out: 'não realizada pelo provedor',
    not_approved: 'não aprovada',
  },
  {
    pending: 'waits for the provider',
    awaiting: 'waits for approval',
    completed: 'given back',
    failed: 'failed',
    insufficient_balance: 'not enough balance at the provider',
    refused_by_provider: 'refused by the provider',
    not_carried_out: 'not carried out by the provider',
    not_approved: 'not approved',
  },
);

const colors: Record<Refund['status'], string> = { pending: 'yellow', completed: 'teal', failed: 'red' };

export function RefundStatus({
  refund: { status, failureReason, awaitingApproval },
}: {
  refund: Pick<Refund, 'status' | 'failureReason' | 'awaitingApproval'>;
}) {
  const text = useTexts(said);
  return (
    <Badge variant="dot" color={colors[status]} tt="none">
      {text[awaitingApproval ? 'awaiting' : (failureReason ?? status)]}
    </Badge>
  );
}
