import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Mode } from '../../../../src/core/base/mode.ts';
import { cents, centsFromReais } from '../../../../src/core/base/money.ts';
import {
  noRules,
  type OrganizationRoutes,
  type RoutableCredential,
  routeCandidates,
  type RoutingRules,
} from '../../../../src/core/routing/rules/routing.ts';
import { lintRuleSet } from '../../../../src/core/routing/rules/rule-set-lint.ts';
import { type RuleSetWarning, warningOf } from '../../../../src/core/routing/rules/rule-set-warning.ts';
import { weekdays } from '../../../../src/core/routing/rules/time-window.ts';
import { boundMs } from '../../../support/chance.ts';

const credential = (id: string, enabled = true): RoutableCredential => ({
  id,
  provider: 'woovi',
  enabled,
  needsPayer: [],
  amountLimits: {},
});

const known = new Map(
  [
    credential('first'),
    credential('second'),
    credential('third'),
    credential('off', false),
    { ...credential('from five'), amountLimits: { minimum: cents(500) } },
    { ...credential('to fifty'), amountLimits: { maximum: cents(5000) } },
  ].map((each) => [each.id, each]),
);

const range = (from: number, to: number, credentialId: string) => ({
  fromCents: centsFromReais(from) ?? cents(0),
  toCents: centsFromReais(to) ?? cents(0),
  credentialId,
});

const everything = (credentialId: string) => range(0.01, 9_999_999_999.99, credentialId);

const noRoutes: OrganizationRoutes = {
  defaultId: null,
  defaultFallbackIds: [],
  diversions: {},
  failingIds: [],
};

function warnings(rules: Partial<RoutingRules>, organizationDefaultId: string | null = null) {
  const whole = { ...noRules, ...rules };
  return lintRuleSet('test', whole, { ...noRoutes, defaultId: organizationDefaultId }, known).map(warningOf);
}

const messages = (kind: RuleSetWarning['kind'], found: RuleSetWarning[]): string[] =>
  found.filter((warning) => warning.kind === kind).map(({ message }) => message);

describe('a gap', () => {
  test('covers everything when there are no ranges and no default', () => {
    expect(warnings({})).toEqual([
      { kind: 'gap', message: 'no enabled credential takes 0.01 to 9999999999.99' },
    ]);
  });

  test('is reported for each stretch before, between and after the ranges, in ascending order', () => {
    const ranges = [range(200, 300, 'second'), range(10, 100, 'first')];
    expect(messages('gap', warnings({ ranges }))).toEqual([
      'no enabled credential takes 0.01 to 9.99',
      'no enabled credential takes 100.01 to 199.99',
      'no enabled credential takes 300.01 to 9999999999.99',
    ]);
  });

  test('may be a single centavo', () => {
    const ranges = [range(0.01, 99.99, 'first'), range(100.01, 9_999_999_999.99, 'second')];
    expect(warnings({ ranges })).toEqual([{ kind: 'gap', message: 'no enabled credential takes 100.00' }]);
  });

  test('remains where only a disabled credential has a range', () => {
    const ranges = [range(0.01, 100, 'off'), range(100.01, 9_999_999_999.99, 'first')];
    expect(messages('gap', warnings({ ranges }))).toEqual(['no enabled credential takes 0.01 to 100.00']);
  });

  test('remains when default and fallbacks are disabled', () => {
    const rules = { defaultCredentialId: 'off', fallbackCredentialIds: ['off'] };
    expect(messages('gap', warnings(rules, 'first'))).toHaveLength(1);
  });

  test.each([
    ['the default', { defaultCredentialId: 'second' }, null],
    ["the organization's default", {}, 'second'],
    ['a fallback', { fallbackCredentialIds: ['second'] }, null],
  ])('is closed where %s takes the rest', (_name, rest, organizationDefaultId) => {
    expect(warnings({ ranges: [range(10, 100, 'first')], ...rest }, organizationDefaultId)).toEqual([]);
  });

  test('does not exist between ranges that meet to the centavo', () => {
    const ranges = [range(0.01, 100, 'first'), range(100.01, 9_999_999_999.99, 'second')];
    expect(warnings({ ranges })).toEqual([]);
  });
});

