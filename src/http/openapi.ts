import { z } from 'zod';
import { createPaymentSchema } from '../services/create-payment-input.ts';
import { eventPageSchema, eventSchema, listEventsSchema } from '../services/events.ts';
import { listPaymentsSchema, paymentPageSchema } from '../services/list-payments-input.ts';
import { paymentTokenSchema } from '../services/payment-tokens.ts';
import { createdPaymentSchema, paymentViewSchema } from '../services/payment-view.ts';
import { createRefundSchema, refundViewSchema } from '../services/refunds.ts';

type JsonSchema = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
};

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['statusCode', 'error', 'message', 'timestamp'],
  properties: {
    statusCode: { type: 'number', description: 'HTTP status code.' },
    error: { type: 'string', description: 'Error name.' },
    message: { type: 'string', description: 'Human-readable message; names the violated rule.' },
    timestamp: { type: 'string', format: 'date-time', description: 'Instant of the error.' },
    traceId: { type: 'string', description: 'On 500 only: equals X-Trace-Id.' },
    details: {
      type: 'object',
      description: 'On 404 only.',
      properties: { resource: { type: 'string' }, id: { type: 'string' } },
    },
  },
};

const errors = {
  400: 'BadRequest: invalid request data; the message names each field and rule.',
  401: 'Unauthorized: the API key is missing or invalid.',
  403: 'Forbidden: the API key lacks the permission, or is a live key in a browser.',
  404: 'NotFound: no such payment for this key.',
  409: 'Conflict: the state of the payment, or a request in flight with the same key, forbids it.',
  413: 'PayloadTooLarge: the body is over 64 KiB.',
  415: 'UnsupportedMediaType: the body is not application/json.',
  422: 'UnprocessableEntity: the Idempotency-Key was used with another body.',
  429: 'TooManyRequests: over 100 requests a minute; see Retry-After.',
  500: 'InternalError: unexpected, or no provider could create the charge.',
} as const;

const failures = (...statuses: (keyof typeof errors)[]) =>
  Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: errors[status],
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );

const success = (description: string, schema: string, headers: JsonSchema = {}) => ({
  description,
  headers: { 'X-Trace-Id': { $ref: '#/components/headers/X-Trace-Id' }, ...headers },
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
});

const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Payment id.',
  schema: { type: 'string', format: 'uuid' },
};

const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Beyond the specification. The same key with the same body within 30 days answers what the first request answered.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const replayed = {
  'Idempotency-Replayed': { description: '`true` on a replay.', schema: { type: 'string' } },
};

const beyond = 'Beyond the specification.';

const act = (operationId: string, summary: string, parameters: object[], answers: object) => ({
  post: {
    operationId,
    summary,
    description: beyond,
    tags: [operationId.startsWith('sandbox') ? 'Sandbox' : 'Payments'],
    parameters: [idParameter, ...parameters],
    responses: { 200: success('The payment.', 'Payment'), ...answers },
  },
});

function queryParameters(of: z.ZodType): object[] {
  const { properties, required } = schemaOf(of, 'input') as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required?.includes(name) ?? false,
    schema,
  }));
}

