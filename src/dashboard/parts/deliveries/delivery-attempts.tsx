import { Badge, Group, Stack, Text } from '@mantine/core';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { AttemptLine } from './attempt-line.tsx';
import { DeliveryRequest } from './delivery-request.tsx';
import { HttpMessage } from './http-message.tsx';
import { isAccepted, useOutcomeText } from './outcome-text.ts';

interface Attempt {
  startedAt: string;
  statusCode: number | null;
  latencyMs: number;
  answer: string | null;
  responseHeaders: { name: string; value: string }[] | null;
  error: string | null;
}

const messages = texts(
  {
    none: 'Nenhuma tentativa ainda.',
    noAnswer: 'Sem resposta',
    answered: 'Início da resposta',
    empty: 'Resposta vazia.',
  },
  {
    none: 'No attempts yet.',
    noAnswer: 'No response',
    answered: 'Beginning of the response',
    empty: 'Empty response.',
  },
);

function AttemptResponse({ attempt }: { attempt: Attempt }) {
  const text = useTexts(messages);
  const { exactTime } = useFormats();
  const outcomeText = useOutcomeText();
  const { startedAt, answer, error, statusCode, responseHeaders } = attempt;
  const label = `${text.answered}, ${exactTime(startedAt)}`;
  if (error) return <Text size="sm">{outcomeText(attempt)}</Text>;
  if (answer || responseHeaders) {
    return <HttpMessage label={label} headers={responseHeaders ?? []} body={answer ?? ''} />;
  }
  return statusCode === null ? null : (
    <Text size="sm" c="dimmed">
      {text.empty}
    </Text>
  );
}

interface Props {
  id: string;
  attempts: Attempt[];
  /** Null while the endpoint gets nothing. */
  nextAttemptAt: string | null;
}

/** Shows what was sent for a delivery, and what came back each time. */
export const DeliveryAttempts = ({ id, attempts, nextAttemptAt }: Props) => (
  <Stack gap="sm">
    <DeliveryRequest deliveryId={id} />
    <AttemptLine attempts={attempts} nextAttemptAt={nextAttemptAt} />
    <Attempts attempts={attempts} />
  </Stack>
);

function Attempts({ attempts }: { attempts: Attempt[] }) {
  const text = useTexts(messages);
  if (attempts.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {text.none}
      </Text>
    );
  }
  return (
    <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
      {attempts.map((attempt) => (
        <li key={attempt.startedAt}>
          <AttemptItem attempt={attempt} />
        </li>
      ))}
    </Stack>
  );
}

export function AttemptItem({ attempt }: { attempt: Attempt }) {
  const text = useTexts(messages);
  const formats = useFormats();
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge variant="dot" color={isAccepted(attempt) ? 'teal' : 'red'} tt="none">
          {attempt.statusCode ?? text.noAnswer}
        </Badge>
        <Text size="sm">{formats.dateTime(attempt.startedAt)}</Text>
        <Text size="sm" c="dimmed">
          {formats.milliseconds(attempt.latencyMs)}
        </Text>
      </Group>
      <AttemptResponse attempt={attempt} />
    </Stack>
  );
}
