import { randomUUID } from 'node:crypto';

/** Four parts; neither id may be all zeros. */
const traceparent = /^([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/** The W3C trace id of a request, 32 hex digits: from a valid `traceparent`, otherwise new. */
export function traceIdOf(header: string | undefined): string {
  const [, version, traceId, more] = traceparent.exec(header ?? '') ?? [];
  // Version ff is invalid, and only versions after 00 may have more than four parts.
  const isValid = traceId !== undefined && version !== 'ff' && (version !== '00' || more === undefined);
  return isValid ? traceId : randomUUID().replaceAll('-', '');
}
