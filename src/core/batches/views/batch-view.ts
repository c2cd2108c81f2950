import { z } from 'zod';
import { publicStatuses } from '../../payments/rules/payment.ts';
import { periods } from '../rules/instalments.ts';

const states = ['pending', 'created', 'failed'] as const;

/** Has the shape of the problems that GraphQL gives with the errors of requests. */
export const batchProblemSchema = z.object({
  path: z.string().meta({ description: 'Field of the payment, its members separated by dots.' }),
  rule: z.string().meta({ description: 'Name of the rule, as in the errors of GraphQL.' }),
  params: z
    .record(z.string(), z.unknown())
    .meta({ description: 'What a sentence about the rule needs, such as its `minimum`.' }),
});

export const batchItemSchema = z.object({
  position: z.number().int().meta({ description: 'Place in the batch, from 0.' }),
  state: z.enum(states).meta({
    description: '`pending` until its payment is `created`, or has `failed` to be.',
  }),
  paymentId: z.uuid().optional().meta({ description: 'The payment, once it is created.' }),
  paymentStatus: z.enum(publicStatuses).optional().meta({ description: 'Status of the payment.' }),
  amount: z.number().optional().meta({ description: 'What the payment was made for, in BRL.' }),
  dueDate: z.iso.date().optional().meta({ description: 'Due date of the payment, if it has one.' }),
  overdue: z
    .literal(true)
    .optional()
    .meta({ description: 'Present while the payment is pending after its due date.' }),
  code: z.string().optional().meta({ description: 'Code of the error, as in `X-Error-Code`.' }),
  message: z.string().optional().meta({ description: 'What is wrong, once it has failed.' }),
  problems: z.array(batchProblemSchema).optional().meta({
    description:
      'Which field broke which rule, to say it in another language; absent where the code says it.',
  }),
});

export type BatchItemView = z.output<typeof batchItemSchema>;

export const batchSchema = z.object({
  id: z.uuid().meta({ description: 'Id of the batch.' }),
  state: z.enum(['processing', 'completed']).meta({
    description: '`completed` once every payment has its outcome, which may be that it failed.',
  }),
  every: z
    .enum(periods)
    .optional()
    .meta({ description: 'How far the due dates of instalments are apart; absent in other batches.' }),
  count: z.number().int().meta({ description: 'Number of payments.' }),
  created: z.number().int().meta({ description: 'How many of them are created so far.' }),
  failed: z.number().int().meta({ description: 'How many have failed so far.' }),
  createdAt: z.iso.datetime().meta({ description: 'Creation instant.' }),
});

export const batchWithItemsSchema = batchSchema.extend({
  items: z.array(batchItemSchema).meta({ description: 'The outcome of each payment, in their order.' }),
});

export type BatchView = z.output<typeof batchWithItemsSchema>;
