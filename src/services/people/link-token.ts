import { hash, randomBytes } from 'node:crypto';

const secret = /^[\w-]{43}$/;

/** What a link carries behind its `#`, which browsers send to nobody. Only the hash of it is stored. */
export function makeLinkToken(): { token: string; tokenSha256: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenSha256: hash('sha256', token) };
}

/** Undefined for what cannot be one. */
export const hashOfLinkToken = (token: unknown): string | undefined =>
  typeof token === 'string' && secret.test(token) ? hash('sha256', token) : undefined;
