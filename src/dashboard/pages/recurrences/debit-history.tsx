import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { DebitAttempts } from '../../parts/debits/debit-attempts.tsx';
import { useWhatToDo } from '../../parts/debits/what-to-do.ts';
import { PaymentStatus } from '../../parts/payment-status.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { DebitPayment } from './documents.ts';

const messages = texts(
  {
    caption: 'Débitos desta recorrência, do mais novo ao mais antigo',
    due: 'Data do débito',
    amount: 'Valor',
    attempts: 'Tentativas',
    status: 'Status',
    none: 'Nenhum débito ainda',
    noneAbout: 'Cada débito aparece aqui alguns dias antes da sua data.',
  },
  {
    caption: 'Debits of this recurrence, newest first',
    due: 'Debit date',
    amount: 'Amount',
    attempts: 'Attempts',
    status: 'Status',
    none: 'No debits yet',
    noneAbout: 'Each debit appears here a few days before its date.',
  },
);

function Attempts({ debit, status }: Pick<DebitPayment, 'debit' | 'status'>) {
  const whatToDo = useWhatToDo();
  if (!debit) return null;
  return (
    <>
      <DebitAttempts debit={debit} />
      {(status === 'pending' || status === 'failed') && <Text size="sm">{whatToDo(debit)}</Text>}
    </>
  );
}

/** Each debit with what became of its attempts, and what to do about a failure. */
export function DebitHistory({ debits }: { debits: DebitPayment[] }) {
  const text = useTexts(messages);
  const { calendarDay, money } = useFormats();
  const columns: Column<DebitPayment>[] = [
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
    { header: text.amount, narrow: 'aside', align: 'right', cell: ({ amount }) => money(amount) },
    { header: text.attempts, narrow: 'foot', cell: (payment) => <Attempts {...payment} /> },
    {
      header: text.status,
      narrow: 'mark',
      cell: ({ status }) => <PaymentStatus status={status} overdue={false} />,
    },
  ];
  return (
    <DataTable
      caption={text.caption}
      columns={columns}
      rows={debits}
      keyOf={({ id }) => id}
      empty={<EmptyState title={text.none}>{text.noneAbout}</EmptyState>}
    />
  );
}
