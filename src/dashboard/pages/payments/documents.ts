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

export const searchableSinceDocument = graphql(`
  query SearchableSince {
    searchableSince
  }
`);

export const paymentsUpdatedDocument = graphql(`
  subscription PaymentsUpdated {
    paymentsUpdated {
      id
      status
    }
  }
`);
