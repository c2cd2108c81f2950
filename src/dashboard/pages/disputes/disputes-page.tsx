import { Anchor, SegmentedControl } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useLiveRefresh, useServicePages } from '../../base/use-service.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { paymentsUpdatedDocument } from '../payments/documents.ts';
import { DisputeState } from './dispute-state.tsx';
import { type DisputeRow, disputesDocument } from './documents.ts';

const messages = texts(
  {
    title: 'Contestações',
    about: 'O que os pagadores contestaram. Quem não responde no prazo perde.',
    which: 'Quais contestações',
    open: 'Abertas',
    all: 'Todas',
    openCaption: 'Contestações abertas, do prazo mais próximo ao mais distante',
    allCaption: 'Contestações, da mais nova à mais antiga',
    amount: 'Valor contestado',
    until: 'Prazo de defesa',
    opened: 'Aberta em',
    state: 'Situação',
    none: 'Nenhuma contestação aberta',
    noneAtAll: 'Nenhuma contestação ainda',
  },
  {
    title: 'Disputes',
    about: 'What payers contest. Whoever does not answer in time loses.',
    which: 'Which disputes',
    open: 'Open',
    all: 'All',
    openCaption: 'Open disputes, the earliest deadline first',
    allCaption: 'Disputes, newest first',
    amount: 'Claimed amount',
    until: 'Deadline',
    opened: 'Opened',
    state: 'State',
    none: 'No open disputes',
    noneAtAll: 'No disputes yet',
  },
);

const throttleMs = 5_000;

function useColumns(): Column<DisputeRow>[] {
  const text = useTexts(messages);
  const { money, dateTime } = useFormats();
  return [
    {
      header: text.amount,
      narrow: 'title',
      cell: ({ id, amount }) => (
        <Anchor component={Link} href={`/disputes/${id}`} size="sm">
          {money(amount)}
        </Anchor>
      ),
    },
    {
      header: text.until,
      narrow: 'note',
      isWhole: true,
      cell: ({ defenceUntil }) => defenceUntil && dateTime(defenceUntil),
    },
    {
      header: text.opened,
      narrow: 'aside',
      isWhole: true,
      cell: ({ openedAt, createdAt }) => dateTime(openedAt ?? createdAt),
    },
    { header: text.state, narrow: 'mark', cell: (dispute) => <DisputeState {...dispute} /> },
  ];
}

export default function DisputesPage() {
  const text = useTexts(messages);
  const columns = useColumns();
  const [parameters, setParameters] = useSearchParams();
  const isAll = parameters.get('which') === 'all';
  const pages = useServicePages(disputesDocument, { open: !isAll }, ({ disputes }) => disputes, {
    keepPrevious: true,
  });
  useLiveRefresh(paymentsUpdatedDocument, {}, { of: [disputesDocument], throttleMs });
  return (
    <Page title={text.title} about={text.about}>
      <SegmentedControl
        aria-label={text.which}
        w="fit-content"
        value={isAll ? 'all' : 'open'}
        data={[
          { value: 'open', label: text.open },
          { value: 'all', label: text.all },
        ]}
        onChange={(which) => {
          setParameters(which === 'all' ? { which } : {}, { replace: true });
        }}
      />
      <QueryResult result={pages}>
        {(disputes) => (
          <DataTable
            caption={isAll ? text.allCaption : text.openCaption}
            columns={columns}
            rows={disputes}
            keyOf={({ id }) => id}
            isLinked
            empty={<EmptyState title={isAll ? text.noneAtAll : text.none} />}
            more={pages.more}
          />
        )}
      </QueryResult>
    </Page>
  );
}
