import { hash, randomBytes } from 'node:crypto';

const secret = /^[\w-]{43}$/;

/** Links carry the token in the fragment, which browsers never send. Only its hash is stored. */
export function makeLinkToken(): { token: string; tokenSha256: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenSha256: hash('sha256', token) };
}

/** Undefined for anything that cannot be a token. */
export const hashOfLinkToken = (token: unknown): string | undefined =>
  typeof token === 'string' && secret.test(token) ? hash('sha256', token) : undefined;
