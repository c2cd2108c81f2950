import type { CalendarDay } from './calendar-day.ts';

/** Brazil has had no daylight saving time since 2019. */
const offset = '-03:00';
const offsetMs = 3 * 3_600_000;

const shifted = (at: Date): string => new Date(at.getTime() - offsetMs).toISOString();

/** The current date in Brasília. */
export const brasiliaDay = (at: Date): CalendarDay => shifted(at).slice(0, 10) as CalendarDay;

export const startOfBrasiliaDay = (day: CalendarDay): Date => new Date(`${day}T00:00:00.000${offset}`);

export const endOfBrasiliaDay = (day: CalendarDay): Date => new Date(`${day}T23:59:59.999${offset}`);

/** ISO 8601 with milliseconds and the Brasília offset. */
export const brasiliaIso = (at: Date): string => shifted(at).replace('Z', offset);

/**
 * Parses local time in Brasília: `YYYY-MM-DD HH:mm:ss`, or a date alone for midnight. Undefined for anything
 * else.
 */
export function fromBrasilia(text: string): Date | undefined {
  const [, day, time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d))?$/.exec(text) ?? [];
  const at = new Date(`${day}T${time}${offset}`);
  return day && !Number.isNaN(at.getTime()) ? at : undefined;
}
