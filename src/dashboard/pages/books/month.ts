import { useSearchParams } from 'wouter';
import { correctableDays, daysBefore, yesterday } from '../../../domain/books/import-schedule.ts';
import type { Mode } from '../../../domain/mode.ts';
import { brasiliaDay } from '../../../domain/time/brasilia.ts';
import { useWorkplace } from '../../shell/use-workplace.ts';

const dayMs = 86_400_000;
const monthPattern = /^2\d{3}-(0[1-9]|1[0-2])$/;

/** Dates begin in lower case in Portuguese, but not as a heading. */
export const capitalized = (text: string, locale: string): string =>
  text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);

/** Noon, so that every time zone agrees on the day. */
export const noonOf = (day: string): Date => new Date(`${day}T12:00:00Z`);

export const today = (): string => brasiliaDay(new Date());

/** Whose statement can be there: a bank's once the day is over, the sandbox's at any time. */
const lastDay = (mode: Mode): string => (mode === 'test' ? today() : yesterday(new Date()));

/** Whether the day has a statement, which a bank may still correct. */
export const isCorrectable = (day: string, mode: Mode): boolean =>
  day <= lastDay(mode) && day >= daysBefore(today(), correctableDays);

export function plusMonths(month: string, months: number): string {
  const date = noonOf(`${month}-15`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

/** Every day of the month, as `2026-11-21`. */
export function daysOfMonth(month: string): string[] {
  const count = noonOf(`${plusMonths(month, 1)}-01`).getTime() - noonOf(`${month}-01`).getTime();
  return Array.from(
    { length: count / dayMs },
    (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`,
  );
}

/** From Sunday to Saturday; undefined outside of the month. */
export function weeksOf(month: string): (string | undefined)[][] {
  const before = Array.from({ length: noonOf(`${month}-01`).getUTCDay() }, () => undefined);
  const days = [...before, ...daysOfMonth(month)];
  return Array.from({ length: Math.ceil(days.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, day) => days[week * 7 + day]),
  );
}

/** Account and month live in the URL, so that links and the back link keep them. */
export function usePlace() {
  const [parameters, setParameters] = useSearchParams();
  const given = parameters.get('month') ?? '';
  const { mode } = useWorkplace();
  const latest = lastDay(mode).slice(0, 7);
  return {
    accountId: parameters.get('account'),
    month: monthPattern.test(given) && given <= latest ? given : latest,
    latest,
    change(changes: { account?: string; month?: string }) {
      setParameters((now) => ({ ...Object.fromEntries(now), ...changes }), { replace: true });
    },
  };
}
