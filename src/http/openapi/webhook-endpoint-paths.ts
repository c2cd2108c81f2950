import * as examples from './examples.ts';
import { idParameter as paymentIdParameter, jsonBody } from './payment-paths.ts';
import { failures, success } from './responses.ts';

const idParameter = { ...paymentIdParameter, description: 'Id of the endpoint.' };

const tags = ['Webhook endpoints'];

const needs = 'Needs the permission `webhooks:manage`.';

const waits =
  "Where changes need a second person's approval, in live mode it fails with `approval_required`, and happens once somebody approves it in the dashboard";

export const webhookEndpointPaths = {
  '/v1/webhook-endpoints': {
    post: {
      operationId: 'createWebhookEndpoint',
      summary: 'Create a webhook endpoint',
      description: `The response shows the signing secret, once. ${needs} ${waits}, who is shown the secret.`,
      tags,
      requestBody: jsonBody('CreateWebhookEndpoint', examples.createWebhookEndpoint),
      responses: {
        201: success(
          'The endpoint with its secret.',
          'WebhookEndpointWithSecret',
          examples.webhookEndpointWithSecret,
        ),
        ...failures(400, 403, 409, 413, 415),
      },
    },
    get: {
      operationId: 'listWebhookEndpoints',
      summary: 'List webhook endpoints, oldest first',
      description: needs,
      tags,
      responses: {
        200: success('All of them.', 'WebhookEndpointList', examples.webhookEndpointList),
        ...failures(403),
      },
    },
  },
  '/v1/webhook-endpoints/{id}': {
    get: {
      operationId: 'getWebhookEndpoint',
      summary: 'Retrieve a webhook endpoint',
      description: needs,
      tags,
      parameters: [idParameter],
      responses: {
        200: success('The endpoint.', 'WebhookEndpoint', examples.webhookEndpoint),
        ...failures(403, 404),
      },
    },
    patch: {
      operationId: 'updateWebhookEndpoint',
      summary: 'Change name, URL or events of a webhook endpoint',
      description: `Members that are left out stay. ${needs} ${waits}, if the URL changes.`,
      tags,
      parameters: [idParameter],
      requestBody: jsonBody('UpdateWebhookEndpoint', examples.updateWebhookEndpoint),
      responses: {
        200: success('The endpoint.', 'WebhookEndpoint', examples.webhookEndpoint),
        ...failures(400, 403, 404, 409, 413, 415),
      },
    },
    delete: {
      operationId: 'deleteWebhookEndpoint',
      summary: 'Delete a webhook endpoint for good',
      description: `What is waiting for it is not sent. ${needs}`,
      tags,
      parameters: [idParameter],
      responses: {
        200: success('It is gone.', 'DeletedWebhookEndpoint', examples.deletedWebhookEndpoint),
        ...failures(403, 404),
      },
    },
  },
  '/v1/webhook-endpoints/{id}/enable': {
    post: {
      operationId: 'enableWebhookEndpoint',
      summary: 'Enable a webhook endpoint',
      description: `Pending deliveries are sent. ${needs} ${waits}.`,
      tags,
      parameters: [idParameter],
      responses: {
        200: success('The endpoint.', 'WebhookEndpoint', examples.webhookEndpoint),
        ...failures(403, 404, 409),
      },
    },
  },
  '/v1/webhook-endpoints/{id}/disable': {
    post: {
      operationId: 'disableWebhookEndpoint',
      summary: 'Disable a webhook endpoint',
      description: `Pending deliveries wait; events from now on are not sent to it. ${needs}`,
      tags,
      parameters: [idParameter],
      responses: {
        200: success('The endpoint.', 'WebhookEndpoint', { ...examples.webhookEndpoint, enabled: false }),
        ...failures(403, 404),
      },
    },
  },
  '/v1/webhook-endpoints/{id}/rotate-secret': {
    post: {
      operationId: 'rotateWebhookSecret',
      summary: 'Create a new signing secret',
      description: `The response shows it, once; the old one keeps signing as well for 24 hours. ${needs}`,
      tags,
      parameters: [idParameter],
      responses: {
        200: success('The endpoint with its new secret.', 'WebhookEndpointWithSecret', {
          ...examples.webhookEndpointWithSecret,
          rotatingUntil: '2026-11-22T12:00:00.000Z',
        }),
        ...failures(403, 404, 409),
      },
    },
  },
  '/v1/webhook-endpoints/{id}/test': {
    post: {
      operationId: 'testWebhookEndpoint',
      summary: 'Send a test event and wait for the response',
      description: `Sends a signed event of the type \`webhook_test\`, about nothing, even to a disabled endpoint. It is neither listed nor repeated. ${needs}`,
      tags,
      parameters: [idParameter],
      responses: {
        200: success('What came of it.', 'WebhookEndpointTest', examples.webhookEndpointTest),
        ...failures(403, 404),
      },
    },
  },
} as const;
