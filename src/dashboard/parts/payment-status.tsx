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

const overdueTexts = texts('Vencido', 'Overdue');

const colors: Record<Status, string> = {
  pending: 'yellow',
  completed: 'teal',
  expired: 'gray',
  cancelled: 'gray',
  refunded: 'blue',
  failed: 'red',
};

interface PaymentStatusProps {
  status: Status;
  /** Its due date has passed. */
  overdue: boolean | null;
}

export function PaymentStatus({ status, overdue }: PaymentStatusProps) {
  const text = useTexts(statusTexts);
  const overdueText = useTexts(overdueTexts);
  return (
    <Badge variant="dot" color={overdue ? 'red' : colors[status]} tt="none" data-status={status}>
      {overdue ? overdueText : text[status]}
    </Badge>
  );
}
