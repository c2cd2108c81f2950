import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createRequestCounts, pollingLimit } from '../../../../src/core/providers/rules/request-quota.ts';
import { dueAgain, nextDueCheck } from '../../../../src/core/settlement/rules/check-schedule.ts';
import {
  haveSweepsPassed,
  isLookSpared,
  nothingKnown,
  type PollingConditions,
  sweepPauseMs,
} from '../../../../src/core/settlement/rules/polling-pace.ts';

/** The quota of an Asaas account. */
const quota = { requests: 25_000, windowSeconds: 12 * 3_600 };
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The end of a due date in São Paulo. */
const midnight = new Date('2026-12-11T02:59:59.999Z');
const createdAt = new Date(midnight.getTime() - 60 * dayMs);
const charges = Array.from({ length: 50_000 }, () => ({
  id: randomUUID(),
  mode: 'live' as const,
  createdAt,
  expiresAt: new Date(midnight.getTime() + 30 * dayMs),
}));

/** What is known while an account is swept as often as old payments need; `phaseMs` is when it was swept after midnight. */
function sweptAt(at: Date, phaseMs: number): PollingConditions {
  const pauseMs = sweepPauseMs(60 * dayMs);
  const sinceMs = (at.getTime() - midnight.getTime() - phaseMs) % pauseMs;
  const last = at.getTime() - (sinceMs < 0 ? sinceMs + pauseMs : sinceMs);
  return { ...nothingKnown, sweptAt: new Date(last), nextSweepAt: new Date(last + pauseMs) };
}

/** How many of the charges are looked up at their next check. */
function looksAfter(evening: Date, dueUntil: Date, phaseMs: number): number {
  return charges.filter((charge) => {
    const at = nextDueCheck({ ...charge, dueUntil, isOverdue: false }, evening, nothingKnown);
    const known = sweptAt(at, phaseMs);
    const isPassed = dueUntil < at;
    return (isPassed && !haveSweepsPassed(dueUntil, known, at)) || !isLookSpared(charge, known, at);
  }).length;
}

const evening = new Date(midnight.getTime() - minuteMs);

test.each([0, 1, 2, 7, 14])(
  '50,000 open charges that all become overdue are checked in a night within the quota, swept %d minutes after it',
  (minutes) => {
    expect(looksAfter(evening, midnight, minutes * minuteMs)).toBeLessThan(pollingLimit(quota, 'look') / 4);
  },
);

test('50,000 that are due some day cost a night as little', () => {
  const later = new Date(midnight.getTime() + 20 * dayMs);
  expect(looksAfter(evening, later, 0)).toBeLessThan(pollingLimit(quota, 'look') / 4);
});

test('they are spread over the hour', () => {
  const minutes = new Map<number, number>();
  for (const charge of charges) {
    const at = nextDueCheck({ ...charge, dueUntil: midnight, isOverdue: false }, evening, nothingKnown);
    minutes.set(at.getTime(), (minutes.get(at.getTime()) ?? 0) + 1);
  }
  expect(Math.max(...minutes.values())).toBeLessThan(2_000);
});

/** How many have been asked about so many hours after midnight, where no sweep spares any and nobody else asks. */
function askedWithoutSweeps(hours: readonly number[]): number[] {
  let now = midnight;
  const counts = createRequestCounts(() => now);
  const asked = new Set<string>();
  /** By the minute after midnight in which they become due. */
  const due = new Map<number, typeof charges>();
  const schedule = (charge: (typeof charges)[0], at: Date) => {
    const minute = Math.ceil((at.getTime() - midnight.getTime()) / minuteMs);
    const others = due.get(minute);
    if (others) others.push(charge);
    else due.set(minute, [charge]);
  };
  const scheduleNight = (charge: (typeof charges)[0], isOverdue: boolean) => {
    schedule(charge, nextDueCheck({ ...charge, dueUntil: midnight, isOverdue }, now, nothingKnown));
  };
  for (const charge of charges) scheduleNight(charge, false);
  const askedBy = new Map<number, number>();
  for (let minute = 0; minute <= Math.max(...hours) * 60; minute++) {
    now = new Date(midnight.getTime() + minute * minuteMs);
    // Those that were asked about before come first, wherever it is left open.
    for (const charge of (due.get(minute) ?? []).toSorted(
      (one, other) => Number(asked.has(other.id)) - Number(asked.has(one.id)),
    )) {
      const taken = counts.takeNow('account', quota.windowSeconds, pollingLimit(quota, 'look'));
      if (taken.isGranted) {
        asked.add(charge.id);
        scheduleNight(charge, true);
      } else schedule(charge, dueAgain(now, taken.msUntilFree, now, !asked.has(charge.id)));
    }
    askedBy.set(minute / 60, asked.size);
  }
  return hours.map((hour) => askedBy.get(hour) ?? 0);
}

test('without sweeps they are asked about as the quota has room, 20,000 in thirteen hours, and all the second night', () => {
  expect(askedWithoutSweeps([1, 14, 27])).toEqual([20_000, 40_000, 50_000]);
});
