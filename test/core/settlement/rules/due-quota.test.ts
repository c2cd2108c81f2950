import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { pollingLimit } from '../../../../src/core/providers/rules/request-quota.ts';
import { nextDueCheck } from '../../../../src/core/settlement/rules/check-schedule.ts';
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