/** OpenAPI 3.1, from the schemas that parse the requests. */
export const openApiDocument = (serverUrl: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'PIX payment service',
    version: '1.0',
    description:
      'Creates PIX payments and reads their status. A test key (`pk_test_…`) works in the sandbox; a live key (`pk_live_…`) creates real charges and is a secret.',
  },
  servers: [{ url: serverUrl }],
  security: [{ apiKey: [] }],
  tags: [
    { name: 'Payments', description: 'PIX payments.' },
    { name: 'Events', description: 'What happened to payments. Beyond the specification.' },
    { name: 'Sandbox', description: 'What a payer would do, for test keys only. Beyond the specification.' },
  ],
  paths: {
    '/v1/payments': {
      post: {
        operationId: 'createPayment',
        summary: 'Create a PIX payment',
        tags: ['Payments'],
        parameters: [idempotencyParameter],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/CreatePayment' } } },
        },
        responses: {
          201: success('The pending payment with its code.', 'CreatedPayment', {
            Location: { description: 'Where to read the payment.', schema: { type: 'string' } },
            ...replayed,
          }),
          ...failures(400, 401, 403, 409, 413, 415, 422, 429, 500),
        },
      },
      get: {
        operationId: 'listPayments',
        summary: 'List payments, newest first',
        description: beyond,
        tags: ['Payments'],
        parameters: queryParameters(listPaymentsSchema),
        responses: { 200: success('A page.', 'PaymentPage'), ...failures(400, 401, 403, 429, 500) },
      },
    },
    '/v1/payments/{id}': {
      get: {
        operationId: 'getPayment',
        summary: 'Retrieve a payment',
        description: 'A payment token gets it without the payer and metadata.',
        tags: ['Payments'],
        security: [{ apiKey: [] }, { paymentToken: [] }],
        parameters: [idParameter],
        responses: { 200: success('The payment.', 'Payment'), ...failures(401, 403, 404, 429, 500) },
      },
    },
    '/v1/payments/{id}/token': {
      post: {
        operationId: 'createPaymentToken',
        summary: "Make a token for the payer's browser",
        description: `${beyond} It reads this one payment, without the payer and metadata, until ten minutes after the payment can be paid: \`GET /v1/payments/{id}\` and, at \`/graphql\`, \`payment\` and \`paymentUpdated\`, from any origin, 120 times a minute.`,
        tags: ['Payments'],
        parameters: [idParameter],
        responses: {
          200: success('The token.', 'PaymentToken'),
          ...failures(401, 403, 404, 409, 429, 500),
        },
      },
    },
    '/v1/payments/{id}/cancel': act(
      'cancelPayment',
      'Cancel a pending payment',
      [idempotencyParameter],
      failures(400, 401, 403, 404, 409, 422, 429, 500),
    ),
    '/v1/payments/{id}/refunds': {
      post: {
        operationId: 'refundPayment',
        summary: 'Refund a completed payment, wholly or in part',
        description: beyond,
        tags: ['Payments'],
        parameters: [idParameter, idempotencyParameter],
        requestBody: {
          required: false,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateRefund' } } },
        },
        responses: {
          201: success('The refund, as far as the provider has done it.', 'Refund', replayed),
          ...failures(400, 401, 403, 404, 409, 413, 415, 422, 429, 500),
        },
      },
    },
    '/v1/events': {
      get: {
        operationId: 'listEvents',
        summary: 'List events in their order',
        description: `${beyond} What webhooks carry: a consumer that finds a gap in \`sequence\` reads here what it missed.`,
        tags: ['Events'],
        parameters: queryParameters(listEventsSchema),
        responses: { 200: success('A page.', 'EventPage'), ...failures(400, 401, 403, 429, 500) },
      },
    },
    '/v1/sandbox/payments/{id}/pay': act(
      'sandboxPay',
      'Pay a test payment, also late, also twice',
      [],
      failures(401, 403, 404, 409, 429, 500),
    ),
    '/v1/sandbox/payments/{id}/expire': act(
      'sandboxExpire',
      'Move the expiry of a test payment to now',
      [],
      failures(401, 403, 404, 409, 429, 500),
    ),
  },
  webhooks: {
    event: {
      post: {
        operationId: 'receiveEvent',
        summary: 'What your endpoint is sent',
        description:
          'Signed as Standard Webhooks prescribes. Answer 2xx within 15 seconds; anything else is tried again. The same event may come twice: `webhook-id` is the same then.',
        tags: ['Events'],
        security: [],
        parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
          name,
          in: 'header',
          required: true,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } },
        },
        responses: { 200: { description: 'Received.' } },
      },
    },
  },
  components: {
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      paymentToken: { type: 'http', scheme: 'bearer', description: `${beyond} A payment token, \`pt_…\`.` },
    },
    headers: {
      'X-Trace-Id': { description: 'W3C trace id, 32 hex digits.', schema: { type: 'string' } },
    },
    schemas: {
      CreatePayment: schemaOf(createPaymentSchema, 'input'),
      CreatedPayment: schemaOf(createdPaymentSchema, 'output'),
      Payment: schemaOf(paymentViewSchema, 'output'),
      PaymentToken: schemaOf(paymentTokenSchema, 'output'),
      CreateRefund: schemaOf(createRefundSchema, 'input'),
      Refund: schemaOf(refundViewSchema, 'output'),
      Event: schemaOf(eventSchema, 'output'),
      EventPage: schemaOf(eventPageSchema, 'output'),
      PaymentPage: schemaOf(paymentPageSchema, 'output'),
      Error: errorSchema,
    },
  },
});
