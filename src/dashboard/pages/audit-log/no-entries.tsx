import { Button } from '@mantine/core';
import { texts, useTexts } from '../../base/language.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type FilterProps, type Filters, noFilters } from './use-filters.ts';

const messages = texts(
  {
    none: 'Nenhum registro',
    filtered: 'Nenhum registro com estes filtros',
    about: 'Limpe um filtro para ver mais.',
    clear: {
      actor: 'Limpar pessoa ou chave',
      actions: 'Limpar ações',
      subject: 'Limpar ID',
      period: 'Limpar período',
    },
    clearAll: 'Limpar tudo',
  },
  {
    none: 'No entries',
    filtered: 'No entries match these filters',
    about: 'Clear a filter to see more.',
    clear: {
      actor: 'Clear person or key',
      actions: 'Clear actions',
      subject: 'Clear ID',
      period: 'Clear period',
    },
    clearAll: 'Clear all',
  },
);

const cleared = {
  actor: { actor: '' },
  actions: { actions: null },
  subject: { subject: '' },
  period: { from: '', to: '' },
} as const satisfies Record<string, Partial<Filters>>;

const parts = ['actor', 'actions', 'subject', 'period'] as const;

const isActive = ({ from, to, ...filters }: Filters, part: (typeof parts)[number]): boolean =>
  part === 'period' ? !!from || !!to : !!filters[part];

export function NoEntries({ filters, change }: FilterProps) {
  const text = useTexts(messages);
  const active = parts.filter((part) => isActive(filters, part));
  if (active.length === 0) return <EmptyState title={text.none} />;
  const button = (label: string, changes: Partial<Filters>) => (
    <Button
      key={label}
      variant="default"
      onClick={() => {
        change(changes);
      }}
    >
      {label}
    </Button>
  );
  const action = (
    <>
      {active.map((part) => button(text.clear[part], cleared[part]))}
      {active.length > 1 && button(text.clearAll, noFilters)}
    </>
  );
  return (
    <EmptyState title={text.filtered} action={action}>
      {text.about}
    </EmptyState>
  );
}
