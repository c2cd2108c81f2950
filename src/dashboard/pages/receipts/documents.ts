import { graphql, type ResultOf } from '../../api/graphql.ts';

const sums = graphql(`
  fragment ReceiptSumsFields on ReceiptSums {
    pixCount
    gross
    refunded
    reversed
    net
  }
`);

export const receiptsDocument = graphql(
  `
    query Receipts($from: String!, $to: String!, $timeZone: String!) {
      receipts(from: $from, to: $to, timeZone: $timeZone) {
        since
        total {
          ...ReceiptSumsFields
        }
        groups {
          provider
          credentialId
          credentialName
          pixCount
          gross
          refunded
          reversed
          net
          fee
          expectedFee
        }
        days {
          date
          pixCount
          gross
          refunded
          reversed
          net
          book {
            isClosed
            net
            difference
            fee
            expectedFee
            statements {
              credentialId
              credentialName
            }
          }
        }
      }
    }
  `,
  [sums],
);

export type ReceiptsResult = ResultOf<typeof receiptsDocument>['receipts'];
