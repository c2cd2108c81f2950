import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { useSearchParams } from 'wouter';

export const periods = ['today', '7', '30', '90'] as const;

export type Period = (typeof periods)[number];

const daysOf = (period: Period): number => (period === 'today' ? 1 : Number(period));

/** In the calendar of the person: a day may have 23 hours. */
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

/** Whole days up to this one, and the days before them up to the same time of day, which is what compares. */
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

/** In the address, so that a link shows the same. */
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

/** Goes on in steps, so that what depends on it is not read again all the time. */
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
