import { type ErrorCode, ServiceError } from '../domain/errors.ts';

/** The body of every error, as the specification shapes it. */
export interface ErrorBody {
  statusCode: number;
  error: string;
  message: string;
  /** ISO 8601. */
  timestamp: string;
  /** On 500 only. */
  traceId?: string;
  /** On 404 only. */
  details?: { resource: string; id: string };
}

const words: Record<ErrorCode, readonly [statusCode: number, error: string]> = {
  bad_request: [400, 'BadRequest'],
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'NotFound'],
  method_not_allowed: [405, 'MethodNotAllowed'],
  request_timeout: [408, 'RequestTimeout'],
  conflict: [409, 'Conflict'],
  payload_too_large: [413, 'PayloadTooLarge'],
  unsupported_media_type: [415, 'UnsupportedMediaType'],
  unprocessable_entity: [422, 'UnprocessableEntity'],
  too_many_requests: [429, 'TooManyRequests'],
  request_header_fields_too_large: [431, 'RequestHeaderFieldsTooLarge'],
  no_provider: [500, 'InternalError'],
};

/** Anything but a ServiceError is told as fixed text: its message may carry internals. */
export function errorBody(error: unknown, traceId: string, now: Date): ErrorBody {
  const known = error instanceof ServiceError ? error : undefined;
  const [statusCode, name] = known ? words[known.code] : [500, 'InternalError'];
  const details = known?.particulars.details;
  return {
    statusCode,
    error: name,
    message: known?.message ?? 'An unexpected error occurred',
    timestamp: now.toISOString(),
    ...(statusCode === 500 && { traceId }),
    ...(details && { details }),
  };
}
