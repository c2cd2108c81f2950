const dayMs = 86_400_000;

/** Dates begin in lower case in Portuguese, but not as a heading. */
export const capitalized = (text: string, locale: string): string =>
  text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);

/** At noon, every time zone agrees on the day. */
export const noonOf = (day: string): Date => new Date(`${day}T12:00:00Z`);

export function plusMonths(month: string, months: number): string {
  const date = noonOf(`${month}-15`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

/** Lists the days of a month like `2026-11-21`. */
export function daysOfMonth(month: string): string[] {
  const count = noonOf(`${plusMonths(month, 1)}-01`).getTime() - noonOf(`${month}-01`).getTime();
  return Array.from(
    { length: count / dayMs },
    (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`,
  );
}

/** Weeks begin on Sunday; undefined stands for days outside of the month. */
export function weeksOf(month: string): (string | undefined)[][] {
  const before = Array.from({ length: noonOf(`${month}-01`).getUTCDay() }, () => undefined);
  const days = [...before, ...daysOfMonth(month)];
  return Array.from({ length: Math.ceil(days.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, day) => days[week * 7 + day]),
  );
}
