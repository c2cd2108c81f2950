import { Select, SimpleGrid } from '@mantine/core';
import { Search } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { TextInput } from '../../ui/inputs/fields.tsx';
import { useTyped } from '../../ui/inputs/use-typed.ts';
import { texts, useTexts } from '../../base/language.tsx';

const messages = texts(
  {
    search: 'Buscar na descrição',
    state: 'Status',
    any: 'Todos os links',
    open: 'Ativos',
    ended: 'Encerrados',
  },
  { search: 'Search descriptions', state: 'Status', any: 'All links', open: 'Active', ended: 'Ended' },
);

const states = ['open', 'ended'] as const;

interface LinkFilter {
  state?: (typeof states)[number];
  search?: string;
}

interface LinkFilterProps {
  filter: LinkFilter;
  change: (filter: LinkFilter) => void;
}

/** Keeps it in the URL, so that the back link has it. */
export function useLinkFilter(): LinkFilterProps {
  const [parameters, setParameters] = useSearchParams();
  const state = states.find((each) => each === parameters.get('state'));
  const search = parameters.get('search')?.slice(0, 100);
  return {
    filter: { ...(state && { state }), ...(search && { search }) },
    change: (filter) => {
      setParameters(Object.entries(filter), { replace: true });
    },
  };
}

export function LinkFilters({ filter, change }: LinkFilterProps) {
  const text = useTexts(messages);
  const { state, ...others } = filter;
  const { typed, type } = useTyped(filter.search ?? '', (search) => {
    change({ ...(state && { state }), ...(search && { search }) });
  });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
      <TextInput
        type="search"
        aria-label={text.search}
        placeholder={text.search}
        leftSection={<Search size={16} aria-hidden />}
        value={typed}
        maxLength={100}
        onChange={({ currentTarget: { value } }) => {
          type(value);
        }}
      />
      <Select
        aria-label={text.state}
        placeholder={text.any}
        clearable
        value={state ?? null}
        data={states.map((value) => ({ value, label: text[value] }))}
        onChange={(chosen) => {
          const wanted = states.find((each) => each === chosen);
          change({ ...others, ...(wanted && { state: wanted }) });
        }}
      />
    </SimpleGrid>
  );
}
