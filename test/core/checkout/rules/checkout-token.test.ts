import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { newPaymentId } from '../../../../src/core/base/ids.ts';
import {
  signCheckoutToken,
  verifyCheckoutToken,
} from '../../../../src/core/checkout/rules/checkout-token.ts';

const key = randomBytes(32);
const id = newPaymentId(new Date());
const token = signCheckoutToken(key, 'payment', id);

test('a token gives back the id that it was signed for, and is the same every time', () => {
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(verifyCheckoutToken(key, 'payment', token)).toBe(id);
  expect(signCheckoutToken(key, 'payment', id)).toBe(token);
});

test('a token of one kind, or of another key, opens nothing', () => {
  expect(verifyCheckoutToken(key, 'link', token)).toBeUndefined();
  expect(verifyCheckoutToken(randomBytes(32), 'payment', token)).toBeUndefined();
  expect(signCheckoutToken(key, 'link', id)).not.toBe(token);
});

test('a token with any bit changed opens nothing, nor does its id with the signature of another', () => {
  const bytes = Buffer.from(token, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(verifyCheckoutToken(key, 'payment', changed.toString('base64url'))).toBeUndefined();
  }
  const other = Buffer.from(signCheckoutToken(key, 'payment', newPaymentId(new Date())), 'base64url');
  const mixed = Buffer.concat([bytes.subarray(0, 16), other.subarray(16)]).toString('base64url');
  expect(verifyCheckoutToken(key, 'payment', mixed)).toBeUndefined();
});

test('a token has one spelling, although its last character has bits to spare', () => {
  const bytes = Buffer.from(token, 'base64url');
  for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
    const text = token.slice(0, -1) + last;
    if (text === token || !Buffer.from(text, 'base64url').equals(bytes)) continue;
    expect(verifyCheckoutToken(key, 'payment', text)).toBeUndefined();
  }
});

test.each([
  '',
  id,
  token.slice(1),
  `${token}A`,
  `${token.slice(0, -1)}=`,
  `${token.slice(0, -1)}é`,
  'x'.repeat(10_000),
])('text %# of these is no token', (text) => {
  expect(verifyCheckoutToken(key, 'payment', text)).toBeUndefined();
});
