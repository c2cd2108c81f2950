import { randomUUID } from 'node:crypto';

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** The W3C trace id of a request, 32 hex digits: from a valid `traceparent`, else new. */
export function traceIdOf(header: string | undefined): string {
  const traceId = header === undefined ? undefined : traceparent.exec(header)?.[1];
  const isValid = traceId && !header?.startsWith('ff') && !/^0+$/.test(traceId);
  return isValid ? traceId : randomUUID().replaceAll('-', '');
}
