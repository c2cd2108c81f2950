import { Box, Button, Text } from '@mantine/core';
import { Link, useSearch } from 'wouter';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { texts, useTexts } from '../../shell/language.tsx';
import { useLiveRefresh, useServicePages, useServiceQuery } from '../../shell/use-service.ts';
import { useWorkplace } from '../../shell/use-workplace.ts';
import { paymentsDocument, paymentsUpdatedDocument, searchDocument, searchLimit } from './documents.ts';
import { usePaymentColumns } from './payment-columns.tsx';
import { type Filters, paymentFilterOf } from './use-filters.ts';

const messages = texts(
  {
    caption: 'Pagamentos, mais recentes primeiro',
    none: 'Nenhum pagamento ainda',
    noneAbout: 'As cobranças criadas pela API aparecem aqui na hora.',
    firstSteps: 'Criar a primeira cobrança',
    notFound: 'Nenhum resultado',
    searched: 'Busque pelo texto exato: ID, referência, CPF, CNPJ ou um valor como 19,90.',
    searchedByViewer: 'Busque pelo texto exato: ID, referência ou um valor como 19,90.',
    onlyNewest: `Exibindo os ${searchLimit} mais recentes. Para ver outros, refine a busca.`,
    filtered: 'Nenhum pagamento com estes filtros',
    clear: 'Limpar filtros',
  },
  {
    caption: 'Payments, newest first',
    none: 'No payments yet',
    noneAbout: 'Payments created through the API appear here instantly.',
    firstSteps: 'Create your first payment',
    notFound: 'No results',
    searched: 'Search for an exact ID, reference, CPF, CNPJ or amount, such as 19.90.',
    searchedByViewer: 'Search for an exact ID, reference or amount, such as 19.90.',
    onlyNewest: `Showing the ${searchLimit} newest. Refine your search to see others.`,
    filtered: 'No payments match these filters',
    clear: 'Clear filters',
  },
);

function NoneYet() {
  const text = useTexts(messages);
  const action = (
    <Button component={Link} href="/first-steps">
      {text.firstSteps}
    </Button>
  );
  return (
    <EmptyState title={text.none} action={action}>
      {text.noneAbout}
    </EmptyState>
  );
}

function NoneLeft({ clear }: { clear: () => void }) {
  const text = useTexts(messages);
  const action = (
    <Button variant="default" onClick={clear}>
      {text.clear}
    </Button>
  );
  return <EmptyState title={text.filtered} action={action} />;
}

export function FilteredPayments({ filters, clear }: { filters: Filters; clear: () => void }) {
  const text = useTexts(messages);
  const filter = paymentFilterOf(filters);
  const pages = useServicePages(paymentsDocument, { filter }, (result) => result.payments);
  const columns = usePaymentColumns({ list: useSearch(), ids: pages.data?.map(({ id }) => id) ?? [] });
  useLiveRefresh(paymentsUpdatedDocument, {});
  return (
    <QueryResult result={pages}>
      {(payments) => (
        <DataTable
          caption={text.caption}
          columns={columns}
          rows={payments}
          keyOf={({ id }) => id}
          isLinked
          empty={Object.keys(filter).length > 0 ? <NoneLeft clear={clear} /> : <NoneYet />}
          more={pages.more}
        />
      )}
    </QueryResult>
  );
}

export function FoundPayments({ search }: { search: string }) {
  const text = useTexts(messages);
  const { may } = useWorkplace();
  const result = useServiceQuery(
    searchDocument,
    { text: search, first: searchLimit },
    { keepPrevious: () => true },
  );
  const ids = result.data?.searchPayments.map(({ id }) => id) ?? [];
  const columns = usePaymentColumns({ list: useSearch(), ids });
  const isOfOtherText = result.isPlaceholderData;
  useLiveRefresh(paymentsUpdatedDocument, {});
  return (
    <QueryResult result={result}>
      {({ searchPayments }) => (
        <Box aria-busy={isOfOtherText} opacity={isOfOtherText ? 0.5 : undefined}>
          {searchPayments.length === searchLimit && (
            <Text size="sm" c="dimmed" mb="sm">
              {text.onlyNewest}
            </Text>
          )}
          <DataTable
            caption={text.caption}
            columns={columns}
            rows={searchPayments}
            keyOf={({ id }) => id}
            isLinked
            empty={
              <EmptyState title={text.notFound}>
                {may('payers:read') ? text.searched : text.searchedByViewer}
              </EmptyState>
            }
          />
        </Box>
      )}
    </QueryResult>
  );
}
