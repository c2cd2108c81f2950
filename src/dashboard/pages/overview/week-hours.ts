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
    const dates = cells[new Date(day).getUTCDay()]?.[Number(time.slice(0, 2))];
    // Where clocks are turned back, an hour comes twice.
    if (dates?.[0]?.day === day) dates[0].count += count;
    else dates?.unshift({ day, count });
  }
  return cells;
}
