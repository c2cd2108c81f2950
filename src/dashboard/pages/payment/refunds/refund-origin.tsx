import { Text } from '@mantine/core';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import type { PaymentDetail, Refund } from '../base/documents.ts';

const messages = texts(
  {
    by: (who: string) => `Solicitado por ${who}.`,
    operator: 'operador do serviço',
    other: 'outra pessoa',
    approved: (who: string, at: string) => `Aprovado por ${who} em ${at}.`,
    reason: (reason: string) => `Motivo: ${reason}`,
  },
  {
    by: (who: string) => `Requested by ${who}.`,
    operator: 'the service operator',
    other: 'another person',
    approved: (who: string, at: string) => `Approved by ${who} on ${at}.`,
    reason: (reason: string) => `Reason: ${reason}`,
  },
);

interface RefundOriginProps {
  refund: Refund;
  request: PaymentDetail['refundRequests'][number] | undefined;
}

/** Says who asked for a refund, who approved it, and why. */
export function RefundOrigin({ refund: { reason }, request }: RefundOriginProps) {
  const text = useTexts(messages);
  const { dateTime } = useFormats();
  const nameOf = (who: string) => (who === 'operator' ? text.operator : who);
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {request && text.by(nameOf(request.requestedBy))}{' '}
      {request?.approvedAt &&
        text.approved(nameOf(request.approvedBy ?? text.other), dateTime(request.approvedAt))}{' '}
      {reason && <bdi>{text.reason(reason)}</bdi>}
    </Text>
  );
}
