import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  mayStillArrive,
  nextLateCheck,
  nextPaymentCheck,
  nextUnknownCheck,
} from '../../../../src/core/settlement/rules/check-schedule.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const createdAt = new Date('2026-11-21T12:00:00Z');
const after = (ms: number) => new Date(createdAt.getTime() + ms);
const ageOf = (instant: Date) => instant.getTime() - createdAt.getTime();

/** What a worker's round and the answer of a PSP may add to every check. */
const lateness = fc.integer({ min: 0, max: 10 * secondMs });
const lifetime = fc.integer({ min: 5 * minuteMs, max: 30 * dayMs });

/** The ages at which a pending payment is asked about until it expires, each as late as is said. */
function checksOf(lifeMs: number, latenessOf: () => number): number[] {
  const ages: number[] = [];
  const expiresAt = after(lifeMs);
  for (let now = createdAt; now < expiresAt;) {
    const next = nextPaymentCheck({ createdAt, expiresAt }, now);
    now = new Date(next.getTime() + latenessOf());
    ages.push(ageOf(now));
  }
  return ages;
}

describe('a payment whose notification is lost', () => {
  test('is found within 60 seconds during its first hour, whenever it is paid and even if every check is late', () => {
    fc.assert(
      fc.property(
        lifetime,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.infiniteStream(lateness),
        (lifeMs, share, latenesses) => {
          const paidAtMs = share * Math.min(lifeMs, hourMs);
          const foundAtMs = checksOf(lifeMs, () => Number(latenesses.next().value)).find(
            (ms) => ms >= paidAtMs,
          );
          expect((foundAtMs ?? Infinity) - paidAtMs).toBeLessThanOrEqual(minuteMs);
        },
      ),
    );
  });

  test('is first checked five seconds after its creation', () => {
    expect(checksOf(30 * minuteMs, () => 0)[0]).toBe(5 * secondMs);
  });

  test('is checked exactly at its expiry and once more a minute later', () => {
    fc.assert(
      fc.property(lifetime, (lifeMs) => {
        const ages = checksOf(lifeMs, () => 0);
        expect(ages.at(-1)).toBe(lifeMs);
        expect(ages.filter((ms) => ms >= lifeMs)).toHaveLength(1);
        const expiresAt = after(lifeMs);
        const next = ageOf(nextPaymentCheck({ createdAt, expiresAt }, expiresAt));
        expect(next - lifeMs).toBe(minuteMs);
      }),
    );
  });

  test('is checked less and less often, never twice at once', () => {
    fc.assert(
      fc.property(lifetime, fc.nat({ max: 60 * dayMs }), (lifeMs, ageMs) => {
        const now = after(ageMs);
        expect(nextPaymentCheck({ createdAt, expiresAt: after(lifeMs) }, now) > now).toBe(true);
      }),
    );
  });

  test('is checked ever more rarely, down to once in a quarter of an hour', () => {
    const ages = checksOf(30 * dayMs, () => 0);
    const pauses = ages.slice(1, -1).map((ms, index) => ms - (ages[index] ?? 0));
    expect(pauses.toSorted((a, b) => a - b)).toEqual(pauses);
    expect(Math.max(...pauses)).toBe(15 * minuteMs);
    expect(ages.length).toBeLessThan(30 * 24 * 4 + 600);
  });

  test('is checked again when the checks at its expiry were inconclusive', () => {
    const expiresAt = after(30 * minuteMs);
    const looks = [expiresAt];
    for (let look = 0; look < 3; look++) {
      looks.push(nextPaymentCheck({ createdAt, expiresAt }, looks.at(-1) ?? expiresAt));
    }
    const seconds = looks.map((look) => ageOf(look) / secondMs - 30 * 60);
    expect(seconds).toEqual([0, 60, 105, 150]);
  });
});

describe('an outcome that the PSP has not settled', () => {
  test('is looked up again after five seconds at first', () => {
    expect(nextUnknownCheck(createdAt, createdAt)).toEqual(after(5 * secondMs));
  });

  test('is looked up less and less often, and at least hourly', () => {
    fc.assert(
      fc.property(fc.nat({ max: 90 * dayMs }), fc.nat({ max: dayMs }), (ageMs, moreMs) => {
        const pauseAt = (ms: number) => ageOf(nextUnknownCheck(createdAt, after(ms))) - ms;
        expect(pauseAt(ageMs)).toBeGreaterThanOrEqual(5 * secondMs);
        expect(pauseAt(ageMs)).toBeLessThanOrEqual(hourMs);
        expect(pauseAt(ageMs + moreMs)).toBeGreaterThanOrEqual(pauseAt(ageMs));
      }),
    );
  });

  test('is looked up hourly once it is two hours old', () => {
    expect(nextUnknownCheck(createdAt, after(2 * hourMs))).toEqual(after(3 * hourMs));
    expect(nextUnknownCheck(createdAt, after(30 * dayMs))).toEqual(after(30 * dayMs + hourMs));
  });

  test('is looked up a dozen times in the first hour, not hundreds', () => {
    let asked = 0;
    for (let now = createdAt; ageOf(now) < hourMs; now = nextUnknownCheck(createdAt, now)) asked += 1;
    expect(asked).toBeLessThan(20);
  });
});

describe('an expired payment whose charge its PSP did not end', () => {
  test('is looked at after minutes, hours and a day, and then left alone', () => {
    const ages: number[] = [];
    for (let at: Date | null = after(minuteMs); at; at = nextLateCheck(createdAt, at)) ages.push(ageOf(at));
    expect(ages).toEqual([minuteMs, 10 * minuteMs, 2 * hourMs, dayMs]);
  });
});

test('a lost request may still arrive for two minutes, no longer', () => {
  expect(mayStillArrive(createdAt, createdAt)).toBe(true);
  expect(mayStillArrive(createdAt, after(2 * minuteMs - 1))).toBe(true);
  expect(mayStillArrive(createdAt, after(2 * minuteMs))).toBe(false);
});
