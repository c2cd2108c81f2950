import { notPublicCode } from '../../network/connector.ts';

export interface HttpFailure {
  /** Without a host, a body or a secret. */
  text: string;
  /** The TLS connection was never made, even where the request had been written into it. */
  isHandshake: boolean;
}

const isCut = 'the provider cut the connection';

const texts: Readonly<Record<string, string>> = {
  [notPublicCode]: "the provider's address is not public, and PSP_ALLOWED_HOSTS does not list its host",
  ENOTFOUND: "the provider's host name is unknown",
  EAI_AGAIN: "the provider's host name could not be looked up",
  ECONNREFUSED: 'the provider refused the connection',
  EHOSTUNREACH: 'the provider cannot be reached',
  ENETUNREACH: 'the provider cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'the provider did not take the connection in time',
  ETIMEDOUT: 'the connection to the provider timed out',
  ECONNRESET: isCut,
  EPIPE: isCut,
  UND_ERR_SOCKET: isCut,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the provider's answer is cut short",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "the provider's answer is too large",
  CERT_HAS_EXPIRED: "the provider's certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "the provider's certificate is for another host",
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the provider demands a client certificate',
};

/** What the peer says in a TLS alert about our certificate; with TLS 1.3 it comes after we have begun to send. */
const certificateAlert =
  /^ERR_SSL_(SSLV3|TLSV1|TLSV13)_ALERT_.*(CERTIFICATE|CA|ACCESS_DENIED|HANDSHAKE_FAILURE)/;
const untrusted = /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_)/;

/** `isMutual`: a client certificate was offered, and some servers say nothing when they do not know it. */
export function reasonOf(error: unknown, isMutual = false): HttpFailure {
  const code = codeOf(error);
  const isHandshake = certificateAlert.test(code);
  const text = texts[code];
  if (text === isCut && isMutual) return { text: `${text} (does it know our certificate?)`, isHandshake };
  if (text) return { text, isHandshake };
  if (isHandshake) return { text: 'the provider refuses our client certificate', isHandshake };
  if (untrusted.test(code))
    return { text: `the provider's certificate is not trusted (${code})`, isHandshake };
  return { text: `the connection to the provider failed${code && ` (${code})`}`, isHandshake };
}

/** Of an error of any realm. Where several addresses were tried, that of the first. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string') return /^[A-Z0-9_]{1,80}$/.test(code) ? code : '';
  const errors: unknown = Reflect.get(error, 'errors');
  return Array.isArray(errors) ? codeOf(errors[0]) : '';
}
