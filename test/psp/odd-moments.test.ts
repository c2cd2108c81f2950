import { describe, expect, test } from '@jest/globals';
import { cents } from '../../src/core/base/money.ts';
import { wires, withMember } from './paid-answers.ts';

const odd: unknown[] = [
  '0000-00-00',
  '0000-00-00 00:00:00',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '20255-11-20T12:00:00Z',
  '2026-13-41T12:00:00Z',
  'ontem',
  '',
  ' ',
  null,
  undefined,
  0,
  1_795_176_000_000,
  -1,
  true,
  {},
  [],
];

describe.each(Object.entries(wires))('money received at %s', (_, { paid, moments, read }) => {
  const received = {
    status: 'paid',
    receivedPix: [{ amountInCents: cents(11010), returnedInCents: cents(0) }],
  };

  test.each(moments)('is not held up by whatever is in %s', async (member) => {
    for (const value of odd) expect(await read(withMember(paid, member, value))).toMatchObject(received);
  });

  test('has no time if none can be read', async () => {
    const body = moments.reduce((each, member) => {
      // A member of one that is replaced as a whole.
      if (moments.some((other) => member.startsWith(`${other}.`))) return each;
      return withMember(each, member, 'ontem');
    }, paid);
    const charge = await read(body);
    expect(charge).toMatchObject({ ...received, expiresAt: null });
    expect(charge?.receivedPix[0]?.paidAt).toBeNull();
  });
});

describe('a cancelled charge whose time of payment cannot be read', () => {
  test.each([
    ['pagarme', 'canceled', 'charges.0.paid_amount'],
    ['pagbank', 'CANCELED', 'charges.0.amount.summary'],
  ] as const)('at %s is neither paid nor unpaid', async (name, status, sum) => {
    const { paid, read } = wires[name];
    const cancelled = withMember(withMember(paid, 'charges.0.status', status), sum, null);
    expect(await read(withMember(cancelled, 'charges.0.paid_at', 'ontem'))).toMatchObject({
      status: 'unrecognised',
      receivedPix: [],
    });
    for (const none of [null, '', undefined])
      expect(await read(withMember(cancelled, 'charges.0.paid_at', none))).toMatchObject({
        status: 'cancelled',
      });
  });
});
