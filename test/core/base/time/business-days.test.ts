import { expect, test } from '@jest/globals';
import {
  businessDaysBetween,
  easterOf,
  isBusinessDay,
  nextBusinessDay,
} from '../../../../src/core/base/time/business-days.ts';
import {
  addDays,
  type CalendarDay,
  calendarDayOf,
  weekdayOf,
} from '../../../../src/core/base/time/calendar-day.ts';

const day = (text: string): CalendarDay => {
  const parsed = calendarDayOf(text);
  if (!parsed) throw new Error(`${text} is no day`);
  return parsed;
};

test.each([
  '2026-02-29',
  '2026-13-01',
  '2026-1-1',
  '2026-04-31',
  '0000-00-00',
  '2026-01-01T00:00:00Z',
  '',
  ' ',
])('%j is no day', (text) => {
  expect(calendarDayOf(text)).toBeUndefined();
});

test('days follow each other over leap days and the end of a year', () => {
  expect(addDays(day('2028-02-28'), 1)).toBe('2028-02-29');
  expect(addDays(day('2027-02-28'), 1)).toBe('2027-03-01');
  expect(addDays(day('2026-12-31'), 1)).toBe('2027-01-01');
  expect(weekdayOf(day('1969-12-31'))).toBe(3);
});

test.each([
  '2019-04-21',
  '2020-04-12',
  '2024-03-31',
  '2025-04-20',
  '2026-04-05',
  '2027-03-28',
  '2038-04-25',
  '2049-04-18',
])('Easter Sunday is %s', (date) => {
  expect(easterOf(Number(date.slice(0, 4)))).toBe(date);
});

// Weekdays on which banks are closed all over the country.
const holidaysOf2026 = [
  '2026-01-01',
  '2026-02-16',
  '2026-02-17',
  '2026-04-03',
  '2026-04-21',
  '2026-05-01',
  '2026-06-04',
  '2026-09-07',
  '2026-10-12',
  '2026-11-02',
  '2026-11-20',
  '2026-12-25',
];

test('the working days of 2026 are those of the banks', () => {
  const closed: string[] = [];
  for (let each = day('2026-01-01'); each <= '2026-12-31'; each = addDays(each, 1)) {
    if (![0, 6].includes(weekdayOf(each)) && !isBusinessDay(each)) closed.push(each);
  }
  expect(closed).toEqual(holidaysOf2026);
});

test('20 November has been a national holiday since 2024', () => {
  expect(isBusinessDay(day('2023-11-20'))).toBe(true);
  expect(isBusinessDay(day('2024-11-20'))).toBe(false);
});

test('business days are counted after the first day, up to and including the last', () => {
  expect(nextBusinessDay(day('2026-11-26'))).toBe('2026-11-26');
  expect(nextBusinessDay(day('2026-02-14'))).toBe('2026-02-18');
  expect(businessDaysBetween(day('2026-02-13'), day('2026-02-18'))).toBe(1);
  expect(businessDaysBetween(day('2026-02-18'), day('2026-02-18'))).toBe(0);
});
