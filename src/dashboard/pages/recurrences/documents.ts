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
    query Recurrences($filter: RecurrenceFilter, $first: Int!, $after: String) {
      recurrences(filter: $filter, first: $first, after: $after) {
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
      }
    }
  `,
  [recurrenceFields],
);

export type WholeRecurrence = NonNullable<ResultOf<typeof recurrenceDocument>['recurrence']>;

export const recurrencesUpdatedDocument = graphql(`
  subscription RecurrencesUpdated {
    recurrencesUpdated {
      id
      status
    }
  }
`);

const debitPaymentFields = graphql(
  `
    fragment DebitPaymentFields on Payment {
      id
      amount
      status
      dueDate
      debit {
        ...DebitFields
      }
    }
  `,
  [debitFields],
);

export type DebitPayment = ResultOf<typeof debitPaymentFields>;

export const recurrenceDebitsDocument = graphql(
  `
    query RecurrenceDebits($id: ID!, $first: Int!, $after: String) {
      recurrence(id: $id) {
        id
        payments(first: $first, after: $after) {
          edges {
            node {
              ...DebitPaymentFields
            }
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
    }
  `,
  [debitPaymentFields],
);

export const failedDebitsDocument = graphql(
  `
    query FailedDebits($ourFault: Boolean, $first: Int!, $after: String) {
      failedDebits(first: $first, after: $after, ourFault: $ourFault) {
        edges {
          node {
            ...DebitPaymentFields
            payerName
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  [debitPaymentFields],
);

export const upcomingDaysDocument = graphql(`
  query UpcomingDebitDays {
    upcomingDebitDays {
      on
      count
      amount
      isAtLeast
    }
  }
`);

export type DebitDay = ResultOf<typeof upcomingDaysDocument>['upcomingDebitDays'][number];

export const upcomingDebitsDocument = graphql(`
  query UpcomingDebits($on: String!, $first: Int!, $after: String) {
    upcomingDebits(on: $on, first: $first, after: $after) {
      edges {
        node {
          amount
          recurrence {
            id
            payerName
            description
            frequency
          }
          payment {
            id
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

export type UpcomingDebit = ResultOf<
  typeof upcomingDebitsDocument
>['upcomingDebits']['edges'][number]['node'];

export const pendingRequestsDocument = graphql(`
  query PendingRequests {
    approvalRequests(pendingOnly: true, first: 100) {
      edges {
        node {
          id
          action
          subject
        }
      }
    }
  }
`);

export const cancelRecurrenceDocument = graphql(`
  mutation CancelRecurrence($id: ID!) {
    cancelRecurrence(id: $id) {
      id
    }
  }
`);
