import { z } from 'zod';
import type { ServiceClient } from './service-client.ts';
import { newPayment } from './payment-tools.ts';
import { defineTool, idempotencyKey } from './tool.ts';

/** What an assistant can do with many payments at once. */
export const batchTools = (client: ServiceClient) => ({
  create_payment_batch: defineTool({
    title: 'Create many payments, or instalments',
    description:
      'Creates the payments of payments, or as many instalments as asked for of payment, whose due dates follow each other. They are made one after the other: read the batch for the outcome of each.',
    input: z.strictObject({
      payments: z.array(newPayment).min(1).max(1_000).optional(),
      payment: newPayment.optional().describe('Instead: the first instalment, with its due date.'),
      instalments: z.int().min(2).max(360).optional().describe('How many; required with payment.'),
      every: z
        .enum(['month', 'week'])
        .optional()
        .describe('How far due dates are apart: month unless given.'),
      idempotencyKey,
    }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    run: ({ idempotencyKey: key, ...batch }) => client.post('v1/payment-batches', batch, key),
  }),
  get_payment_batch: defineTool({
    title: 'Read a batch',
    description: 'Returns a batch with the outcome of each payment: its id, or why it could not be created.',
    input: z.strictObject({ id: z.uuid().describe('Batch id.') }),
    annotations: { readOnlyHint: true },
    run: ({ id }) => client.get(`v1/payment-batches/${id}`),
  }),
});
