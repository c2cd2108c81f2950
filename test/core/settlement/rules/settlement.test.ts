import { describe, expect, test } from '@jest/globals';
import { cents } from '../../../../src/core/base/money.ts';
import type { CalendarDay } from '../../../../src/core/base/time/calendar-day.ts';
import type { Charge } from '../../../../src/core/providers/rules/charge.ts';
import { settle } from '../../../../src/core/settlement/rules/settlement.ts';

const expiresAt = new Date('2026-11-21T12:30:00Z');
const before = new Date(expiresAt.getTime() - 1);
type Settled = Parameters<typeof settle>[0];
const pending: Settled = {
  status: 'pending',
  mode: 'live',
  amountInCents: cents(2),
  due: null,
  debit: null,
  createdAt: new Date('2026-11-21T12:00:00Z'),
  expiresAt,
};
const day = '2026-11-21' as CalendarDay;
const debit: Settled = {
  ...pending,
  debit: {
    recurrence: 'RN1',
    dueOn: day,
    nextDebitOn: day,
    mayRetry: false,
    state: 'scheduled',
    attempts: [],
  },
};
const nothingNew = { newPix: [], isChosen: true, isCancelRequested: false, now: before };
const pix = { endToEndId: 'E1', amountInCents: cents(2), returnedInCents: cents(0), paidAt: before };

const chargeThat = (status: Charge['status']) => ({ status, expiresAt });

describe('a charge found cancelled', () => {
  test('before the payment expires was cancelled at the provider', () => {
    expect(settle(pending, chargeThat('cancelled'), nothingNew)).toEqual({
      status: 'cancelled',
      cancelledAt: before,
      nextCheckAt: new Date(before.getTime() + 60_000),
    });
  });

  test('in the sandbox, where no Pix can be in flight, is not looked at again', () => {
    const sandboxed: Settled = { ...pending, mode: 'test' };
    expect(settle(sandboxed, chargeThat('cancelled'), nothingNew)).toMatchObject({ nextCheckAt: null });
  });

  test('after the expiry was cancelled because of it, so the payment has expired', () => {
    const late = { ...nothingNew, now: expiresAt };
    expect(settle(pending, chargeThat('cancelled'), late)).toMatchObject({ status: 'expired', expiresAt });
  });

  test('after the expiry, as a debit that its payer had stopped, was cancelled all the same', () => {
    const late = { ...nothingNew, now: expiresAt };
    const stopped = { ...chargeThat('cancelled'), attempts: [{ on: day, state: 'cancelled' as const }] };
    expect(settle(debit, stopped, late)).toMatchObject({ status: 'cancelled' });
    expect(settle(debit, chargeThat('cancelled'), late)).toMatchObject({ status: 'failed' });
  });

  test('of a debit that no day helps any more, was cancelled because it had failed', () => {
    const refused = { on: day, state: 'rejected', reason: 'our_fault' } as const;
    const cancelled = { ...chargeThat('cancelled'), attempts: [refused] };
    expect(settle(debit, cancelled, nothingNew)).toMatchObject({ status: 'failed' });
    expect(settle(debit, cancelled, { ...nothingNew, isCancelRequested: true })).toMatchObject({
      status: 'cancelled',
    });
  });

  test('is cancelled at any time if a caller has just requested it', () => {
    const asked = { ...nothingNew, now: expiresAt, isCancelRequested: true };
    expect(settle(pending, chargeThat('cancelled'), asked)).toMatchObject({ status: 'cancelled' });
  });

  test('but paid completes the payment', () => {
    const received = { ...nothingNew, now: expiresAt, newPix: [pix] };
    expect(settle(pending, chargeThat('cancelled'), received)).toMatchObject({ status: 'completed' });
  });
});

describe('a Pix partly or fully returned before it was first seen', () => {
  const partly = { ...pix, returnedInCents: cents(1) };
  const wholly = { ...pix, endToEndId: 'E2', returnedInCents: cents(2) };
  const settled = (newPix: (typeof pix)[], from: Partial<typeof pending> = {}) =>
    settle({ ...pending, ...from }, chargeThat('paid'), { ...nothingNew, newPix });

  test('completes the payment with the returned amount', () => {
    expect(settled([partly])).toMatchObject({ status: 'completed', refundedInCents: cents(1) });
  });

  test.each(['pending', 'expired', 'cancelled'] as const)(
    'wholly leaves one that is %s refunded',
    (status) => {
      expect(settled([wholly], { status })).toMatchObject({
        status: 'refunded',
        refundedInCents: cents(2),
        confirmedAt: before,
      });
    },
  );

  test('if fully returned, changes nothing about a payment paid by another Pix', () => {
    expect(settled([wholly], { status: 'completed' })).toBeUndefined();
    expect(settled([wholly], { status: 'refunded' })).toBeUndefined();
    const notChosen = { ...nothingNew, newPix: [wholly], isChosen: false };
    expect(settle(pending, chargeThat('paid'), notChosen)).toBeUndefined();
  });

  test('if fully returned, is passed over for one that was not', () => {
    const change = settled([wholly, partly]);
    expect(change).toMatchObject({ status: 'completed', refundedInCents: cents(1) });
    expect(change).not.toHaveProperty('duplicatePayment');
    expect(settled([wholly, partly, pix])).toMatchObject({ duplicatePayment: true });
  });
});

test.each(['active', 'paid', 'contested', 'unrecognised'] as const)(
  'a charge that is %s, without a Pix, ends nothing',
  (status) => {
    expect(settle(pending, chargeThat(status), { ...nothingNew, now: expiresAt })).toBeUndefined();
  },
);
