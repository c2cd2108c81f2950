import { Badge } from '@mantine/core';
import { texts, useTexts } from '../../base/language.tsx';
import type { Recurrence } from './documents.ts';

export const statusTexts = texts(
  {
    pending: 'Aguardando autorização',
    active: 'Ativa',
    rejected: 'Recusada',
    expired: 'Expirada',
    cancelled: 'Cancelada',
  },
  {
    pending: 'Awaiting authorization',
    active: 'Active',
    rejected: 'Refused',
    expired: 'Expired',
    cancelled: 'Cancelled',
  },
);

const colors = { pending: 'yellow', active: 'teal', rejected: 'red', expired: 'gray', cancelled: 'gray' };

export function RecurrenceStatus({ status }: Pick<Recurrence, 'status'>) {
  const text = useTexts(statusTexts);
  return (
    <Badge variant="dot" tt="none" color={colors[status]}>
      {text[status]}
    </Badge>
  );
}
