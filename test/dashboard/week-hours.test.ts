import { expect, test } from '@jest/globals';
import { weekHoursOf } from '../../src/dashboard/pages/overview/week-hours.ts';
import { hourOfDay } from '../../src/dashboard/ui/date-range/ranges.ts';

const timeZone = 'America/New_York';

test('an hour that clocks show twice is one, and its list has all of it', () => {
  // On this Sunday, 1:00 to 2:00 is 05:00 to 07:00 in UTC.
  const cells = weekHoursOf([1, 2, 3, 4], '2026-11-01T04:00:00Z', timeZone);
  expect(cells[0]?.slice(0, 3)).toEqual([
    [{ day: '2026-11-01', count: 1 }],
    [{ day: '2026-11-01', count: 5 }],
    [{ day: '2026-11-01', count: 4 }],
  ]);
  const hour = (value: number) => hourOfDay('2026-11-01', value, timeZone);
  expect(hour(1)).toEqual(['2026-11-01T05:00:00.000Z', '2026-11-01T07:00:00.000Z']);
  expect(hour(2)).toEqual(['2026-11-01T07:00:00.000Z', '2026-11-01T08:00:00.000Z']);
  expect(hour(23)).toEqual(['2026-11-02T04:00:00.000Z', '2026-11-02T05:00:00.000Z']);
});
