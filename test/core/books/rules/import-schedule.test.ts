import { expect, test } from '@jest/globals';
import { bookStateOf } from '../../../../src/core/books/rules/books.ts';
import {
  daysBefore,
  firstImport,
  mayWait,
  nextImport,
  windowOfDay,
  yesterday,
} from '../../../../src/core/books/rules/import-schedule.ts';

const day = '2026-11-21';
const hours = (count: number): Date => new Date(Date.parse('2026-11-22T03:00:00Z') + count * 3_600_000);

test('a day is one of Brasília', () => {
  expect(windowOfDay(day)).toEqual({
    since: new Date('2026-11-21T03:00:00Z'),
    until: new Date('2026-11-22T03:00:00Z'),
  });
  expect(yesterday(new Date('2026-11-22T02:59:59Z'))).toBe('2026-11-20');
  expect(yesterday(new Date('2026-11-22T03:00:00Z'))).toBe('2026-11-21');
  expect(daysBefore('2026-03-02', 2)).toBe('2026-02-28');
});

test('a day without differences is imported ten times in 90 days, ever more rarely', () => {
  const times = [firstImport(day)];
  for (let next = nextImport(day, firstImport(day), false); next; next = nextImport(day, next, false)) {
    times.push(next);
  }
  const after = times.map((at) => (at.getTime() - hours(0).getTime()) / 3_600_000);
  expect(after).toEqual([1, 6, 24, 48, 96, 168, 336, 720, 1440, 2160]);
});

test('one with differences is imported every day, and also no longer than 90 days', () => {
  expect(nextImport(day, hours(800), true)).toEqual(hours(824));
  expect(nextImport(day, hours(1), true)).toEqual(hours(6));
  expect(nextImport(day, hours(2160), true)).toBeNull();
});

test('an import that is due waits for at most six hours from when it began to', () => {
  const isWaiting = (at: number, since: number | null, importedAt: Date | null = null, differenceCount = 0) =>
    mayWait(
      { day, importedAt, differenceCount, waitingSince: since === null ? null : hours(since) },
      hours(at),
    );
  expect([0.9, 1, 30].map((at) => isWaiting(at, null))).toEqual([false, true, true]);
  expect([30, 35.9, 36].map((at) => isWaiting(at, 30))).toEqual([true, true, false]);
  expect([5.9, 6].map((at) => isWaiting(at, null, hours(1)))).toEqual([false, true]);
  expect([10, 24, 30].map((at) => isWaiting(at, null, hours(6), 1))).toEqual([false, true, true]);
  expect(isWaiting(2161, null, hours(2160))).toBe(false);
});

test('a day is closed once it is over and was imported without differences', () => {
  const imported = { day, importedAt: hours(0), problem: null, differenceCount: 0 };
  expect(bookStateOf({ ...imported, importedAt: null })).toBe('open');
  expect(bookStateOf({ ...imported, importedAt: hours(-1) })).toBe('open');
  expect(bookStateOf({ ...imported, differenceCount: 1 })).toBe('open');
  expect(bookStateOf(imported)).toBe('closed');
  expect(bookStateOf({ ...imported, problem: 'unreadable' })).toBe('unavailable');
});
