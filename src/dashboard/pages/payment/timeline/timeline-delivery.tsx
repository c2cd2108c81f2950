import { Group, Stack, Text } from '@mantine/core';
import { DeliveryAttempts } from '../../../parts/deliveries/delivery-attempts.tsx';
import { eventTexts } from '../../../parts/event-texts.ts';
import { ResendButton } from '../../../parts/deliveries/resend-button.tsx';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import { useWorkplace } from '../../../base/use-workplace.ts';
import type { Delivery } from '../base/documents.ts';
import classes from './timeline.module.css';

const messages = texts(
  {
    attempts: (count: number) => (count === 1 ? '1 tentativa' : `${count} tentativas`),
    next: (instant: string) => `próxima: ${instant}`,
  },
  {
    attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
    next: (instant: string) => `next: ${instant}`,
  },
);

interface TimelineDeliveryProps {
  delivery: Delivery;
  url: string;
  isEndpointEnabled: boolean;
}

export function TimelineDelivery({ delivery, url, isEndpointEnabled }: TimelineDeliveryProps) {
  const text = useTexts(messages);
  const event = useTexts(eventTexts)[delivery.eventType];
  const formats = useFormats();
  const { may } = useWorkplace();
  const { attempts, nextAttemptAt } = delivery;
  return (
    <Stack gap={6} mt={2}>
      <Group justify="space-between" gap={6}>
        <Text size="sm" flex="1 1 200px" truncate title={url} dir="auto">
          {url}
        </Text>
        {may('webhooks:resend') && <ResendButton id={delivery.id} subject={`${event}, ${url}`} />}
      </Group>
      {attempts.length > 0 && (
        <details className={classes.attempts}>
          <summary>
            {text.attempts(attempts.length)}
            {isEndpointEnabled && nextAttemptAt && ` · ${text.next(formats.dateTime(nextAttemptAt))}`}
          </summary>
          <DeliveryAttempts
            id={delivery.id}
            attempts={attempts}
            nextAttemptAt={isEndpointEnabled ? nextAttemptAt : null}
          />
        </details>
      )}
    </Stack>
  );
}
