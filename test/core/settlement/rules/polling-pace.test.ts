import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { firstPaymentCheck, nextPaymentCheck } from '../../../../src/core/settlement/rules/check-schedule.ts';
import {
  isLookSpared,
  isSweepSoon,
  nothingKnown,
  pauseMs,
  type PollingConditions,
  sweepBy,
  sweepPauseMs,
  watchedCheckPauseMs,
} from '../../../../src/core/settlement/rules/polling-pace.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const now = new Date('2026-11-23T12:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const swept = (agoMs: number, nextInMs = 50_000): PollingConditions => ({
  ...nothingKnown,
  sweptAt: ago(agoMs),
  nextSweepAt: ago(-nextInMs),
});
const notified = (agoMs: number, missedAgoMs?: number): PollingConditions => ({
  ...nothingKnown,
  notifiedAt: ago(agoMs),
  missedAt: missedAgoMs === undefined ? null : ago(missedAgoMs),
});

const arriving = notified(minuteMs);
const expected = notified(hourMs);
const scarce = { ...nothingKnown, scarcity: 1 };

const age = fc.nat({ max: 30 * dayMs });
const firstHours = fc.nat({ max: 3 * hourMs });

describe('a payment is checked', () => {
  test('within a minute in its first hour where no notification was ever seen', () => {
    fc.assert(fc.property(fc.nat({ max: hourMs }), (ageMs) => pauseMs(ageMs, nothingKnown, now) <= minuteMs));
  });

  test('within ten minutes in its first hours where notifications were seen today', () => {
    fc.assert(fc.property(firstHours, (ageMs) => pauseMs(ageMs, expected, now) <= 9 * minuteMs));
  });

  test('more rarely the scarcer the requests are, and never more rarely than where notifications arrive', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(age, share, share, (ageMs, one, other) => {
        const pauseAt = (scarcity: number) => pauseMs(ageMs, { ...nothingKnown, scarcity }, now);
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(pauseAt(less)).toBeLessThanOrEqual(pauseAt(more));
        expect(pauseAt(1)).toBe(pauseMs(ageMs, expected, now));
      }),
    );
  });

  test('ever more rarely, and at least every hour', () => {
    const conditions = fc.constantFrom(nothingKnown, scarce, expected, arriving);
    fc.assert(
      fc.property(age, age, conditions, (ageMs, moreMs, of) => {
        expect(pauseMs(ageMs, of, now)).toBeLessThanOrEqual(pauseMs(ageMs + moreMs, of, now));
        expect(pauseMs(ageMs, of, now)).toBeLessThanOrEqual(hourMs);
      }),
    );
  });

  test('exactly at its expiry, whatever is known', () => {
    const conditions = fc.constantFrom(nothingKnown, scarce, expected, arriving);
    fc.assert(
      fc.property(fc.nat({ max: dayMs }), conditions, (lifeMs, of) => {
        const payment = { createdAt: now, expiresAt: new Date(now.getTime() + lifeMs) };
        const ages: number[] = [];
        for (let at = now; at < payment.expiresAt; ages.push(at.getTime() - now.getTime())) {
          at = nextPaymentCheck(payment, at, of);
        }
        if (lifeMs > 0) expect(ages.at(-1)).toBe(lifeMs);
      }),
    );
  });
});

describe('once notifications stop', () => {
  const id = '01a20230-4154-7478-ac85-d30929600001';

  test('checks are left to them for five minutes at most, so that a Pix is found within ten', () => {
    fc.assert(
      fc.property(firstHours, fc.nat({ max: 20 * minuteMs }), (ageMs, paidMs) => {
        // The last notification came now, the Pix after it.
        const last = { ...nothingKnown, notifiedAt: now };
        let atMs = 0;
        for (;;) {
          const at = new Date(now.getTime() + atMs);
          if (atMs >= paidMs && !isLookSpared({ id, createdAt: now }, last, at)) break;
          // Checks are stored to the millisecond.
          atMs += Math.floor(pauseMs(ageMs + atMs, last, at));
        }
        expect(atMs - paidMs).toBeLessThanOrEqual(10 * minuteMs);
      }),
      {
        examples: [
          [5_853_659, 0],
          [5_853_677, 0],
          [5_759_999, 0],
          [5_760_001, 0],
        ],
      },
    );
  });

  test('polling is dense again as soon as a payment was found whose notification had not come', () => {
    const missed = notified(2 * minuteMs, minuteMs);
    expect(isLookSpared({ id, createdAt: now }, missed, now)).toBe(false);
    expect(pauseMs(10 * minuteMs, missed, now)).toBe(45_000);
  });

  test('polling relies on them again after the next', () => {
    const again = { ...notified(minuteMs, 2 * minuteMs), scarcity: 0.5 };
    expect(isLookSpared({ id, createdAt: now }, again, now)).toBe(true);
    expect(pauseMs(minuteMs, { ...again, scarcity: 0 }, now)).toBe(3 * minuteMs);
  });

  test('polling is dense again after a day', () => {
    expect(pauseMs(10 * minuteMs, notified(dayMs + 1), now)).toBe(45_000);
  });
});

