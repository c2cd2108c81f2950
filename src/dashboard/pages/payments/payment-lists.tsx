import { Button, Group, Stack, Text } from '@mantine/core';
import { ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { ClearFilters, GoingOn, NoneLeft } from '../../parts/empty-lists.tsx';
import { texts, useFormats, useTexts, useTimeZone } from '../../base/language.tsx';
import { useLiveRefresh, useServicePages, useServiceQuery } from '../../base/use-service.ts';
import { ColumnChoice } from './column-choice.tsx';
import {
  paymentsDocument,
  paymentsUpdatedDocument,
  paymentTotalsDocument,
  searchableSinceDocument,
} from './documents.ts';
import { NoneFound } from './none-found.tsx';
import { usePaymentColumns } from './payment-columns.tsx';
import { SortChoice, useSortingText } from './sort-choice.tsx';
import { useAnchor } from './use-anchor.ts';
import { type Filters, isNewestFirst, isSortable, paymentFilterOf, type Sorting } from './use-filters.ts';

const messages = texts(
  {
    caption: (order: string) => `Pagamentos: ${order}`,
    none: 'Nenhum pagamento ainda',
    noneAbout: 'As cobranças criadas pela API aparecem aqui na hora.',
    firstSteps: 'Criar a primeira cobrança',
    notYet: 'Nada entre os pagamentos mais recentes',
    notYetAbout: 'Há pagamentos mais antigos que ainda não foram pesquisados.',
    since: (day: string) =>
      `Pagamentos anteriores a ${day} ainda estão sendo preparados para a busca: por enquanto são encontrados por ID, referência completa, CPF/CNPJ ou valor.`,
    newer: (count: string) => (count === '1' ? '1 novo pagamento' : `${count} novos pagamentos`),
    total: (count: string, amount: string) =>
      count === '1' ? `1 pagamento · ${amount}` : `${count} pagamentos · ${amount}`,
    atLeast: (count: string, amount: string) => `Pelo menos ${count} pagamentos · pelo menos ${amount}`,
    filtered: 'Nenhum pagamento com estes filtros',
  },
  {
    caption: (order: string) => `Payments: ${order}`,
    none: 'No payments yet',
    noneAbout: 'Payments created through the API appear here instantly.',
    firstSteps: 'Create your first payment',
    notYet: 'Nothing among the newest payments',
    notYetAbout: 'There are older payments that have not been searched yet.',
    since: (day: string) =>
      `Payments from before ${day} are still being prepared for search: for now they are found by ID, complete reference, CPF/CNPJ or amount.`,
    newer: (count: string) => (count === '1' ? '1 new payment' : `${count} new payments`),
    total: (count: string, amount: string) =>
      count === '1' ? `1 payment · ${amount}` : `${count} payments · ${amount}`,
    atLeast: (count: string, amount: string) => `At least ${count} payments · at least ${amount}`,
    filtered: 'No payments match these filters',
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

/** Says since when payments are searched by their words, while older ones are not. */
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

type Filter = ReturnType<typeof paymentFilterOf>;

/** Says how many pass the filters, as far as that is counted. */
function Totals({ filter }: { filter: Filter }) {
  const text = useTexts(messages);
  const { money, count } = useFormats();
  const { data } = useServiceQuery(paymentTotalsDocument, { filter }, { keepPrevious: () => true });
  const totals = data?.paymentTotals;
  if (!totals || totals.count === 0) return <span />;
  const words = totals.isAtLeast ? text.atLeast : text.total;
  return (
    <Text size="sm" c="dimmed">
      {words(count(totals.count), money(totals.amount))}
    </Text>
  );
}

interface ListHeadProps {
  filter: Filter;
  clear: () => void;
  anchor: ReturnType<typeof useAnchor>;
  sorting: Sorting;
  sortBy: ((sorting: Sorting) => void) | undefined;
}

function ListHead({ filter, clear, anchor, sorting, sortBy }: ListHeadProps) {
  const text = useTexts(messages);
  const { newer, isAtLeast, show } = anchor;
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="xs">
        <Totals filter={filter} />
        {Object.keys(filter).length > 0 && <ClearFilters clear={clear} />}
      </Group>
      <div aria-live="polite">
        {newer > 0 && (
          <Button
            size="compact-sm"
            radius="xl"
            leftSection={<ArrowUp size={14} aria-hidden />}
            onClick={show}
          >
            {text.newer(isAtLeast ? `${newer}+` : String(newer))}
          </Button>
        )}
      </div>
      <Group gap="xs">
        {sortBy && <SortChoice sorting={sorting} sortBy={sortBy} />}
        <ColumnChoice />
      </Group>
    </Group>
  );
}

interface PaymentsProps {
  filters: Filters;
  clear: () => void;
  sorting: Sorting;
  sortBy: (sorting: Sorting) => void;
}

/** Shows the list that the filters select, with its links and keys. */
export function Payments({ filters, clear, sorting, sortBy }: PaymentsProps) {
  const text = useTexts(messages);
  const sortingText = useSortingText();
  const filter = paymentFilterOf(filters, useTimeZone());
  const [newest, setNewest] = useState<string>();
  const anchor = useAnchor(filter, newest, { isHeld: isNewestFirst(sorting) });
  const pages = useServicePages(
    paymentsDocument,
    { filter: anchor.held, ...sorting },
    (result) => result.payments,
    { keepPrevious: true },
  );
  const shownNewest = pages.isStale ? undefined : pages.data?.[0]?.createdAt;
  if (shownNewest !== newest) setNewest(shownNewest);
  const listState = { list: useSearch(), ids: (pages.data ?? []).map(({ id }) => id) };
  const sortable = isSortable(filters) ? sortBy : undefined;
  const columns = usePaymentColumns({
    listState,
    sorting,
    sortBy: sortable,
    showsDue: filters.due !== null,
    showsRefunded: filters.refunded !== null,
  });
  useLiveRefresh(paymentsUpdatedDocument, {});
  const { search, payer, ...others } = filter;
  const none = () => {
    if (pages.more) {
      const { more, pageCount } = pages;
      return <GoingOn more={more} pageCount={pageCount} title={text.notYet} about={text.notYetAbout} />;
    }
    if (search || payer) return <NoneFound filter={filter} clear={clear} />;
    return Object.keys(others).length > 0 ? <NoneLeft title={text.filtered} clear={clear} /> : <NoneYet />;
  };
  const name = JSON.stringify({ filter, sorting });
  const [shown, setShown] = useState(name);
  if (!pages.isStale && shown !== name) setShown(name);
  const isOfOthers = pages.isStale && shown !== name;
  return (
    <QueryResult result={pages}>
      {(payments) => (
        <Stack gap="sm" aria-busy={isOfOthers} opacity={isOfOthers ? 0.5 : undefined}>
          {(search || payer) && <SearchGap />}
          {payments.length > 0 && (
            <ListHead filter={filter} clear={clear} anchor={anchor} sorting={sorting} sortBy={sortable} />
          )}
          <DataTable
            caption={text.caption(sortingText(sorting))}
            columns={columns}
            rows={payments}
            keyOf={({ id }) => id}
            isLinked
            empty={none()}
            pages={pages}
          />
        </Stack>
      )}
    </QueryResult>
  );
}
