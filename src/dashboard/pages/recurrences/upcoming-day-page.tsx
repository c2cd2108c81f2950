import { Anchor } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useServicePages } from '../../base/use-service.ts';
import { ClippedText } from '../../ui/clipped-text.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { type UpcomingDebit, upcomingDebitsDocument } from './documents.ts';
import { useRecurrenceTexts } from './use-recurrence-texts.ts';

const messages = texts(
  {
    title: (day: string) => `Débitos de ${day}`,
    back: 'Próximos débitos',
    caption: 'Débitos do dia',
    payer: 'Pagador',
    description: 'Descrição',
    amount: 'Valor',
    frequency: 'Frequência',
    payment: 'Cobrança',
    sent: 'Ver cobrança',
    planned: 'Ainda não enviada',
    none: 'Nenhum débito neste dia',
  },
  {
    title: (day: string) => `Debits on ${day}`,
    back: 'Upcoming debits',
    caption: 'Debits of the day',
    payer: 'Payer',
    description: 'Description',
    amount: 'Amount',
    frequency: 'Frequency',
    payment: 'Payment',
    sent: 'View payment',
    planned: 'Not sent yet',
    none: 'No debits on this day',
  },
);

function useColumns(): Column<UpcomingDebit>[] {
  const text = useTexts(messages);
  const { money } = useFormats();
  const { frequencyOf } = useRecurrenceTexts();
  return [
    {
      header: text.payer,
      narrow: 'title',
      cell: ({ recurrence: { id, payerName } }) => (
        <Anchor component={Link} href={`/recurrences/${id}`} size="sm">
          <ClippedText>{payerName}</ClippedText>
        </Anchor>
      ),
    },
    {
      header: text.description,
      cell: ({ recurrence }) => <ClippedText>{recurrence.description}</ClippedText>,
    },
    { header: text.amount, align: 'right', narrow: 'aside', cell: ({ amount }) => money(amount) },
    { header: text.frequency, narrow: 'note', cell: ({ recurrence }) => frequencyOf(recurrence) },
    {
      header: text.payment,
      narrow: 'mark',
      cell: ({ payment }) =>
        payment ? (
          <Anchor component={Link} href={`/payments/${payment.id}`} size="sm">
            {text.sent}
          </Anchor>
        ) : (
          text.planned
        ),
    },
  ];
}

export default function UpcomingDayPage() {
  const text = useTexts(messages);
  const { calendarDay } = useFormats();
  const columns = useColumns();
  const { day: on } = useParams<{ day: string }>();
  const pages = useServicePages(upcomingDebitsDocument, { on }, ({ upcomingDebits }) => upcomingDebits);
  const isDay = !Number.isNaN(Date.parse(on));
  return (
    <Page
      title={text.title(isDay ? calendarDay(on) : on)}
      back={{ to: '/recurrences/upcoming', label: text.back }}
    >
      <QueryResult result={pages}>
        {(debits) => (
          <DataTable
            caption={text.caption}
            columns={columns}
            rows={debits}
            keyOf={({ recurrence }) => recurrence.id}
            isLinked
            empty={<EmptyState title={text.none} />}
            pages={pages}
          />
        )}
      </QueryResult>
    </Page>
  );
}
