import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { type DebitDay, upcomingDaysDocument } from './documents.ts';
import { Tabs } from './tabs.tsx';

const messages = texts(
  {
    title: 'Próximos débitos',
    about:
      'O que será debitado nas próximas quatro semanas. Os de valor variável aparecem depois que você os cria.',
    caption: 'Débitos das próximas quatro semanas, por dia',
    day: 'Dia',
    count: 'Quantidade',
    debits: (count: string, isOne: boolean) => `${count} ${isOne ? 'débito' : 'débitos'}`,
    amount: 'Valor',
    atLeast: (text: string) => `${text} ou mais`,
    none: 'Nenhum débito nas próximas quatro semanas',
  },
  {
    title: 'Upcoming debits',
    about:
      'What will be debited in the next four weeks. Those of a varying amount appear once you create them.',
    caption: 'Debits of the next four weeks, by day',
    day: 'Day',
    count: 'Count',
    debits: (count: string, isOne: boolean) => `${count} ${isOne ? 'debit' : 'debits'}`,
    amount: 'Amount',
    atLeast: (text: string) => `${text} or more`,
    none: 'No debits in the next four weeks',
  },
);

type Sum = Pick<DebitDay, 'count' | 'amount' | 'isAtLeast'>;

const plus = (one: Sum, other: Sum): Sum => ({
  count: one.count + other.count,
  amount: one.amount + other.amount,
  isAtLeast: one.isAtLeast || other.isAtLeast,
});

function Days({ days }: { days: DebitDay[] }) {
  const text = useTexts(messages);
  const formats = useFormats();
  const weekday = new Intl.DateTimeFormat(formats.dateLocale, { weekday: 'short', timeZone: 'UTC' });
  const bounded = (shown: string, isAtLeast: boolean) => (isAtLeast ? text.atLeast(shown) : shown);
  const countOf = ({ count, isAtLeast }: Sum) =>
    text.debits(bounded(formats.count(count), isAtLeast), count === 1);
  const amountOf = ({ amount, isAtLeast }: Sum) => bounded(formats.money(amount), isAtLeast);
  const total = days.reduce<Sum>(plus, { count: 0, amount: 0, isAtLeast: false });
  const columns: Column<DebitDay>[] = [
    {
      header: text.day,
      narrow: 'title',
      isWhole: true,
      cell: ({ on }) => (
        <Anchor component={Link} href={`/recurrences/upcoming/${on}`} size="sm">
          {weekday.format(new Date(on))} {formats.calendarDay(on)}
        </Anchor>
      ),
    },
    {
      header: text.count,
      align: 'right',
      narrow: 'note',
      cell: countOf,
    },
    {
      header: text.amount,
      align: 'right',
      narrow: 'aside',
      cell: amountOf,
    },
  ];
  return (
    <>
      {days.length > 0 && (
        <Text size="sm" c="dimmed">
          {countOf(total)} · {amountOf(total)}
        </Text>
      )}
      <DataTable
        caption={text.caption}
        columns={columns}
        rows={days}
        keyOf={({ on }) => on}
        isLinked
        empty={<EmptyState title={text.none} />}
      />
    </>
  );
}

export default function UpcomingPage() {
  const text = useTexts(messages);
  const days = useServiceQuery(upcomingDaysDocument, {});
  return (
    <Page title={text.title} about={text.about}>
      <Tabs at="upcoming" />
      <QueryResult result={days}>{({ upcomingDebitDays }) => <Days days={upcomingDebitDays} />}</QueryResult>
    </Page>
  );
}
