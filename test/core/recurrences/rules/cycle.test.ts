import { describe, expect, test } from '@jest/globals';
import { businessDaysBetween } from '../../../../src/core/base/time/business-days.ts';
import { addDays, type CalendarDay, daysBetween } from '../../../../src/core/base/time/calendar-day.ts';
import {
  cycleOf,
  dayToSend,
  debitDayOf,
  firstDayToSend,
  lastDayToSend,
  nextDebitDay,
} from '../../../../src/core/recurrences/rules/cycle.ts';
import { frequencies } from '../../../../src/core/recurrences/rules/recurrence.ts';

const day = (text: string) => text as CalendarDay;
const starting = (startDate: string, frequency: (typeof frequencies)[number] = 'monthly') => ({
  startDate: day(startDate),
  frequency,
});

describe('the days of debits', () => {
  test('follow the start, the 31st becoming the last day of short months', () => {
    const days = [0, 1, 2, 3, 13].map((index) => debitDayOf(starting('2026-12-31'), index));
    expect(days).toEqual(['2026-12-31', '2027-01-31', '2027-02-28', '2027-03-31', '2028-01-31']);
  });

  test.each([
    ['weekly', '2026-12-15'],
    ['monthly', '2027-01-08'],
    ['quarterly', '2027-03-08'],
    ['semiannually', '2027-06-08'],
    ['annually', '2027-12-08'],
  ] as const)('come %s', (frequency, second) => {
    expect(debitDayOf(starting('2026-12-08', frequency), 1)).toBe(second);
  });

  test('each lie in their own cycle, whatever the day between them', () => {
    for (const frequency of frequencies) {
      const cycles = starting('2027-01-31', frequency);
      for (let day = addDays(cycles.startDate, -40); day < '2031-01-01'; day = addDays(day, 1)) {
        const index = cycleOf(cycles, day);
        expect([debitDayOf(cycles, index) <= day, day < debitDayOf(cycles, index + 1)]).toEqual([true, true]);
      }
    }
  });
});

describe('the day on which a debit is sent', () => {
  test.each([
    ['2026-12-17', '2026-12-13', 'a Thursday'],
    ['2026-12-14', '2026-12-10', 'a Monday, after a weekend'],
    ['2026-12-28', '2026-12-23', 'a Monday after Christmas and a weekend'],
    ['2027-02-10', '2027-02-04', 'Ash Wednesday, after carnival'],
  ])('for %s is %s (%s)', (debitDay, sent) => {
    expect(dayToSend(day(debitDay))).toBe(sent);
  });

  test('leaves two business days and four days, and is at most ten days before', () => {
    for (let debitDay = day('2026-01-01'); debitDay < '2036-01-01'; debitDay = addDays(debitDay, 1)) {
      const sent = dayToSend(debitDay);
      expect(businessDaysBetween(sent, debitDay)).toBeGreaterThanOrEqual(2);
      expect(daysBetween(sent, debitDay)).toBeGreaterThanOrEqual(4);
      expect(sent >= firstDayToSend(debitDay)).toBe(true);
      expect(businessDaysBetween(addDays(lastDayToSend(debitDay), 1), debitDay)).toBeLessThan(2);
    }
  });
});

describe('the next debit', () => {
  test('is the first one that can still be sent', () => {
    const cycles = { ...starting('2026-12-10'), endDate: null };
    expect(nextDebitDay(cycles, day('2026-11-01'))).toBe('2026-12-10');
    expect(nextDebitDay(cycles, day('2026-12-08'))).toBe('2026-12-10');
    expect(nextDebitDay(cycles, day('2026-12-09'))).toBe('2027-01-10');
  });

  test('is none after the last day', () => {
    const cycles = { ...starting('2026-12-10'), endDate: day('2027-01-09') };
    expect(nextDebitDay(cycles, day('2026-12-09'))).toBeUndefined();
  });
});
