import { brasiliaDay, brasiliaIso } from '../../base/time/brasilia.ts';
import { weekdayOf } from '../../base/time/calendar-day.ts';

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

/** Whether it includes a time, as `HH:MM`, of a day of the week. */
export function includesTime(
  { from, to, days }: Pick<TimeWindow, 'from' | 'to' | 'days'>,
  day: Weekday,
  time: string,
): boolean {
  const yesterday = weekdays.at(weekdays.indexOf(day) - 1);
  const beginsOn = (each: Weekday | undefined) => each !== undefined && days.includes(each);
  if (from < to) return beginsOn(day) && from <= time && time < to;
  return (beginsOn(day) && from <= time) || (beginsOn(yesterday) && time < to);
}

export function includesMoment(window: TimeWindow, at: Date): boolean {
  const day = weekdays[weekdayOf(brasiliaDay(at))];
  return day !== undefined && includesTime(window, day, brasiliaIso(at).slice(11, 16));
}
