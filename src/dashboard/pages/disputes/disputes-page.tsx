import { Anchor, SegmentedControl } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useLiveRefresh, useServicePages } from '../../base/use-service.ts';
import { ClippedText } from '../../ui/clipped-text.tsx';
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
    unanswered: 'Sem resposta',
    open: 'Abertas',
    all: 'Todas',
    unansweredCaption: 'Contestações sem resposta, do prazo mais próximo ao mais distante',
    openCaption: 'Contestações abertas, do prazo mais próximo ao mais distante',
    allCaption: 'Contestações, da mais nova à mais antiga',
    amount: 'Valor contestado',
    payer: 'Pagador',
    reference: 'Referência',
    until: 'Prazo de defesa',
    opened: 'Aberta em',
    state: 'Situação',
    unansweredNone: 'Nenhuma contestação sem resposta',
    openNone: 'Nenhuma contestação aberta',
    allNone: 'Nenhuma contestação ainda',
  },
  {
    title: 'Disputes',
    about: 'What payers contest. Whoever does not answer in time loses.',
    which: 'Which disputes',
    unanswered: 'Unanswered',
    open: 'Open',
    all: 'All',
    unansweredCaption: 'Disputes without an answer, the earliest deadline first',
    openCaption: 'Open disputes, the earliest deadline first',
    allCaption: 'Disputes, newest first',
    amount: 'Claimed amount',
    payer: 'Payer',
    reference: 'Reference',
    until: 'Deadline',
    opened: 'Opened',
    state: 'State',
    unansweredNone: 'No dispute without an answer',
    openNone: 'No open disputes',
    allNone: 'No disputes yet',
  },
);

const throttleMs = 5_000;
const choices = ['unanswered', 'open', 'all'] as const;

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
      header: text.payer,
      narrow: 'below',
      cell: ({ payment }) => <ClippedText>{payment.payerName}</ClippedText>,
    },
    { header: text.reference, cell: ({ payment }) => <ClippedText>{payment.externalId}</ClippedText> },
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
  const given = parameters.get('which');
  const which = choices.find((each) => each === given) ?? 'unanswered';
  const filter = { open: which === 'open', unanswered: which === 'unanswered' };
  const pages = useServicePages(disputesDocument, filter, ({ disputes }) => disputes, { keepPrevious: true });
  useLiveRefresh(paymentsUpdatedDocument, {}, { of: [disputesDocument], throttleMs });
  return (
    <Page title={text.title} about={text.about}>
      <SegmentedControl
        aria-label={text.which}
        w="fit-content"
        value={which}
        data={choices.map((value) => ({ value, label: text[value] }))}
        onChange={(chosen) => {
          setParameters({ which: chosen }, { replace: true });
        }}
      />
      <QueryResult result={pages}>
        {(disputes) => (
          <DataTable
            caption={text[`${which}Caption`]}
            columns={columns}
            rows={disputes}
            keyOf={({ id }) => id}
            isLinked
            empty={<EmptyState title={text[`${which}None`]} />}
            pages={pages}
          />
        )}
      </QueryResult>
    </Page>
  );
}
