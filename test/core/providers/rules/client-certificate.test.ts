import { describe, expect, test } from '@jest/globals';
import {
  certificateDaysLeft,
  certificateStateOf,
} from '../../../../src/core/providers/rules/client-certificate.ts';
import { certificateFinding } from '../../../../src/core/providers/check-credential.ts';

const now = new Date('2026-11-22T12:00:00Z');
const after = (days: number, milliseconds = 0) => new Date(now.getTime() + days * 86_400_000 + milliseconds);

test.each([
  [after(30), 'valid', 30],
  [after(30, -1), 'expiring', 29],
  [after(0, 1), 'expiring', 0],
  [after(0, -1), 'expired', -1],
  [after(-400), 'expired', -400],
])('a certificate that ends at %s is %s, with %i days left', (expiresAt, state, daysLeft) => {
  expect(certificateStateOf(expiresAt, now)).toBe(state);
  expect(certificateDaysLeft(expiresAt, now)).toBe(daysLeft);
});

describe('the check finds a certificate', () => {
  test.each([
    ['fine while it is valid', after(-1), after(1), { outcome: 'ok', reason: null }],
    ['expired at its end', after(-2), now, { outcome: 'failed', reason: 'certificate_expired' }],
    [
      'not valid yet',
      after(1),
      after(2),
      {
        outcome: 'failed',
        reason: 'certificate_not_yet_valid',
        detail: 'valid from 2026-11-23T12:00:00.000Z',
      },
    ],
  ])('%s', (_, validFrom, expiresAt, finding) => {
    expect(certificateFinding({ validFrom, expiresAt }, now)).toMatchObject(finding);
  });

  test('absent', () => {
    expect(certificateFinding(null, now)).toMatchObject({ outcome: 'skipped', reason: 'no_certificate' });
  });
});
