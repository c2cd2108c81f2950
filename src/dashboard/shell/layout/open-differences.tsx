import { Badge } from '@mantine/core';
import { useOpenDifferences } from '../../parts/use-open-differences.ts';
import { texts, useTexts } from '../../base/language.tsx';

const messages = texts(
  {
    open: (count: string) => (count === '1' ? '1 divergência em aberto' : `${count} divergências em aberto`),
  },
  { open: (count: string) => (count === '1' ? '1 open difference' : `${count} open differences`) },
);

/** Renders nothing while the books agree. */
export function OpenDifferences() {
  const text = useTexts(messages);
  const open = useOpenDifferences();
  if (!open) return null;
  return (
    <Badge size="sm" color="orange.5" variant="filled" autoContrast aria-label={text.open(open.number)}>
      {open.isAtLeast ? `${open.count}+` : open.count}
    </Badge>
  );
}
