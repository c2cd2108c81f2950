import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { BrowserLocationHook } from 'wouter/use-browser-location';
import { brasiliaDay } from '../../../core/base/time/brasilia.ts';
import { type CalendarDay, daysBetween } from '../../../core/base/time/calendar-day.ts';
import type { PaymentSort } from '../../../core/payments/rules/payment.ts';
import type { ResultOf } from '../../api/graphql.ts';
import { ClippedText, WideDash } from '../../ui/clipped-text.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { PaymentStatus } from '../../parts/payment-status.tsx';
import { useProviderName } from '../../parts/use-provider-name.ts';
import { useFormats, useTexts } from '../../base/language.tsx';
import { type ColumnName, columnNames, columnTexts, useColumnNames } from './column-choice.tsx';
import type { paymentRow } from './documents.ts';
import type { ListState } from './list-path.ts';
import type { Sorting } from './use-filters.ts';

type Row = ResultOf<typeof paymentRow>;

/** The list is in the order of what payments were made for, so that is shown too. */
function Amount({ row: { amount, amountPaid } }: { row: Row }) {
  const text = useTexts(columnTexts);
  const { money } = useFormats();
  if (amountPaid === null || amountPaid === amount) return money(amount);
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      {money(amountPaid)}{' '}
      <Text span size="xs" c="dimmed">
        {text.paidOf(money(amount))}
      </Text>
    </span>
  );
}

function RefundedAmount({ amount }: { amount: number | null }) {
  const text = useTexts(columnTexts);
  const { money } = useFormats();
  if (amount === null) return <WideDash />;
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      <Text span inherit c="dimmed" hiddenFrom="sm">
        {text.refunded}:
      </Text>{' '}
      {money(amount)}
    </span>
  );
}

const daysSince = (day: string): number => daysBetween(day as CalendarDay, brasiliaDay(new Date()));

function DueDate({ row: { due, overdue } }: { row: Row }) {
  const text = useTexts(columnTexts);
  const { calendarDay } = useFormats();
  if (!due) return <WideDash />;
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      <Text span inherit c="dimmed" hiddenFrom="sm">
        {text.due}:
      </Text>{' '}
      {calendarDay(due.date)}{' '}
      {overdue && (
        <Text span size="xs" c="dimmed">
          {text.late(daysSince(due.date))}
        </Text>
      )}
    </span>
  );
}

interface Options {
  /** The payment page links back to it. */
  listState?: ListState;
  sorting?: Sorting;
  /** Undefined where the list cannot be sorted. */
  sortBy?: ((sorting: Sorting) => void) | undefined;
  /** The list is of what is due. */
  showsDue?: boolean;
  /** The list is of what was refunded. */
  showsRefunded?: boolean;
}

/** The column that the list is of, or sorted by, is shown even when it is not chosen. */
export function usePaymentColumns({
  listState,
  sorting,
  sortBy,
  showsDue,
  showsRefunded,
}: Options): Column<Row>[] {
  const text = useTexts(columnTexts);
  const providerName = useProviderName();
  const formats = useFormats();
  const [names] = useColumnNames();
  const sortOf = (sort: PaymentSort): Column<Row>['sort'] => {
    if (!sortBy) return undefined;
    const order = sorting?.sort === sort ? sorting.order : undefined;
    const toggle = () => {
      sortBy({ sort, order: order === 'desc' ? 'asc' : 'desc' });
    };
    return { order, toggle };
  };
  const isOf = (name: ColumnName) => (name === 'due' && showsDue) || (name === 'refunded' && showsRefunded);
  const cells: Record<ColumnName, Omit<Column<Row>, 'header'>> = {
    amount: {
      narrow: 'title',
      align: 'right',
      sort: sortOf('amount'),
      cell: (row) => <Amount row={row} />,
    },
    status: {
      narrow: 'mark',
      cell: (row) => <PaymentStatus {...row} />,
    },
    refunded: {
      narrow: 'below',
      align: 'right',
      cell: ({ amountRefunded }) => <RefundedAmount amount={amountRefunded} />,
    },
    due: { narrow: 'below', sort: sortOf('due'), cell: (row) => <DueDate row={row} /> },
    reference: { narrow: 'aside', cell: ({ externalId }) => <ClippedText>{externalId}</ClippedText> },
    payer: {
      narrow: 'below',
      cell: ({ payerName }) => {
        return payerName === null ? <WideDash /> : <ClippedText>{payerName}</ClippedText>;
      },
    },
    provider: { cell: ({ provider }) => providerName(provider) },
    paid: {
      sort: sortOf('paid'),
      isWhole: true,
      cell: ({ confirmedAt }) => (confirmedAt === null ? '—' : formats.dateTime(confirmedAt)),
    },
    description: { cell: ({ description }) => <ClippedText>{description}</ClippedText> },
    pix: { cell: ({ endToEndId }) => <ClippedText>{endToEndId}</ClippedText> },
  };
  return [
    {
      header: text.created,
      narrow: 'note',
      sort: sortOf('created'),
      cell: ({ id, createdAt }) => (
        <Anchor
          component={Link<BrowserLocationHook>}
          href={`/payments/${id}`}
          state={listState}
          size="sm"
          style={{ whiteSpace: 'nowrap' }}
        >
          {formats.dateTime(createdAt)}
        </Anchor>
      ),
    },
    ...columnNames
      .filter((name) => names.includes(name) || name === sorting?.sort || isOf(name))
      .map((name) => ({ header: text[name], ...cells[name] })),
  ];
}
