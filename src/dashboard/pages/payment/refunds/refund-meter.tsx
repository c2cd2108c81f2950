import { Progress } from '@mantine/core';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import type { PaymentDetail } from '../base/documents.ts';
import { refundSumsOf } from './refund-sums.ts';

const messages = texts(
  { left: (left: string, received: string) => `Restam ${left} de ${received}` },
  { left: (left: string, received: string) => `${left} of ${received} left` },
);

/** Shows how much of a payment has left again, refunds under way included; nothing while it has all or none of its money. */
export function RefundMeter({ detail }: { detail: PaymentDetail }) {
  const text = useTexts(messages);
  const { money } = useFormats();
  const { status, amount, amountPaid } = detail.payment;
  const received = amountPaid ?? amount;
  const { left } = refundSumsOf(detail);
  if (status !== 'completed' || left >= received) return null;
  const percent = 100 - (100 * left) / received;
  const label = text.left(money(left), money(received));
  return (
    <Progress.Root w={96} size="sm" title={label}>
      <Progress.Section value={Math.round(percent * 10) / 10} color="orange" aria-label={label} />
    </Progress.Root>
  );
}
