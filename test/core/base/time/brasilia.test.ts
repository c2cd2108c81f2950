import { expect, test } from '@jest/globals';
import { brasiliaDay, brasiliaIso, fromBrasilia } from '../../../../src/core/base/time/brasilia.ts';

test.each([
  ['2026-11-21T02:59:59.999Z', '2026-11-20'],
  ['2026-11-21T03:00:00.000Z', '2026-11-21'],
  ['2027-01-01T02:00:00.000Z', '2026-12-31'],
])('at %s it is the %s in Brasília', (at, day) => {
  expect(brasiliaDay(new Date(at))).toBe(day);
});

test('an instant is printed with milliseconds and the offset', () => {
  expect(brasiliaIso(new Date('2026-11-21T02:59:59.000Z'))).toBe('2026-11-20T23:59:59.000-03:00');
});

test.each([
  ['2025-07-07 21:22:17', '2025-07-08T00:22:17.000Z'],
  ['2025-07-07', '2025-07-07T03:00:00.000Z'],
])('%s without a zone is %s', (text, at) => {
  expect(fromBrasilia(text)?.toISOString()).toBe(at);
});

test.each(['', '07/07/2025', '2025-13-01', '2025-07-07 25:00:00', '2025-07-07T21:22:17Z'])(
  '%j is not a date',
  (text) => {
    expect(fromBrasilia(text)).toBeUndefined();
  },
);
