import { describe, expect, test } from '@jest/globals';
import { cents } from '../../../../src/core/base/money.ts';
import { claimedInCents, disputesIn } from '../../../../src/core/settlement/rules/reported-disputes.ts';
import type { Charge, PspDispute } from '../../../../src/core/providers/rules/charge.ts';

const dispute = (changes: Partial<PspDispute> = {}): PspDispute => ({
  reference: 'one',
  state: 'open',
  amountInCents: cents(500),
  reason: 'FRAUD',
  defenceUntil: null,
  openedAt: null,
  ...changes,
});

const known = ({ reference, ...about } = dispute()) => ({ ...about, pspReference: reference, answer: null });

const report = (changes: Partial<Charge> = {}, returned = 0) => ({
  status: 'paid' as const,
  disputes: [],
  receivedPix: [
    { endToEndId: 'E1', amountInCents: cents(1_000), returnedInCents: cents(returned), paidAt: new Date(0) },
  ],
  ...changes,
});

describe('the claims that a report shows', () => {
  test('are those that it lists', () => {
    const listed = [dispute({ state: 'won' })];
    expect(disputesIn(report({ disputes: listed }), [known()])).toEqual(listed);
  });

  test.each([
    ['won, while all that was claimed is left', 500, 'won'],
    ['lost, once a part of that has gone', 501, 'lost'],
    ['lost, once nothing is left', 1_000, 'lost'],
  ] as const)('include an open one that is gone: %s', (_, returned, state) => {
    expect(disputesIn(report({}, returned), [known()])).toEqual([dispute({ state })]);
  });

  test.each<[string, ReturnType<typeof report> | Pick<Charge, 'status' | 'receivedPix'>]>([
    ['while the charge is contested', report({ status: 'contested', receivedPix: [] })],
    ['while the Pix is not shown', report({ receivedPix: [] })],
    ['if the report says nothing about claims', { status: 'paid', receivedPix: report().receivedPix }],
  ])('leave an open one as it is %s', (_, given) => {
    expect(disputesIn(given, [known()])).toEqual([]);
  });

  test('leave a decided one that is gone as it is', () => {
    expect(disputesIn(report(), [known(dispute({ state: 'lost' }))])).toEqual([]);
  });
});

test.each([
  ['as told', 400, 400],
  ['all that came in, if more is told', 99_999_900, 1_000],
  ['all that came in, if nothing is told', 0, 1_000],
  ['all that came in, if less than nothing is told', -5, 1_000],
])('the amount of a claim is %s', (_, told, amount) => {
  expect(claimedInCents(cents(told), cents(500), report().receivedPix)).toBe(cents(amount));
  expect(claimedInCents(cents(told), cents(1_000), [])).toBe(cents(amount));
});
