import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  contrastOf,
  type HexColor,
  isHexColor,
  isSeenOnWhite,
  shadeSeenOnWhite,
  textColorOn,
} from '../../../../src/core/people/rules/brand-color.ts';

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value): HexColor => `#${value.toString(16).padStart(6, '0')}`);

describe('a brand color', () => {
  test.each(['', 'teal', '#fff', '#0f766', '#0f766ee', '#0f766g', 'rgb(0,0,0)', '#0f766e;'])(
    'is not written as %p',
    (text) => {
      expect(isHexColor(text)).toBe(false);
    },
  );

  // Values of the contrast checker of WebAIM.
  test.each([
    ['#000000', 21],
    ['#ffffff', 1],
    ['#767676', 4.54],
    ['#ff0000', 4],
    ['#ffd400', 1.43],
  ] as const)('%s has the contrast on white that WCAG defines', (given, contrast) => {
    expect(contrastOf(given, '#ffffff')).toBeCloseTo(contrast, 1);
  });

  test('always has text that is readable on it', () => {
    fc.assert(
      fc.property(color, (each) => {
        expect(contrastOf(each, textColorOn(each))).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  test('that cannot be seen has the lightest shade that can as its suggestion', () => {
    fc.assert(
      fc.property(color, (each) => {
        const shade = shadeSeenOnWhite(each);
        expect(isHexColor(shade) && isSeenOnWhite(shade)).toBe(true);
        if (isSeenOnWhite(each)) expect(shade).toBe(each);
        else expect(contrastOf(shade, '#ffffff')).toBeLessThan(3.4);
      }),
    );
  });
});
