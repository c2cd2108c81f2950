import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { instantAt, wallClock } from '../../../core/base/time/wall-clock.ts';
import { plusDays, startOfDay } from '../../ui/date-range/ranges.ts';

export const periods = ['today', '7', '30', '90'] as const;

export type Period = (typeof periods)[number];

const daysOf = (period: Period): number => (period === 'today' ? 1 : Number(period));

interface Range {
  from: string;
  to: string;
}

/** Takes whole days including today, and the same span before them up to the same time of day. */
export function rangesOf(
  period: Period,
  now: Date,
  timeZone: string | undefined,
): { now: Range; before: Range; firstDay: string } {
  const days = daysOf(period);
  const [today = '', time = ''] = wallClock(now, timeZone).split('T');
  const from = plusDays(today, 1 - days);
  const start = (day: string) => startOfDay(day, timeZone);
  const sameTimeBefore = instantAt(`${plusDays(today, -days)}T${time}`, timeZone);
  return {
    firstDay: from,
    now: { from: start(from), to: start(plusDays(today, 1)) },
    before: { from: start(plusDays(from, -days)), to: sameTimeBefore.toISOString() },
  };
}

/** Keeps the period in the URL, so that links include it. */
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
