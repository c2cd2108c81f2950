import { graphql, type ResultOf } from '../../api/graphql.ts';
import { debitFields } from '../../parts/debits/debit-fields.ts';

const recurrenceFields = graphql(`
  fragment RecurrenceFields on Recurrence {
    id
    status
    amount
    minimumAmount
    frequency
    startDate
    endDate
    retries
    description
    payerName
    nextDebitOn
    activatedAt
  }
`);

export type Recurrence = ResultOf<typeof recurrenceFields>;

export const recurrencesDocument = graphql(
  `
    query Recurrences($filter: RecurrenceFilter, $after: String) {
      recurrences(filter: $filter, first: 25, after: $after) {
        edges {
          node {
            ...RecurrenceFields
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  [recurrenceFields],
);

export const recurrenceDocument = graphql(
  `
    query Recurrence($id: ID!) {
      recurrence(id: $id) {
        ...RecurrenceFields
        statusReason
        endedBy
        contract
        externalId
        provider
        payerDocument
        checkoutUrl
        createdAt
        expiresAt
        endedAt
        payments(first: 100) {
          edges {
            node {
              id
              amount
              status
              dueDate
              debit {
                ...DebitFields
              }
            }
          }
        }
      }
    }
  `,
  [recurrenceFields, debitFields],
);

export type WholeRecurrence = NonNullable<ResultOf<typeof recurrenceDocument>['recurrence']>;

export type DebitPayment = WholeRecurrence['payments']['edges'][number]['node'];

export const cancelRecurrenceDocument = graphql(`
  mutation CancelRecurrence($id: ID!) {
    cancelRecurrence(id: $id) {
      id
    }
  }
`);
