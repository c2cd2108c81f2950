import { Alert, Text } from '@mantine/core';
import { Info, TriangleAlert } from 'lucide-react';
import { concernTexts } from '../../parts/concern-texts.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import type { PaymentDetail } from './base/documents.ts';
import { refundSumsOf } from './refunds/refund-sums.ts';

const messages = texts(
  {
    duplicatedAbout:
      'O pagador pagou esta cobrança mais de uma vez. Confira no extrato do provedor se um dos Pix já foi devolvido por lá; se não, faça o estorno.',
    strangeTitle: 'Recebeu um Pix que não a paga',
    strangeAbout:
      'Chegou um Pix de outro valor, ou por um código que não foi entregue. Confira no extrato do provedor e devolva o valor por lá.',
    duplicatedRefunded: (amount: string) =>
      `Já foram solicitados estornos de ${amount}. Só estorne mais se o extrato do provedor mostrar saldo acima do valor da cobrança ou se o pedido não for entregue.`,
    lateAbout: 'O pagamento chegou depois que a cobrança expirou ou foi cancelada.',
    lateTodo: 'Entregue o pedido ou estorne o valor.',
    latePartly: (amount: string) =>
      `Já foram solicitados estornos de ${amount}. Entregue o pedido ou estorne o restante.`,
    lateDone: 'O estorno integral já foi solicitado. Não é preciso fazer mais nada.',
    differsAbout: (paid: string) =>
      `O pagador pagou ${paid}, um valor que as condições desta cobrança não pedem em nenhum dia.`,
    differsPartly: (amount: string) => `Já foram solicitados estornos de ${amount}.`,
    differsTodo: 'Acerte a diferença com o pagador ou estorne o valor.',
    otherAbout: 'O CPF ou CNPJ de quem pagou não é o do pagador da cobrança.',
    disputed: 'Contestação aberta',
    disputedAbout:
      'O pagador contesta este pagamento. Responda no prazo, em Contestações; não estorne enquanto não houver decisão.',
  },
  {
    duplicatedAbout:
      'The payer paid this charge more than once. Check your provider statement: if none of the Pix transfers was returned there, refund one of them.',
    strangeTitle: 'Received a Pix that does not pay it',
    strangeAbout:
      'A Pix of another amount arrived, or one for a code that was not given out. Check your provider statement, and return the money there.',
    duplicatedRefunded: (amount: string) =>
      `Refunds of ${amount} have already been requested. Refund more only if your provider statement shows that you kept more than the payment amount, or if you will not deliver the order.`,
    lateAbout: 'The money arrived after the charge had expired or been cancelled.',
    lateTodo: 'Deliver the order or refund the amount.',
    latePartly: (amount: string) =>
      `Refunds of ${amount} have already been requested. Deliver the order or refund the rest.`,
    lateDone: 'A full refund has already been requested. Nothing else to do.',
    differsAbout: (paid: string) =>
      `The payer paid ${paid}, which the terms of this charge ask for on no day.`,
    differsPartly: (amount: string) => `Refunds of ${amount} have already been requested.`,
    differsTodo: 'Settle the difference with the payer or refund the amount.',
    otherAbout: 'The CPF or CNPJ of who paid is not that of the payer of the charge.',
    disputed: 'Open dispute',
    disputedAbout:
      'The payer disputes this payment. Answer in time, under Disputes, and do not refund it until the dispute is decided.',
  },
);

interface WarningProps {
  title: string;
  /** A refund has been requested. */
  isHandled: boolean;
  children: string;
}

function Warning({ title, isHandled, children }: WarningProps) {
  return (
    <Alert
      color={isHandled ? 'gray' : 'yellow'}
      variant="light"
      icon={isHandled ? <Info /> : <TriangleAlert />}
      title={title}
    >
      <Text size="sm">{children}</Text>
    </Alert>
  );
}

/** Shows what to review, and whether a refund was already requested for it. */
export function PaymentWarnings({ detail }: { detail: PaymentDetail }) {
  const text = useTexts(messages);
  const titles = useTexts(concernTexts);
  const { money } = useFormats();
  const { payment } = detail;
  const { requested, left } = refundSumsOf(detail);
  const isHandled = requested > 0;
  const lateTodo = isHandled ? text.latePartly(money(requested)) : text.lateTodo;
  const differsTodo = isHandled ? text.differsPartly(money(requested)) : text.differsTodo;
  return (
    <>
      {payment.disputed && (
        <Warning title={text.disputed} isHandled={false}>
          {text.disputedAbout}
        </Warning>
      )}
      {detail.duplicatePayment && !payment.confirmedAt && (
        <Warning title={text.strangeTitle} isHandled={false}>
          {text.strangeAbout}
        </Warning>
      )}
      {detail.duplicatePayment && payment.confirmedAt && (
        <Warning title={titles.duplicated} isHandled={isHandled}>
          {isHandled ? text.duplicatedRefunded(money(requested)) : text.duplicatedAbout}
        </Warning>
      )}
      {detail.paidLate && (
        <Warning title={titles.paid_late} isHandled={left === 0}>
          {`${text.lateAbout} ${left === 0 ? text.lateDone : lateTodo}`}
        </Warning>
      )}
      {detail.otherPayer && (
        <Warning title={titles.other_payer} isHandled={left === 0}>
          {`${text.otherAbout} ${left === 0 ? text.lateDone : lateTodo}`}
        </Warning>
      )}
      {detail.amountDiffers && (
        <Warning title={titles.amount_differs} isHandled={isHandled}>
          {`${text.differsAbout(money(payment.amountPaid ?? payment.amount))} ${left === 0 ? text.lateDone : differsTodo}`}
        </Warning>
      )}
    </>
  );
}
