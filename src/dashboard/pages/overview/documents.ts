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
