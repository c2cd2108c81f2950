import { describe, expect, test } from '@jest/globals';
import { centsFromText } from '../../../src/core/base/money.ts';

describe('a typed amount', () => {
  test.each([
    ['19.90', 1990n],
    ['19,90', 1990n],
    ['19,9', 1990n],
    ['20', 2000n],
    ['R$ 1.234,56', 123456n],
    ['1.234', 123400n],
    ['1,234.56', 123456n],
    ['9.999.999.999,99', 999999999999n],
  ])('%s is accepted', (text, expected) => {
    expect(centsFromText(text)).toBe(expected);
  });

  test.each([
    '',
    'x',
    '-1',
    '1e3',
    '1,2345',
    '19,901',
    '1,234',
    '1.23.4',
    '1,234,5',
    '12.34,56',
    '0.500',
    '012.345,00',
    '0,100.50',
    '12345678901',
  ])('%p is not mistaken for another amount', (text) => {
    expect(centsFromText(text)).toBeUndefined();
  });
});
