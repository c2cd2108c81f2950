import { describe, expect, test } from '@jest/globals';
import { cents } from '../../src/domain/money.ts';
import type { Charge } from '../../src/domain/psp.ts';
import { settle } from '../../src/domain/settlement.ts';

const expiresAt = new Date('2026-11-21T12:30:00Z');
const before = new Date(expiresAt.getTime() - 1);
const pending = { status: 'pending' as const, expiresAt };
const nothingNew = { newPix: [], isChosen: true, isCallersCancel: false, now: before };
const pix = { endToEndId: 'E1', amountInCents: cents(1), paidAt: before };

const chargeThat = (status: Charge['status']) => ({ status, expiresAt });

describe('a charge that is found cancelled', () => {
  test('before the payment expires was cancelled at the provider', () => {
    expect(settle(pending, chargeThat('cancelled'), nothingNew)).toEqual({
      status: 'cancelled',
      nextCheckAt: null,
    });
  });

  test('once its time is over has expired: it was cancelled because of that', () => {
    const late = { ...nothingNew, now: expiresAt };
    expect(settle(pending, chargeThat('cancelled'), late)).toMatchObject({ status: 'expired', expiresAt });
  });

  test('is cancelled at any time when a caller has just asked for it', () => {
    const asked = { ...nothingNew, now: expiresAt, isCallersCancel: true };
    expect(settle(pending, chargeThat('cancelled'), asked)).toMatchObject({ status: 'cancelled' });
  });

  test('and was paid all the same completes the payment', () => {
    const received = { ...nothingNew, now: expiresAt, newPix: [pix] };
    expect(settle(pending, chargeThat('cancelled'), received)).toMatchObject({ status: 'completed' });
  });
});

test.each(['active', 'paid', 'unrecognised'] as const)(
  'a charge that is %s, without a Pix, ends nothing',
  (status) => {
    expect(settle(pending, chargeThat(status), { ...nothingNew, now: expiresAt })).toBeUndefined();
  },
);
