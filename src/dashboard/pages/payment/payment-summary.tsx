import { Alert, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { Status } from '../../parts/payment-status.tsx';
import { texts, useFormats, useTexts } from '../../shell/language.tsx';
import type { PaymentDetail } from './documents.ts';
import { refundedOf } from './happenings.ts';

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
    duplicated: 'Mais de um Pix recebido',
    duplicatedAbout:
      'O pagador pagou esta cobrança mais de uma vez. Confira os valores no extrato do provedor e devolva um deles.',
    late: 'Pago com atraso',
    lateAbout:
      'O dinheiro chegou depois de a cobrança ter expirado ou sido cancelada. Entregue o pedido ou devolva o valor.',
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
    duplicated: 'More than one Pix was received',
    duplicatedAbout:
      'The payer paid this charge more than once. Compare the amounts with the statement of the provider, and refund one.',
    late: 'Paid late',
    lateAbout:
      'The money came after the charge had expired or was cancelled. Deliver the order, or refund the amount.',
  },
);

const endsAtExpiry: readonly Status[] = ['pending', 'expired'];

/** What the status means, in a sentence. */
export function PaymentSummary({ detail }: { detail: PaymentDetail }) {
  const text = useTexts(said);
  const formats = useFormats();
  const { status, expiresAt, confirmedAt, createdAt } = detail.payment;
  const instant = endsAtExpiry.includes(status) ? expiresAt : (confirmedAt ?? createdAt);
  const refunded = refundedOf(detail);
  return (
    <>
      {text.summaries[status](formats.dateTime(instant))}
      {status === 'completed' && refunded > 0 && ` ${text.partlyRefunded(formats.money(refunded))}`}
    </>
  );
}

function Warning({ title, children }: { title: string; children: string }) {
  return (
    <Alert color="yellow" variant="light" icon={<TriangleAlert />} title={title}>
      <Text size="sm">{children}</Text>
    </Alert>
  );
}

/** What a person has to look into. */
export function PaymentWarnings({ detail }: { detail: PaymentDetail }) {
  const text = useTexts(said);
  return (
    <>
      {detail.duplicatePayment && <Warning title={text.duplicated}>{text.duplicatedAbout}</Warning>}
      {detail.paidLate && <Warning title={text.late}>{text.lateAbout}</Warning>}
    </>
  );
}
