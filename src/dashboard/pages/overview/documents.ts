import { graphql } from '../../api/graphql.ts';
import { paymentRow } from '../payments/documents.ts';

export const statisticsFigures = graphql(`
  fragment StatisticsFigures on Statistics {
    created
    failed
    completed
    volume
    refunded
    reversed
    conversion
    medianSecondsToPay
  }
`);

export const statisticsDocument = graphql(
  `
    query Statistics($from: DateTime!, $to: DateTime!) {
      statistics(from: $from, to: $to) {
        ...StatisticsFigures
        buckets {
          start
          created
          failed
          completed
          volume
          medianSecondsToPay
        }
      }
    }
  `,
  [statisticsFigures],
);

export const statisticsBeforeDocument = graphql(
  `
    query StatisticsBefore($from: DateTime!, $to: DateTime!) {
      statistics(from: $from, to: $to) {
        ...StatisticsFigures
      }
    }
  `,
  [statisticsFigures],
);

export const latestPaymentsDocument = graphql(
  `
    query LatestPayments {
      payments(first: 5) {
        edges {
          node {
            ...PaymentRow
          }
        }
      }
    }
  `,
  [paymentRow],
);

export const concernedFragment = graphql(`
  fragment Concerned on PaymentConnection {
    edges {
      cursor
    }
    pageInfo {
      hasNextPage
    }
  }
`);

export const attentionDocument = graphql(
  `
    query Attention($since: DateTime!) {
      duplicated: payments(first: 20, filter: { concern: duplicated, createdFrom: $since }) {
        ...Concerned
      }
      disputed: payments(first: 20, filter: { concern: disputed }) {
        ...Concerned
      }
      webhookEndpoints {
        id
        url
        enabled
        disabledReason
        failingSince
      }
      credentials {
        id
        name
        provider
        enabled
        isDefault
        certificateExpiresAt
      }
    }
  `,
  [concernedFragment],
);
