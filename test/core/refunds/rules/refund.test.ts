import { expect, test } from '@jest/globals';
import { refundFailureOf } from '../../../../src/core/refunds/rules/refund.ts';

test.each([
  [undefined, 'not_carried_out'],
  ['the provider refused the request (HTTP 400, saldo_insuficiente)', 'insufficient_balance'],
  ['the provider refused the request (HTTP 422, insufficient_funds)', 'insufficient_balance'],
  ['the provider refused the request (HTTP 400)', 'refused_by_provider'],
])('a refund that ends with %j has failed as %s', (reason, failure) => {
  expect(refundFailureOf(reason)).toBe(failure);
});
