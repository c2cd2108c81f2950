import { Anchor, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { PaymentCode } from '../../parts/payment-code.tsx';
import { PaymentStatus } from '../../parts/payment-status.tsx';
import { SimulateButton } from '../../parts/simulate-button.tsx';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useWorkplace } from '../../base/use-workplace.ts';
import type { LatestPayment } from './documents.ts';
import { Step } from './step.tsx';

const messages = texts(
  {
    title: 'Pague a cobrança',
    waiting: 'A cobrança do passo 2 aparece aqui, com o QR code que o pagador vê.',
    about: 'O pagador vê este QR code. Como bancos não pagam códigos de teste, simule o pagamento.',
    codeless: 'É um débito do Pix Automático: não tem QR code. Simule o pagamento.',
    forbidden: 'Sua função não permite simular pagamentos.',
    paid: 'Pago! Pagamentos reais também aparecem aqui na hora, sem recarregar a página.',
    ended: 'Esta cobrança não pode mais ser paga. Crie outra no passo 2.',
    details: 'Ver detalhes do pagamento',
  },
  {
    title: 'Get it paid',
    waiting: 'The payment from step 2 appears here, with the QR code the payer sees.',
    about: 'The payer sees this QR code. Banks do not accept test codes, so simulate the payment.',
    codeless: 'This is a debit of Pix Automático and has no QR code: simulate the payment.',
    forbidden: 'Your role does not allow you to simulate payments.',
    paid: 'Paid! Real payments show up here just as fast, without reloading the page.',
    ended: 'This payment can no longer be paid. Create another one in step 2.',
    details: 'View payment details',
  },
);

export const isPaid = (payment: LatestPayment | undefined): boolean =>
  payment?.status === 'completed' || payment?.status === 'refunded';

function Pending({ payment }: { payment: LatestPayment }) {
  const text = useTexts(messages);
  const { may } = useWorkplace();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <Stack align="flex-start">
        <Text size="sm">{payment.pixCopyPaste ? text.about : text.codeless}</Text>
        {may('payments:simulate') ? (
          <SimulateButton id={payment.id} />
        ) : (
          <Text size="sm">{text.forbidden}</Text>
        )}
      </Stack>
      <PaymentCode payment={payment} />
    </SimpleGrid>
  );
}

export function PayStep({ payment }: { payment: LatestPayment | undefined }) {
  const text = useTexts(messages);
  const formats = useFormats();
  return (
    <Step number={3} title={text.title} isDone={isPaid(payment)}>
      <Stack gap="sm" aria-live="polite">
        {!payment && (
          <Text size="sm" c="dimmed">
            {text.waiting}
          </Text>
        )}
        {payment && (
          <Group gap="sm">
            <Text fw={600} size="lg">
              {formats.money(payment.amountPaid ?? payment.amount)}
            </Text>
            <PaymentStatus {...payment} />
          </Group>
        )}
        {payment && isPaid(payment) && <Text size="sm">{text.paid}</Text>}
        {payment && !isPaid(payment) && payment.status !== 'pending' && <Text size="sm">{text.ended}</Text>}
      </Stack>
      {payment?.status === 'pending' && <Pending payment={payment} />}
      {payment && (
        <Anchor component={Link} href={`/payments/${payment.id}`} size="sm">
          {text.details}
        </Anchor>
      )}
    </Step>
  );
}
