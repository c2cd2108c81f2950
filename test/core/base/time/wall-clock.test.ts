import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { instantAt, wallClock } from '../../../../src/core/base/time/wall-clock.ts';

describe('clocks of a time zone', () => {
  test.each([
    ['America/Sao_Paulo', '2026-11-21T00:00', '2026-11-21T03:00:00.000Z'],
    ['America/Manaus', '2026-11-21T00:00', '2026-11-21T04:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-21T00:00', '2026-11-20T18:30:00.000Z'],
    ['UTC', '2026-11-21T14:05', '2026-11-21T14:05:00.000Z'],
    // Clocks went from 2:00 to 3:00 on March 29, and from 3:00 back to 2:00 on October 25.
    ['Europe/Lisbon', '2026-03-29T00:30', '2026-03-29T00:30:00.000Z'],
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '2026-10-26T00:00', '2026-10-25T23:00:00.000Z'],
    // Brazil changed its clocks at midnight: that day began at 1:00.
    ['America/Sao_Paulo', '2018-11-04T00:00', '2018-11-04T03:00:00.000Z'],
  ])('in %s show %s at %s', (timeZone, wall, instant) => {
    expect(instantAt(wall, timeZone).toISOString()).toBe(instant);
  });

  test('lead back to what they show', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
        fc.constantFrom('America/Sao_Paulo', 'America/Noronha', 'Europe/Berlin', 'Asia/Kolkata', 'UTC'),
        (at, timeZone) => {
          const wall = wallClock(at, timeZone);
          expect(wallClock(instantAt(wall, timeZone), timeZone)).toBe(wall);
        },
      ),
    );
  });

  test.each(['', 'today', '2026-13-01T00:00'])('never show %p', (wall) => {
    expect(instantAt(wall, 'UTC').getTime()).toBeNaN();
  });
});
