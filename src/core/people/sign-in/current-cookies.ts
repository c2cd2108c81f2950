import { createHmac } from 'node:crypto';
import { badRequest } from '../../base/errors.ts';
import type { KeyRing } from '../../encryption/rules/envelope.ts';
import { isSameSecret } from '../../encryption/rules/same-secret.ts';
import { signInSecrets } from './sign-in-secrets.ts';

/** Cookies of the sign-in library, by prefix. */
const ownCookie = /^(\s*(?:__Host-)?pix\.[^=]+=)(.*)$/;

/** Over HTTPS, no other host of the domain, such as a shop's blog, can set a cookie of this name. */
export const cookiePrefixAt = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-pix' : 'pix';

/**
 * Whether a `Cookie` header has a session. Fails for two, because one of them is somebody else's. Only the name in use counts,
 * as otherwise another host of the domain could lock everybody out with the other one.
 */
export function hasSessionCookie(cookies: string | undefined, publicUrl: string): boolean {
  const name = `${cookiePrefixAt(publicUrl)}.session_token=`;
  const { length } = cookies?.split(';').filter((each) => each.trimStart().startsWith(name)) ?? [];
  if (length > 1) throw badRequest('The session cookie was sent twice: clear the cookies of this site');
  return length === 1;
}

const sign = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('base64');

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * Re-signs cookies signed with another key of the ring, using the first key: the library accepts only one, and during a
 * rotation the nodes disagree about which.
 */
export function createCurrentCookies(keyRing: KeyRing): (cookies: string) => string {
  const [current = '', ...others] = signInSecrets(keyRing).map(({ value }) => value);

  function currentCookie(cookie: string): string {
    const [, name = '', value = ''] = ownCookie.exec(cookie) ?? [];
    const signed = decoded(value);
    const end = signed.lastIndexOf('.');
    if (end < 1) return cookie;
    const [text, signature] = [signed.slice(0, end), signed.slice(end + 1)];
    const isOther = others.some((secret) => isSameSecret(signature, sign(text, secret)));
    return isOther ? name + encodeURIComponent(`${text}.${sign(text, current)}`) : cookie;
  }

  return (cookies) => (others.length > 0 ? cookies.split(';').map(currentCookie).join(';') : cookies);
}
