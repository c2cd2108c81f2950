import { describe, expect, test } from '@jest/globals';
import { cents } from '../../src/core/base/money.ts';
import { wires, withMember } from './paid-answers.ts';

describe.each(Object.entries(wires))('money received at %s', (_, { paid, details, returns, read }) => {
  const received = {
    status: 'paid',
    receivedPix: [{ amountInCents: cents(11010), returnedInCents: cents(0) }],
  };

  test.each(details)('is not held up by another kind of value in %s', async (member) => {
    for (const value of [-1, 1e308, true, 'x', 'a\0b', [], [null], {}])
      expect(await read(withMember(paid, member, value))).toMatchObject(received);
  });

  if (returns) {
    const { at: list, good } = returns;

    test.each([null, 'x', 1, {}, { ...good, status: 7 }, { ...good, amount: -1, value: -1, valor: '-1.00' }])(
      'is not held up by a return that cannot be read, such as %p, which hides no other',
      async (bad) => {
        expect(await read(withMember(paid, list, [bad]))).toMatchObject({
          ...received,
          missing: { failure: 'unknown' },
        });
        for (const items of [
          [bad, good],
          [good, bad],
        ])
          expect(await read(withMember(paid, list, items))).toMatchObject({
            status: 'paid',
            receivedPix: [{ amountInCents: cents(11010), returnedInCents: cents(10_10) }],
            missing: { failure: 'unknown' },
          });
      },
    );
  }
});
