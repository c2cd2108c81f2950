import { wallClock } from '../../../core/base/time/wall-clock.ts';

/** An hour of one day, which looks like 2026-12-31. */
export interface DatedHour {
  day: string;
  count: number;
}

const hourMs = 3_600_000;

/** The first hours of seven weekdays, Sunday being 0: each has the dates on which anything was counted, latest first. */
export function weekHoursOf(
  counts: readonly number[],
  from: string,
  timeZone: string | undefined,
): DatedHour[][][] {
  const cells = Array.from({ length: 7 }, () => Array.from({ length: 24 }, (): DatedHour[] => []));
  const first = Math.floor(Date.parse(from) / hourMs) * hourMs;
  for (const [place, count] of counts.entries()) {
    if (count === 0) continue;
    const [day = '', time = ''] = wallClock(new Date(first + place * hourMs), timeZone).split('T');
    cells[new Date(day).getUTCDay()]?.[Number(time.slice(0, 2))]?.unshift({ day, count });
  }
  return cells;
}
