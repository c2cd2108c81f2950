import { Badge } from '@mantine/core';
import { useAttention } from '../../parts/use-attention.ts';
import { texts, useTexts } from '../../base/language.tsx';

const messages = texts(
  {
    waiting: (count: number) =>
      count === 1 ? '1 item precisa de atenção' : `${count} itens precisam de atenção`,
  },
  {
    waiting: (count: number) => (count === 1 ? '1 thing needs attention' : `${count} things need attention`),
  },
);

/** Renders nothing while all is well. */
export function AttentionMark() {
  const text = useTexts(messages);
  const conditions = useAttention() ?? [];
  if (conditions.length === 0) return null;
  const isCritical = conditions.some(({ severity }) => severity === 'critical');
  return (
    <Badge
      size="sm"
      color={isCritical ? 'red' : 'orange.5'}
      variant="filled"
      autoContrast
      aria-label={text.waiting(conditions.length)}
    >
      {conditions.length}
    </Badge>
  );
}
