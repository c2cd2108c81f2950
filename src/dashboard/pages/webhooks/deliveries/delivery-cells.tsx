import { Button, Group, Text } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import type { ResultOf } from '../../../api/graphql.ts';
import { DeliveryStatus } from '../../../parts/deliveries/delivery-status.tsx';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import type { deliveryFields } from '../base/documents.ts';

export type Delivery = ResultOf<typeof deliveryFields>;

const messages = texts(
  {
    next: (when: string) => `Próxima tentativa: ${when}`,
    attempts: (count: number) => (count === 1 ? '1 tentativa' : `${count} tentativas`),
    noAnswer: 'sem resposta',
  },
  {
    next: (when) => `Next attempt: ${when}`,
    attempts: (count) => (count === 1 ? '1 attempt' : `${count} attempts`),
    noAnswer: 'no response',
  },
);

export function AttemptsToggle({
  delivery: { attempts },
  subject,
  isOpen,
  onToggle,
}: {
  delivery: Delivery;
  subject: string;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const text = useTexts(messages);
  const last = attempts.at(-1);
  const outcome = last && ` · ${last.statusCode ?? text.noAnswer}`;
  const label = `${text.attempts(attempts.length)}${outcome ?? ''}`;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<Icon size={14} aria-hidden />}
      aria-expanded={isOpen}
      aria-label={`${label}: ${subject}`}
      onClick={onToggle}
    >
      {label}
    </Button>
  );
}

interface StatusCellProps {
  delivery: Delivery;
  isEndpointEnabled: boolean;
}

export function StatusCell({ delivery, isEndpointEnabled }: StatusCellProps) {
  const { nextAttemptAt } = delivery;
  const text = useTexts(messages);
  const formats = useFormats();
  return (
    <Group gap="0 0.5rem">
      <DeliveryStatus delivery={delivery} isEndpointEnabled={isEndpointEnabled} />
      {isEndpointEnabled && nextAttemptAt && (
        <Text size="xs" c="dimmed">
          {text.next(formats.dateTime(nextAttemptAt))}
        </Text>
      )}
    </Group>
  );
}
