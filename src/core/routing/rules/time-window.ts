import { brasiliaIso } from '../../base/time/brasilia.ts';

export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

export type Weekday = (typeof weekdays)[number];

/** Hours of some days, in Brasília. */
export interface TimeWindow {
  /** `HH:MM`. */
  from: string;
  /** `HH:MM`, excluded. One that is not later than `from` is on the next day, so that equal ones mean a whole day. */
  to: string;
  /** The days on which it begins. */
  days: readonly Weekday[];
  credentialId: string;
}

const dayMs = 86_400_000;

export function includesMoment({ from, to, days }: TimeWindow, at: Date): boolean {
  const isoOf = (moment: Date) => brasiliaIso(moment);
  const beginsOn = (moment: Date) => days.some((day) => weekdays.indexOf(day) === weekdayOf(isoOf(moment)));
  const time = isoOf(at).slice(11, 16);
  if (from < to) return beginsOn(at) && from <= time && time < to;
  return (beginsOn(at) && from <= time) || (beginsOn(new Date(at.getTime() - dayMs)) && time < to);
}

const weekdayOf = (iso: string): number => new Date(`${iso.slice(0, 10)}T00:00:00Z`).getUTCDay();
