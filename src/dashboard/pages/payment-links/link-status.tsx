import { Badge } from '@mantine/core';
import { texts, useTexts } from '../../base/language.tsx';
import type { PaymentLink } from './documents.ts';

const messages = texts(
  { active: 'Ativo', used: 'Pago', expired: 'Expirado', deactivated: 'Desativado' },
  { active: 'Active', used: 'Paid', expired: 'Expired', deactivated: 'Deactivated' },
);

const colors = { active: 'teal', used: 'blue', expired: 'gray', deactivated: 'gray' };

export function LinkStatus({ status }: Pick<PaymentLink, 'status'>) {
  const text = useTexts(messages);
  return (
    <Badge variant="dot" tt="none" color={colors[status]}>
      {text[status]}
    </Badge>
  );
}
