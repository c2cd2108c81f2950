import { graphql, type ResultOf } from '../../api/graphql.ts';
import { paymentRow } from '../payments/documents.ts';

const linkFields = graphql(`
  fragment PaymentLinkFields on PaymentLink {
    id
    url
    status
    amount
    minimumAmount
    maximumAmount
    description
    singleUse
    expiresAt
    totals {
      payments
      paid
      amountPaid
      isAtLeast
    }
  }
`);

export type PaymentLink = ResultOf<typeof linkFields>;

export const paymentLinksDocument = graphql(
  `
    query PaymentLinks($filter: PaymentLinkFilter, $first: Int!, $after: String) {
      paymentLinks(filter: $filter, first: $first, after: $after) {
        edges {
          node {
            ...PaymentLinkFields
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  [linkFields],
);

export const paymentLinkDocument = graphql(
  `
    query PaymentLink($id: ID!) {
      paymentLink(id: $id) {
        ...PaymentLinkFields
        createdAt
        returnUrl
        credentialId
        ruleSetId
        dueInDays
        payableDaysAfter
        fine {
          percent
          amount
        }
        interest {
          percentPerDay
          percentPerMonth
          percentPerYear
          amountPerDay
          businessDays
        }
        discounts {
          daysBefore
          percent
          amount
        }
        earlyDiscount {
          percentPerDay
          amountPerDay
          businessDays
        }
        rebate {
          percent
          amount
        }
      }
    }
  `,
  [linkFields],
);

export type WholePaymentLink = NonNullable<ResultOf<typeof paymentLinkDocument>['paymentLink']>;

export const linkPaymentsDocument = graphql(
  `
    query PaymentLinkPayments($id: ID!, $first: Int!, $after: String) {
      paymentLinkPayments(id: $id, first: $first, after: $after) {
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

/** The payments of a link can be routed by these. */
export const routesDocument = graphql(`
  query PaymentLinkRoutes {
    credentials {
      id
      name
      provider
      enabled
      archivedAt
    }
    ruleSets {
      id
      name
    }
  }
`);

export const createPaymentLinkDocument = graphql(`
  mutation CreatePaymentLink($input: CreatePaymentLinkInput!) {
    createPaymentLink(input: $input) {
      id
    }
  }
`);

export const deactivatePaymentLinkDocument = graphql(`
  mutation DeactivatePaymentLink($id: ID!) {
    deactivatePaymentLink(id: $id) {
      id
    }
  }
`);
