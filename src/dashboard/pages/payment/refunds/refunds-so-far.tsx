import { List, Text } from '@mantine/core';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import type { RefundSnapshot } from '../base/documents.ts';
import { RefundStatus } from './refund-status.tsx';

const messages = texts({ soFar: 'Estornos anteriores' }, { soFar: 'Previous refunds' });

export function RefundsSoFar({ refunds }: RefundSnapshot) {
  const text = useTexts(messages);
  const formats = useFormats();
  if (refunds.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {text.soFar}
      </Text>
      <List size="sm">
        {refunds.map((refund) => (
          <List.Item key={refund.id}>
            {formats.money(refund.amount)}, {formats.dateTime(refund.createdAt)}{' '}
            <RefundStatus refund={refund} />
          </List.Item>
        ))}
      </List>
    </div>
  );
}
