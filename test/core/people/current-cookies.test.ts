import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { KeyRing } from '../../../src/core/encryption/rules/envelope.ts';
import { createCurrentCookies } from '../../../src/core/people/sign-in/current-cookies.ts';
import { signInSecrets } from '../../../src/core/people/sign-in/sign-in-secrets.ts';

const keyRing: KeyRing = ['new', 'old'].map((id) => ({ id, key: randomBytes(32) }));
const [now = '', before = ''] = signInSecrets(keyRing).map(({ value }) => value);
const current = createCurrentCookies(keyRing);

const cookie = (signature: string) => `pix.session_token=${encodeURIComponent(`token.${signature}`)}`;
const signed = (secret: string) => cookie(createHmac('sha256', secret).update('token').digest('base64'));

test('a cookie that the key before signed is signed with the one in use', () => {
  expect(current(signed(before))).toBe(signed(now));
});

test('a signature of the right length in other characters is left to be refused', () => {
  const forged = cookie('é'.repeat(44));
  expect(current(forged)).toBe(forged);
});
