import {
  sandboxCloseDisputeSchema,
  sandboxDebitSchema,
  sandboxDisputeSchema,
  sandboxPixSchema,
  sandboxPixViewSchema,
  sandboxPaySchema,
  sandboxReverseSchema,
} from '../../core/payments/rules/sandbox-inputs.ts';
import { z } from 'zod';
import { createPaymentSchema } from '../../core/payments/rules/create-payment-input.ts';
import {
  bookEventSchema,
  eventPageSchema,
  eventSchema,
  recurrenceEventSchema,
} from '../../core/events/events.ts';
import { paymentPageSchema } from '../../core/payments/views/list-payments-input.ts';
import { servedRequestSchema } from '../../core/live/served-request.ts';
import { paymentTokenSchema } from '../../core/live/payment-tokens.ts';
import {
  createLinkSchema,
  paymentLinkPageSchema,
  paymentLinkSchema,
} from '../../core/checkout/payment-link-view.ts';
import { createdPaymentSchema, paymentViewSchema } from '../../core/payments/views/payment-view.ts';
import { advanceClockSchema } from '../../core/clock/rules/advance.ts';
import { testClockSchema } from '../../core/settlement/reconciliation/advance-clock.ts';
import { retryPaymentSchema } from '../../core/payments/retry-payment.ts';
import {
  chargeRecurrenceSchema,
  createRecurrenceSchema,
  recurrencePageSchema,
} from '../../core/recurrences/views/recurrence-input.ts';
import { recurrenceViewSchema } from '../../core/recurrences/views/recurrence-view.ts';
import { defendDisputeSchema, disputePageSchema } from '../../core/disputes/views/dispute-input.ts';
import { disputeDetailSchema, openedDocumentSchema } from '../../core/disputes/views/dispute-view.ts';
import { evidenceSchema } from '../../core/reports/dispute-evidence-view.ts';
import { createBatchSchema } from '../../core/batches/views/batch-input.ts';
import { batchSchema, batchWithItemsSchema } from '../../core/batches/views/batch-view.ts';
import { updatePaymentSchema } from '../../core/payments/views/update-payment-input.ts';
import { refundPageSchema, refundViewSchema } from '../../core/refunds/views/refund-view.ts';
import { createRefundSchema } from '../../core/refunds/refunds.ts';
import {
  deletedEndpointSchema,
  endpointChangeSchema,
  endpointListSchema,
  endpointTestSchema,
  endpointWithSecretSchema,
  newEndpointSchema,
  webhookEndpointSchema,
} from '../../core/webhooks/views/webhook-endpoint-view.ts';

export type JsonSchema = Record<string, unknown>;

const requests = {
  CreatePayment: createPaymentSchema,
  CreatePaymentBatch: createBatchSchema,
  UpdatePayment: updatePaymentSchema,
  CreatePaymentLink: createLinkSchema,
  CreateRefund: createRefundSchema,
  CreateRecurrence: createRecurrenceSchema,
  ChargeRecurrence: chargeRecurrenceSchema,
  CreateWebhookEndpoint: newEndpointSchema,
  UpdateWebhookEndpoint: endpointChangeSchema,
  DefendDispute: defendDisputeSchema,
  RetryPayment: retryPaymentSchema,
  AdvanceTestClock: advanceClockSchema,
  SandboxPay: sandboxPaySchema,
  SandboxReverse: sandboxReverseSchema,
  SandboxDispute: sandboxDisputeSchema,
  SandboxCloseDispute: sandboxCloseDisputeSchema,
  SandboxPix: sandboxPixSchema,
  SandboxDebit: sandboxDebitSchema,
};

