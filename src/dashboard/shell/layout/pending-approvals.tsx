import { Badge } from '@mantine/core';
import { graphql } from '../../api/graphql.ts';
import { texts, useTexts } from '../language.tsx';
import { useServiceQuery } from '../use-service.ts';

const said = texts(
  { waiting: (count: number) => (count === 1 ? '1 pendente' : `${count} pendentes`) },
  { waiting: (count: number) => `${count} pending` },
);

const pendingApprovalCountDocument = graphql(`
  query PendingApprovalCount {
    pendingApprovalCount
  }
`);

const lookMs = 60_000;

/** How many changes wait for a second person; nothing while none does. */
export function PendingApprovals() {
  const text = useTexts(said);
  const { data } = useServiceQuery(pendingApprovalCountDocument, {}, { refetchIntervalMs: lookMs });
  const count = data?.pendingApprovalCount ?? 0;
  if (count === 0) return null;
  return (
    <Badge size="sm" color="orange" variant="filled" autoContrast aria-label={text.waiting(count)}>
      {count}
    </Badge>
  );
}