describe('where sweeps succeed', () => {
  const payment = (ageMs: number) => ({ id: '01a20230-4154-7478-ac85-d30929600001', createdAt: ago(ageMs) });

  test('payments are left to them', () => {
    expect(isLookSpared(payment(minuteMs), swept(minuteMs), now)).toBe(true);
    expect(pauseMs(hourMs, swept(minuteMs), now)).toBe(4.5 * minuteMs);
  });

  test('a new payment is not left to the next one for older payments', () => {
    expect(isLookSpared(payment(9 * dayMs), swept(10 * minuteMs, 5 * minuteMs), now)).toBe(true);
    expect(isLookSpared(payment(minuteMs), swept(minuteMs, 5 * minuteMs), now)).toBe(false);
    expect(isSweepSoon(minuteMs, swept(minuteMs, 5 * minuteMs), now)).toBe(false);
  });

  test('and then stop, a Pix is found within ten minutes', () => {
    fc.assert(
      fc.property(fc.nat({ max: hourMs }), fc.nat({ max: 20 * minuteMs }), (ageMs, paidMs) => {
        // The last sweep was now, the Pix came after it, and the next sweep is always due.
        const created = payment(ageMs);
        let atMs = 0;
        for (;;) {
          const at = new Date(now.getTime() + atMs);
          const conditions = { ...nothingKnown, sweptAt: now, nextSweepAt: at };
          if (atMs >= paidMs && !isLookSpared(created, conditions, at)) break;
          atMs += pauseMs(ageMs + atMs, conditions, at);
        }
        expect(atMs - paidMs).toBeLessThanOrEqual(10 * minuteMs);
      }),
    );
  });

  test('they are not relied on for a day after one has missed a payment', () => {
    const missed = { ...swept(minuteMs), sweepMissedAt: ago(dayMs - 1) };
    expect(isLookSpared(payment(minuteMs), missed, now)).toBe(false);
    expect(isLookSpared(payment(minuteMs), { ...missed, sweepMissedAt: ago(dayMs) }, now)).toBe(true);
  });

  test('they take no more requests than looks at the newest payment would', () => {
    fc.assert(
      fc.property(age, (ageMs) => {
        expect(sweepPauseMs(ageMs)).toBeGreaterThanOrEqual(pauseMs(ageMs, nothingKnown, now));
      }),
    );
  });
});

describe('a payment that somebody waits for', () => {
  const created = (ageMs: number) => ({
    id: '01a20230-4154-7478-ac85-d30929600001',
    createdAt: ago(ageMs),
    isWatched: true,
  });
  const sweepAfterMs = (conditions: PollingConditions, isWatched = true) =>
    sweepBy({ ageMs: minuteMs, isWatched }, conditions, now).getTime() - now.getTime();

  test('is looked at every 15 seconds where nothing is swept, whatever arrives, unless requests are scarce', () => {
    for (const conditions of [nothingKnown, expected, arriving]) {
      expect(isLookSpared(created(hourMs), conditions, now)).toBe(false);
      expect(watchedCheckPauseMs(hourMs, conditions, now)).toBe(15_000);
      expect(watchedCheckPauseMs(10_000, conditions, now)).toBeLessThanOrEqual(15_000);
    }
    expect(isLookSpared(created(hourMs), { ...arriving, scarcity: 0.5 }, now)).toBe(true);
    for (const conditions of [scarce, { ...arriving, scarcity: 0.5 }])
      expect(watchedCheckPauseMs(hourMs, conditions, now)).toBe(pauseMs(hourMs, conditions, now));
  });

  test('is swept for every 15 seconds where that finds it, and never a sample', () => {
    const conditions = { ...swept(10_000), scarcity: 1.1 };
    for (let turn = 0; turn < 512; turn++) {
      const at = new Date(now.getTime() + turn * 4.5 * minuteMs);
      const known = { ...conditions, sweptAt: at, nextSweepAt: at };
      expect(isLookSpared({ ...created(0), createdAt: at }, known, at)).toBe(true);
    }
    expect(watchedCheckPauseMs(hourMs, conditions, now)).toBe(15_000);
    expect(sweepAfterMs(conditions)).toBe(5_000);
    expect(sweepAfterMs(swept(30_000))).toBe(0);
    expect(sweepAfterMs(nothingKnown)).toBe(0);
  });

  test('is swept for like others once nearly all requests are used', () => {
    expect(sweepAfterMs({ ...swept(10_000), scarcity: 1.2 })).toBe(40_000);
    expect(sweepAfterMs(swept(10_000), false)).toBe(40_000);
  });
});

test('a new payment is checked within seconds if nobody sweeps, where that will find it', () => {
  const lifetime = { createdAt: now, expiresAt: ago(-hourMs) };
  const afterMs = (isListed: boolean, conditions: PollingConditions) =>
    firstPaymentCheck(lifetime, now, { isListed, conditions }).getTime() - now.getTime();
  expect(afterMs(true, arriving)).toBe(5_000);
  expect(afterMs(true, { ...arriving, ...swept(minuteMs, 10 * minuteMs), notifiedAt: now })).toBe(5_000);
  expect(afterMs(true, swept(minuteMs))).toBe(3 * minuteMs);
  expect(afterMs(false, arriving)).toBe(3 * minuteMs);
});

test('of the checks left to notifications, one in 32 is a look, of each payment', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffff }), (digits) => {
      const id = `01a20230-4154-7478-ac85-d3092960${digits.toString(16).padStart(4, '0')}`;
      const looks = Array.from({ length: 320 }, (_, turn) => {
        const at = new Date(now.getTime() + turn * 4.5 * minuteMs);
        return !isLookSpared({ id, createdAt: now }, { ...scarce, notifiedAt: at }, at);
      });
      expect(looks.filter(Boolean)).toHaveLength(10);
    }),
  );
});

test('nothing is left to notifications that were never seen, or not for five minutes', () => {
  const id = '01a20230-4154-7478-ac85-d30929600001';
  expect(isLookSpared({ id, createdAt: now }, nothingKnown, now)).toBe(false);
  expect(isLookSpared({ id, createdAt: now }, notified(5 * minuteMs + 1), now)).toBe(false);
});
