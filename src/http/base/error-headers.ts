import { errorCodeOf, helpLink, statusOfCode } from '../../transport/error-body.ts';
import { toReportedError } from '../../transport/errors.ts';

/** Tell the code of an error, where it is explained, and what the client can do next. */
export function errorHeaders(error: unknown): [name: string, value: string][] {
  const code = errorCodeOf(error);
  const { retryAfterSeconds, allowedMethods } = toReportedError(error)?.context ?? {};
  const headers: [name: string, value: string][] = [
    ['X-Error-Code', code],
    ['Link', helpLink(code)],
  ];
  // RFC 9110 wants a challenge with each 401. Browsers do not know this scheme, so they ask nobody for a password.
  if (statusOfCode[code] === 401) headers.push(['WWW-Authenticate', 'ApiKey realm="X-API-Key"']);
  if (retryAfterSeconds !== undefined) headers.push(['Retry-After', String(retryAfterSeconds)]);
  if (allowedMethods) headers.push(['Allow', allowedMethods.join(', ')]);
  return headers;
}
