import { describe, expect, test } from '@jest/globals';
import {
  isTokenOf,
  readIdentity,
  withUserInfo,
} from '../../../../src/core/people/rules/provided-identity.ts';

const provider = {
  roleClaim: 'groups',
  roles: [
    { role: 'owner', value: 'pix-owners' },
    { role: 'support', value: 'everybody' },
  ],
} as const;

const claims = { sub: '7', email: 'Ana@Example.com', email_verified: true, groups: ['everybody'] };

describe('an identity', () => {
  test('has the address in lower case, and a name', () => {
    const identity = { subject: '7', email: 'ana@example.com', name: 'ana@example.com', role: 'support' };
    expect(readIdentity(claims, provider)).toEqual(identity);
    expect(readIdentity({ ...claims, name: ' Ana Lima ' }, provider).name).toBe('Ana Lima');
  });

  test.each([undefined, false, 'false', 1, null, ['true']])(
    'is refused when the address is verified as %p',
    (verified) => {
      const unverified = { ...claims, email_verified: verified };
      expect(() => readIdentity(unverified, provider)).toThrow('email_not_verified');
    },
  );

  test.each([
    { email: undefined },
    { email: 'ana' },
    { email: '\u212Aim@example.com' },
    { sub: undefined },
    { sub: '' },
  ])('is refused with %p', (wrong) => {
    expect(() => readIdentity({ ...claims, ...wrong }, provider)).toThrow('email_not_verified');
  });

  test('has the role of the first pair that matches, whatever the order of the groups', () => {
    const groups = ['everybody', 'pix-owners'];
    expect(readIdentity({ ...claims, groups }, provider).role).toBe('owner');
    expect(readIdentity({ ...claims, groups: 'pix-owners' }, provider).role).toBe('owner');
  });

  test.each([undefined, [], 'owner', ['owner'], ['PIX-OWNERS'], { everybody: true }, 'pix-owners everybody'])(
    'is refused with the groups %p',
    (groups) => {
      expect(() => readIdentity({ ...claims, groups }, provider)).toThrow('no_role');
    },
  );

  test('has its groups in a claim of any name, or within one', () => {
    const { groups: _groups, ...others } = claims;
    const roleOf = (more: object, roleClaim: string) =>
      readIdentity({ ...others, ...more }, { ...provider, roleClaim }).role;
    expect(roleOf({ realm_access: { roles: ['pix-owners'] } }, 'realm_access.roles')).toBe('owner');
    const name = 'https://pay.example.com/roles';
    expect(roleOf({ [name]: ['everybody'] }, name)).toBe('support');
    expect(() => roleOf({}, 'constructor.name')).toThrow('no_role');
  });
});

describe('the claims of an ID token, with those of the other endpoint', () => {
  const token = { sub: '7', groups: ['everybody'] };
  const email = 'ana@example.com';
  const other = 'owner@example.com';

  test('are of the same person only', () => {
    expect(withUserInfo(token, { sub: '8', email, email_verified: true })).toEqual(token);
    expect(withUserInfo(token, { email, email_verified: true })).toEqual(token);
  });

  test.each([
    ['both stand there', {}, { email, email_verified: true }, email, true],
    [
      'it says of the same address that it is verified',
      { email },
      { email, email_verified: true },
      email,
      true,
    ],
    ['it vouches for another address', { email: other }, { email, email_verified: true }, other, undefined],
    ['it vouches for none', { email: other }, { email_verified: true }, other, undefined],
    [
      'the token vouches for an address that it does not name',
      { email_verified: true },
      { email: other },
      other,
      undefined,
    ],
    [
      'the token does not vouch',
      { email, email_verified: false },
      { email, email_verified: true },
      email,
      false,
    ],
    [
      'the token has all',
      { email, email_verified: true },
      { email: other, email_verified: false },
      email,
      true,
    ],
  ])('are an address and who vouches for it, where %s', (_name, more, userInfo, address, verified) => {
    const all = withUserInfo({ ...token, ...more }, { sub: '7', name: 'Ana', ...userInfo });
    expect(all).toEqual({ ...token, name: 'Ana', email: address, email_verified: verified });
  });
});

test.each([
  [{ exp: 1_800_000_000, aud: 'pix' }, true],
  [{ exp: 1_800_000_000, aud: ['pix'] }, true],
  [{ exp: 1_800_000_000, aud: ['pix', 'shop'], azp: 'pix' }, true],
  [{ aud: 'pix' }, false],
  [{ exp: '1800000000', aud: 'pix' }, false],
  [{ exp: 1_800_000_000, aud: 'pix', azp: 'shop' }, false],
  [{ exp: 1_800_000_000, aud: 'pix', azp: null }, false],
  [{ exp: 1_800_000_000, aud: ['pix', 'shop'] }, false],
])('an ID token that ends and was issued to the client: %j is %p', (claims, expected) => {
  expect(isTokenOf('pix', claims)).toBe(expected);
});
