import { expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { isUuid, newId, newPaymentId } from '../../../src/core/base/ids.ts';
import { planPayment } from '../../../src/core/payments/plan-payment.ts';
import { parseCreatePayment } from '../../../src/core/payments/rules/create-payment-input.ts';
import type { RoutedCandidate } from '../../../src/core/routing/routing.ts';

test('a payment keeps 240 attempts, and then none of those that are skipped', () => {
  const at = new Date();
  const candidates = Array.from({ length: 300 }, (_, place): RoutedCandidate => ({
    provider: 'woovi',
    credentialId: newId(at),
    reason: 'fallback',
    skipped: place < 100 ? 'disabled' : null,
  }));
  const terms = { paymentId: newPaymentId(at), createdAt: at, clock: at, isKeyed: false };
  const input = parseCreatePayment('live', { amount: 10 });
  const plan = (of: RoutedCandidate[]) =>
    planPayment(operatorFor(newId(at), 'live'), input, of, terms).attempts;

  const most = plan(candidates.slice(0, 240));
  expect(most).toHaveLength(240);
  expect(most.every(({ id }) => isUuid(id))).toBe(true);
  const cut = plan(candidates);
  expect(cut.map(({ credentialId }) => credentialId)).toEqual(
    candidates.slice(100).map(({ credentialId }) => credentialId),
  );
  expect(cut[0]?.outcome).toBe('open');
});
