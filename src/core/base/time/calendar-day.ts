declare const calendarDay: unique symbol;

/** A day of the calendar, `YYYY-MM-DD`, without a time or a time zone. Compares as text. */
export type CalendarDay = string & { readonly [calendarDay]: true };

const dayMs = 24 * 3_600_000;
const isoOf = (daysSince1970: number): CalendarDay =>
  new Date(daysSince1970 * dayMs).toISOString().slice(0, 10) as CalendarDay;

/** Days since 1970-01-01. */
const numberOf = (day: CalendarDay): number => Date.parse(day) / dayMs;

/** Undefined for anything but a day that exists. */
export function calendarDayOf(text: string): CalendarDay | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const day = text as CalendarDay;
  const number = numberOf(day);
  // The engine takes 30 February for 2 March.
  return Number.isNaN(number) || isoOf(number) !== day ? undefined : day;
}

export const addDays = (day: CalendarDay, count: number): CalendarDay => isoOf(numberOf(day) + count);

/** The 31st becomes the last day of a shorter month. */
export function addMonths(day: CalendarDay, count: number): CalendarDay {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return isoOf(Date.UTC(year, month - 1 + count, Math.min(date, last)) / dayMs);
}

/** Negative if `to` comes first. */
export const daysBetween = (from: CalendarDay, to: CalendarDay): number => numberOf(to) - numberOf(from);

/** 0 is Sunday. 1970-01-01 was a Thursday. */
export const weekdayOf = (day: CalendarDay): number => (((numberOf(day) + 4) % 7) + 7) % 7;
