import type { Status } from '../../parts/payment-status.tsx';
import { texts, useFormats, useTexts } from '../../shell/language.tsx';
import type { PaymentDetail } from './documents.ts';
import { refundSumsOf } from './refunds/refund-sums.ts';

const said = texts(
  {
    summaries: {
      pending: (instant: string) => `Aguarda o pagador até ${instant}.`,
      completed: (instant: string) => `Pago em ${instant}.`,
      expired: (instant: string) => `Ninguém pagou até ${instant}.`,
      cancelled: () => 'Cancelado antes de ser pago.',
      refunded: (instant: string) => `Pago em ${instant}; o valor foi todo devolvido.`,
      failed: () => 'Nenhum provedor pôde criar a cobrança: ninguém pode pagá-la.',
    },
    partlyRefunded: (amount: string) => `${amount} já foram devolvidos.`,
  },
  {
    summaries: {
      pending: (instant: string) => `Waits for the payer until ${instant}.`,
      completed: (instant: string) => `Paid on ${instant}.`,
      expired: (instant: string) => `Nobody paid until ${instant}.`,
      cancelled: () => 'Cancelled before it was paid.',
      refunded: (instant: string) => `Paid on ${instant}; all of it was given back.`,
      failed: () => 'No provider could create the charge: nobody can pay it.',
    },
    partlyRefunded: (amount: string) => `${amount} of it was given back.`,
  },
);

const endsAtExpiry: readonly Status[] = ['pending', 'expired'];

/** What the status means, in a sentence. */
export function PaymentSummary({ detail }: { detail: PaymentDetail }) {
  const text = useTexts(said);
  const formats = useFormats();
  const { status, expiresAt, confirmedAt, createdAt } = detail.payment;
  const instant = endsAtExpiry.includes(status) ? expiresAt : (confirmedAt ?? createdAt);
  const { refunded } = refundSumsOf(detail);
  return (
    <>
      {text.summaries[status](formats.dateTime(instant))}
      {status === 'completed' && refunded > 0 && ` ${text.partlyRefunded(formats.money(refunded))}`}
    </>
  );
}
