import { isDay } from './ranges.ts';

/** No later day can be typed. */
export const latestDay = '2999-12-31';

/** Prints `2026-12-31` or `2026-12-31T14:30` as both languages write it in figures, 31/12/2026 14:30. */
export function printDate(date: string): string {
  const [day = '', time] = date.split('T');
  return [day.split('-').reverse().join('/'), time].filter(Boolean).join(' ');
}

/** Reads what `printDate` prints, more loosely; empty for anything else. A time that is missing is midnight. */
export function dateFromText(text: string, hasTime: boolean): string {
  const [, day = '', month = '', year = '', hour, minute] =
    /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:,? +(\d{1,2}):(\d{2}))?$/.exec(text.trim()) ?? [];
  const two = (figures: string) => figures.padStart(2, '0');
  const date = `${year}-${two(month)}-${two(day)}`;
  const isRight = isDay(date) && (hasTime || hour === undefined);
  if (!isRight || Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59) return '';
  return hasTime ? `${date}T${two(hour ?? '0')}:${minute ?? '00'}` : date;
}
