import type { Status } from '../../parts/payment-status.tsx';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import type { PaymentDetail } from './base/documents.ts';

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
    due: (day: string) => `Vence em ${day}.`,
    overdue: (day: string) => `Venceu em ${day}.`,
    payableUntil: (day: string) => `Pode ser pago até ${day}.`,
    partlyRefunded: (amount: string) => `Estorno parcial: ${amount}.`,
    reversed: (amount: string) => `Retirado por contestação ou MED: ${amount}.`,
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
    due: (day: string) => `Due on ${day}.`,
    overdue: (day: string) => `Was due on ${day}.`,
    payableUntil: (day: string) => `Can be paid until ${day}.`,
    partlyRefunded: (amount: string) => `Partially refunded: ${amount}.`,
    reversed: (amount: string) => `Taken back by dispute or MED: ${amount}.`,
  },
);

const endsAtExpiry: readonly Status[] = ['pending', 'expired'];

export function PaymentSummary({ detail }: { detail: PaymentDetail }) {
  const text = useTexts(messages);
  const formats = useFormats();
  const { status, due, overdue, expiresAt, confirmedAt, createdAt, amountRefunded, amountReversed } =
    detail.payment;
  const instant = endsAtExpiry.includes(status) ? expiresAt : (confirmedAt ?? createdAt);
  if (due && status === 'pending') {
    const isDue = (overdue ? text.overdue : text.due)(formats.calendarDay(due.date));
    return `${isDue} ${text.payableUntil(formats.calendarDay(due.lastPayableOn))}`;
  }
  return (
    <>
      {text.summaries[status](formats.dateTime(instant))}
      {status === 'completed' && amountRefunded && ` ${text.partlyRefunded(formats.money(amountRefunded))}`}
      {amountReversed && ` ${text.reversed(formats.money(amountReversed))}`}
    </>
  );
}
