import { listDebitsSchema, listRecurrencesSchema } from '../../core/recurrences/views/recurrence-input.ts';
import * as examples from './examples.ts';
import { idempotencyParameter, idParameter as paymentIdParameter, jsonBody } from './payment-paths.ts';
import { failures, success } from './responses.ts';
import { queryParameters } from './schemas.ts';

const idParameter = { ...paymentIdParameter, description: 'Id of the recurrence.' };

const tags = ['Recurrences'];

const simulation = <const Id extends string>(operationId: Id, summary: string) => ({
  post: {
    operationId,
    summary,
    description: 'Test keys only.',
    tags: ['Sandbox'],
    parameters: [idParameter],
    responses: {
      200: success('The recurrence.', 'Recurrence', examples.recurrence),
      ...failures(403, 404, 409),
    },
  },
});

export const recurrencePaths = {
  '/v1/recurrences': {
    post: {
      operationId: 'createRecurrence',
      summary: 'Ask a payer to permit recurring debits',
      description: 'Pix Automático: the payer permits it once with the code, then each debit is a payment.',
      tags,
      parameters: [idempotencyParameter],
      requestBody: jsonBody('CreateRecurrence', examples.createRecurrence),
      responses: {
        201: success('The pending recurrence with its code.', 'Recurrence', examples.recurrence, [
          'Location',
          'Idempotency-Replayed',
        ]),
        ...failures(400, 403, 409, 413, 415, 422),
      },
    },
    get: {
      operationId: 'listRecurrences',
      summary: 'List recurrences, newest first',
      description: 'Of every status, unless one is asked for.',
      tags,
      parameters: queryParameters(listRecurrencesSchema),
      responses: {
        200: success('A page of recurrences.', 'RecurrencePage', examples.recurrencePage),
        ...failures(400, 403),
      },
    },
  },
  '/v1/recurrences/{id}': {
    get: {
      operationId: 'getRecurrence',
      summary: 'Retrieve a recurrence',
      description: 'With its code while it is `pending`, and why it ended once it has.',
      tags,
      parameters: [idParameter],
      responses: {
        200: success('The recurrence.', 'Recurrence', examples.recurrence),
        ...failures(403, 404),
      },
    },
  },
  '/v1/recurrences/{id}/cancel': {
    post: {
      operationId: 'cancelRecurrence',
      summary: 'End a recurrence and its scheduled debits',
      description:
        'Where the organization requires a second person for it, it fails with `approval_required`, and the recurrence ends once an owner, a developer or support has approved the request.',
      tags,
      parameters: [idParameter, idempotencyParameter],
      responses: {
        200: success('The cancelled recurrence.', 'Recurrence', examples.cancelledRecurrence, [
          'Idempotency-Replayed',
        ]),
        ...failures(400, 403, 404, 409, 422),
      },
    },
  },
  '/v1/recurrences/{id}/payments': {
    post: {
      operationId: 'chargeRecurrence',
      summary: 'Make a debit of a recurrence',
      description: 'For recurrences whose `schedule` is `manual`, or whose next debit should come earlier.',
      tags,
      parameters: [idParameter, idempotencyParameter],
      requestBody: jsonBody('ChargeRecurrence', examples.chargeRecurrence),
      responses: {
        201: success('The pending debit.', 'Payment', examples.debit, ['Location', 'Idempotency-Replayed']),
        ...failures(400, 403, 404, 409, 413, 415, 422),
      },
    },
    get: {
      operationId: 'listRecurrencePayments',
      summary: 'List the debits of a recurrence, newest first',
      description: 'Each debit is a payment, with what the payer’s bank answered in `debit`.',
      tags,
      parameters: [idParameter, ...queryParameters(listDebitsSchema)],
      responses: {
        200: success('A page of payments.', 'PaymentPage', { data: [examples.debit] }),
        ...failures(400, 403, 404),
      },
    },
  },
  '/v1/sandbox/recurrences/{id}/approve': simulation(
    'sandboxApproveRecurrence',
    'Permit a test recurrence, and pay its first payment',
  ),
  '/v1/sandbox/recurrences/{id}/reject': simulation('sandboxRejectRecurrence', 'Reject a test recurrence'),
  '/v1/sandbox/recurrences/{id}/revoke': simulation(
    'sandboxRevokeRecurrence',
    'End a test recurrence as its payer would',
  ),
} as const;
