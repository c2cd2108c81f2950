import {
  badRequest,
  notFound,
  ServiceError,
  stillBeingProcessed,
  tooManyRequests,
  unauthorized,
} from '../domain/errors.ts';
import { errorBody, type ErrorBody } from '../services/error-body.ts';
import { bodyTooLarge } from './json-body.ts';
import { createdAt, paymentId, traceId } from './openapi-examples.ts';
import { referenceTo, type SchemaName } from './openapi-schemas.ts';

const text = { type: 'string' };

export const headers = {
  'X-Trace-Id': {
    description: 'W3C trace id, 32 hex digits: of a valid `traceparent`, else new.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    example: traceId,
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
  Location: { description: 'Where to read the payment.', schema: text, example: `/v1/payments/${paymentId}` },
  'Idempotency-Replayed': {
    description: '`true` where an earlier request with the same Idempotency-Key did the work.',
    schema: { type: 'string', const: 'true' },
  },
};

type HeaderName = keyof typeof headers;

const limitHeaders = ['RateLimit', 'RateLimit-Policy'] as const;

const answer = (description: string, names: readonly HeaderName[], schema: SchemaName, example: unknown) => ({
  description,
  headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
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
}

const failure = (
  error: ServiceError | undefined,
  description: string,
  headersBeyondTrace: readonly HeaderName[] = limitHeaders,
): Failure => ({
  body: errorBody(error, traceId, new Date(createdAt)),
  description,
  headers: ['X-Trace-Id', ...headersBeyondTrace],
});

const failuresByStatus = {
  400: failure(
    badRequest('amount must be at least 0.01; payer.email must be an e-mail address'),
    'Invalid request data; the message names each field and rule.',
    [...limitHeaders, 'Idempotency-Replayed'],
  ),
  401: failure(unauthorized(), 'The API key is missing or invalid.', []),
  403: failure(
    new ServiceError('forbidden', 'This API key lacks the permission payments:create'),
    'The API key lacks the permission, is a live key in a browser or at the sandbox, or a payment token asks for more than its payment.',
  ),
  404: failure(notFound('Payment', paymentId), 'No such payment for this key; the message names the id.'),
  409: failure(
    stillBeingProcessed(17),
    'The state of the payment forbids it, or a request with the same Idempotency-Key is at work: then with Retry-After.',
    [...limitHeaders, 'Retry-After'],
  ),
  413: failure(bodyTooLarge(65_536), 'The body is over 64 KiB.'),
  415: failure(
    new ServiceError('unsupported_media_type', 'Content-Type must be application/json'),
    'The body is not application/json in UTF-8.',
  ),
  422: failure(
    new ServiceError('unprocessable_entity', 'Idempotency-Key was already used with another request body'),
    'The Idempotency-Key was used with another body.',
  ),
  429: failure(
    tooManyRequests(17),
    'More requests in a minute than RateLimit-Policy allows, or too many from this address without a valid key.',
    [...limitHeaders, 'Retry-After'],
  ),
  500: failure(undefined, 'Unexpected, or no provider could create the charge.', [
    ...limitHeaders,
    'Idempotency-Replayed',
  ]),
};

type FailureStatus = keyof typeof failuresByStatus;

export const failures = (...statuses: FailureStatus[]) =>
  Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { $ref: `#/components/responses/${failuresByStatus[status].body.error}` },
    ]),
  );

export const failureResponses = Object.fromEntries(
  Object.values(failuresByStatus).map(({ body, description, headers: names }) => [
    body.error,
    answer(description, names, 'Error', body),
  ]),
);
