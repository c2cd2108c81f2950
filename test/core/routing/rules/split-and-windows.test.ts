import { describe, expect, test } from '@jest/globals';
import { newPaymentId } from '../../../../src/core/base/ids.ts';
import { cents } from '../../../../src/core/base/money.ts';
import { lotOf } from '../../../../src/core/routing/routing.ts';
import {
  noRules,
  type RoutableCredential,
  routeCandidates,
  type RoutingRules,
} from '../../../../src/core/routing/rules/routing.ts';
import { includesMoment, type Weekday, weekdays } from '../../../../src/core/routing/rules/time-window.ts';

const known = new Map(
  ['a', 'b', 'c', 'night', 'default'].map((id): [string, RoutableCredential] => [
    id,
    { id, provider: 'woovi', enabled: true, needsPayer: [], amountLimits: {} },
  ]),
);

/** A Wednesday at noon in Brasília. */
const noon = new Date('2026-11-25T15:00:00Z');

function route(rules: Partial<RoutingRules>, { at = noon, lot }: { at?: Date; lot?: number } = {}): string[] {
  const routes = { defaultId: 'default', defaultFallbackIds: [], diversions: {}, failingIds: [] };
  const moment = { amountInCents: cents(1_000n), at, ...(lot !== undefined && { lot }) };
  return routeCandidates({ by: 'rule_set', rules: { ...noRules, ...rules } }, moment, routes, known).map(
    ({ credential, reason }) => `${credential.id} ${reason}`,
  );
}

const split = [
  { credentialId: 'a', percent: 60 },
  { credentialId: 'b', percent: 30 },
];

describe('a split', () => {
  test.each([
    [0, ['a split', 'b fallback', 'default default']],
    [0.599_999, ['a split', 'b fallback', 'default default']],
    [0.6, ['b split', 'a fallback', 'default default']],
    [0.899_999, ['b split', 'a fallback', 'default default']],
    [0.9, ['default default', 'a fallback', 'b fallback']],
    [0.999_999, ['default default', 'a fallback', 'b fallback']],
  ])('gives the lot %s to the share that it falls on, with the others behind it', (lot, expected) => {
    expect(route({ split }, { lot })).toEqual(expected);
  });

  test('keeps its order where no payment is meant', () => {
    expect(route({ split })).toEqual(['a split', 'b split', 'default default']);
  });

  test('leaves amounts to the ranges that include them', () => {
    const ranges = [{ fromCents: cents(1_000n), toCents: cents(1_000n), credentialId: 'c' }];
    expect(route({ ranges, split }, { lot: 0.7 })).toEqual([
      'c price_range',
      'b split',
      'a fallback',
      'default default',
    ]);
  });

  test('is proportional within half a percent over 100,000 payments of one moment', () => {
    const counts = new Map<string, number>();
    for (let made = 0; made < 100_000; made += 1) {
      const [first = ''] = route({ split }, { lot: lotOf(newPaymentId(noon)) });
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    for (const [first, share] of [
      ['a split', 0.6],
      ['b split', 0.3],
      ['default default', 0.1],
    ] as const)
      expect(Math.abs((counts.get(first) ?? 0) / 100_000 - share)).toBeLessThan(0.005);
  });
});

describe('a window', () => {
  const window = (from: string, to: string, days: readonly Weekday[] = weekdays) => ({
    from,
    to,
    days,
    credentialId: 'night',
  });
  /** In Brasília; the 28th is a Saturday. */
  const on = (day: number, time: string) => new Date(`2026-11-${day}T${time}:00-03:00`);

  test('includes its beginning and not its end', () => {
    const day = window('09:00', '18:00');
    const included = ['08:59', '09:00', '17:59', '18:00'].map((time) => includesMoment(day, on(25, time)));
    expect(included).toEqual([false, true, true, false]);
  });

  test('runs past midnight from the days on which it begins', () => {
    const saturdayNight = window('22:00', '06:00', ['sat']);
    expect(includesMoment(saturdayNight, on(28, '05:59'))).toBe(false);
    expect(includesMoment(saturdayNight, on(28, '22:00'))).toBe(true);
    expect(includesMoment(saturdayNight, on(29, '05:59'))).toBe(true);
    expect(includesMoment(saturdayNight, on(29, '06:00'))).toBe(false);
    expect(includesMoment(saturdayNight, on(29, '22:00'))).toBe(false);
  });

  test('is a whole day if it ends when it begins', () => {
    const sunday = window('00:00', '00:00', ['sun']);
    const included = [on(28, '23:59'), on(29, '00:00'), on(29, '23:59'), on(30, '00:00')];
    expect(included.map((at) => includesMoment(sunday, at))).toEqual([false, true, true, false]);
  });

  test('goes before everything else, and the first one that includes the moment wins', () => {
    const when = [window('11:00', '12:00'), { ...window('12:00', '13:00'), credentialId: 'c' }];
    expect(route({ when, split }, { lot: 0.7 })).toEqual([
      'c time_window',
      'b split',
      'a fallback',
      'default default',
    ]);
  });
});
