import { Badge } from '@mantine/core';
import { graphql } from '../../api/graphql.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';

const messages = texts(
  { waiting: (count: number) => (count === 1 ? '1 pendente' : `${count} pendentes`) },
  { waiting: (count: number) => `${count} pending` },
);

const pendingApprovalCountDocument = graphql(`
  query PendingApprovalCount {
    pendingApprovalCount
  }
`);

const pollIntervalMs = 60_000;

/** Renders nothing without pending approvals. */
export function PendingApprovals() {
  const text = useTexts(messages);
  const { data } = useServiceQuery(pendingApprovalCountDocument, {}, { refetchIntervalMs: pollIntervalMs });
  const count = data?.pendingApprovalCount ?? 0;
  if (count === 0) return null;
  return (
    <Badge size="sm" color="orange.5" variant="filled" autoContrast aria-label={text.waiting(count)}>
      {count}
    </Badge>
  );
}
