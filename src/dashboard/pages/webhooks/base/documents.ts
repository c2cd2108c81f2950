import { graphql, type ResultOf } from '../../../api/graphql.ts';

export const endpointFields = graphql(`
  fragment EndpointFields on WebhookEndpoint {
    id
    name
    url
    events
    enabled
    disabledReason
    failingSince
    createdAt
  }
`);

export const endpointsDocument = graphql(
  `
    query WebhookEndpoints {
      webhookEndpoints {
        ...EndpointFields
      }
    }
  `,
  [endpointFields],
);

export const summariesDocument = graphql(`
  query WebhookEndpointSummaries {
    webhookEndpointSummaries {
      endpointId
      attempts
      succeeded
      days {
        start
        count: attempts
        succeeded
      }
      lastAttempt {
        startedAt
        statusCode
        error
      }
      failures {
        statusCode
        error
        count
      }
    }
  }
`);

export type Summary = ResultOf<typeof summariesDocument>['webhookEndpointSummaries'][number];

export const endpointDocument = graphql(
  `
    query WebhookEndpoint($id: ID!) {
      webhookEndpoint(id: $id) {
        ...EndpointFields
      }
    }
  `,
  [endpointFields],
);

export const createEndpointDocument = graphql(`
  mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(input: $input) {
      secret
    }
  }
`);

export const updateEndpointDocument = graphql(`
  mutation UpdateWebhookEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!) {
    updateWebhookEndpoint(id: $id, input: $input) {
      id
    }
  }
`);

export const setEnabledDocument = graphql(`
  mutation SetWebhookEndpointEnabled($id: ID!, $enabled: Boolean!) {
    setWebhookEndpointEnabled(id: $id, enabled: $enabled) {
      id
    }
  }
`);

export const rotateSecretDocument = graphql(`
  mutation RotateWebhookSecret($id: ID!) {
    rotateWebhookSecret(id: $id) {
      secret
    }
  }
`);

export const deliveryFields = graphql(`
  fragment DeliveryFields on WebhookDelivery {
    id
    eventType
    paymentId
    status
    attemptCount
    nextAttemptAt
    createdAt
    attempts {
      startedAt
      statusCode
      latencyMs
      answer
      responseHeaders {
        name
        value
      }
      error
    }
  }
`);

export const deliveriesDocument = graphql(
  `
    query WebhookDeliveries($endpointId: ID!, $filter: WebhookDeliveryFilter, $after: String) {
      webhookDeliveries(endpointId: $endpointId, filter: $filter, first: 25, after: $after) {
        edges {
          node {
            ...DeliveryFields
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  [deliveryFields],
);

export const resendSinceDocument = graphql(`
  mutation ResendWebhookDeliveriesSince($endpointId: ID!, $since: DateTime!, $until: DateTime) {
    resendWebhookDeliveriesSince(endpointId: $endpointId, since: $since, until: $until)
  }
`);

export const healthDocument = graphql(`
  query WebhookEndpointHealth($id: ID!, $hours: Int!) {
    webhookEndpointHealth(id: $id, hours: $hours) {
      attempts
      succeeded
      medianLatencyMs
      p95LatencyMs
      undelivered
      hours {
        start
        attempts
        succeeded
        medianLatencyMs
        p95LatencyMs
      }
    }
  }
`);

export const resendUndeliveredDocument = graphql(`
  mutation ResendUndeliveredWebhooks($endpointId: ID!) {
    resendUndeliveredWebhooks(endpointId: $endpointId)
  }
`);

export const testEndpointDocument = graphql(`
  mutation TestWebhookEndpoint($id: ID!) {
    testWebhookEndpoint(id: $id) {
      startedAt
      statusCode
      latencyMs
      answer
      responseHeaders {
        name
        value
      }
      error
    }
  }
`);

export const deleteEndpointDocument = graphql(`
  mutation DeleteWebhookEndpoint($id: ID!) {
    deleteWebhookEndpoint(id: $id)
  }
`);
