import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import { useWorkplace } from '../../../base/use-workplace.ts';
import { DebitAttempts } from '../../../parts/debits/debit-attempts.tsx';
import { useWhatToDo } from '../../../parts/debits/what-to-do.ts';
import { Fact, Facts } from '../../../parts/facts.tsx';
import type { PaymentDetail } from '../base/documents.ts';
import { RetryButton } from './retry-button.tsx';
import { BorderedSection } from '../../../ui/page.tsx';

const messages = texts(
  {
    title: 'Débito',
    date: 'Data do débito',
    recurrence: 'Recorrência',
    open: 'Ver a recorrência',
    attempts: 'Tentativas',
    todo: 'O que fazer',
  },
  {
    title: 'Debit',
    date: 'Debit date',
    recurrence: 'Recurrence',
    open: 'View recurrence',
    attempts: 'Attempts',
    todo: 'What to do',
  },
);

function WhatToDo({ children }: { children: string }) {
  const text = useTexts(messages);
  return (
    <div>
      <Text size="sm" fw={600}>
        {text.todo}
      </Text>
      <Text size="sm">{children}</Text>
    </div>
  );
}

/** Shows what became of each attempt, and what to do about a failure. Renders nothing for a payment that is no debit. */
export function DebitSection({ detail: { payment, retryDays } }: { detail: PaymentDetail }) {
  const text = useTexts(messages);
  const { may } = useWorkplace();
  const { calendarDay } = useFormats();
  const whatToDo = useWhatToDo();
  const { debit, dueDate, recurrenceId, status } = payment;
  if (!debit || !dueDate) return null;
  const todo = (status === 'pending' || status === 'failed') && whatToDo(debit);
  return (
    <BorderedSection title={text.title}>
      <Stack gap="md">
        <Facts>
          <Fact name={text.date}>{calendarDay(dueDate)}</Fact>
          <Fact name={text.recurrence}>
            <Anchor component={Link} href={`/recurrences/${recurrenceId}`} size="sm">
              {text.open}
            </Anchor>
          </Fact>
          {debit.attempts.length > 0 && (
            <Fact name={text.attempts}>
              <DebitAttempts debit={debit} />
            </Fact>
          )}
        </Facts>
        {todo && <WhatToDo>{todo}</WhatToDo>}
        {may('payments:update') && <RetryButton id={payment.id} days={retryDays} />}
      </Stack>
    </BorderedSection>
  );
}
