import { Button, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Download, Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { paymentConcerns } from '../../../domain/payments/payment.ts';
import { concernTexts } from '../../parts/concern-texts.ts';
import { Page } from '../../ui/page.tsx';
import { statuses, statusTexts } from '../../parts/payment-status.tsx';
import { texts, useLanguage, useTexts } from '../../shell/language.tsx';
import { useWorkplace } from '../../shell/use-workplace.ts';
import classes from './payments-page.module.css';
import { Payments } from './payment-lists.tsx';
import { type Filters, noFilters, paymentFilterOf, useFilters } from './use-filters.ts';

const messages = texts(
  {
    title: 'Pagamentos',
    search: 'Buscar por ID, referência, pagador, código ou valor',
    searchByViewer: 'Buscar por ID, referência, código ou valor',
    status: 'Status',
    any: 'Todos os status',
    concerns: 'Precisa de atenção',
    from: 'De',
    to: 'Até',
    export: 'Exportar CSV',
  },
  {
    title: 'Payments',
    search: 'Search by ID, reference, payer, code or amount',
    searchByViewer: 'Search by ID, reference, code or amount',
    status: 'Status',
    any: 'All statuses',
    concerns: 'Needs attention',
    from: 'From',
    to: 'To',
    export: 'Export CSV',
  },
);

interface FilterProps {
  filters: Filters;
  change: (changes: Partial<Filters>) => void;
}

const debounceMs = 300;

/** Debounces typing into the URL, and follows changes of the URL from elsewhere. */
function useTyped({ filters: { search }, change }: FilterProps) {
  const [typed, setTyped] = useState(search);
  const submitted = useRef(search);
  const submit = useDebouncedCallback((wanted: string) => {
    submitted.current = wanted;
    change({ search: wanted });
  }, debounceMs);
  useEffect(() => {
    if (search === submitted.current) return;
    submitted.current = search;
    submit.cancel();
    setTyped(search);
  }, [search, submit]);
  const type = (value: string) => {
    setTyped(value);
    submit(value.trim());
  };
  return { typed, type };
}

function SearchInput(properties: FilterProps) {
  const text = useTexts(messages);
  const { may } = useWorkplace();
  const { typed, type } = useTyped(properties);
  const label = may('payers:read') ? text.search : text.searchByViewer;
  return (
    <TextInput
      className={classes.search}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={16} aria-hidden />}
      value={typed}
      maxLength={600}
      aria-keyshortcuts="/"
      onChange={({ currentTarget: { value } }) => {
        type(value);
      }}
    />
  );
}

/** One filter for status and concern: payments that need attention are mostly paid. */
function StatusFilter({ filters, change }: FilterProps) {
  const text = useTexts(messages);
  const statusText = useTexts(statusTexts);
  const concernText = useTexts(concernTexts);
  return (
    <Select
      className={classes.status}
      aria-label={text.status}
      placeholder={text.any}
      clearable
      maxDropdownHeight={400}
      value={filters.concern ?? filters.status}
      data={[
        { group: text.status, items: statuses.map((value) => ({ value, label: statusText[value] })) },
        {
          group: text.concerns,
          items: paymentConcerns.map((value) => ({ value, label: concernText[value] })),
        },
      ]}
      onChange={(chosen) => {
        change({
          status: statuses.find((status) => status === chosen) ?? null,
          concern: paymentConcerns.find((concern) => concern === chosen) ?? null,
        });
      }}
    />
  );
}

function FilterBar({ filters, change }: FilterProps) {
  const text = useTexts(messages);
  return (
    <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm">
      <SearchInput filters={filters} change={change} />
      <StatusFilter filters={filters} change={change} />
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          aria-label={text[name]}
          leftSection={<Text size="xs">{text[name]}</Text>}
          leftSectionWidth={44}
          value={filters[name]}
          onChange={(event) => {
            change({ [name]: event.currentTarget.value });
          }}
        />
      ))}
    </SimpleGrid>
  );
}

function ExportButton({ filters }: { filters: Filters }) {
  const text = useTexts(messages);
  const { organizationId, mode } = useWorkplace();
  const { language } = useLanguage();
  const parameters = new URLSearchParams({
    organization: organizationId,
    mode,
    locale: language,
    ...paymentFilterOf(filters),
  });
  return (
    <Button
      component="a"
      href={`/dashboard/payments.csv?${parameters}`}
      download
      variant="default"
      leftSection={<Download size={16} aria-hidden />}
    >
      {text.export}
    </Button>
  );
}

export default function PaymentsPage() {
  const text = useTexts(messages);
  const { filters, change } = useFilters();
  const clear = () => {
    change(noFilters);
  };
  return (
    <Page title={text.title} actions={<ExportButton filters={filters} />}>
      <FilterBar filters={filters} change={change} />
      <Payments filters={filters} clear={clear} />
    </Page>
  );
}
