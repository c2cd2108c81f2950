import { Alert, Anchor, Text } from '@mantine/core';
import { Info } from 'lucide-react';
import { Link } from 'wouter';
import { bookPath } from '../../parts/book-path.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import type { PaymentDetail } from './base/documents.ts';

const messages = texts(
  {
    title: 'Pix atribuído na conciliação',
    about: (amount: string, at: string) =>
      `${amount} recebidos sem cobrança em ${at} foram atribuídos a este pagamento. O status dele não mudou.`,
    returned: (amount: string) => `Desse Pix, ${amount} já foram estornados ou devolvidos.`,
    reason: (reason: string, who: string) => `Motivo: ${reason} (${who})`,
    operator: 'operador do serviço',
    day: 'Ver na conciliação',
  },
  {
    title: 'Pix assigned in the reconciliation',
    about: (amount: string, at: string) =>
      `${amount} received without a charge on ${at} was assigned to this payment. Its status did not change.`,
    returned: (amount: string) => `${amount} of it has been refunded or reversed.`,
    reason: (reason: string, who: string) => `Reason: ${reason} (${who})`,
    operator: 'service operator',
    day: 'View in the reconciliation',
  },
);

/** Shows money without a charge that somebody assigned to the payment. Renders nothing without any. */
export function AssignedPix({ assignedPix }: Pick<PaymentDetail, 'assignedPix'>) {
  const text = useTexts(messages);
  const { money, dateTime } = useFormats();
  return assignedPix.map(
    ({ credentialId, date, amount, returned, receivedAt, reason, settledBy, endToEndId }) => (
      <Alert
        key={`${date} ${endToEndId ?? receivedAt}`}
        color="gray"
        variant="light"
        icon={<Info />}
        title={text.title}
      >
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {text.about(money(amount), dateTime(receivedAt))}{' '}
          {returned !== null && returned > 0 && text.returned(money(returned))}{' '}
          {text.reason(reason, settledBy === 'operator' ? text.operator : settledBy)}
        </Text>
        <Anchor component={Link} href={bookPath(credentialId, date)} size="sm" c="inherit" underline="always">
          {text.day}
        </Anchor>
      </Alert>
    ),
  );
}
