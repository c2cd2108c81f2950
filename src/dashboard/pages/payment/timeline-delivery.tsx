import { Button, Group, Stack, Text } from '@mantine/core';
import { RotateCw } from 'lucide-react';
import { DeliveryAttempts } from '../../parts/delivery-attempts.tsx';
import { eventTexts } from '../../parts/event-texts.ts';
import { FailureAlert } from '../../parts/states.tsx';
import { texts, useFormats, useTexts } from '../../shell/language.tsx';
import { notify, useServiceMutation } from '../../shell/use-service.ts';
import { useWorkplace } from '../../shell/workplace.tsx';
import { type Delivery, resendDeliveryDocument } from './documents.ts';
import classes from './timeline.module.css';

const said = texts(
  {
    attempts: (count: number) => (count === 1 ? '1 tentativa' : `${count} tentativas`),
    next: (instant: string) => `próxima: ${instant}`,
    resend: 'Enviar de novo',
    resent: 'O webhook será enviado de novo',
  },
  {
    attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
    next: (instant: string) => `next: ${instant}`,
    resend: 'Send again',
    resent: 'The webhook will be sent again',
  },
);

/** What became of a webhook: where it went, and each request with its answer. */
export function TimelineDelivery({ delivery, url }: { delivery: Delivery; url: string }) {
  const text = useTexts(said);
  const event = useTexts(eventTexts)[delivery.eventType];
  const formats = useFormats();
  const { may } = useWorkplace();
  const resend = useServiceMutation(resendDeliveryDocument);
  const { attempts, nextAttemptAt } = delivery;
  const sendAgain = () => {
    resend.mutate(
      { id: delivery.id },
      {
        onSuccess: () => {
          notify(text.resent);
        },
      },
    );
  };
  return (
    <Stack gap={6} mt={2}>
      <Group justify="space-between" gap={6}>
        <Text size="sm" flex="1 1 200px" className={classes.anywhere}>
          {url}
        </Text>
        {may('webhooks:resend') && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`${text.resend}: ${event}, ${url}`}
            leftSection={<RotateCw size={12} aria-hidden />}
            loading={resend.isPending}
            onClick={sendAgain}
          >
            {text.resend}
          </Button>
        )}
      </Group>
      <FailureAlert error={resend.error} />
      {attempts.length > 0 && (
        <details className={classes.attempts}>
          <summary>
            {text.attempts(attempts.length)}
            {nextAttemptAt && ` · ${text.next(formats.dateTime(nextAttemptAt))}`}
          </summary>
          <DeliveryAttempts attempts={attempts} />
        </details>
      )}
    </Stack>
  );
}
