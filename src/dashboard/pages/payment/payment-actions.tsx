import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { SimulateButton } from '../../parts/simulate-button.tsx';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { cancelPaymentDocument, type Payment, type PaymentDetail } from './base/documents.ts';
import { ChangeButton } from './due/change-button.tsx';
import { RefundButton } from './refunds/refund-button.tsx';
import { refundSumsOf } from './refunds/refund-sums.ts';

const messages = texts(
  {
    cancel: 'Cancelar cobrança',
    cancelAbout: (amount: string) =>
      `O pagador não poderá mais pagar esta cobrança de ${amount}. Isso não pode ser desfeito.`,
    cancelled: 'Cobrança cancelada',
  },
  {
    cancel: 'Cancel payment',
    cancelAbout: (amount: string) =>
      `The payer will no longer be able to pay this charge of ${amount}. This cannot be undone.`,
    cancelled: 'Payment cancelled',
  },
);

function CancelButton({ payment }: { payment: Payment }) {
  const text = useTexts(messages);
  const formats = useFormats();
  const cancel = useServiceMutation(cancelPaymentDocument, text.cancelled);
  const confirm = (close: () => void) => {
    cancel.mutate({ id: payment.id }, { onSuccess: close });
  };
  return (
    <ConfirmButton label={text.cancel} color="red" size="sm" mutation={cancel} onConfirm={confirm}>
      {text.cancelAbout(formats.money(payment.amount))}
    </ConfirmButton>
  );
}

export function PaymentActions({ detail }: { detail: PaymentDetail }) {
  const { mode, may } = useWorkplace();
  const { payment } = detail;
  const isPending = payment.status === 'pending';
  const isRefundable = payment.status === 'completed' && refundSumsOf(detail).left > 0;
  return (
    <>
      {payment.due && may('payments:update') && <ChangeButton payment={{ ...payment, due: payment.due }} />}
      {isPending && may('payments:cancel') && <CancelButton payment={payment} />}
      {isPending && mode === 'test' && may('payments:simulate') && <SimulateButton id={payment.id} />}
      {may('payments:refund') && <RefundButton paymentId={payment.id} isRefundable={isRefundable} />}
    </>
  );
}