describe('an overlap', () => {
  test('names the amounts, both credentials and the one tried first', () => {
    const ranges = [range(1, 100, 'first'), range(50, 200, 'second')];
    expect(warnings({ ranges }, 'third')).toEqual([
      {
        kind: 'overlap',
        message: '50.00 to 100.00 is in the ranges of first and second: the first one wins',
      },
    ]);
  });

  test('may be a single centavo, as both ends of a range are inclusive', () => {
    const ranges = [range(1, 100, 'first'), range(100, 200, 'second')];
    expect(messages('overlap', warnings({ ranges }, 'third'))).toEqual([
      '100.00 is in the ranges of first and second: the first one wins',
    ]);
  });

  test('is reported once per pair', () => {
    const ranges = [range(1, 10, 'first'), range(5, 20, 'second'), range(8, 30, 'third')];
    expect(messages('overlap', warnings({ ranges }, 'third'))).toHaveLength(3);
  });

  test('does not exist between ranges of one credential', () => {
    const ranges = [range(1, 100, 'first'), range(50, 200, 'first')];
    expect(warnings({ ranges }, 'third')).toEqual([]);
  });
});

describe('a range that is never the first choice', () => {
  const shadowed = (amounts: string, id: string) =>
    `the range ${amounts} of ${id} is never the first choice: earlier enabled ranges cover it, so the credential is only a fallback there`;

  test('lies within an earlier one', () => {
    const ranges = [range(1, 100, 'first'), range(10, 20, 'second')];
    expect(messages('unreachable', warnings({ ranges }, 'third'))).toEqual([
      shadowed('10.00 to 20.00', 'second'),
    ]);
  });

  test('has the same ends as an earlier one', () => {
    const ranges = [range(1, 100, 'first'), range(1, 100, 'second')];
    expect(messages('unreachable', warnings({ ranges }, 'third'))).toEqual([
      shadowed('1.00 to 100.00', 'second'),
    ]);
  });

  test('lies within several earlier ones together, in any order', () => {
    const ranges = [range(50.01, 100, 'second'), range(1, 50, 'first'), range(20, 80, 'third')];
    expect(messages('unreachable', warnings({ ranges }, 'first'))).toEqual([
      shadowed('20.00 to 80.00', 'third'),
    ]);
  });

  test('has no effect when the earlier one is of the same credential', () => {
    const ranges = [range(1, 100, 'first'), range(10, 20, 'first')];
    expect(warnings({ ranges }, 'third')).toEqual([
      {
        kind: 'unreachable',
        message:
          'the range 10.00 to 20.00 of first has no effect: earlier ranges of the same credential cover it',
      },
    ]);
  });

  test('is not reported if one centavo of it is left', () => {
    const ranges = [range(1, 49.99, 'first'), range(50.01, 100, 'first'), range(20, 80, 'second')];
    expect(messages('unreachable', warnings({ ranges }, 'third'))).toEqual([]);
  });

  test('is not reported if the range around it comes later', () => {
    const ranges = [range(10, 20, 'second'), range(1, 100, 'first')];
    expect(messages('unreachable', warnings({ ranges }, 'third'))).toEqual([]);
  });

  test('is not reported if the credential of the earlier one is disabled', () => {
    const ranges = [range(1, 100, 'off'), range(10, 20, 'second')];
    expect(messages('unreachable', warnings({ ranges }, 'third'))).toEqual([]);
  });

  test('is reported exactly where routing never starts with it', () => {
    const limit = 6;
    const amount = fc.integer({ min: 1, max: limit });
    const id = fc.constantFrom('first', 'second', 'third', 'off');
    const anyRange = fc
      .tuple(amount, amount, id)
      .map(([a, b, credentialId]) => range(Math.min(a, b) / 100, Math.max(a, b) / 100, credentialId));
    fc.assert(
      fc.property(fc.array(anyRange, { maxLength: 5 }), (earlier) => {
        // It has a credential of its own, so that whoever is tried first shows which range decided.
        const last = { ...range(0.02, 0.05, 'last'), credentialId: 'last' };
        const credentials = new Map([...known, ['last', credential('last')]]);
        const rules = { ...noRules, ranges: [...earlier, last] };
        const isEverFirst = [2n, 3n, 4n, 5n].some((amountInCents) => {
          const candidates = routeCandidates(
            { by: 'rule_set', rules },
            { amountInCents: cents(amountInCents), at: new Date() },
            noRoutes,
            credentials,
          );
          return candidates.find((each) => each.credential.enabled)?.credential.id === 'last';
        });
        const told = messages(
          'unreachable',
          lintRuleSet('test', rules, { ...noRoutes, defaultId: 'first' }, credentials).map(warningOf),
        );
        expect(told.some((message) => message.includes(' of last '))).toBe(!isEverFirst);
      }),
    );
  });
});

