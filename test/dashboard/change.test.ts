import { expect, test } from '@jest/globals';
import { changeFormat, changeOf, directionOf } from '../../src/dashboard/pages/overview/change.ts';

const points = new Intl.NumberFormat('pt-BR', changeFormat);

test.each([
  [0.5, 0.5, '0', 0],
  [0.50049, 0.5, '0', 0],
  [0.49951, 0.5, '0', -0],
  [0.501, 0.5, '+0,1', 1],
  [0.499, 0.5, '-0,1', -1],
])(
  'a conversion of %d after %d is shown as %s, and coloured only where that is not zero',
  (value, before, shown, direction) => {
    const change = changeOf(value, before, true);
    expect(points.format(change * 100)).toBe(shown);
    expect(directionOf(change)).toBe(direction);
  },
);

test('other figures change relatively', () => {
  expect(changeOf(150, 100, false)).toBe(0.5);
  expect(directionOf(changeOf(100_001, 100_000, false))).toBe(0);
});
