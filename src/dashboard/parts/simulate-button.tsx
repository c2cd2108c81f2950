import { Button, type ButtonProps, Stack } from '@mantine/core';
import { BanknoteArrowDown } from 'lucide-react';
import { graphql } from '../api/graphql.ts';
import { texts, useTexts } from '../shell/language.tsx';
import { notify, useServiceMutation } from '../shell/use-service.ts';
import { FailureAlert } from '../ui/error-alert.tsx';

const said = texts(
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

/** The payer of a test payment pays. For test mode, and for who may `payments:simulate`. */
export function SimulateButton({ id, ...button }: { id: string } & Pick<ButtonProps, 'size' | 'variant'>) {
  const text = useTexts(said);
  const simulate = useServiceMutation(simulatePaymentDocument);
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        {...button}
        leftSection={<BanknoteArrowDown size={16} aria-hidden />}
        loading={simulate.isPending}
        onClick={() => {
          simulate.mutate(
            { id },
            {
              onSuccess: () => {
                notify(text.simulated);
              },
            },
          );
        }}
      >
        {text.simulate}
      </Button>
      <FailureAlert error={simulate.error} />
    </Stack>
  );
}
