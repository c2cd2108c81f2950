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

const statisticsBuckets = graphql(`
  fragment StatisticsBuckets on StatisticsBucket {
    start
    created
    failed
    completed
    volume
    medianSecondsToPay
  }
`);

export const statisticsDocument = graphql(
  `
    query Statistics($from: DateTime!, $to: DateTime!) {
      statistics(from: $from, to: $to) {
        ...StatisticsFigures
        buckets {
          ...StatisticsBuckets
        }
      }
    }
  `,
  [statisticsFigures, statisticsBuckets],
);

export const statisticsBeforeDocument = graphql(
  `
    query StatisticsBefore($from: DateTime!, $to: DateTime!) {
      statistics(from: $from, to: $to) {
        ...StatisticsFigures
        buckets {
          ...StatisticsBuckets
        }
      }
    }
  `,
  [statisticsFigures, statisticsBuckets],
);

export const paidByHourDocument = graphql(`
  query PaidByHour($from: DateTime!, $to: DateTime!) {
    paidByHour(from: $from, to: $to)
  }
`);

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
