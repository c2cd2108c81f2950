import { type ErrorContext, ServiceError, type ServiceErrorCode, Unavailable } from '../core/base/errors.ts';

/** Codes for requests that are refused before they reach a service. */
type TransportErrorCode =
  | 'malformed_request'
  | 'malformed_json'
  | 'invalid_graphql'
  | 'query_too_expensive'
  | 'persisted_query_not_supported'
  | 'live_key_in_browser'
  | 'foreign_origin'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'headers_too_large';

/**
 * Every error code of the API. Clients match on them, and docs/errors.md lists each with its cause and remedy.
 * Anything thrown without one is a bug, `internal_error`.
 */
export type ErrorCode = ServiceErrorCode | TransportErrorCode | 'internal_error';

export type ReportedError = ServiceError<ErrorCode>;

export const transportError = (
  code: TransportErrorCode,
  message: string,
  context?: ErrorContext,
): ReportedError => new ServiceError(code, message, context);

/** The error to report to the caller; undefined for a bug. */
export function toReportedError(error: unknown): ReportedError | undefined {
  if (error instanceof Unavailable) return error.asServiceError();
  return error instanceof ServiceError ? error : undefined;
}
