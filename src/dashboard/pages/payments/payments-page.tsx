import { Button, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Download, Search } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { DataTable } from '../../parts/data-table.tsx';
import { Page } from '../../parts/page.tsx';
import { type Status, statuses, statusTexts } from '../../parts/payment-status.tsx';
import { FailureAlert, Nothing, Waiting } from '../../parts/states.tsx';
import { texts, useLanguage, useTexts } from '../../shell/language.tsx';
import { useLiveRefresh, useServicePages, useServiceQuery } from '../../shell/use-service.ts';
import { useWorkplace } from '../../shell/workplace.tsx';
import { paymentsDocument, paymentsUpdatedDocument, searchDocument } from './documents.ts';
import { usePaymentColumns } from './payment-columns.tsx';

const said = texts(
  {
    title: 'Pagamentos',
    caption: 'Pagamentos, os mais novos primeiro',
    search: 'Buscar por id, referência, documento ou valor',
    status: 'Situação',
    any: 'Todas as situações',
    from: 'De',
    to: 'Até',
    none: 'Nenhum pagamento ainda',
    noneAbout: 'Os pagamentos criados pela API aparecem aqui na hora.',
    firstSteps: 'Criar o primeiro',
    notFound: 'Nada encontrado',
    notFoundAbout:
      'A busca compara o texto inteiro: um id, uma referência, um CPF ou CNPJ, ou um valor como 19,90.',
    filtered: 'Nenhum pagamento com estes filtros',
    clear: 'Limpar filtros',
    export: 'Exportar CSV',
  },
  {
    title: 'Payments',
    caption: 'Payments, the newest first',
    search: 'Search by id, reference, document or amount',
    status: 'Status',
    any: 'Any status',
    from: 'From',
    to: 'To',
    none: 'No payments yet',
    noneAbout: 'Payments that are created by API appear here at once.',
    firstSteps: 'Create the first one',
    notFound: 'Nothing found',
    notFoundAbout:
      'The search compares the whole text: an id, a reference, a CPF or CNPJ, or an amount such as 19.90.',
    filtered: 'No payments with these filters',
    clear: 'Clear the filters',
    export: 'Export CSV',
  },
);

/** Midnight where the person is. */
const startOf = (day: string, plusDays = 0): string => {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + plusDays);
  return date.toISOString();
};

interface Filters {
  status: Status | null;
  from: string;
  to: string;
}

const filterOf = ({ status, from, to }: Filters) => ({
  ...(status && { status }),
  ...(from && { createdFrom: startOf(from) }),
  ...(to && { createdTo: startOf(to, 1) }),
});

function useFilters() {
  const [parameters, setParameters] = useSearchParams();
  const given = parameters.get('status');
  const filters: Filters = {
    status: statuses.find((each) => each === given) ?? null,
    from: parameters.get('from') ?? '',
    to: parameters.get('to') ?? '',
  };
  const change = (changes: Partial<Filters>) => {
    setParameters(
      Object.entries({ ...filters, ...changes }).filter((entry): entry is [string, string] => !!entry[1]),
      { replace: true },
    );
  };
  return { filters, change, isFiltered: !!(filters.status ?? (filters.from || filters.to)) };
}

function FilteredPayments({
  filters,
  isFiltered,
  clear,
}: {
  filters: Filters;
  isFiltered: boolean;
  clear: () => void;
}) {
  const text = useTexts(said);
  const columns = usePaymentColumns();
  const pages = useServicePages(paymentsDocument, { filter: filterOf(filters) }, (result) => result.payments);
  useLiveRefresh(paymentsUpdatedDocument, {});
  if (!pages.nodes) return pages.error ? <FailureAlert error={pages.error} /> : <Waiting />;
  const nothing = isFiltered ? (
    <Nothing
      title={text.filtered}
      action={
        <Button variant="default" onClick={clear}>
          {text.clear}
        </Button>
      }
    />
  ) : (
    <Nothing
      title={text.none}
      action={
        <Button component={Link} href="/first-steps">
          {text.firstSteps}
        </Button>
      }
    >
      {text.noneAbout}
    </Nothing>
  );
  return (
    <DataTable
      caption={text.caption}
      columns={columns}
      rows={pages.nodes}
      keyOf={({ id }) => id}
      empty={nothing}
      more={
        pages.hasNextPage
          ? { load: () => void pages.fetchNextPage(), isLoading: pages.isFetchingNextPage }
          : undefined
      }
    />
  );
}

function FoundPayments({ search }: { search: string }) {
  const text = useTexts(said);
  const columns = usePaymentColumns();
  const { data, error } = useServiceQuery(searchDocument, { text: search }, { keepPrevious: true });
  useLiveRefresh(paymentsUpdatedDocument, {});
  if (!data) return error ? <FailureAlert error={error} /> : <Waiting />;
  return (
    <DataTable
      caption={text.caption}
      columns={columns}
      rows={data.searchPayments}
      keyOf={({ id }) => id}
      empty={<Nothing title={text.notFound}>{text.notFoundAbout}</Nothing>}
    />
  );
}

function ExportButton({ filters }: { filters: Filters }) {
  const text = useTexts(said);
  const { organizationId, mode } = useWorkplace();
  const { language } = useLanguage();
  const parameters = new URLSearchParams({
    organization: organizationId,
    mode,
    locale: language,
    ...filterOf(filters),
  });
  return (
    <Button
      component="a"
      href={`/dashboard/payments.csv?${parameters}`}
      variant="default"
      leftSection={<Download size={16} aria-hidden />}
    >
      {text.export}
    </Button>
  );
}

export default function PaymentsPage() {
  const text = useTexts(said);
  const statusText = useTexts(statusTexts);
  const { filters, change, isFiltered } = useFilters();
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search.trim(), 300);
  return (
    <Page title={text.title} actions={<ExportButton filters={filters} />}>
      <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm">
        <TextInput
          style={{ gridColumn: 'span 2' }}
          type="search"
          aria-label={text.search}
          placeholder={text.search}
          leftSection={<Search size={16} aria-hidden />}
          value={search}
          maxLength={255}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
          }}
        />
        <Select
          aria-label={text.status}
          placeholder={text.any}
          clearable
          disabled={!!search}
          value={filters.status}
          data={statuses.map((value) => ({ value, label: statusText[value] }))}
          onChange={(status) => {
            change({ status: status });
          }}
        />
        {(['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            type="date"
            aria-label={text[name]}
            leftSection={<Text size="xs">{text[name]}</Text>}
            leftSectionWidth={44}
            disabled={!!search}
            value={filters[name]}
            onChange={(event) => {
              change({ [name]: event.currentTarget.value });
            }}
          />
        ))}
      </SimpleGrid>
      {settled ? (
        <FoundPayments search={settled} />
      ) : (
        <FilteredPayments
          filters={filters}
          isFiltered={isFiltered}
          clear={() => {
            change({ status: null, from: '', to: '' });
          }}
        />
      )}
    </Page>
  );
}
