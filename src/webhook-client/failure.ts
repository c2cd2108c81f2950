import { errors } from 'undici';
import { notPublicCode } from '../network/connector.ts';

const wasCut = 'the connection was closed before a response';

const texts: Readonly<Record<string, string>> = {
  [notPublicCode]: 'the address is not public, and WEBHOOK_ALLOWED_HOSTS does not list its host',
  ENOTFOUND: 'the name does not resolve',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  ECONNRESET: wasCut,
  EPIPE: wasCut,
  UND_ERR_SOCKET: wasCut,
  UND_ERR_HEADERS_OVERFLOW: 'the response headers are too long',
  CERT_HAS_EXPIRED: 'TLS: certificate has expired',
  CERT_NOT_YET_VALID: 'TLS: certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'TLS: certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'TLS: certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'TLS: certificate is from an unknown authority',
};

const families: readonly (readonly [RegExp, string])[] = [
  [/^UNABLE_TO_|^CERT_/, 'TLS: certificate is not trusted'],
  [/^ERR_SSL_|^ERR_TLS_|^EPROTO$/, 'TLS: handshake failed'],
];

/** A one-line message for the owner of the endpoint, without address, headers or body. */
export function failureText(error: unknown): string {
  // Its code is usually missing.
  if (error instanceof errors.HTTPParserError) return 'the response is not HTTP';
  const code = codeOf(error);
  const family = families.find(([codes]) => codes.test(code));
  return texts[code] ?? family?.[1] ?? `the request failed${code && ` (${code})`}`;
}

/** Works across realms, where instanceof fails. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' && /^[A-Z0-9_]{1,80}$/.test(code) ? code : '';
}
