import { Box, Group } from '@mantine/core';
import { Search } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { refundStatuses } from '../../../core/refunds/rules/refund.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { DateRangeInput } from '../../ui/date-range/date-range-input.tsx';
import { isDay, plusDays, startOfDay } from '../../ui/date-range/ranges.ts';
import { TextInput } from '../../ui/inputs/fields.tsx';
import { FilterSelect } from '../../ui/inputs/filter-select.tsx';
import { useTyped } from '../../ui/inputs/use-typed.ts';
import { stateTexts } from './refund-state.tsx';

const messages = texts(
  {
    search: 'Buscar por referência ou ID',
    status: 'Status',
    any: 'Todos os status',
  },
  { search: 'Search by reference or ID', status: 'Status', any: 'All statuses' },
);

const choices = ['stuck', ...refundStatuses] as const;

export interface Filters {
  search: string;
  status: (typeof choices)[number] | null;
  /** Days are written like 2026-12-31. */
  from: string;
  to: string;
}

interface FilterProps {
  filters: Filters;
  change: (changes: Partial<Filters>) => void;
}

export const noFilters: Filters = { search: '', status: null, from: '', to: '' };

export const refundFilterOf = ({ search, status, from, to }: Filters, timeZone: string | undefined) => ({
  ...(search && { search }),
  ...(status === 'stuck' ? { stuck: true } : status && { status }),
  ...(from && { createdFrom: startOfDay(from, timeZone) }),
  ...(to && { createdTo: startOfDay(plusDays(to, 1), timeZone) }),
});

/** Keeps them in the URL, so that links and the back link have them. */
export function useFilters(): FilterProps {
  const [parameters, setParameters] = useSearchParams();
  const dayOf = (name: string): string => {
    const day = parameters.get(name) ?? '';
    return isDay(day) ? day : '';
  };
  const filters: Filters = {
    search: parameters.get('search')?.slice(0, 255) ?? '',
    status: choices.find((each) => each === parameters.get('status')) ?? null,
    from: dayOf('from'),
    to: dayOf('to'),
  };
  return {
    filters,
    change: (changes) => {
      const given = Object.entries({ ...filters, ...changes });
      setParameters(
        given.filter((entry): entry is [string, string] => !!entry[1]),
        { replace: true },
      );
    },
  };
}

export function RefundFilters({ filters, change }: FilterProps) {
  const text = useTexts(messages);
  const stateText = useTexts(stateTexts);
  const { typed, type } = useTyped(filters.search, (search) => {
    change({ search });
  });
  return (
    <Group gap="sm">
      <TextInput
        type="search"
        flex="1 1 260px"
        aria-label={text.search}
        placeholder={text.search}
        leftSection={<Search size={16} aria-hidden />}
        value={typed}
        maxLength={255}
        onChange={({ currentTarget: { value } }) => {
          type(value);
        }}
      />
      <FilterSelect
        label={text.status}
        any={text.any}
        value={filters.status}
        options={choices.map((value) => ({ value, label: stateText[value] }))}
        onChange={(status) => {
          change({ status });
        }}
      />
      <Box flex="1 1 260px">
        <DateRangeInput value={filters} onChange={change} isClearable />
      </Box>
    </Group>
  );
}
