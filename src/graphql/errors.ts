import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import { badRequest, type ErrorCode, ServiceError } from '../domain/errors.ts';
import { errorBody } from '../services/error-body.ts';

/** The words of `extensions.code`. */
const codes: Record<ErrorCode, string> = {
  bad_request: 'BAD_USER_INPUT',
  unauthorized: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  method_not_allowed: 'BAD_USER_INPUT',
  request_timeout: 'BAD_USER_INPUT',
  conflict: 'CONFLICT',
  payload_too_large: 'BAD_USER_INPUT',
  unsupported_media_type: 'BAD_USER_INPUT',
  unprocessable_entity: 'BAD_USER_INPUT',
  too_many_requests: 'TOO_MANY_REQUESTS',
  request_header_fields_too_large: 'BAD_USER_INPUT',
  no_provider: 'INTERNAL_SERVER_ERROR',
};

type Place = Pick<GraphQLFormattedError, 'locations' | 'path'>;

/** An error as GraphQL tells it: the words of REST in `extensions`, never a stack or an internal text. */
export function printError(
  error: unknown,
  traceId: string,
  now: Date,
  place: Place = {},
): GraphQLFormattedError {
  const { message, ...members } = errorBody(error, traceId, now);
  const code = error instanceof ServiceError ? codes[error.code] : 'INTERNAL_SERVER_ERROR';
  return { message, ...place, extensions: { code, ...members } };
}

/** What was thrown. Without a path it was not a resolver: the request itself cannot be executed. */
export function causeOf(error: GraphQLError): unknown {
  const { originalError, path, message } = error;
  if (originalError instanceof ServiceError) return originalError;
  return path === undefined ? badRequest(message) : (originalError ?? error);
}
