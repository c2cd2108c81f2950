import { listEventsSchema } from '../../core/events/events.ts';
import { disputePaths } from './dispute-paths.ts';
import { recurrencePaths } from './recurrence-paths.ts';
import { batchPaths } from './batch-paths.ts';
import * as examples from './examples.ts';
import { paymentLinkPaths } from './payment-link-paths.ts';
import { idParameter, jsonBody, paymentPaths } from './payment-paths.ts';
import { webhookEndpointPaths } from './webhook-endpoint-paths.ts';
import { requestPaths } from './request-paths.ts';
import { failures, success } from './responses.ts';
import { queryParameters } from './schemas.ts';

const sandboxRoute = <const Id extends string>(
  operationId: Id,
  summary: string,
  description: string,
  example: unknown,
  requestBody?: ReturnType<typeof jsonBody>,
) => ({
  post: {
    operationId,
    summary,
    description,
    tags: ['Sandbox'],
    parameters: [idParameter],
    ...(requestBody && { requestBody }),
    responses: {
      200: success('The payment.', 'Payment', example),
      ...(requestBody ? failures(400, 403, 404, 409, 413, 415) : failures(403, 404, 409)),
    },
  },
});

interface Operation {
  readonly operationId: string;
  readonly [member: string]: unknown;
}

type PathItem = { readonly [Method in 'get' | 'post' | 'patch' | 'delete']?: Operation };

/** Every REST operation: the routes are mounted from this list too. */
export const paths = {
  ...paymentPaths,
  ...batchPaths,
  ...recurrencePaths,
  ...disputePaths,
  ...paymentLinkPaths,
  '/v1/events': {
    get: {
      operationId: 'listEvents',
      summary: 'List events in order',
      description:
        'The same events as in webhooks: a consumer that finds a gap in `sequence` reads the missing ones here.',
      tags: ['Events'],
      parameters: queryParameters(listEventsSchema),
      responses: {
        200: success('A page of events.', 'EventPage', examples.eventPage),
        ...failures(400, 403),
      },
    },
  },
  ...webhookEndpointPaths,
  ...requestPaths,
  '/v1/sandbox/payments/{id}/pay': sandboxRoute(
    'sandboxPay',
    'Pay a test payment, even late or twice',
    'Without an amount, what is owed. Repeating it is a second Pix, as in production.',
    examples.paidInSandbox,
    jsonBody('SandboxPay', examples.sandboxPay, false),
  ),
  '/v1/sandbox/payments/{id}/expire': sandboxRoute(
    'sandboxExpire',
    'Set the expiry of a test payment to now',
    'The event `payment_expired` follows, as if the time were up.',
    examples.expiredInSandbox,
  ),
  '/v1/sandbox/payments/{id}/reverse': sandboxRoute(
    'sandboxReverse',
    'Take back money of a paid test payment, as the special refund mechanism does',
    'Without an amount, all that is left. The event `payment_reversed` follows.',
    examples.reversedInSandbox,
    jsonBody('SandboxReverse', examples.sandboxReverse, false),
  ),
  '/v1/sandbox/payments/{id}/dispute': sandboxRoute(
    'sandboxDispute',
    'Open a dispute about a paid test payment',
    'The event `payment_disputed` follows, and `GET /v1/disputes` lists it.',
    examples.disputedInSandbox,
    jsonBody('SandboxDispute', examples.sandboxDispute, false),
  ),
  '/v1/sandbox/payments/{id}/dispute/close': sandboxRoute(
    'sandboxCloseDispute',
    'Close the dispute about a test payment',
    '`lost` takes the money back. The event `payment_dispute_closed` follows.',
    examples.paidInSandbox,
    jsonBody('SandboxCloseDispute', examples.sandboxCloseDispute),
  ),
  '/v1/sandbox/payments/{id}/debit': sandboxRoute(
    'sandboxAnswerDebit',
    'Have the payer’s bank answer a debit',
    'What another day may mend is tried again by itself, where the recurrence allows it.',
    examples.debitedInSandbox,
    jsonBody('SandboxDebit', examples.sandboxDebit),
  ),
  '/v1/sandbox/clock': {
    get: {
      operationId: 'readTestClock',
      summary: 'Read the clock of test mode',
      description: 'All payments of test mode go by this clock.',
      tags: ['Sandbox'],
      responses: { 200: success('The clock.', 'TestClock', examples.testClock), ...failures(403) },
    },
    post: {
      operationId: 'advanceTestClock',
      summary: 'Move the clock of test mode forward',
      description:
        'What falls due on the way, such as expiries and due dates, happens before the response, in its order.',
      tags: ['Sandbox'],
      requestBody: jsonBody('AdvanceTestClock', examples.advanceTestClock),
      responses: {
        200: success('The clock.', 'TestClock', examples.testClock),
        ...failures(400, 403, 409, 413, 415),
      },
    },
    delete: {
      operationId: 'resetTestClock',
      summary: 'Return the clock of test mode to real time',
      description: 'What has happened stays.',
      tags: ['Sandbox'],
      responses: { 200: success('The clock.', 'TestClock', examples.testClock), ...failures(403, 409) },
    },
  },
  '/v1/sandbox/pix': {
    post: {
      operationId: 'sandboxReceivePix',
      summary: 'Receive money without a payment, as when somebody pays the key directly',
      description:
        'The event `unmatched_pix_received` tells endpoints that list it, and the books of the day have it.',
      tags: ['Sandbox'],
      requestBody: jsonBody('SandboxPix', examples.sandboxPix),
      responses: {
        201: success('The Pix.', 'ReceivedSandboxPix', examples.receivedInSandbox),
        ...failures(400, 403, 413, 415),
      },
    },
  },
} as const satisfies Record<string, PathItem>;
