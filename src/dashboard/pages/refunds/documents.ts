import { graphql, type ResultOf } from '../../api/graphql.ts';

export const refundsDocument = graphql(`
  query Refunds($filter: RefundFilter, $first: Int!, $after: String) {
    refunds(filter: $filter, first: $first, after: $after) {
      edges {
        node {
          id
          paymentId
          amount
          status
          pendingReason
          awaitingApproval
          requestedBy
          createdAt
          payment {
            externalId
            payerName
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export type RefundRow = ResultOf<typeof refundsDocument>['refunds']['edges'][number]['node'];
