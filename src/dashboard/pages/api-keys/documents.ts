import { graphql } from '../../api/graphql.ts';

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

export const revokeApiKeyDocument = graphql(`
  mutation RevokeApiKey($id: ID!) {
    revokeApiKey(id: $id) {
      id
      revokedAt
    }
  }
`);
