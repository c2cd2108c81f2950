import { brasiliaDay, fromBrasilia } from '../../base/time/brasilia.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Banks correct their statements up to this long: the special refund mechanism (MED) allows 80 days. */
export const correctableDays = 90;

/**
 * When a day is imported, after its end: as soon as lists have caught up, which lag by minutes, and rarely once little can
 * still change.
 */
const importsAfterMs = [
  hourMs,
  6 * hourMs,
  ...[1, 2, 4, 7, 14, 30, 60, correctableDays].map((days) => days * dayMs),
];

/** A date in Brasília, `YYYY-MM-DD`, as the instants from its midnight to the next. */
export function windowOfDay(day: string): { since: Date; until: Date } {
  const since = fromBrasilia(day) ?? new Date(NaN);
  // Brasília has no daylight saving time, so every day has 24 hours.
  return { since, until: new Date(since.getTime() + dayMs) };
}

export const yesterday = (now: Date): string => daysBefore(brasiliaDay(now), 1);

export const daysBefore = (day: string, days: number): string =>
  brasiliaDay(new Date(windowOfDay(day).since.getTime() - days * dayMs));

export const firstImport = (day: string): Date =>
  new Date(windowOfDay(day).until.getTime() + (importsAfterMs[0] ?? 0));

/** When to import a day again; null once the bank no longer changes it. A day with differences is read every day. */
export function nextImport(day: string, now: Date, hasDifferences: boolean): Date | null {
  const endMs = windowOfDay(day).until.getTime();
  const nextMs = importsAfterMs.map((ms) => endMs + ms).find((ms) => ms > now.getTime());
  if (nextMs === undefined) return null;
  return new Date(hasDifferences ? Math.min(nextMs, now.getTime() + dayMs) : nextMs);
}

const longestWaitMs = 6 * hourMs;

interface DueDay {
  day: string;
  importedAt: Date | null;
  differenceCount: number;
  waitingSince: Date | null;
}

/**
 * Whether an import may wait for charges that could not be looked up, instead of reporting differences that may not be any. If
 * somebody asks for it before it is due, it does not wait.
 */
export function mayWait({ day, importedAt, differenceCount, waitingSince }: DueDay, now: Date): boolean {
  const dueAt = importedAt ? nextImport(day, importedAt, differenceCount > 0) : firstImport(day);
  const isDue = dueAt !== null && dueAt <= now;
  return isDue && now.getTime() - (waitingSince ?? now).getTime() < longestWaitMs;
}
