import { instantAt, wallClock } from '../../../core/base/time/wall-clock.ts';
import { noonOf, plusMonths } from './months.ts';

/** Both days are included, and written like 2026-12-31; one that is empty leaves the range open. */
export interface DateRange {
  from: string;
  to: string;
}

export const presets = ['today', 'yesterday', 'last7', 'last30', 'thisMonth', 'lastMonth'] as const;

export type Preset = (typeof presets)[number];

export function plusDays(day: string, days: number): string {
  const date = noonOf(day);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Without a time zone, the browser's applies. */
export const startOfDay = (day: string, timeZone?: string): string =>
  instantAt(`${day}T00:00`, timeZone).toISOString();

/** The last second is included. Without a time zone, the browser's applies. */
export const endOfDay = (day: string, timeZone?: string): string =>
  new Date(Date.parse(startOfDay(plusDays(day, 1), timeZone)) - 1_000).toISOString();

const hourMs = 3_600_000;

/** Tells from when to when clocks show an hour, which is two hours where they are turned back in between. */
export function hourOfDay(day: string, hour: number, timeZone?: string): [from: string, to: string] {
  const start = instantAt(`${day}T${String(hour).padStart(2, '0')}:00`, timeZone);
  const next = new Date(start.getTime() + hourMs);
  const isTwice = wallClock(next, timeZone) === wallClock(start, timeZone);
  return [start.toISOString(), new Date(next.getTime() + (isTwice ? hourMs : 0)).toISOString()];
}

const lastOfMonth = (month: string): string => plusDays(`${plusMonths(month, 1)}-01`, -1);

export function rangeOfPreset(preset: Preset, today: string): DateRange {
  const month = today.slice(0, 7);
  const before = plusMonths(month, -1);
  const ranges: Record<Preset, DateRange> = {
    today: { from: today, to: today },
    yesterday: { from: plusDays(today, -1), to: plusDays(today, -1) },
    last7: { from: plusDays(today, -6), to: today },
    last30: { from: plusDays(today, -29), to: today },
    thisMonth: { from: `${month}-01`, to: today },
    lastMonth: { from: `${before}-01`, to: lastOfMonth(before) },
  };
  return ranges[preset];
}

/** Without a time zone, the browser's applies. */
export const dayIn = (timeZone?: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(),
  );

export const isDay = (text: string): boolean => {
  const noon = /^2\d{3}-\d\d-\d\d$/.test(text) ? noonOf(text).getTime() : Number.NaN;
  // The 31st of February would be a day of March.
  return !Number.isNaN(noon) && new Date(noon).toISOString().startsWith(text);
};
