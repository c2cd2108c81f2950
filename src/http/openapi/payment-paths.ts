import { listPaymentsSchema } from '../../core/payments/views/list-payments-input.ts';
import { listAllRefundsSchema } from '../../core/refunds/views/refund-list-input.ts';
import { listRefundsSchema } from '../../core/refunds/views/refund-view.ts';
import * as examples from './examples.ts';
import { failures, success } from './responses.ts';
import { queryParameters, referenceTo, type SchemaName } from './schemas.ts';

export const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Payment id.',
  schema: { type: 'string', format: 'uuid' },
};

export const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request idempotent: repeating it with the same key, such as `order-1042`, and the same body within 30 days returns the response to the first one.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

export const jsonBody = (schema: SchemaName, example: unknown, required = true) => ({
  required,
  content: { 'application/json': { schema: referenceTo(schema), example } },
});

export const paymentPaths = {
  '/v1/payments': {
    post: {
      operationId: 'createPayment',
      summary: 'Create a PIX payment',
      description:
        'Answers with the code to pay, once a provider has made the charge. With the same `Idempotency-Key` it is made once.',
      tags: ['Payments'],
      parameters: [idempotencyParameter],
      requestBody: jsonBody('CreatePayment', examples.createPayment),
      responses: {
        201: success('The pending payment with its PIX code.', 'CreatedPayment', examples.created, [
          'Location',
          'Idempotency-Replayed',
        ]),
        ...failures(400, 403, 409, 413, 415, 422),
      },
    },
    get: {
      operationId: 'listPayments',
      summary: 'List payments, newest first',
      description:
        'Page by page, with every filter at once. `nextCursor` leads to the next page; without it there is none.',
      tags: ['Payments'],
      parameters: queryParameters(listPaymentsSchema),
      responses: {
        200: success('A page of payments.', 'PaymentPage', examples.paymentPage),
        ...failures(400, 403),
      },
    },
  },
  '/v1/payments/{id}': {
    get: {
      operationId: 'getPayment',
      summary: 'Retrieve a payment',
      description: 'With a payment token, the response omits payer data and metadata.',
      tags: ['Payments'],
      security: [{ apiKey: [] }, { paymentToken: [] }],
      parameters: [idParameter],
      responses: {
        200: success('The payment.', 'Payment', examples.completed),
        ...failures(403, 404),
      },
    },
    patch: {
      operationId: 'updatePayment',
      summary: 'Change a payment',
      description:
        'Changes description and metadata, whatever the status. Amount and terms are changed while a payment with a due date is pending, at its provider too, as is its description then. The event `payment_updated` follows.',
      tags: ['Payments'],
      parameters: [idParameter, idempotencyParameter],
      requestBody: jsonBody('UpdatePayment', examples.updatePayment),
      responses: {
        200: success('The changed payment.', 'Payment', examples.updated, ['Idempotency-Replayed']),
        ...failures(400, 403, 404, 409, 413, 415, 422),
      },
    },
  },
  '/v1/payments/{id}/token': {
    post: {
      operationId: 'createPaymentToken',
      summary: "Create a token for the payer's browser",
      description: `The token can read this payment, without payer data and metadata, until ten minutes after the payment's expiry: \`GET /v1/payments/{id}\` and, at \`/graphql\`, \`payment\` and \`paymentUpdated\`, from any origin, 120 times a minute.`,
      tags: ['Payments'],
      parameters: [idParameter],
      responses: {
        200: success('The token.', 'PaymentToken', examples.paymentToken),
        ...failures(403, 404, 409),
      },
    },
  },
  '/v1/payments/{id}/retry': {
    post: {
      operationId: 'retryPayment',
      summary: 'Try a failed debit again on another day',
      description: 'For debits of recurrences that allow it. What another day may mend is retried by itself.',
      tags: ['Recurrences'],
      parameters: [idParameter, idempotencyParameter],
      requestBody: jsonBody('RetryPayment', examples.retryPayment),
      responses: {
        200: success('The pending debit.', 'Payment', examples.debit, ['Idempotency-Replayed']),
        ...failures(400, 403, 404, 409, 413, 415, 422),
      },
    },
  },
  '/v1/payments/{id}/cancel': {
    post: {
      operationId: 'cancelPayment',
      summary: 'Cancel a pending payment',
      description: 'At the provider too. A payer who is just paying may be faster: `completed` then follows.',
      tags: ['Payments'],
      parameters: [idParameter, idempotencyParameter],
      responses: {
        200: success('The cancelled payment.', 'Payment', examples.cancelled, ['Idempotency-Replayed']),
        ...failures(400, 403, 404, 409, 422),
      },
    },
  },
  '/v1/payments/{id}/refunds': {
    post: {
      operationId: 'refundPayment',
      summary: 'Refund a completed payment in full or in part',
      description:
        'Without an amount, all that is left. Needs the permission `payments:refund`, and counts against the limits of refunds.',
      tags: ['Payments'],
      parameters: [idParameter, idempotencyParameter],
      requestBody: jsonBody('CreateRefund', examples.createRefund, false),
      responses: {
        201: success(
          'The refund, pending unless the provider has already decided.',
          'Refund',
          examples.refund,
          ['Idempotency-Replayed'],
        ),
        ...failures(400, 403, 404, 409, 413, 415, 422),
      },
    },
    get: {
      operationId: 'listRefunds',
      summary: 'List the refunds of a payment, oldest first',
      description:
        'Shows the outcome of a refund that was `pending` at first; the events `refund_completed` and `refund_failed` report it too.',
      tags: ['Payments'],
      parameters: [idParameter, ...queryParameters(listRefundsSchema)],
      responses: {
        200: success('A page of refunds.', 'RefundPage', examples.refundPage),
        ...failures(400, 401, 403, 404, 429, 500),
      },
    },
  },
  '/v1/refunds': {
    get: {
      operationId: 'listAllRefunds',
      summary: 'List refunds of all payments, newest first',
      description:
        'With filters by status, amount, time and reference; `stuck=true` lists those that somebody has to look at.',
      tags: ['Payments'],
      parameters: queryParameters(listAllRefundsSchema),
      responses: {
        200: success('A page of refunds.', 'RefundPage', examples.allRefunds),
        ...failures(400, 403),
      },
    },
  },
} as const;