test('a range that contains no amount is reported', () => {
  const ranges = [range(0, 0, 'second'), range(20, 10, 'third')];
  expect(messages('unreachable', warnings({ ranges }, 'first'))).toEqual([
    'the range of second contains no amount',
    'the range of third contains no amount',
  ]);
});

describe('a fallback that is never reached', () => {
  test('is already the default, or listed twice', () => {
    const rules = { defaultCredentialId: 'first', fallbackCredentialIds: ['first', 'second', 'second'] };
    expect(warnings(rules)).toEqual([
      { kind: 'unreachable', message: 'the fallback first has no effect: it is already tried earlier' },
      { kind: 'unreachable', message: 'the fallback second has no effect: it is already tried earlier' },
    ]);
  });

  test('is not reported if it also has a range: other amounts need it', () => {
    expect(warnings({ ranges: [range(1, 10, 'first')], fallbackCredentialIds: ['first'] })).toEqual([]);
  });
});

describe('a split', () => {
  const split = [
    { credentialId: 'first', percent: 60 },
    { credentialId: 'second', percent: 40 },
  ];

  test('is reported where ranges take every amount', () => {
    expect(messages('unreachable', warnings({ ranges: [everything('third')], split }))).toEqual([
      'the split has no effect: ranges take every amount',
    ]);
    expect(warnings({ ranges: [range(1, 10, 'third')], split })).toEqual([]);
  });

  test('leaves no gap, and makes a fallback that it has already needless', () => {
    expect(warnings({ split, fallbackCredentialIds: ['second'] })).toEqual([
      { kind: 'unreachable', message: 'the fallback second has no effect: it is already tried earlier' },
    ]);
  });
});

describe('a credential', () => {
  test.each([
    ['a range', { ranges: [range(1, 10, 'off')] }, 'first'],
    ['the default', { defaultCredentialId: 'off' }, 'first'],
    ["the organization's default", { fallbackCredentialIds: ['first'] }, 'off'],
    ['a fallback', { fallbackCredentialIds: ['off'] }, 'first'],
    ['a split', { split: [{ credentialId: 'off', percent: 1 }] }, 'first'],
    ['a window', { when: [{ from: '22:00', to: '06:00', days: weekdays, credentialId: 'off' }] }, 'first'],
  ])('is reported if disabled, when it is in %s', (_name, rules, organizationDefaultId) => {
    expect(warnings(rules, organizationDefaultId)).toContainEqual({
      kind: 'disabled',
      message: 'credential off is disabled and will be skipped',
    });
  });

  test('is reported if unknown', () => {
    expect(warnings({ fallbackCredentialIds: ['nobody'] }, 'first')).toEqual([
      { kind: 'unknown_credential', message: 'credential nobody does not exist' },
    ]);
  });

  test('is reported once, however often it occurs', () => {
    const ranges = [range(1, 10, 'off'), range(20, 30, 'off')];
    const rules = { ranges, defaultCredentialId: 'off', fallbackCredentialIds: ['first'] };
    expect(messages('disabled', warnings(rules))).toHaveLength(1);
  });
});

test('the sandbox takes live payments no more than a disabled credential does', () => {
  const sandbox = { ...credential('sandbox'), provider: 'sandbox' };
  const credentials = new Map([...known, ['sandbox', sandbox]]);
  const rules = {
    ...noRules,
    ranges: [everything('sandbox'), range(1, 10, 'first')],
    defaultCredentialId: 'sandbox',
  };
  const kinds = (mode: Mode) => lintRuleSet(mode, rules, noRoutes, credentials).map(({ kind }) => kind);
  expect(kinds('test')).toEqual(['overlap', 'hidden_range']);
  expect(kinds('live')).toEqual(['gap', 'gap', 'overlap', 'sandbox_only']);
});

