import { Button, Stack } from '@mantine/core';
import { RotateCw } from 'lucide-react';
import { graphql } from '../../api/graphql.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';

const messages = texts(
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

/** Requires `webhooks:resend`. `subject` names the delivery for screen readers. */
export function ResendButton({ id, subject }: { id: string; subject: string }) {
  const text = useTexts(messages);
  const resend = useServiceMutation(resendDocument, text.resent);
  return (
    <Stack gap="xs" align="flex-end">
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`${text.resend}: ${subject}`}
        leftSection={<RotateCw size={12} aria-hidden />}
        loading={resend.isPending}
        onClick={() => {
          resend.mutate({ id });
        }}
      >
        {text.resend}
      </Button>
      <ErrorAlert error={resend.error} />
    </Stack>
  );
}
