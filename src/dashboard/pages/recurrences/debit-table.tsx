import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { DebitAttempts } from '../../parts/debits/debit-attempts.tsx';
import { useWhatToDo } from '../../parts/debits/what-to-do.ts';
import { PaymentStatus } from '../../parts/payment-status.tsx';
import { ClippedText } from '../../ui/clipped-text.tsx';
import { type Column, DataTable, type Pages } from '../../ui/data-table.tsx';
import type { DebitPayment } from './documents.ts';

const messages = texts(
  {
    due: 'Data do débito',
    payer: 'Pagador',
    amount: 'Valor',
    attempts: 'Tentativas',
    status: 'Status',
  },
  {
    due: 'Debit date',
    payer: 'Payer',
    amount: 'Amount',
    attempts: 'Attempts',
    status: 'Status',
  },
);

function Attempts({ debit, status }: DebitPayment) {
  const whatToDo = useWhatToDo();
  if (!debit) return null;
  return (
    <div>
      <DebitAttempts debit={debit} />
      {(status === 'pending' || status === 'failed') && <Text size="sm">{whatToDo(debit)}</Text>}
    </div>
  );
}

interface DebitTableProps {
  caption: string;
  /** Those with a payer are of several recurrences. */
  debits: (DebitPayment & { payerName?: string | null })[];
  empty: ReactNode;
  pages: Pages;
}

/** Each debit with what became of its attempts, and what to do about a failure. */
export function DebitTable({ caption, debits, empty, pages }: DebitTableProps) {
  const text = useTexts(messages);
  const { calendarDay, money } = useFormats();
  const payer: Column<DebitTableProps['debits'][number]> = {
    header: text.payer,
    narrow: 'note',
    cell: ({ payerName }) => <ClippedText>{payerName ?? null}</ClippedText>,
  };
  const columns: Column<DebitTableProps['debits'][number]>[] = [
    {
      header: text.due,
      narrow: 'title',
      isWhole: true,
      cell: ({ id, dueDate }) => (
        <Anchor component={Link} href={`/payments/${id}`} size="sm">
          {dueDate && calendarDay(dueDate)}
        </Anchor>
      ),
    },
    ...(debits.some(({ payerName }) => payerName) ? [payer] : []),
    { header: text.amount, narrow: 'aside', align: 'right', cell: ({ amount }) => money(amount) },
    { header: text.attempts, narrow: 'below', cell: (payment) => <Attempts {...payment} /> },
    {
      header: text.status,
      narrow: 'mark',
      cell: ({ status }) => <PaymentStatus status={status} overdue={false} />,
    },
  ];
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={debits}
      keyOf={({ id }) => id}
      isLinked
      empty={empty}
      pages={pages}
    />
  );
}
