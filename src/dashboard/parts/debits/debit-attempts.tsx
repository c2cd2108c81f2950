import { Badge, Group, Stack, Text } from '@mantine/core';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import type { Debit } from './debit-fields.ts';
import { reasonTexts } from './reason-texts.ts';

const messages = texts(
  {
    states: {
      requested: 'Enviada ao banco',
      scheduled: 'Agendada',
      paid: 'Paga',
      rejected: 'Recusada',
      expired: 'Não paga no dia',
      cancelled: 'Cancelada',
    },
    code: (code: string) => `Código do provedor: ${code}`,
  },
  {
    states: {
      requested: 'Sent to the bank',
      scheduled: 'Scheduled',
      paid: 'Paid',
      rejected: 'Refused',
      expired: 'Not paid on the day',
      cancelled: 'Cancelled',
    },
    code: (code: string) => `Provider’s code: ${code}`,
  },
);

const colors = {
  requested: 'yellow',
  scheduled: 'yellow',
  paid: 'teal',
  rejected: 'red',
  expired: 'red',
  cancelled: 'gray',
};

/** Each day on which the payer's bank was asked, or will be, and what became of it. */
export function DebitAttempts({ debit: { attempts } }: { debit: Debit }) {
  const text = useTexts(messages);
  const reasons = useTexts(reasonTexts);
  const { calendarDay } = useFormats();
  if (attempts.length === 0) return null;
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
      {attempts.map(({ on, state, reason, providerCode }) => (
        <li key={on}>
          <Group gap="xs">
            <Text span size="sm">
              {calendarDay(on)}
            </Text>
            <Badge variant="dot" tt="none" color={colors[state]}>
              {text.states[state]}
            </Badge>
          </Group>
          {(reason || providerCode) && (
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {[reason && reasons[reason], providerCode && text.code(providerCode)]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          )}
        </li>
      ))}
    </Stack>
  );
}
