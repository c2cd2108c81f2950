import { graphql } from '../../../api/graphql.ts';

export const createTestPaymentDocument = graphql(`
  mutation CreateTestPayment($input: CreatePaymentInput!) {
    createTestPayment(input: $input) {
      id
    }
  }
`);
