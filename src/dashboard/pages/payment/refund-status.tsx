import { Badge } from '@mantine/core';
import { texts, useTexts } from '../../shell/language.tsx';
import type { Refund } from './documents.ts';

const said = texts(
  { pending: 'aguarda o provedor', completed: 'devolvida', failed: 'recusada pelo provedor' },
  { pending: 'waits for the provider', completed: 'given back', failed: 'refused by the provider' },
);

const colors: Record<Refund['status'], string> = { pending: 'yellow', completed: 'teal', failed: 'red' };

export function RefundStatus({ status }: { status: Refund['status'] }) {
  const text = useTexts(said);
  return (
    <Badge variant="dot" color={colors[status]} tt="none">
      {text[status]}
    </Badge>
  );
}
