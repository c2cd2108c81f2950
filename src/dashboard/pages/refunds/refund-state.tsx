import { Badge } from '@mantine/core';
import { texts, useTexts } from '../../base/language.tsx';
import type { RefundRow } from './documents.ts';

export const stateTexts = texts(
  {
    awaiting: 'Aguardando aprovação',
    stuck: 'Parado no provedor',
    pending: 'Em andamento',
    completed: 'Concluído',
    failed: 'Não realizado',
  },
  {
    awaiting: 'Awaiting approval',
    stuck: 'Stuck at the provider',
    pending: 'Pending',
    completed: 'Completed',
    failed: 'Failed',
  },
);

const colors = { awaiting: 'yellow', stuck: 'orange', pending: 'yellow', completed: 'teal', failed: 'red' };

/** Says it in a line; the page of the payment says why. */
export function RefundState({
  status,
  awaitingApproval,
  pendingReason,
}: Pick<RefundRow, 'status' | 'awaitingApproval' | 'pendingReason'>) {
  const text = useTexts(stateTexts);
  const state = awaitingApproval ? 'awaiting' : pendingReason ? 'stuck' : status;
  return (
    <Badge variant="dot" tt="none" color={colors[state]}>
      {text[state]}
    </Badge>
  );
}
