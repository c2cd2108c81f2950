import { Box, Button, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { Link, useSearch } from 'wouter';
import { DataTable, type More } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Loading } from '../../ui/loading.tsx';
import { texts, useFormats, useTexts } from '../../shell/language.tsx';
import { useLiveRefresh, useServicePages, useServiceQuery } from '../../shell/use-service.ts';
import { useWorkplace } from '../../shell/use-workplace.ts';
import { paymentsDocument, paymentsUpdatedDocument, searchableSinceDocument } from './documents.ts';
import { usePaymentColumns } from './payment-columns.tsx';
import { type Filters, paymentFilterOf } from './use-filters.ts';

const messages = texts(
  {
    caption: 'Pagamentos, mais recentes primeiro',
    none: 'Nenhum pagamento ainda',
    noneAbout: 'As cobranças criadas pela API aparecem aqui na hora.',
    firstSteps: 'Criar a primeira cobrança',
    notFound: 'Nenhum resultado',
    searched:
      'A busca compara o começo de cada palavra: nome, e-mail, CPF/CNPJ e telefone do pagador, partes da referência. IDs, códigos Pix e valores precisam estar completos.',
    searchedByViewer:
      'A busca compara o começo de cada parte da referência. IDs, códigos Pix e valores precisam estar completos.',
    notYet: 'Nada entre os pagamentos mais recentes',
    notYetAbout: 'Há pagamentos mais antigos que ainda não foram comparados.',
    goOn: 'Continuar',
    since: (day: string) =>
      `Pagamentos anteriores a ${day} ainda estão sendo preparados para a busca: por enquanto são encontrados por ID, referência completa, CPF/CNPJ ou valor.`,
    filtered: 'Nenhum pagamento com estes filtros',
    clear: 'Limpar filtros',
  },
  {
    caption: 'Payments, newest first',
    none: 'No payments yet',
    noneAbout: 'Payments created through the API appear here instantly.',
    firstSteps: 'Create your first payment',
    notFound: 'No results',
    searched:
      "Search compares the beginning of each word: the payer's name, e-mail, CPF/CNPJ and phone, parts of the reference. IDs, Pix codes and amounts must be complete.",
    searchedByViewer:
      'Search compares the beginning of each part of the reference. IDs, Pix codes and amounts must be complete.',
    notYet: 'Nothing among the newest payments',
    notYetAbout: 'There are older payments that have not been compared yet.',
    goOn: 'Continue',
    since: (day: string) =>
      `Payments from before ${day} are still being prepared for search: for now they are found by ID, complete reference, CPF/CNPJ or amount.`,
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

function NoneFound() {
  const text = useTexts(messages);
  const { may } = useWorkplace();
  return (
    <EmptyState title={text.notFound}>
      {may('payers:read') ? text.searched : text.searchedByViewer}
    </EmptyState>
  );
}

const pagesAtOnce = 8;

/** Pages can be empty while older payments are left to compare: goes through some of them before it asks. */
function GoingOn({ more, pageCount }: { more: More; pageCount: number }) {
  const text = useTexts(messages);
  const { load, isLoading, error } = more;
  const isPaused = pageCount % pagesAtOnce === 0 || !!error;
  useEffect(() => {
    if (!isLoading && !isPaused) load();
  });
  if (!isPaused) return <Loading />;
  const action = (
    <Button variant="default" loading={isLoading} onClick={load}>
      {text.goOn}
    </Button>
  );
  return (
    <EmptyState title={text.notYet} action={action}>
      {text.notYetAbout}
    </EmptyState>
  );
}

/** While older payments are not searched by their words. */
function SearchGap() {
  const text = useTexts(messages);
  const formats = useFormats();
  const { data } = useServiceQuery(searchableSinceDocument, {});
  if (!data?.searchableSince) return null;
  return (
    <Text size="sm" c="dimmed">
      {text.since(formats.dateTime(data.searchableSince))}
    </Text>
  );
}

/** The list that the filters select, with its links and keys. */
export function Payments({ filters, clear }: { filters: Filters; clear: () => void }) {
  const text = useTexts(messages);
  const filter = paymentFilterOf(filters);
  const pages = useServicePages(paymentsDocument, { filter }, (result) => result.payments, {
    keepPrevious: true,
  });
  const columns = usePaymentColumns({ list: useSearch(), ids: (pages.data ?? []).map(({ id }) => id) });
  useLiveRefresh(paymentsUpdatedDocument, {});
  const { search, ...others } = filter;
  const none = () => {
    if (pages.more) return <GoingOn more={pages.more} pageCount={pages.pageCount} />;
    if (search) return <NoneFound />;
    return Object.keys(others).length > 0 ? <NoneLeft clear={clear} /> : <NoneYet />;
  };
  return (
    <QueryResult result={pages}>
      {(payments) => (
        <Stack gap="sm" component={Box} aria-busy={pages.isStale} opacity={pages.isStale ? 0.5 : undefined}>
          {search && <SearchGap />}
          <DataTable
            caption={text.caption}
            columns={columns}
            rows={payments}
            keyOf={({ id }) => id}
            isLinked
            empty={none()}
            more={pages.more}
          />
        </Stack>
      )}
    </QueryResult>
  );
}
