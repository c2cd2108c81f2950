import { List, Text } from '@mantine/core';
import { texts, useFormats, useTexts } from '../../../shell/language.tsx';
import type { SeenRefunds } from '../documents.ts';
import { RefundStatus } from './refund-status.tsx';

const said = texts({ soFar: 'Estornos anteriores' }, { soFar: 'Previous refunds' });

/** Shows nothing while there is none. */
export function RefundsSoFar({ refunds }: SeenRefunds) {
  const text = useTexts(said);
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
