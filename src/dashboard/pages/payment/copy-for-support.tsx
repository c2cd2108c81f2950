import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { CopyButton } from '../../ui/copying/copy-button.tsx';
import type { Payment } from './base/documents.ts';

const messages = texts(
  {
    copy: 'Copiar para o suporte do banco',
    transaction: 'ID da transação (txid)',
    endToEndId: 'ID do Pix (EndToEndId)',
    paid: 'Pago em',
    created: 'Criado em',
    amount: 'Valor',
  },
  {
    copy: 'Copy for the bank’s support',
    transaction: 'Transaction ID (txid)',
    endToEndId: 'End-to-end ID',
    paid: 'Paid',
    created: 'Created',
    amount: 'Amount',
  },
);

interface CopyForSupportProps {
  payment: Payment;
  txid: string;
}

/** Copies what the support of a bank asks for about a Pix. */
export function CopyForSupport({ payment, txid }: CopyForSupportProps) {
  const text = useTexts(messages);
  const { money, dateTime } = useFormats();
  const { endToEndId, confirmedAt, createdAt, amount, amountPaid } = payment;
  const lines = [
    `${text.transaction}: ${txid}`,
    ...(endToEndId ? [`${text.endToEndId}: ${endToEndId}`] : []),
    confirmedAt ? `${text.paid}: ${dateTime(confirmedAt)}` : `${text.created}: ${dateTime(createdAt)}`,
    `${text.amount}: ${money(amountPaid ?? amount)}`,
  ];
  return <CopyButton value={lines.join('\n')} label={text.copy} />;
}
