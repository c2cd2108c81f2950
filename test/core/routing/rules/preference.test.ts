import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Cents, cents } from '../../../../src/core/base/money.ts';
import { exactFeeOf, feeCrossings, type FeeTerms } from '../../../../src/core/providers/rules/fees/fees.ts';
import {
  noRules,
  type RoutableCredential,
  routeCandidates,
  type RoutingRules,
} from '../../../../src/core/routing/rules/routing.ts';
import { lintRuleSet } from '../../../../src/core/routing/rules/rule-set-lint.ts';
import { warningOf } from '../../../../src/core/routing/rules/rule-set-warning.ts';

const terms = (partsPerMillion: number, fixedInCents: number, more: Partial<FeeTerms> = {}): FeeTerms => ({
  partsPerMillion,
  fixedInCents,
  minimumInCents: null,
  maximumInCents: null,
  ...more,
});

const onePercent = terms(10_000, 0);
const halfReal = terms(0, 50);

const known = new Map(
  Object.entries({
    percent: onePercent,
    fixed: halfReal,
    likewise: onePercent,
    unsaid: null,
    default: null,
  }).map(([id, fees]): [string, RoutableCredential] => [
    id,
    { id, provider: 'woovi', enabled: true, needsPayer: [], amountLimits: {}, fees },
  ]),
);

const routes = { defaultId: 'default', defaultFallbackIds: [], diversions: {}, failingIds: [] };

function route(
  rules: Partial<RoutingRules>,
  amountInCents = 10_000,
  diversions: Record<string, string> = {},
): string[] {
  const moment = { amountInCents: cents(amountInCents), at: new Date('2026-11-25T15:00:00Z') };
  const whole = { ...noRules, prefer: 'cheapest' as const, ...rules };
  return routeCandidates({ by: 'rule_set', rules: whole }, moment, { ...routes, diversions }, known).map(
    ({ credential, reason }) => `${credential.id} ${reason}`,
  );
}

const everything = (...ids: string[]) =>
  ids.map((credentialId) => ({ fromCents: cents(1), toCents: cents(999_999_999_999n), credentialId }));

describe('the cheapest', () => {
  test('leaves the order alone where the fees of one are unknown', () => {
    expect(route({ ranges: everything('percent', 'unsaid', 'fixed') })).toEqual([
      'percent price_range',
      'unsaid price_range',
      'fixed price_range',
      'default default',
    ]);
  });

  test('leaves the order alone where the rule set does not prefer it', () => {
    const ranges = everything('percent', 'fixed');
    expect(route({ ranges, prefer: null })[0]).toBe('percent price_range');
  });

  test('leaves equals as they are listed', () => {
    expect(route({ ranges: everything('likewise', 'percent') }).slice(0, 2)).toEqual([
      'likewise price_range',
      'percent price_range',
    ]);
  });

  test('of the ranges that contain the amount comes first, and says why', () => {
    const ranges = everything('percent', 'fixed');
    expect(route({ ranges }, 5_001)).toEqual(['fixed cheapest', 'percent price_range', 'default default']);
    expect(route({ ranges }, 5_000)).toEqual(['percent price_range', 'fixed price_range', 'default default']);
  });

  test('of the fallbacks comes first, behind the default', () => {
    expect(route({ fallbackCredentialIds: ['percent', 'fixed'] })).toEqual([
      'default default',
      'fixed cheapest',
      'percent fallback',
    ]);
  });

  test('reorders neither split, default nor hours', () => {
    const split = [
      { credentialId: 'percent', percent: 50 },
      { credentialId: 'fixed', percent: 50 },
    ];
    expect(route({ split })).toEqual(['percent split', 'fixed split', 'default default']);
  });

  test('is chosen before a diversion takes its turn', () => {
    expect(route({ ranges: everything('percent', 'fixed') }, 10_000, { fixed: 'unsaid' })).toEqual([
      'unsaid diverted',
      'fixed cheapest',
      'percent price_range',
      'default default',
    ]);
  });
});

describe('the lint', () => {
  const warnings = (rules: Partial<RoutingRules>) =>
    lintRuleSet('test', { ...noRules, prefer: 'cheapest', ...rules }, routes, known).map(warningOf);

  test('says where there is nothing to prefer', () => {
    expect(warnings({ ranges: everything('percent'), fallbackCredentialIds: ['fixed'] })).toEqual([
      {
        kind: 'unreachable',
        message: 'cheapest has no effect: no ranges overlap, and there are no two fallbacks',
      },
    ]);
  });

  test('says which credential has no fees, so that nothing changes', () => {
    const found = warnings({ ranges: everything('percent', 'unsaid') });
    expect(found).toContainEqual({
      kind: 'no_fees',
      message:
        'credential unsaid has no fees: ranges and fallbacks with it keep their order, whatever is cheapest',
    });
    expect(found.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['overlap', 'unreachable']));
    expect(warnings({ fallbackCredentialIds: ['percent', 'unsaid'] })).toMatchObject([{ kind: 'no_fees' }]);
  });

  test('takes ranges that overlap for what they are meant to be', () => {
    expect(warnings({ ranges: everything('percent', 'fixed') })).toEqual([]);
    expect(warnings({ ranges: everything('percent', 'fixed'), prefer: null })).not.toEqual([]);
  });
});

test('between the crossings of two fees the same one is cheaper', () => {
  const bound = fc.option(fc.integer({ min: 0, max: 2_000 }));
  const anyTerms = fc
    .record({
      partsPerMillion: fc.integer({ min: 0, max: 50_000 }),
      fixedInCents: fc.integer({ min: 0, max: 300 }),
      minimumInCents: bound,
      maximumInCents: bound,
    })
    .filter(({ minimumInCents: least, maximumInCents: most }) => (least ?? 0) <= (most ?? 2_000));
  const signAt = (one: FeeTerms, other: FeeTerms, amount: Cents) => {
    const [a, b] = [exactFeeOf(one, amount), exactFeeOf(other, amount)];
    return a < b ? -1 : a > b ? 1 : 0;
  };
  fc.assert(
    fc.property(anyTerms, anyTerms, fc.bigInt(1n, 1_000_000n), (one, other, value) => {
      const amount = cents(value);
      const before = [cents(1), ...feeCrossings(one, other)].filter((each) => each >= 1n && each <= amount);
      const start = before.reduce((last, each) => (each > last ? each : last));
      expect(signAt(one, other, amount)).toBe(signAt(one, other, start));
    }),
  );
});
