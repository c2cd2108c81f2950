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
const partlyTexts = texts('Estornado em parte', 'Partly refunded');

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
  amountRefunded?: number | null;
}

export function PaymentStatus({ status, overdue, amountRefunded }: PaymentStatusProps) {
  const text = useTexts(statusTexts);
  const overdueText = useTexts(overdueTexts);
  const partlyText = useTexts(partlyTexts);
  const isPart = status === 'completed' && !!amountRefunded;
  const [color, said] = overdue
    ? ['red', overdueText]
    : isPart
      ? [colors.refunded, partlyText]
      : [colors[status], text[status]];
  return (
    <Badge variant="dot" color={color} tt="none" data-status={status}>
      {said}
    </Badge>
  );
}
