import { Anchor, Select, SimpleGrid } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useLiveRefresh, useServicePages } from '../../base/use-service.ts';
import { NoneLeft } from '../../parts/empty-lists.tsx';
import { ClippedText } from '../../ui/clipped-text.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { type Recurrence, recurrencesDocument, recurrencesUpdatedDocument } from './documents.ts';
import { RecurrenceStatus, statusTexts } from './recurrence-status.tsx';
import { Tabs } from './tabs.tsx';
import { useRecurrenceTexts } from './use-recurrence-texts.ts';

const messages = texts(
  {
    title: 'Recorrências',
    about: 'Com a autorização do pagador, cada débito do Pix Automático é um pagamento.',
    caption: 'Recorrências, da mais nova à mais antiga',
    payer: 'Pagador',
    description: 'Descrição',
    amount: 'Valor',
    frequency: 'Frequência',
    next: 'Próximo débito',
    since: 'Autorizada em',
    status: 'Status',
    any: 'Todas as recorrências',
    filtered: 'Nenhuma recorrência com este status',
    none: 'Nenhuma recorrência ainda',
    noneAbout: 'Crie a primeira pela API: o pagador autoriza uma vez e os débitos seguem sozinhos.',
  },
  {
    title: 'Recurrences',
    about: 'Once the payer has authorized it, every Pix Automático debit is a payment.',
    caption: 'Recurrences, newest first',
    payer: 'Payer',
    description: 'Description',
    amount: 'Amount',
    frequency: 'Frequency',
    next: 'Next debit',
    since: 'Authorized',
    status: 'Status',
    any: 'All recurrences',
    filtered: 'No recurrences with this status',
    none: 'No recurrences yet',
    noneAbout: 'Create the first one with the API: the payer authorizes once, and the debits follow.',
  },
);

const statuses = ['pending', 'active', 'rejected', 'expired', 'cancelled'] as const;

function useColumns(): Column<Recurrence>[] {
  const text = useTexts(messages);
  const { calendarDay, date } = useFormats();
  const { amountOf, frequencyOf } = useRecurrenceTexts();
  return [
    {
      header: text.payer,
      narrow: 'title',
      cell: ({ id, payerName }) => (
        <Anchor component={Link} href={`/recurrences/${id}`} size="sm">
          <ClippedText>{payerName}</ClippedText>
        </Anchor>
      ),
    },
    { header: text.description, cell: ({ description }) => <ClippedText>{description}</ClippedText> },
    { header: text.amount, narrow: 'note', align: 'right', cell: amountOf },
    { header: text.frequency, narrow: 'aside', cell: frequencyOf },
    { header: text.next, isWhole: true, cell: ({ nextDebitOn }) => nextDebitOn && calendarDay(nextDebitOn) },
    { header: text.since, isWhole: true, cell: ({ activatedAt }) => activatedAt && date(activatedAt) },
    { header: text.status, narrow: 'mark', cell: ({ status }) => <RecurrenceStatus status={status} /> },
  ];
}

export default function RecurrencesPage() {
  const text = useTexts(messages);
  const statusText = useTexts(statusTexts);
  const columns = useColumns();
  const [parameters, setParameters] = useSearchParams();
  const status = statuses.find((each) => each === parameters.get('status'));
  const choose = (chosen: string | null) => {
    setParameters(chosen === null ? {} : { status: chosen }, { replace: true });
  };
  const filter = { ...(status && { status }) };
  const pages = useServicePages(recurrencesDocument, { filter }, ({ recurrences }) => recurrences, {
    keepPrevious: true,
  });
  useLiveRefresh(recurrencesUpdatedDocument, {}, { of: [recurrencesDocument] });
  const empty = status ? (
    <NoneLeft
      title={text.filtered}
      clear={() => {
        choose(null);
      }}
    />
  ) : (
    <EmptyState title={text.none}>{text.noneAbout}</EmptyState>
  );
  return (
    <Page title={text.title} about={text.about}>
      <Tabs at="all" />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        <Select
          aria-label={text.status}
          placeholder={text.any}
          clearable
          value={status ?? null}
          data={statuses.map((value) => ({ value, label: statusText[value] }))}
          onChange={choose}
        />
      </SimpleGrid>
      <QueryResult result={pages}>
        {(recurrences) => (
          <DataTable
            caption={text.caption}
            columns={columns}
            rows={recurrences}
            keyOf={({ id }) => id}
            isLinked
            empty={empty}
            pages={pages}
          />
        )}
      </QueryResult>
    </Page>
  );
}
