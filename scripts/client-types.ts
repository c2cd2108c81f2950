import { openApiDocument } from '../src/http/openapi/openapi.ts';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
}

const { components } = openApiDocument({ serverUrl: 'http://localhost:3000', rateLimitPerMinute: 100 });

export const schemas = components.schemas as unknown as Record<string, Schema>;

/** The types of the clients that are written by us; `test/sdk-operations.test.ts` says that they have every operation. */
export const clientTypes = [
  'CreatePayment',
  'UpdatePayment',
  'CreatePaymentBatch',
  'Payment',
  'PaymentBatch',
  'PaymentBatchWithItems',
  'CreateRecurrence',
  'ChargeRecurrence',
  'Recurrence',
  'PaymentToken',
  'Refund',
  'Event',
  'RecurrenceEvent',
  'BookEvent',
  'DefendDispute',
  'DisputeDetail',
  'DisputeDocument',
  'DisputeEvidence',
  'CreatePaymentLink',
  'PaymentLink',
  'ReceivedSandboxPix',
  'TestClock',
  'ServedRequest',
  'CreateWebhookEndpoint',
  'UpdateWebhookEndpoint',
  'WebhookEndpoint',
  'WebhookEndpointWithSecret',
  'WebhookEndpointTest',
];
