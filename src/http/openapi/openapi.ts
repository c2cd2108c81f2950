import { version } from '../../observability/version.ts';
import * as examples from './examples.ts';
import { paths } from './paths.ts';
import { jsonBody } from './payment-paths.ts';
import { failureResponses, headers } from './responses.ts';
import { componentSchemas } from './schemas.ts';

const webhookHeader = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const received = (operationId: string, summary: string, description: string, body: object) => ({
  post: {
    operationId,
    summary,
    description,
    tags: ['Events'],
    security: [],
    parameters: [
      webhookHeader('webhook-id', 'Id of the event.', examples.event.id),
      webhookHeader('webhook-timestamp', 'Time of sending, in seconds since 1970.', '1795262601'),
      webhookHeader(
        'webhook-signature',
        'One signature per secret, separated by spaces.',
        'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      ),
    ],
    requestBody: body,
    responses: { 200: { description: 'Received.' } },
  },
});

const webhooks = {
  event: received(
    'receiveEvent',
    'A webhook sent to your endpoint',
    'Signed according to Standard Webhooks. Respond with 2xx within 15 seconds; any other outcome is retried. An event may be delivered more than once, with the same `webhook-id`.',
    jsonBody('Event', examples.event),
  ),
  recurrenceEvent: received(
    'receiveRecurrenceEvent',
    'A webhook about a recurrence',
    'Sent only to endpoints that list its type. Numbered apart from the events of payments, and not listed by `GET /v1/events`.',
    jsonBody('RecurrenceEvent', examples.recurrenceEvent),
  ),
  bookEvent: received(
    'receiveBookEvent',
    'A webhook about money without a payment',
    'Sent only to endpoints that list its type, once for each Pix. Numbered apart from the events of payments, and not listed by `GET /v1/events`.',
    jsonBody('BookEvent', examples.bookEvent),
  ),
};

/** The release that is installed. */

interface Deployment {
  serverUrl: string;
  rateLimitPerMinute: number;
}

const { 'X-Error-Code': _, ...sharedHeaders } = headers;

/** OpenAPI 3.1, generated from the schemas that parse the requests. */
export const openApiDocument = ({ serverUrl, rateLimitPerMinute }: Deployment) => ({
  openapi: '3.1.0',
  info: {
    title: 'PIX payment service',
    version,
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'Documentation', url: `${serverUrl}/docs` },
    description: `Creates PIX payments and reads their status. A test key (\`pk_test_…\`) works in the sandbox; a live key (\`pk_live_…\`) creates real charges and must be kept secret. Each key may send ${rateLimitPerMinute} requests a minute, unless it or its organization has another limit.`,
  },
  servers: [{ url: serverUrl }],
  security: [{ apiKey: [] }],
  tags: [
    { name: 'Payments', description: 'PIX payments.' },
    {
      name: 'Recurrences',
      description: 'Pix Automático: the payer permits it once, every debit is a payment.',
    },
    { name: 'Disputes', description: 'What payers contest, and what is answered.' },
    { name: 'Payment links', description: 'Pages that make a payment for each payer who opens them.' },
    { name: 'Events', description: 'Events of payments.' },
    { name: 'Webhook endpoints', description: 'Where events are sent.' },
    { name: 'Requests', description: 'What is being requested with a test key.' },
    { name: 'Sandbox', description: 'Simulates the payer, for test keys only.' },
  ],
  paths,
  webhooks,
  components: {
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: '`pk_test_…` or `pk_live_…`.' },
      paymentToken: { type: 'http', scheme: 'bearer', description: 'A payment token, `pt_…`.' },
    },
    // Each failure lists the codes of its own status.
    headers: sharedHeaders,
    responses: failureResponses,
    schemas: componentSchemas,
  },
});
