import { useSearchParams } from 'wouter';
import { correctableDays, daysBefore, yesterday } from '../../../core/books/rules/import-schedule.ts';
import type { Mode } from '../../../core/base/mode.ts';
import { brasiliaDay } from '../../../core/base/time/brasilia.ts';
import { useWorkplace } from '../../base/use-workplace.ts';

const monthPattern = /^2\d{3}-(0[1-9]|1[0-2])$/;

export const today = (): string => brasiliaDay(new Date());

/** A bank's statement can be there once the day is over, the sandbox's at any time. */
const lastDay = (mode: Mode): string => (mode === 'test' ? today() : yesterday(new Date()));

/** A bank may still correct the statement of such a day. */
export const isCorrectable = (day: string, mode: Mode): boolean =>
  day <= lastDay(mode) && day >= daysBefore(today(), correctableDays);

/** Account and month live in the URL, so that links and the back link keep them. */
export function usePlace() {
  const [parameters, setParameters] = useSearchParams();
  const given = parameters.get('month') ?? '';
  const { mode } = useWorkplace();
  // Today may have money without a payment.
  const latest = today().slice(0, 7);
  return {
    accountId: parameters.get('account'),
    month: monthPattern.test(given) && given <= latest ? given : lastDay(mode).slice(0, 7),
    latest,
    change(changes: { account?: string; month?: string }) {
      setParameters((now) => ({ ...Object.fromEntries(now), ...changes }), { replace: true });
    },
  };
}
