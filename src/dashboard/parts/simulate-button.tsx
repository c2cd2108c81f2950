import { Button, type ButtonProps, Stack } from '@mantine/core';
import { BanknoteArrowDown } from 'lucide-react';
import { graphql } from '../api/graphql.ts';
import { texts, useTexts } from '../base/language.tsx';
import { useServiceMutation } from '../base/use-service.ts';
import { ErrorAlert } from '../ui/error-alert.tsx';

const messages = texts(
  { simulate: 'Simular pagamento', simulated: 'Pagamento simulado' },
  { simulate: 'Simulate payment', simulated: 'Payment simulated' },
);

const simulatePaymentDocument = graphql(`
  mutation SimulatePayment($id: ID!) {
    simulatePayment(id: $id) {
      id
      status
    }
  }
`);

/** Pays a test payment. Requires test mode and `payments:simulate`. */
export function SimulateButton({ id, ...button }: { id: string } & Pick<ButtonProps, 'size' | 'variant'>) {
  const text = useTexts(messages);
  const simulate = useServiceMutation(simulatePaymentDocument, text.simulated);
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        {...button}
        leftSection={<BanknoteArrowDown size={16} aria-hidden />}
        loading={simulate.isPending}
        onClick={() => {
          simulate.mutate({ id });
        }}
      >
        {text.simulate}
      </Button>
      <ErrorAlert error={simulate.error} />
    </Stack>
  );
}
