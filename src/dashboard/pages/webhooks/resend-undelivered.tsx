import { Button, Stack } from '@mantine/core';
import { RotateCw } from 'lucide-react';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { notify, useServiceMutation } from '../../base/use-service.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { resendUndeliveredDocument } from './base/documents.ts';
import { useHealth } from './health.tsx';

const messages = texts(
  {
    resend: (count: string) => `Reenviar as ${count} com falha`,
    one: 'Reenviar a que falhou',
    queued: (count: string) => `Entregas na fila de envio: ${count}`,
  },
  {
    resend: (count) => `Resend the ${count} failed`,
    one: 'Resend the failed one',
    queued: (count) => `Deliveries queued: ${count}`,
  },
);

/** No more than these are resent at once, or counted. */
const maximum = 1_000;

/** Sends what has not arrived again. Renders nothing when everything has. Requires `webhooks:resend`. */
export function ResendUndelivered({ endpointId }: { endpointId: string }) {
  const text = useTexts(messages);
  const { count } = useFormats();
  const resend = useServiceMutation(resendUndeliveredDocument);
  const undelivered = useHealth(endpointId)?.undelivered ?? 0;
  if (undelivered === 0 && !resend.error) return null;
  const number = undelivered >= maximum ? `${count(maximum)}+` : count(undelivered);
  const send = () => {
    resend.mutate(
      { endpointId },
      {
        onSuccess: ({ resendUndeliveredWebhooks: resent }) => {
          notify(text.queued(count(resent)));
        },
      },
    );
  };
  return (
    <Stack gap="xs">
      <Button
        size="xs"
        leftSection={<RotateCw size={14} aria-hidden />}
        loading={resend.isPending}
        onClick={send}
      >
        {undelivered === 1 ? text.one : text.resend(number)}
      </Button>
      <ErrorAlert error={resend.error} />
    </Stack>
  );
}
