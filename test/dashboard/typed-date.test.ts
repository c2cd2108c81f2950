import { expect, test } from '@jest/globals';
import { dateFromText, printDate } from '../../src/dashboard/ui/date-range/typed-date.ts';

test.each([
  ['2026-12-31', '31/12/2026'],
  ['2026-12-31T14:05', '31/12/2026 14:05'],
  ['', ''],
])('%j is shown as %j, and read again', (date, shown) => {
  expect(printDate(date)).toBe(shown);
  expect(dateFromText(shown, date.includes('T'))).toBe(date);
});

test.each([
  [' 1/2/2026 ', false, '2026-02-01'],
  ['1.2.2026', true, '2026-02-01T00:00'],
  ['01/02/2026, 9:30', true, '2026-02-01T09:30'],
  ['31/02/2026', false, ''],
  ['12/31/2026', false, ''],
  ['31/12/26', false, ''],
  ['31/12/2026 14:05', false, ''],
  ['31/12/2026 24:00', true, ''],
  ['31/12/2026 12:60', true, ''],
])('%j is read as a date with its time (%p): %j', (text, hasTime, date) => {
  expect(dateFromText(text, hasTime)).toBe(date);
});
