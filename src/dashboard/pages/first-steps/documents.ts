import { graphql, type ResultOf } from '../../api/graphql.ts';

export const firstStepsDocument = graphql(`
  query FirstSteps {
    payments(first: 1) {
      edges {
        node {
          id
          amount
          status
          createdAt
          expiresAt
          pixCopyPaste
          pixQrCodeBase64
        }
      }
    }
    apiKeys {
      id
      name
      hint
      mode
      expiresAt
      revokedAt
    }
  }
`);

type Read = ResultOf<typeof firstStepsDocument>;
export type ApiKey = Read['apiKeys'][number];
export type LatestPayment = Read['payments']['edges'][number]['node'];

export const createFirstKeyDocument = graphql(`
  mutation CreateFirstKey($name: String!) {
    createApiKey(input: { name: $name }) {
      key
      apiKey {
        id
      }
    }
  }
`);

export const createTestPaymentDocument = graphql(`
  mutation CreateTestPayment($input: CreatePaymentInput!) {
    createTestPayment(input: $input) {
      id
    }
  }
`);
