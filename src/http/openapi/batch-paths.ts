import * as examples from './examples.ts';
import { idempotencyParameter, jsonBody } from './payment-paths.ts';
import { failures, success } from './responses.ts';

const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the batch.',
  schema: { type: 'string', format: 'uuid' },
};

const tags = ['Payments'];

export const batchPaths = {
  '/v1/payment-batches': {
    post: {
      operationId: 'createPaymentBatch',
      summary: 'Create many payments, or instalments of one',
      description:
        'At most a megabyte. A worker makes the payments one after the other; each has an outcome of its own. Counts as one request.',
      tags,
      parameters: [idempotencyParameter],
      requestBody: jsonBody('CreatePaymentBatch', examples.createBatch),
      responses: {
        202: success('The batch.', 'PaymentBatch', examples.batch, ['Location', 'Idempotency-Replayed']),
        ...failures(400, 403, 409, 413, 415, 422),
      },
    },
  },
  '/v1/payment-batches/{id}': {
    get: {
      operationId: 'getPaymentBatch',
      summary: 'Retrieve a batch with the outcome of each payment',
      description: 'Each payment with its position in the request, and why it was refused if it was.',
      tags,
      parameters: [idParameter],
      responses: {
        200: success('The batch.', 'PaymentBatchWithItems', examples.batchWithItems),
        ...failures(403, 404),
      },
    },
  },
} as const;