test('a flawless rule set has no warnings', () => {
  const ranges = [range(0.01, 100, 'first'), range(100.01, 9_999_999_999.99, 'second')];
  expect(warnings({ ranges, defaultCredentialId: 'third', fallbackCredentialIds: ['first'] })).toEqual([]);
  expect(warnings({ ranges: [everything('first')] })).toEqual([]);
});

describe('many findings', () => {
  const alternating = (count: number) =>
    Array.from({ length: count }, (_, index) => range(1, 100, index % 2 === 0 ? 'first' : 'second'));

  test('of the same credentials and amounts are merged', () => {
    expect(messages('overlap', warnings({ ranges: alternating(100) }, 'third'))).toEqual([
      '1.00 to 100.00 is in the ranges of first and second: the first one wins',
      '1.00 to 100.00 is in the ranges of second and first: the first one wins',
    ]);
  });

  test('are merged where they meet to the centavo', () => {
    const ranges = [
      range(1, 10, 'first'),
      range(1, 5, 'second'),
      range(5.01, 10, 'second'),
      range(8, 20, 'second'),
    ];
    expect(messages('overlap', warnings({ ranges }, 'third'))).toEqual([
      '1.00 to 10.00 is in the ranges of first and second: the first one wins',
    ]);
  });

  test('are cut to twenty of each kind and the number of the others', () => {
    const ranges = Array.from({ length: 100 }, (_, index) => range(index * 2 + 1, index * 2 + 1, 'first'));
    const found = warnings({ ranges, fallbackCredentialIds: ['off'] });
    expect(messages('gap', found)).toHaveLength(20);
    expect(messages('disabled', found)).toHaveLength(1);
    expect(found.at(-1)).toEqual({ kind: 'more', message: 'and 81 more' });
  });

  test('in a rule set older than the limit are found quickly', () => {
    const ranges = Array.from({ length: 2_000 }, (_, index) =>
      range(1, index + 2, index % 2 ? 'first' : 'second'),
    );
    const startedAt = performance.now();
    expect(warnings({ ranges }, 'third').length).toBeLessThan(100);
    expect(performance.now() - startedAt).toBeLessThan(boundMs(1_000));
  });
});

describe('the limits of a provider', () => {
  const both = warnings({ ranges: [everything('from five'), everything('to fifty')] });

  test('leave out the amounts of a range that it does not accept, with the rule', () => {
    expect(messages('outside_limits', both)).toEqual([
      'credential from five will be skipped for 0.01 to 4.99: its provider requires at least 5.00',
      'credential to fifty will be skipped for 50.01 to 9999999999.99: its provider requires at most 50.00',
    ]);
  });

  test('leave no gap and no overlap where another credential is the only one to accept them', () => {
    expect(messages('gap', both)).toEqual([]);
    expect(messages('overlap', both)).toEqual([
      '5.00 to 50.00 is in the ranges of from five and to fifty: the first one wins',
    ]);
  });

  test('make a gap, also where the default is the one that has them', () => {
    expect(warnings({ defaultCredentialId: 'from five' })).toEqual([
      { kind: 'gap', message: 'no enabled credential takes 0.01 to 4.99' },
    ]);
  });

  test('hide no later range that accepts what an earlier one does not', () => {
    const ranges = [range(0.01, 100, 'from five'), range(0.01, 4.99, 'first'), range(5, 10, 'second')];
    expect(messages('unreachable', warnings({ ranges }))).toEqual([
      'the range 5.00 to 10.00 of second is never the first choice: earlier enabled ranges cover it, so the credential is only a fallback there',
    ]);
  });

  test('leave nothing of a range below them', () => {
    const ranges = [range(1, 4.99, 'from five')];
    expect(warnings({ ranges, defaultCredentialId: 'first' })).toEqual([
      {
        kind: 'outside_limits',
        message: 'credential from five will be skipped for 1.00 to 4.99: its provider requires at least 5.00',
      },
    ]);
  });
});
