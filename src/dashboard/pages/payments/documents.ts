import { graphql } from '../../api/graphql.ts';

export const paymentRow = graphql(`
  fragment PaymentRow on Payment {
    id
    amount
    status
    provider
    createdAt
    externalId
    payerName
  }
`);

export const paymentsDocument = graphql(
  `
    query Payments($filter: PaymentFilter, $after: String) {
      payments(first: 25, filter: $filter, after: $after) {
        edges {
          node {
            ...PaymentRow
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  [paymentRow],
);

export const searchLimit = 50;

export const searchDocument = graphql(
  `
    query SearchPayments($text: String!, $first: Int!) {
      searchPayments(text: $text, first: $first) {
        ...PaymentRow
      }
    }
  `,
  [paymentRow],
);

export const paymentsUpdatedDocument = graphql(`
  subscription PaymentsUpdated {
    paymentsUpdated {
      id
      status
    }
  }
`);
