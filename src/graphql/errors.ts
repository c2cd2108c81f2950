import { GraphQLError, type GraphQLFormattedError, Kind } from 'graphql';
import { ServiceError } from '../core/base/errors.ts';
import { type ErrorCode, type ReportedError, toReportedError, transportError } from '../transport/errors.ts';
import { errorBody, errorCodeOf, type ErrorStatus, statusOf } from '../transport/error-body.ts';
import { inWords, maximumTokens, tooExpensive } from './limits/limits.ts';

/** Values of `extensions.code`. */
const codes: Record<ErrorStatus, string> = {
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'BAD_USER_INPUT',
  408: 'BAD_USER_INPUT',
  409: 'CONFLICT',
  413: 'BAD_USER_INPUT',
  415: 'BAD_USER_INPUT',
  422: 'BAD_USER_INPUT',
  429: 'TOO_MANY_REQUESTS',
  431: 'BAD_USER_INPUT',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

const codesOfProtocols: Partial<Record<ErrorCode, string>> = {
  persisted_query_not_supported: 'PERSISTED_QUERY_NOT_SUPPORTED',
};

type Place = Pick<GraphQLFormattedError, 'locations' | 'path'>;

/** An error in GraphQL's format: the REST error in `extensions`, never a stack or an internal message. */
export function printError(
  error: unknown,
  traceId: string,
  now: Date,
  place: Place = {},
): GraphQLFormattedError {
  const { message, ...members } = errorBody(error, traceId, now);
  const reason = errorCodeOf(error);
  const { approvalRequestId, problems } = error instanceof ServiceError ? error.context : {};
  const extensions = {
    code: codesOfProtocols[reason] ?? codes[statusOf(error)],
    reason,
    ...members,
    ...(approvalRequestId !== undefined && { approvalRequestId }),
    ...(problems && { problems }),
  };
  return { message, ...place, extensions };
}

/** graphql-js reports an overlong document as a syntax error. */
const documentError = (message: string): ReportedError =>
  /^Syntax Error: Document contains more that \d+ tokens/.test(message)
    ? tooExpensive(`the query has more than ${inWords(maximumTokens)} tokens, which is the limit`)
    : transportError('invalid_graphql', message);

/** Recognises an error of graphql-js about an argument: it names the argument's value, as no other execution error does. */
const isAboutArgument = (error: unknown): boolean =>
  error instanceof GraphQLError && error.nodes !== undefined && error.nodes[0]?.kind !== Kind.FIELD;

/** The error that was thrown. Without a path, or about an argument, it comes from no resolver: the request itself is invalid. */
export function causeOf(error: GraphQLError): unknown {
  const { originalError, path, message } = error;
  if (toReportedError(originalError)) return originalError;
  if (path === undefined || isAboutArgument(originalError)) return documentError(message);
  return originalError ?? error;
}
