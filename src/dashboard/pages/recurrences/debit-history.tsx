import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
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
    retry: (day: string) => `Nova tentativa em ${day}`,
    states: {
      requested: 'enviado ao banco',
      scheduled: 'agendado',
      paid: 'pago',
      rejected: 'recusado',
      expired: 'não pago no dia',
      cancelled: 'cancelado',
    },
    reasons: {
      limit: 'acima do limite: peça ao pagador que aumente o limite no app do banco',
      no_balance: 'sem saldo: avise o pagador',
      mandate_ended: 'autorização encerrada: peça uma nova ao pagador',
      payer_data: 'dados do pagador não conferem: confirme-os com o pagador',
      account: 'conta encerrada ou bloqueada: peça uma nova autorização',
      our_fault: 'enviado fora das regras: o pagador não tem culpa; veja o registro do serviço',
      operational: 'falha de um banco: aguarde a nova tentativa',
      already_paid: 'já pago: procure o outro pagamento',
      unknown: 'motivo não informado pelo banco',
    },
  },
  {
    caption: 'Debits of this recurrence, newest first',
    due: 'Debit date',
    amount: 'Amount',
    attempts: 'Attempts',
    status: 'Status',
    none: 'No debits yet',
    noneAbout: 'Each debit appears here a few days before its date.',
    retry: (day: string) => `Next attempt on ${day}`,
    states: {
      requested: 'sent to the bank',
      scheduled: 'scheduled',
      paid: 'paid',
      rejected: 'refused',
      expired: 'not paid on the day',
      cancelled: 'cancelled',
    },
    reasons: {
      limit: 'above the limit: ask the payer to raise it in their bank’s app',
      no_balance: 'no balance: tell the payer',
      mandate_ended: 'authorization ended: ask the payer for another one',
      payer_data: 'the payer’s details do not match: check them with the payer',
      account: 'account closed or blocked: ask for another authorization',
      our_fault: 'sent against the rules: not the payer’s fault; see the service’s log',
      operational: 'a bank had a fault: wait for the next attempt',
      already_paid: 'already paid: look for the other payment',
      unknown: 'the bank gave no known reason',
    },
  },
);

function Attempts({ debit }: Pick<DebitPayment, 'debit'>) {
  const text = useTexts(messages);
  const { calendarDay } = useFormats();
  return (
    <>
      {debit?.attempts.map(({ on, state, reason }) => (
        <Text key={on} size="sm">
          {calendarDay(on)}: {text.states[state]}
          {reason && ` · ${text.reasons[reason]}`}
        </Text>
      ))}
      {debit?.retryOn && <Text size="sm">{text.retry(calendarDay(debit.retryOn))}</Text>}
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
    { header: text.attempts, narrow: 'foot', cell: ({ debit }) => <Attempts debit={debit} /> },
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
