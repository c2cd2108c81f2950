import { Badge } from '@mantine/core';
import { texts, useTexts } from '../../base/language.tsx';
import type { DisputeRow } from './documents.ts';

const messages = texts(
  {
    unanswered: 'Sem resposta',
    sending: 'Enviando resposta',
    answered: 'Respondida',
    won: 'Ganha',
    lost: 'Perdida',
  },
  { unanswered: 'Unanswered', sending: 'Sending answer', answered: 'Answered', won: 'Won', lost: 'Lost' },
);

const colors = { unanswered: 'red', sending: 'yellow', answered: 'yellow', won: 'teal', lost: 'gray' };

function stateOf({ state, answer, answerStatus }: Pick<DisputeRow, 'state' | 'answer' | 'answerStatus'>) {
  if (state !== 'open') return state;
  if (answer === null) return 'unanswered';
  return answerStatus === 'sent' ? 'answered' : 'sending';
}

export function DisputeState(dispute: Pick<DisputeRow, 'state' | 'answer' | 'answerStatus'>) {
  const text = useTexts(messages);
  const state = stateOf(dispute);
  return (
    <Badge variant="dot" tt="none" color={colors[state]}>
      {text[state]}
    </Badge>
  );
}
