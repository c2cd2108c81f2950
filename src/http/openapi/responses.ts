import {
  badRequest,
  notFound,
  ServiceError,
  idempotencyKeyInFlight,
  tooManyRequests,
  unauthorized,
  Unavailable,
} from '../../core/base/errors.ts';
import { type ErrorCode, type ReportedError, transportError } from '../../transport/errors.ts';
import { errorBody, type ErrorBody, errorCodeOf, statusOfCode } from '../../transport/error-body.ts';
import { bodyTooLarge } from '../base/json-body.ts';
import { headersTooLarge } from '../base/refuse.ts';
import { createdAt, paymentId, traceId } from './examples.ts';
import { referenceTo, type SchemaName } from './schemas.ts';

const text = { type: 'string' };

export const headers = {
  'X-Trace-Id': {
    description: 'W3C trace id, 32 hex digits: from a valid `traceparent`, otherwise new.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    example: traceId,
  },
  'X-Error-Code': {
    description: 'Stable error code; docs/errors.md lists the cause and remedy of each.',
    required: true,
    schema: { type: 'string', enum: Object.keys(statusOfCode) },
    example: 'invalid_request',
  },
  Link: {
    description: 'Leads to the page that explains the code.',
    schema: text,
    example: '</docs/errors#invalid_request>; rel="help"',
  },
  'WWW-Authenticate': {
    description: 'Names the header in which the key is missing.',
    schema: text,
    example: 'ApiKey realm="X-API-Key"',
  },
  RateLimit: {
    description: 'Remaining quota: `r` requests until the window resets in `t` seconds.',
    schema: text,
    example: '"requests"; r=87; t=42',
  },
  'RateLimit-Policy': {
    description: 'The limit: `q` requests per window of `w` seconds.',
    schema: text,
    example: '"requests"; q=100; w=60; pk=:MGE5ZjNjMWI3ZDJl:',
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer', minimum: 1 },
    example: 17,
  },
  Allow: { description: 'The methods that the route supports.', schema: text, example: 'GET, HEAD, POST' },
  Location: { description: 'URL of the payment.', schema: text, example: `/v1/payments/${paymentId}` },
  'Idempotency-Replayed': {
    description: '`true` when the response is that of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
};

type HeaderName = keyof typeof headers;

const limitHeaders = ['RateLimit', 'RateLimit-Policy'] as const;

const describeResponse = (
  description: string,
  names: readonly HeaderName[],
  schema: SchemaName,
  example: unknown,
  narrowed: object = {},
) => ({
  description,
  headers: {
    ...Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...narrowed,
  },
  content: { 'application/json': { schema: referenceTo(schema), example } },
});

export const success = (
  description: string,
  schema: SchemaName,
  example: unknown,
  more: readonly HeaderName[] = [],
) => describeResponse(description, ['X-Trace-Id', ...limitHeaders, ...more], schema, example);

interface Failure {
  /** Example for every response with this status. */
  body: ErrorBody;
  description: string;
  headers: readonly HeaderName[];
  code: ErrorCode;
}

const failure = (
  error: ReportedError | Unavailable | undefined,
  description: string,
  headersBeyondTrace: readonly HeaderName[] = limitHeaders,
): Failure => ({
  body: errorBody(error, traceId, new Date(createdAt)),
  description,
  headers: ['X-Trace-Id', 'Link', ...headersBeyondTrace],
  code: errorCodeOf(error),
});

const failuresByStatus = {
  400: failure(
    badRequest('amount must be at least 0.01; payer.email must be an e-mail address'),
    'Invalid request; the message names each field and the rule it breaks.',
    limitHeaders,
  ),
  401: failure(unauthorized(), 'The API key is missing or invalid.', ['WWW-Authenticate']),
  403: failure(
    new ServiceError('permission_denied', 'This API key lacks the permission payments:create'),
    'The API key lacks the permission, or is a live key used in a browser or for the sandbox; or a payment token was used for anything but its payment.',
  ),
  404: failure(notFound('Payment', paymentId), 'The key has no such payment; the message contains the id.'),
  405: failure(
    transportError('method_not_allowed', 'PATCH is not allowed here'),
    'The route does not support this method.',
    ['Allow'],
  ),
  408: failure(
    transportError('request_timeout', 'the request took too long to arrive'),
    'The request did not arrive within 30 seconds, or its headers within 15. The connection is closed.',
    [],
  ),
  409: failure(
    idempotencyKeyInFlight(),
    "The payment's state does not allow it, or a request with the same Idempotency-Key is still in progress, with Retry-After.",
    [...limitHeaders, 'Retry-After'],
  ),
  413: failure(bodyTooLarge(65_536), 'The body exceeds 64 KiB.'),
  415: failure(
    transportError('unsupported_media_type', 'Content-Type must be application/json'),
    'The body is not application/json in UTF-8.',
  ),
  422: failure(
    new ServiceError(
      'idempotency_key_reused',
      'Idempotency-Key was already used with a different request body',
    ),
    'The Idempotency-Key was already used with a different body, for another payment or for another operation.',
  ),
  429: failure(
    tooManyRequests(17),
    'The key exceeded the limit in RateLimit-Policy, or the address sent too many requests without a valid key.',
    [...limitHeaders, 'Retry-After'],
  ),
  431: failure(
    headersTooLarge(),
    'The request line and headers exceed 16 KiB. The connection is closed.',
    [],
  ),
  500: failure(
    undefined,
    'Unexpected error, or no provider could create the charge. The request can be repeated with the same Idempotency-Key, after Retry-After where it is about providers.',
    [...limitHeaders, 'Retry-After'],
  ),
  503: failure(
    new Unavailable('away'),
    'A dependency of the service is unavailable or overloaded: repeat the request after Retry-After. With an Idempotency-Key nothing is done twice.',
    [...limitHeaders, 'Retry-After'],
  ),
};

type FailureStatus = keyof typeof failuresByStatus;

/** Possible responses of every route. */
const everywhere = [401, 405, 408, 429, 431, 500, 503] as const;

/** Responses of a route in addition to those of every route. */
export const failures = (...statuses: FailureStatus[]) =>
  Object.fromEntries(
    [...statuses, ...everywhere]
      .sort((a, b) => a - b)
      .map((status) => [
        String(status),
        { $ref: `#/components/responses/${failuresByStatus[status].body.error}` },
      ]),
  );

/** Values of X-Error-Code for a status. */
const codeHeader = (statusCode: number, example: ErrorCode) => ({
  ...headers['X-Error-Code'],
  schema: {
    type: 'string',
    enum: Object.entries(statusOfCode).flatMap(([code, status]) => (status === statusCode ? [code] : [])),
  },
  example,
});

export const failureResponses = Object.fromEntries(
  Object.values(failuresByStatus).map(({ body, description, headers: names, code }) => [
    body.error,
    describeResponse(description, names, 'Error', body, {
      'X-Error-Code': codeHeader(body.statusCode, code),
    }),
  ]),
);
