import type { CheckReason } from '../../core/providers/rules/check-reasons.ts';
import { notPublicCode } from '../../network/connector.ts';

export interface HttpFailure {
  /** Contains no host, body or secret. */
  text: string;
  reason: CheckReason;
  /** The TLS connection was never established, even if the request had already been written. */
  isHandshake: boolean;
}

const isCut = 'the provider closed the connection';

const reasons: Readonly<Record<string, CheckReason>> = {
  [notPublicCode]: 'host_not_allowed',
  ENOTFOUND: 'host_unknown',
  EAI_AGAIN: 'host_unknown',
  CERT_HAS_EXPIRED: 'clock_wrong',
  CERT_NOT_YET_VALID: 'clock_wrong',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong_base_url',
  ERR_SSL_WRONG_VERSION_NUMBER: 'wrong_base_url',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'certificate_missing',
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: 'certificate_expired',
  ERR_SSL_TLSV1_ALERT_CERTIFICATE_EXPIRED: 'certificate_expired',
};

const texts: Readonly<Record<string, string>> = {
  [notPublicCode]: "the provider's address is not public, and PSP_ALLOWED_HOSTS does not list its host",
  ENOTFOUND: "the provider's host name is unknown",
  EAI_AGAIN: "the provider's host name could not be looked up",
  ECONNREFUSED: 'the provider refused the connection',
  EHOSTUNREACH: 'the provider is unreachable',
  ENETUNREACH: 'the provider is unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'connecting to the provider timed out',
  ETIMEDOUT: 'the connection to the provider timed out',
  ECONNRESET: isCut,
  EPIPE: isCut,
  UND_ERR_SOCKET: isCut,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the provider's response is cut short",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "the provider's response is too large",
  CERT_HAS_EXPIRED: "the provider's certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "the provider's certificate is for another host",
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the provider requires a client certificate',
};

/** TLS alerts about our certificate; with TLS 1.3 they arrive after we have begun to send. */
const certificateAlert =
  /^ERR_SSL_(SSLV3|TLSV1|TLSV13)_ALERT_.*(CERTIFICATE|CA|ACCESS_DENIED|HANDSHAKE_FAILURE)/;
const untrusted = /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_)/;

/** `isMutual`: a client certificate was sent; some servers close without an alert if they do not know it. */
export function httpFailureOf(error: unknown, isMutual = false): HttpFailure {
  const code = codeOf(error);
  const isHandshake = certificateAlert.test(code);
  const reason = reasons[code];
  const text = texts[code];
  if (text === isCut && isMutual) {
    const asked = `${text} (is the client certificate registered there?)`;
    return { text: asked, reason: 'certificate_rejected', isHandshake };
  }
  if (text) return { text, reason: reason ?? 'unreachable', isHandshake };
  if (isHandshake) {
    const rejected = 'the provider rejected our client certificate';
    return { text: rejected, reason: reason ?? 'certificate_rejected', isHandshake };
  }
  if (untrusted.test(code)) {
    const distrusted = `the provider's certificate is not trusted (${code})`;
    return { text: distrusted, reason: reason ?? 'untrusted_server', isHandshake };
  }
  const failed = `the connection to the provider failed${code && ` (${code})`}`;
  return { text: failed, reason: reason ?? 'unreachable', isHandshake };
}

/** Works for errors of any realm. If several addresses were tried, returns the code of the first. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string') return /^[A-Z0-9_]{1,80}$/.test(code) ? code : '';
  const errors: unknown = Reflect.get(error, 'errors');
  return Array.isArray(errors) ? codeOf(errors[0]) : '';
}
