import { graphql, type ResultOf } from '../../api/graphql.ts';

export const apiKeysDocument = graphql(`
  query ApiKeys {
    apiKeys {
      id
      name
      mode
      hint
      permissions
      allowedIps
      refundLimitPerDay
      rateLimitPerMinute
      createdAt
      lastUsedAt
      expiresAt
      revokedAt
    }
  }
`);

export const rateLimitsDocument = graphql(`
  query RateLimits {
    organizationSettings {
      rateLimitPerMinute
      defaultRateLimitPerMinute
      maximumRateLimitPerMinute
    }
  }
`);

export type ApiKey = ResultOf<typeof apiKeysDocument>['apiKeys'][number];

export interface NewKey {
  key: string;
  approvalRequestId: string | null;
}

export const createApiKeyDocument = graphql(`
  mutation CreateApiKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      key
      approvalRequestId
      apiKey {
        id
      }
    }
  }
`);

export const updateApiKeyDocument = graphql(`
  mutation UpdateApiKey($id: ID!, $input: UpdateApiKeyInput!) {
    updateApiKey(id: $id, input: $input) {
      id
      name
      permissions
      allowedIps
      refundLimitPerDay
      rateLimitPerMinute
    }
  }
`);

export const rotateApiKeyDocument = graphql(`
  mutation RotateApiKey($id: ID!, $keepHours: Float!) {
    rotateApiKey(id: $id, keepHours: $keepHours) {
      key
      approvalRequestId
      apiKey {
        id
      }
    }
  }
`);

export const revokeApiKeyDocument = graphql(`
  mutation RevokeApiKey($id: ID!) {
    revokeApiKey(id: $id) {
      id
      revokedAt
    }
  }
`);
