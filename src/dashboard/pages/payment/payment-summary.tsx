import { failureOf } from '../../parts/debits/what-to-do.ts';
import type { Status } from '../../parts/payment-status.tsx';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import type { Payment, PaymentDetail } from './base/documents.ts';
import { refundSumsOf } from './refunds/refund-sums.ts';

const messages = texts(
  {
    summaries: {
      pending: (instant: string) => `Aguardando pagamento até ${instant}.`,
      completed: (instant: string) => `Pago em ${instant}.`,
      expired: (instant: string) => `Expirou sem pagamento em ${instant}.`,
      cancelled: () => 'Cancelado antes de ser pago.',
      refunded: (instant: string) => `Pago em ${instant} e estornado por completo.`,
      failed: () => 'Nenhum provedor conseguiu criar a cobrança, e ela não pode ser paga.',
    },
    debit: (day: string) => `Débito em ${day}.`,
    retry: (day: string) => `O débito falhou. Nova tentativa em ${day}.`,
    debitWaits: 'O débito falhou e aguarda outra tentativa.',
    debitFailed: 'O débito falhou e não será mais tentado.',
    due: (day: string) => `Vence em ${day}.`,
    overdue: (day: string) => `Venceu em ${day}.`,
    payableUntil: (day: string) => `Pode ser pago até ${day}.`,
    partlyRefunded: (amount: string, left: string) => `Estornado em parte: ${amount}, restam ${left}.`,
    refundPending: (amount: string) => `Estorno em andamento: ${amount}.`,
    reversed: (amount: string) => `Devolução pelo banco (MED ou contestação): ${amount}.`,
  },
  {
    summaries: {
      pending: (instant: string) => `Awaiting payment until ${instant}.`,
      completed: (instant: string) => `Paid on ${instant}.`,
      expired: (instant: string) => `Expired unpaid on ${instant}.`,
      cancelled: () => 'Cancelled before it was paid.',
      refunded: (instant: string) => `Paid on ${instant} and fully refunded.`,
      failed: () => 'No provider could create the charge, so it cannot be paid.',
    },
    debit: (day: string) => `Debit on ${day}.`,
    retry: (day: string) => `The debit failed. Next attempt on ${day}.`,
    debitWaits: 'The debit failed and awaits another attempt.',
    debitFailed: 'The debit failed and will not be tried any more.',
    due: (day: string) => `Due on ${day}.`,
    overdue: (day: string) => `Was due on ${day}.`,
    payableUntil: (day: string) => `Can be paid until ${day}.`,
    partlyRefunded: (amount: string, left: string) => `Partly refunded: ${amount}, ${left} left.`,
    refundPending: (amount: string) => `Refund in progress: ${amount}.`,
    reversed: (amount: string) => `Reversed (MED or dispute): ${amount}.`,
  },
);

const endsAtExpiry: readonly Status[] = ['pending', 'expired'];

function useDebitSummary(): (payment: Payment) => string | undefined {
  const text = useTexts(messages);
  const { calendarDay } = useFormats();
  return ({ debit, dueDate, status }) => {
    if (!debit || !dueDate || (status !== 'pending' && status !== 'failed')) return undefined;
    if (status === 'failed') return text.debitFailed;
    const day = calendarDay(debit.attempts.at(-1)?.on ?? dueDate);
    if (failureOf(debit) === undefined) return text.debit(day);
    return debit.retryOn ? text.retry(calendarDay(debit.retryOn)) : text.debitWaits;
  };
}

export function PaymentSummary({ detail }: { detail: PaymentDetail }) {
  const text = useTexts(messages);
  const formats = useFormats();
  const { status, due, overdue, expiresAt, confirmedAt, createdAt, amountRefunded, amountReversed } =
    detail.payment;
  const debitSummary = useDebitSummary()(detail.payment);
  if (debitSummary !== undefined) return debitSummary;
  const { left, pending } = refundSumsOf(detail);
  const instant = endsAtExpiry.includes(status) ? expiresAt : (confirmedAt ?? createdAt);
  if (due && status === 'pending') {
    const isDue = (overdue ? text.overdue : text.due)(formats.calendarDay(due.date));
    return `${isDue} ${text.payableUntil(formats.calendarDay(due.lastPayableOn))}`;
  }
  return (
    <>
      {text.summaries[status](formats.dateTime(instant))}
      {status === 'completed' &&
        amountRefunded &&
        ` ${text.partlyRefunded(formats.money(amountRefunded), formats.money(left))}`}
      {pending > 0 && ` ${text.refundPending(formats.money(pending))}`}
      {amountReversed && ` ${text.reversed(formats.money(amountReversed))}`}
    </>
  );
}
