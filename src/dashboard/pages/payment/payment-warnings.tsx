import { Alert, Text } from '@mantine/core';
import { Info, TriangleAlert } from 'lucide-react';
import { concernTexts } from '../../parts/concern-texts.ts';
import { texts, useFormats, useTexts } from '../../shell/language.tsx';
import type { PaymentDetail } from './documents.ts';
import { refundSumsOf } from './refunds/refund-sums.ts';

const said = texts(
  {
    duplicatedAbout:
      'O pagador pagou esta cobrança mais de uma vez. Veja no extrato do provedor se um dos Pix já foi devolvido por lá; se não foi, devolva um deles.',
    duplicatedRefunded: (amount: string) =>
      `Aqui já foram pedidas devoluções de ${amount}. Devolva mais só se o extrato do provedor mostrar que ficou mais do que o valor da cobrança, ou se nada for entregue por ela.`,
    lateAbout: 'O dinheiro chegou depois de a cobrança ter expirado ou sido cancelada.',
    lateTodo: 'Entregue o pedido ou devolva o valor.',
    latePartly: (amount: string) =>
      `Já foram pedidas devoluções de ${amount}. Entregue o pedido ou devolva o que resta.`,
    lateDone: 'A devolução de tudo já foi pedida: não há mais nada a fazer.',
  },
  {
    duplicatedAbout:
      'The payer paid this charge more than once. See in the statement of the provider whether one Pix was given back there already; if not, refund one.',
    duplicatedRefunded: (amount: string) =>
      `Refunds of ${amount} were requested here already. Refund more only if the statement of the provider shows that more than the amount of the payment was kept, or if nothing is delivered for it.`,
    lateAbout: 'The money came after the charge had expired or was cancelled.',
    lateTodo: 'Deliver the order, or refund the amount.',
    latePartly: (amount: string) =>
      `Refunds of ${amount} were requested already. Deliver the order, or refund what is left.`,
    lateDone: 'The refund of all of it was requested already: nothing is left to do.',
  },
);

interface WarningProps {
  title: string;
  /** Something was done about it. */
  isAnswered: boolean;
  children: string;
}

function Warning({ title, isAnswered, children }: WarningProps) {
  return (
    <Alert
      color={isAnswered ? 'gray' : 'yellow'}
      variant="light"
      icon={isAnswered ? <Info /> : <TriangleAlert />}
      title={title}
    >
      <Text size="sm">{children}</Text>
    </Alert>
  );
}

/** What a person has to look into, and what was refunded of it already. */
export function PaymentWarnings({ detail }: { detail: PaymentDetail }) {
  const text = useTexts(said);
  const titles = useTexts(concernTexts);
  const { money } = useFormats();
  const { requested, left } = refundSumsOf(detail);
  const isAnswered = requested > 0;
  const partly = isAnswered ? text.latePartly(money(requested)) : text.lateTodo;
  return (
    <>
      {detail.duplicatePayment && (
        <Warning title={titles.duplicated} isAnswered={isAnswered}>
          {isAnswered ? text.duplicatedRefunded(money(requested)) : text.duplicatedAbout}
        </Warning>
      )}
      {detail.paidLate && (
        <Warning title={titles.paid_late} isAnswered={left === 0}>
          {`${text.lateAbout} ${left === 0 ? text.lateDone : partly}`}
        </Warning>
      )}
    </>
  );
}
