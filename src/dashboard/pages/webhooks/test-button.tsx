import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { AttemptItem } from '../../parts/deliveries/delivery-attempts.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Loading } from '../../ui/loading.tsx';
import { testEndpointDocument } from './base/documents.ts';

const messages = texts(
  {
    send: 'Enviar teste',
    about:
      'Um evento assinado do tipo webhook_test, sem nenhum pagamento. Não aparece entre as entregas nem é repetido.',
  },
  {
    send: 'Send test',
    about:
      'A signed event of the type webhook_test, about no payment. It is neither listed among the deliveries nor repeated.',
  },
);

/** Sends an event about nothing and shows the response. */
export function TestButton({ id }: { id: string }) {
  const text = useTexts(messages);
  const [isOpen, { open, close }] = useDisclosure(false);
  const test = useServiceMutation(testEndpointDocument);
  const attempt = test.data?.testWebhookEndpoint;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={() => {
          test.mutate({ id });
          open();
        }}
      >
        {text.send}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={text.send} closeOnClickOutside>
        <Stack>
          <Text size="sm">{text.about}</Text>
          {test.isPending && <Loading />}
          <ErrorAlert error={test.error} />
          {attempt && !test.isPending && <AttemptItem attempt={attempt} />}
        </Stack>
      </Dialog>
    </>
  );
}
