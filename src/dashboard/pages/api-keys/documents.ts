import { graphql, type ResultOf } from '../../api/graphql.ts';

export const apiKeysDocument = graphql(`
  query ApiKeys {
    apiKeys {
      id
      name
      mode
      hint
      permissions
      createdAt
      lastUsedAt
      expiresAt
      revokedAt
    }
  }
`);

export type ApiKey = ResultOf<typeof apiKeysDocument>['apiKeys'][number];

export const createApiKeyDocument = graphql(`
  mutation CreateApiKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      key
      apiKey {
        id
      }
    }
  }
`);

export const rotateApiKeyDocument = graphql(`
  mutation RotateApiKey($id: ID!, $keepHours: Float!) {
    rotateApiKey(id: $id, keepHours: $keepHours) {
      key
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
