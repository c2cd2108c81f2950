import { Button, Stack } from '@mantine/core';
import { RotateCw } from 'lucide-react';
import { graphql } from '../api/graphql.ts';
import { texts, useTexts } from '../shell/language.tsx';
import { notify, useServiceMutation } from '../shell/use-service.ts';
import { FailureAlert } from '../ui/error-alert.tsx';

const said = texts(
  { resend: 'Reenviar', resent: 'Reenvio agendado' },
  { resend: 'Resend', resent: 'Queued for resending' },
);

const resendDocument = graphql(`
  mutation ResendWebhookDelivery($id: ID!) {
    resendWebhookDelivery(id: $id) {
      id
      status
    }
  }
`);

/** Sends a webhook once more. For who may `webhooks:resend`; `subject` says which, for who sees no row around it. */
export function ResendButton({ id, subject }: { id: string; subject: string }) {
  const text = useTexts(said);
  const resend = useServiceMutation(resendDocument);
  return (
    <Stack gap="xs" align="flex-end">
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`${text.resend}: ${subject}`}
        leftSection={<RotateCw size={12} aria-hidden />}
        loading={resend.isPending}
        onClick={() => {
          resend.mutate(
            { id },
            {
              onSuccess: () => {
                notify(text.resent);
              },
            },
          );
        }}
      >
        {text.resend}
      </Button>
      <FailureAlert error={resend.error} />
    </Stack>
  );
}
