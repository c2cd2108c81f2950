import { graphql } from '../../api/graphql.ts';

export const paymentRow = graphql(`
  fragment PaymentRow on Payment {
    id
    amount
    amountPaid
    amountRefunded
    status
    overdue
    due {
      date
    }
    provider
    createdAt
    externalId
    payerName
    description
    confirmedAt
    endToEndId
  }
`);

export const paymentsDocument = graphql(
  `
    query Payments(
      $filter: PaymentFilter
      $sort: PaymentSort
      $order: SortOrder
      $first: Int!
      $after: String
    ) {
      payments(first: $first, filter: $filter, sort: $sort, order: $order, after: $after) {
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

export const paymentTotalsDocument = graphql(`
  query PaymentTotals($filter: PaymentFilter) {
    paymentTotals(filter: $filter) {
      count
      amount
      isAtLeast
    }
  }
`);

export const newPaymentsDocument = graphql(`
  query NewPayments($filter: PaymentFilter) {
    payments(first: 25, filter: $filter) {
      edges {
        node {
          createdAt
        }
      }
    }
  }
`);

export const credentialChoicesDocument = graphql(`
  query CredentialChoices {
    credentials {
      id
      name
      provider
    }
  }
`);

export const foundElsewhereDocument = graphql(`
  query FoundElsewhere($filter: PaymentFilter) {
    payments(first: 1, filter: $filter) {
      edges {
        node {
          id
        }
      }
    }
  }
`);
