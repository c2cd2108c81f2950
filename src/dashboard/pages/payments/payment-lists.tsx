import { Box, Button, Text } from '@mantine/core';
import { Link, useSearch } from 'wouter';
import { DataTable } from '../../ui/data-table.tsx';
import { Loaded, Nothing } from '../../ui/error-alert.tsx';
import { texts, useTexts } from '../../shell/language.tsx';
import { useLiveRefresh, useServicePages, useServiceQuery } from '../../shell/use-service.ts';
import { useWorkplace } from '../../shell/use-workplace.ts';
import { paymentsDocument, paymentsUpdatedDocument, searchDocument, searchLimit } from './documents.ts';
import { usePaymentColumns } from './payment-columns.tsx';
import { type Filters, paymentFilterOf } from './use-filters.ts';

const said = texts(
  {
    caption: 'Pagamentos, os mais novos primeiro',
    none: 'Nenhum pagamento ainda',
    noneAbout: 'Os pagamentos criados pela API aparecem aqui na hora.',
    firstSteps: 'Criar o primeiro',
    notFound: 'Nada encontrado',
    searched:
      'A busca compara o texto inteiro: um id, uma referência, um CPF ou CNPJ, ou um valor como 19,90.',
    searchedByViewer: 'A busca compara o texto inteiro: um id, uma referência ou um valor como 19,90.',
    onlyNewest: `Só os ${searchLimit} mais novos são mostrados. Para ver outros, busque algo mais específico.`,
    filtered: 'Nenhum pagamento com estes filtros',
    clear: 'Limpar filtros',
  },
  {
    caption: 'Payments, the newest first',
    none: 'No payments yet',
    noneAbout: 'Payments that are created by API appear here at once.',
    firstSteps: 'Create the first one',
    notFound: 'Nothing found',
    searched:
      'The search compares the whole text: an id, a reference, a CPF or CNPJ, or an amount such as 19.90.',
    searchedByViewer: 'The search compares the whole text: an id, a reference or an amount such as 19.90.',
    onlyNewest: `Only the ${searchLimit} newest are shown. To see others, search for something more specific.`,
    filtered: 'No payments with these filters',
    clear: 'Clear the filters',
  },
);

function NoneYet() {
  const text = useTexts(said);
  const action = (
    <Button component={Link} href="/first-steps">
      {text.firstSteps}
    </Button>
  );
  return (
    <Nothing title={text.none} action={action}>
      {text.noneAbout}
    </Nothing>
  );
}

function NoneLeft({ clear }: { clear: () => void }) {
  const text = useTexts(said);
  const action = (
    <Button variant="default" onClick={clear}>
      {text.clear}
    </Button>
  );
  return <Nothing title={text.filtered} action={action} />;
}

export function FilteredPayments({ filters, clear }: { filters: Filters; clear: () => void }) {
  const text = useTexts(said);
  const columns = usePaymentColumns({ list: useSearch() });
  const filter = paymentFilterOf(filters);
  const pages = useServicePages(paymentsDocument, { filter }, (result) => result.payments);
  useLiveRefresh(paymentsUpdatedDocument, {});
  return (
    <Loaded result={pages}>
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
    </Loaded>
  );
}

export function FoundPayments({ search }: { search: string }) {
  const text = useTexts(said);
  const columns = usePaymentColumns({ list: useSearch() });
  const { may } = useWorkplace();
  const result = useServiceQuery(
    searchDocument,
    { text: search, first: searchLimit },
    { keepPrevious: () => true },
  );
  const isOfOtherText = result.isPlaceholderData;
  useLiveRefresh(paymentsUpdatedDocument, {});
  return (
    <Loaded result={result}>
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
              <Nothing title={text.notFound}>
                {may('payers:read') ? text.searched : text.searchedByViewer}
              </Nothing>
            }
          />
        </Box>
      )}
    </Loaded>
  );
}