const responseSchemas = {
  CreatedPayment: createdPaymentSchema,
  Payment: paymentViewSchema,
  PaymentPage: paymentPageSchema,
  PaymentToken: paymentTokenSchema,
  TestClock: testClockSchema,
  PaymentBatch: batchSchema,
  PaymentBatchWithItems: batchWithItemsSchema,
  Recurrence: recurrenceViewSchema,
  RecurrencePage: recurrencePageSchema,
  DisputeDetail: disputeDetailSchema,
  DisputeDocument: openedDocumentSchema,
  DisputeEvidence: evidenceSchema,
  DisputePage: disputePageSchema,
  PaymentLink: paymentLinkSchema,
  PaymentLinkPage: paymentLinkPageSchema,
  Refund: refundViewSchema,
  RefundPage: refundPageSchema,
  ReceivedSandboxPix: sandboxPixViewSchema,
  Event: eventSchema,
  RecurrenceEvent: recurrenceEventSchema,
  BookEvent: bookEventSchema,
  EventPage: eventPageSchema,
  WebhookEndpoint: webhookEndpointSchema,
  WebhookEndpointWithSecret: endpointWithSecretSchema,
  WebhookEndpointList: endpointListSchema,
  DeletedWebhookEndpoint: deletedEndpointSchema,
  WebhookEndpointTest: endpointTestSchema,
  ServedRequest: servedRequestSchema,
};

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['statusCode', 'error', 'message', 'timestamp'],
  properties: {
    statusCode: { type: 'number', description: 'HTTP status code.' },
    error: { type: 'string', description: 'Error name.' },
    message: { type: 'string', description: 'Human-readable message that names the violated rule.' },
    timestamp: { type: 'string', format: 'date-time', description: 'Time of the error.' },
    traceId: { type: 'string', description: 'Status 500 only: equals X-Trace-Id.' },
    details: {
      type: 'object',
      description: 'On 404 only.',
      required: ['resource', 'id'],
      properties: {
        resource: { type: 'string', description: 'For example Payment.' },
        id: { type: 'string', description: 'The requested id.' },
      },
    },
  },
};

const reference = (name: string) => `#/components/schemas/${name}`;

export const referenceTo = (name: SchemaName) => ({ $ref: reference(name) });

/** Removes details of zod that clients do not need. */
function simplify({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  // Redundant with the format, and zod's patterns reject upper-case hex digits.
  if (jsonSchema['format'] !== undefined) delete jsonSchema['pattern'];
  // Responses may gain members within a version.
  if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
}

function simplifyRequest(context: { jsonSchema: JsonSchema }): void {
  simplify(context);
  // Client generators treat a member with a default as always present.
  delete context.jsonSchema['default'];
}

/** Schemas used within others become references. */
function schemasOf<Name extends string>(
  zodSchemas: Record<Name, z.ZodType>,
  options: { io: 'input' | 'output'; override: typeof simplify },
): Record<Name, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries<z.ZodType>(zodSchemas)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { ...options, unrepresentable: 'any', uri: reference });
  const components: Record<string, JsonSchema> = {};
  for (const [id, named] of Object.entries(schemas)) {
    const { $schema: _, $id: __, ...schema } = named;
    components[id] = schema;
  }
  return components as Record<Name, JsonSchema>;
}

export type SchemaName = keyof typeof componentSchemas;

export const componentSchemas = {
  ...schemasOf(requests, { io: 'input', override: simplifyRequest }),
  ...schemasOf(responseSchemas, { io: 'output', override: simplify }),
  Error: errorSchema,
};

export function queryParameters(of: z.ZodType): object[] {
  const json = z.toJSONSchema(of, { io: 'input', unrepresentable: 'any', override: simplify });
  const { properties = {}, required = [] } = json;
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as JsonSchema;
    return { name, in: 'query', required: required.includes(name), description, schema };
  });
}

/** All members, however deep, with their schemas. */
export function membersOf(schema: unknown): [string, JsonSchema][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, ...rest } = schema as JsonSchema;
  const own = Object.entries(properties as Record<string, JsonSchema>);
  return [...own, ...[...own.map(([, member]) => member), ...Object.values(rest)].flatMap(membersOf)];
}
