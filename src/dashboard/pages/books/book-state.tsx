import { Badge } from '@mantine/core';
import { CircleAlert, CircleCheck, CircleDashed, CircleX, Clock } from 'lucide-react';
import { type Texts, texts, useTexts } from '../../base/language.tsx';
import type { BookDay } from './base/documents.ts';

export const dayStates = ['closed', 'open', 'unavailable', 'waiting', 'underway'] as const;

/** A day is `waiting` until its statement is imported; in test mode it is `underway` while nothing differs so far. */
export type DayState = (typeof dayStates)[number];

export function dayStateOf({
  state,
  importedAt,
  openDifferences,
}: Pick<BookDay, 'state' | 'importedAt' | 'openDifferences'>): DayState {
  if (state !== 'open') return state;
  if (openDifferences > 0) return 'open';
  return importedAt === null ? 'waiting' : 'underway';
}

export const dayStateTexts: Texts<Record<DayState, string>> = texts(
  {
    closed: 'Fechado',
    open: 'Com divergências',
    unavailable: 'Indisponível',
    waiting: 'Aguardando extrato',
    underway: 'Em andamento',
  },
  {
    closed: 'Closed',
    open: 'Differences',
    unavailable: 'Unavailable',
    waiting: 'Awaiting statement',
    underway: 'Under way',
  },
);

export const dayStateIcons = {
  closed: CircleCheck,
  open: CircleAlert,
  unavailable: CircleX,
  waiting: CircleDashed,
  underway: Clock,
} as const;

const colors: Record<DayState, string> = {
  closed: 'teal',
  open: 'orange',
  unavailable: 'red',
  waiting: 'gray',
  underway: 'blue',
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
