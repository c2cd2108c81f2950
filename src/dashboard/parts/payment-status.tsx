import { Badge } from '@mantine/core';
import { type Texts, texts, useTexts } from '../base/language.tsx';

export const statuses = ['pending', 'completed', 'expired', 'cancelled', 'refunded', 'failed'] as const;

export type Status = (typeof statuses)[number];

export const statusTexts: Texts<Record<Status, string>> = texts(
  {
    pending: 'Pendente',
    completed: 'Pago',
    expired: 'Expirado',
    cancelled: 'Cancelado',
    refunded: 'Estornado',
    failed: 'Falhou',
  },
  {
    pending: 'Pending',
    completed: 'Paid',
    expired: 'Expired',
    cancelled: 'Cancelled',
    refunded: 'Refunded',
    failed: 'Failed',
  },
);

const colors: Record<Status, string> = {
  pending: 'yellow',
  completed: 'teal',
  expired: 'gray',
  cancelled: 'gray',
  refunded: 'blue',
  failed: 'red',
};

export function PaymentStatus({ status }: { status: Status }) {
  const text = useTexts(statusTexts);
  return (
    <Badge variant="dot" color={colors[status]} tt="none" data-status={status}>
      {text[status]}
    </Badge>
  );
}
