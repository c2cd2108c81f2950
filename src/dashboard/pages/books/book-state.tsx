import { Badge } from '@mantine/core';
import { CircleAlert, CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import { type Texts, texts, useTexts } from '../../shell/language.tsx';
import type { BookDay } from './documents.ts';

export const dayStates = ['closed', 'open', 'unavailable', 'waiting'] as const;

/** `waiting`: its statement has not been imported yet. */
export type DayState = (typeof dayStates)[number];

export const dayStateOf = ({ state, importedAt }: Pick<BookDay, 'state' | 'importedAt'>): DayState =>
  state === 'open' && importedAt === null ? 'waiting' : state;

export const dayStateTexts: Texts<Record<DayState, string>> = texts(
  { closed: 'Fechado', open: 'Com divergências', unavailable: 'Indisponível', waiting: 'Aguardando extrato' },
  { closed: 'Closed', open: 'Differences', unavailable: 'Unavailable', waiting: 'Awaiting statement' },
);

export const dayStateIcons = {
  closed: CircleCheck,
  open: CircleAlert,
  unavailable: CircleX,
  waiting: CircleDashed,
} as const;

const colors: Record<DayState, string> = {
  closed: 'teal',
  open: 'orange',
  unavailable: 'red',
  waiting: 'gray',
};

export function BookStateBadge({ day }: { day: BookDay }) {
  const text = useTexts(dayStateTexts);
  const state = dayStateOf(day);
  return (
    <Badge variant="dot" color={colors[state]} tt="none" data-state={state}>
      {text[state]}
    </Badge>
  );
}
