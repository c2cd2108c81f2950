import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { useSearchParams } from 'wouter';

export const periods = ['today', '7', '30', '90'] as const;

export type Period = (typeof periods)[number];

const daysOf = (period: Period): number => (period === 'today' ? 1 : Number(period));

/** In local calendar days: a day may have 23 hours. */
function plusDays(instant: Date, days: number): Date {
  const moved = new Date(instant);
  moved.setDate(moved.getDate() + days);
  return moved;
}

interface Range {
  from: string;
  to: string;
}

const rangeOf = (from: Date, to: Date): Range => ({ from: from.toISOString(), to: to.toISOString() });

/** Whole days including today, and the same span before them up to the same time of day. */
export function rangesOf(period: Period, now: Date): { now: Range; before: Range } {
  const days = daysOf(period);
  const today = new Date(now);
  today.setHours(0, 0, 0, 0);
  const from = plusDays(today, 1 - days);
  return {
    now: rangeOf(from, plusDays(today, 1)),
    before: rangeOf(plusDays(from, -days), plusDays(now, -days)),
  };
}

/** In the URL, so that links keep it. */
export function usePeriod(): [Period, (period: Period) => void] {
  const [parameters, setParameters] = useSearchParams();
  const given = parameters.get('period');
  const period = periods.find((each) => each === given) ?? '30';
  return [
    period,
    (changed) => {
      setParameters({ period: changed }, { replace: true });
    },
  ];
}

const stepMs = 300_000;
const nextStep = (): number => (Math.floor(Date.now() / stepMs) + 1) * stepMs;

/** Advances in steps, so that queries that depend on it are not refetched constantly. */
export function useNow(): Date {
  const [now, setNow] = useState(nextStep);
  useInterval(
    () => {
      setNow(nextStep());
    },
    60_000,
    { autoInvoke: true },
  );
  return new Date(now);
}
