import { graphql, type ResultOf } from '../../api/graphql.ts';

export const keptRequestsDocument = graphql(`
  query KeptRequests($keyId: ID, $onlyRefused: Boolean) {
    keptRequests(keyId: $keyId, onlyRefused: $onlyRefused) {
      at
      method
      path
      status
      durationMs
      traceId
      isAborted
      idempotencyKey
      keyId
      operation {
        type
        fields
      }
      errors {
        code
        fields
      }
    }
    apiKeys {
      id
      name
      hint
    }
  }
`);

export type KeptRequest = ResultOf<typeof keptRequestsDocument>['keptRequests'][number];
