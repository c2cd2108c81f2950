import { Anchor, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { PaymentCode } from '../../parts/payment-code.tsx';
import { PaymentStatus } from '../../parts/payment-status.tsx';
import { SimulateButton } from '../../parts/simulate-button.tsx';
import { texts, useFormats, useTexts } from '../../shell/language.tsx';
import { useWorkplace } from '../../shell/use-workplace.ts';
import type { LatestPayment } from './documents.ts';
import { Step } from './step.tsx';

const said = texts(
  {
    title: 'Veja a cobrança ser paga',
    waiting: 'A cobrança do passo 2 aparece aqui, com o QR code que o pagador veria.',
    about: 'É este o QR code que o pagador veria. Bancos não pagam códigos de teste: simule o pagamento.',
    forbidden: 'Seu papel não permite simular pagamentos.',
    paid: 'Paga! É assim que uma cobrança de verdade chega: sem recarregar a página.',
    ended: 'Esta cobrança não espera mais por pagamento. Crie outra no passo 2.',
    details: 'Ver tudo o que aconteceu com ela',
  },
  {
    title: 'Watch the payment being paid',
    waiting: 'The payment of step 2 appears here, with the QR code that the payer would see.',
    about: 'This is the QR code that the payer would see. Banks do not pay test codes: simulate the payment.',
    forbidden: 'Your role may not simulate payments.',
    paid: 'Paid! This is how a real payment arrives: without reloading the page.',
    ended: 'This payment waits for nobody any more. Create another one in step 2.',
    details: 'See all that happened to it',
  },
);

export const isPaid = (payment: LatestPayment | undefined): boolean =>
  payment?.status === 'completed' || payment?.status === 'refunded';

function Pending({ payment }: { payment: LatestPayment }) {
  const text = useTexts(said);
  const { may } = useWorkplace();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <Stack align="flex-start">
        <Text size="sm">{text.about}</Text>
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
  const text = useTexts(said);
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
              {formats.money(payment.amount)}
            </Text>
            <PaymentStatus status={payment.status} />
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
