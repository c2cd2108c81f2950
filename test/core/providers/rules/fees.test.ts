import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cents, maximumAmountInReais } from '../../../../src/core/base/money.ts';
import { feeOf, shownTerms } from '../../../../src/core/providers/rules/fees/fees.ts';
import { parseFees } from '../../../../src/core/providers/rules/fees/fees-input.ts';

const terms = (input: object) => {
  const parsed = parseFees(input);
  if (!parsed) throw new Error('there are no fees');
  return parsed;
};

const fee = (input: object, amountInCents: number) => Number(feeOf(terms(input), cents(amountInCents)));

describe('fees are refused', () => {
  test.each([
    [{}, 'fees.percent is required unless fixed is given; 0 means that nothing is charged'],
    [{ minimum: 1 }, 'fees.percent is required unless fixed is given; 0 means that nothing is charged'],
    [{ percent: -0.01 }, 'fees.percent must be at least 0'],
    [{ percent: 100.01 }, 'fees.percent must be at most 100'],
    [{ percent: 0.00001 }, 'fees.percent must have at most four decimals'],
    [{ percent: '1' }, 'fees.percent must be a number'],
    [{ fixed: 0.005 }, 'fees.fixed must have at most two decimals'],
    [{ fixed: -1 }, 'fees.fixed must be at least 0'],
    [{ fixed: 1e12 }, `fees.fixed must be at most ${maximumAmountInReais}`],
    [{ percent: 1, minimum: 2, maximum: 1 }, 'fees.minimum must be at most maximum, 1'],
    [{ percent: 1, fee: 1 }, 'fees has unknown members: fee'],
    [[1], 'fees must be a JSON object'],
    ['1 %', 'fees must be a JSON object'],
  ])('%j', (input, message) => {
    expect(() => parseFees(input)).toThrow(message);
  });

  test('with every violation at once', () => {
    expect(() => parseFees({ percent: 101, fixed: -1 })).toThrow(
      'fees.percent must be at most 100; fees.fixed must be at least 0',
    );
  });
});

describe('the fee', () => {
  test.each([
    ['none', { percent: 0 }, 1_000, 0],
    ['a percentage', { percent: 0.99 }, 10_000, 99],
    ['half a centavo rounded up', { percent: 1 }, 50, 1],
    ['less than half a centavo rounded down', { percent: 1 }, 49, 0],
    ['a ten-thousandth of a percent', { percent: 0.0001 }, 100_000_000, 100],
    ['a fixed amount', { fixed: 0.85 }, 1, 85],
    ['both', { percent: 1, fixed: 0.4 }, 1_000, 50],
    ['the minimum of the sum', { percent: 1, fixed: 0.1, minimum: 0.5 }, 1_000, 50],
    ['the maximum of the sum', { percent: 1, fixed: 0.1, maximum: 10 }, 1_000_000, 1_000],
    ['the largest amount to the centavo', { percent: 100 }, 999_999_999_999, 999_999_999_999],
  ])('is %s', (_, input, amount, expected) => {
    expect(fee(input, amount)).toBe(expected);
  });

  const amount = fc.bigInt(1n, 999_999_999_999n).map((value) => cents(value));
  const anyTerms = fc
    .record({
      partsPerMillion: fc.integer({ min: 0, max: 1_000_000 }),
      fixedInCents: fc.integer({ min: 0, max: 100_000 }),
      bounds: fc.tuple(
        fc.option(fc.integer({ min: 0, max: 50_000 })),
        fc.option(fc.integer({ min: 50_000, max: 1e9 })),
      ),
    })
    .map(({ bounds: [minimumInCents, maximumInCents], ...rest }) => ({
      ...rest,
      minimumInCents,
      maximumInCents,
    }));

  test('is whole, within its bounds, and less than a centavo from the exact one', () => {
    fc.assert(
      fc.property(anyTerms, amount, (given, value) => {
        const exactInMillionths =
          value * BigInt(given.partsPerMillion) + BigInt(given.fixedInCents) * 1_000_000n;
        const result = feeOf(given, value);
        const { minimumInCents: minimum, maximumInCents: maximum } = given;
        expect(minimum === null || result >= BigInt(minimum)).toBe(true);
        expect(maximum === null || result <= BigInt(maximum)).toBe(true);
        const off = result * 1_000_000n - exactInMillionths;
        const isBound = result === BigInt(minimum ?? -1) || result === BigInt(maximum ?? -1);
        expect(isBound || (off <= 500_000n && off > -500_000n)).toBe(true);
      }),
    );
  });

  test('is never less for a larger amount', () => {
    fc.assert(
      fc.property(anyTerms, amount, amount, (given, one, other) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        expect(feeOf(given, less) <= feeOf(given, more)).toBe(true);
      }),
    );
  });

  test('is of the terms as they were given', () => {
    fc.assert(
      fc.property(anyTerms, (given) => {
        expect(parseFees(shownTerms(given))).toEqual(given);
      }),
    );
  });
});
