import {
  badRequest,
  type ErrorCode,
  notFound,
  ServiceError,
  stillBeingProcessed,
  tooManyRequests,
  unauthorized,
  Unavailable,
} from '../../domain/errors.ts';
import { errorBody, type ErrorBody, errorCodeOf, statusOfCode } from '../../transport/error-body.ts';
import { bodyTooLarge } from '../json-body.ts';
import { headersTooLarge } from '../refuse.ts';
import { createdAt, paymentId, traceId } from './examples.ts';
import { referenceTo, type SchemaName } from './schemas.ts';

const text = { type: 'string' };

export const headers = {
  'X-Trace-Id': {
    description: 'W3C trace id, 32 hex digits: of a valid `traceparent`, else new.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    example: traceId,
  },
  'X-Error-Code': {
    description: 'What went wrong, as a stable word: docs/errors.md has cause and mend of each.',
    required: true,
    schema: { type: 'string', enum: Object.keys(statusOfCode) },
    example: 'invalid_request',
  },
  RateLimit: {
    description: 'What is left: `r` requests, until the minute is over in `t` seconds.',
    schema: text,
    example: '"requests"; r=87; t=42',
  },
  'RateLimit-Policy': {
    description: 'The limit: `q` requests in `w` seconds.',
    schema: text,
    example: '"requests"; q=100; w=60; pk=:MGE5ZjNjMWI3ZDJl:',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 1 },
    example: 17,
  },
  Allow: { description: 'The methods of the route.', schema: text, example: 'GET, POST' },
  Location: { description: 'Where to read the payment.', schema: text, example: `/v1/payments/${paymentId}` },
  'Idempotency-Replayed': {
    description: '`true` where an earlier request with the same Idempotency-Key did the work.',
    schema: { type: 'string', const: 'true' },
  },
};

type HeaderName = keyof typeof headers;

const limitHeaders = ['RateLimit', 'RateLimit-Policy'] as const;

const answer = (
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
) => answer(description, ['X-Trace-Id', ...limitHeaders, ...more], schema, example);

interface Failure {
  /** Of which every answer of this status is an example. */
  body: ErrorBody;
  description: string;
  headers: readonly HeaderName[];
  code: ErrorCode;
}

const failure = (
  error: ServiceError | Unavailable | undefined,
  description: string,
  headersBeyondTrace: readonly HeaderName[] = limitHeaders,
): Failure => ({
  body: errorBody(error, traceId, new Date(createdAt)),
  description,
  headers: ['X-Trace-Id', ...headersBeyondTrace],
  code: errorCodeOf(error),
});

const failuresByStatus = {
  400: failure(
    badRequest('amount must be at least 0.01; payer.email must be an e-mail address'),
    'Invalid request data; the message names each field and rule.',
    limitHeaders,
  ),
  401: failure(unauthorized(), 'The API key is missing or invalid.', []),
  403: failure(
    new ServiceError('permission_denied', 'This API key lacks the permission payments:create'),
    'The API key lacks the permission, is a live key in a browser or at the sandbox, or a payment token asks for more than its payment.',
  ),
  404: failure(notFound('Payment', paymentId), 'No such payment for this key; the message names the id.'),
  405: failure(
    new ServiceError('method_not_allowed', 'PATCH is not allowed here'),
    'The route has other methods.',
    ['Allow'],
  ),
  408: failure(
    new ServiceError('request_timeout', 'the request took too long to arrive'),
    'The request did not arrive within 30 seconds, its headers within 15. The connection is closed.',
    [],
  ),
  409: failure(
    stillBeingProcessed(),
    'The state of the payment forbids it, or a request with the same Idempotency-Key is at work: then with Retry-After.',
    [...limitHeaders, 'Retry-After'],
  ),
  413: failure(bodyTooLarge(65_536), 'The body is over 64 KiB.'),
  415: failure(
    new ServiceError('unsupported_media_type', 'Content-Type must be application/json'),
    'The body is not application/json in UTF-8.',
  ),
  422: failure(
    new ServiceError('idempotency_key_reused', 'Idempotency-Key was already used with another request body'),
    'The Idempotency-Key was used with another body, for another payment or for another operation.',
  ),
  429: failure(
    tooManyRequests(17),
    'More requests in a minute than RateLimit-Policy allows, or too many from this address without a valid key.',
    [...limitHeaders, 'Retry-After'],
  ),
  431: failure(
    headersTooLarge(),
    'The request line and headers are over 16 KiB. The connection is closed.',
    [],
  ),
  500: failure(
    undefined,
    'Unexpected, or no provider could create the charge: the same request may be sent again, with its Idempotency-Key.',
  ),
  503: failure(
    new Unavailable('away'),
    'A part that the service needs is away or overloaded: try again after Retry-After. With an Idempotency-Key nothing is done twice.',
    [...limitHeaders, 'Retry-After'],
  ),
};

type FailureStatus = keyof typeof failuresByStatus;

/** What every route may answer. */
const everywhere = [401, 405, 408, 429, 431, 500, 503] as const;

/** Those of a route beside what every route may answer. */
export const failures = (...statuses: FailureStatus[]) =>
  Object.fromEntries(
    [...statuses, ...everywhere]
      .sort((a, b) => a - b)
      .map((status) => [
        String(status),
        { $ref: `#/components/responses/${failuresByStatus[status].body.error}` },
      ]),
  );

/** The header's words of one status. */
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
    answer(description, names, 'Error', body, { 'X-Error-Code': codeHeader(body.statusCode, code) }),
  ]),
);
