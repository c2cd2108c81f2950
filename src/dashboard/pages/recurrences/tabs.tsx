import { Group, SegmentedControl } from '@mantine/core';
import { useLocation } from 'wouter';
import { texts, useTexts } from '../../base/language.tsx';

const messages = texts(
  { label: 'Mostrar', all: 'Recorrências', upcoming: 'Próximos', failed: 'Falhas' },
  { label: 'Show', all: 'Recurrences', upcoming: 'Upcoming', failed: 'Failures' },
);

const paths = { all: '/recurrences', upcoming: '/recurrences/upcoming', failed: '/recurrences/failed' };

/** Leads from one list of recurrences and debits to another. */
export function Tabs({ at }: { at: keyof typeof paths }) {
  const text = useTexts(messages);
  const [, navigate] = useLocation();
  return (
    <Group>
      <SegmentedControl
        aria-label={text.label}
        value={at}
        data={(['all', 'upcoming', 'failed'] as const).map((value) => ({ value, label: text[value] }))}
        onChange={(chosen) => {
          navigate(paths[chosen as keyof typeof paths]);
        }}
      />
    </Group>
  );
}
