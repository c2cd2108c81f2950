import { Text } from '@mantine/core';
import { texts, useFormats, useTexts } from '../../../shell/language.tsx';
import type { PaymentDetail, Refund } from '../documents.ts';

const messages = texts(
  {
    by: (who: string) => `Solicitado por ${who}.`,
    operator: 'operador do serviço',
    approved: (at: string) => `Aprovado por outra pessoa em ${at}.`,
    reason: (reason: string) => `Motivo: ${reason}`,
  },
  {
    by: (who: string) => `Requested by ${who}.`,
    operator: 'the service operator',
    approved: (at: string) => `Approved by another person on ${at}.`,
    reason: (reason: string) => `Reason: ${reason}`,
  },
);

interface RefundOriginProps {
  refund: Refund;
  request: PaymentDetail['refundRequests'][number] | undefined;
}

/** Who asked for a refund, and why. */
export function RefundOrigin({ refund: { reason }, request }: RefundOriginProps) {
  const text = useTexts(messages);
  const { dateTime } = useFormats();
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {request && text.by(request.requestedBy === 'operator' ? text.operator : request.requestedBy)}{' '}
      {request?.approvedAt && text.approved(dateTime(request.approvedAt))}{' '}
      {reason && <bdi>{text.reason(reason)}</bdi>}
    </Text>
  );
}
