import { graphql, type ResultOf } from '../../../api/graphql.ts';

export const accountsDocument = graphql(`
  query AccountsOfBooks {
    credentials {
      id
      name
      provider
      preset
      isDefault
    }
  }
`);

export type Account = ResultOf<typeof accountsDocument>['credentials'][number];

const bookDayFields = graphql(`
  fragment BookDayFields on BookDay {
    credentialId
    date
    state
    problem
    problemReason {
      code
      cause
      itemCount
      members
    }
    received
    refunded
    reversed
    net
    fee
    expectedFee
    pixCount
    ownReceived
    ownReturned
    ownPixCount
    importedAt
    importing
    openDifferences
    settledDifferences
  }
`);

export const booksDocument = graphql(
  `
    query Books($credentialId: ID, $from: String!, $to: String!) {
      books(credentialId: $credentialId, from: $from, to: $to, first: 31) {
        edges {
          node {
            ...BookDayFields
          }
        }
      }
    }
  `,
  [bookDayFields],
);

export type BookDay = ResultOf<typeof bookDayFields>;

const differenceFields = graphql(`
  fragment DifferenceFields on Difference {
    id
    kind
    state
    endToEndId
    paymentId
    amount
    ownAmount
    returned
    unreadableMembers
    foundAt
    resolutions
    settlement {
      resolution
      reason
      paymentId
      settledBy
      settledAt
    }
  }
`);

export const differencesDocument = graphql(
  `
    query Differences(
      $credentialId: ID
      $date: String!
      $kind: DifferenceKind
      $state: DifferenceState
      $after: String
    ) {
      differences(
        credentialId: $credentialId
        from: $date
        to: $date
        kind: $kind
        state: $state
        first: 50
        after: $after
      ) {
        edges {
          node {
            ...DifferenceFields
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  [differenceFields],
);

export type Difference = ResultOf<typeof differenceFields>;
export type DifferenceKind = Difference['kind'];
export type Resolution = Difference['resolutions'][number];

export const fetchBooksDocument = graphql(`
  mutation FetchBooks($credentialId: ID, $date: String!) {
    fetchBooks(credentialId: $credentialId, date: $date) {
      date
      importing
    }
  }
`);

export const settleDifferenceDocument = graphql(`
  mutation SettleDifference($input: SettleDifferenceInput!) {
    settleDifference(input: $input) {
      id
      state
    }
  }
`);

export const settleDifferencesDocument = graphql(`
  mutation SettleDifferences($input: SettleDifferencesInput!) {
    settleDifferences(input: $input) {
      id
      code
    }
  }
`);

export const reopenDifferenceDocument = graphql(`
  mutation ReopenDifference($id: ID!, $reason: String!) {
    reopenDifference(id: $id, reason: $reason) {
      id
      state
    }
  }
`);

export const candidatesDocument = graphql(`
  query PaymentsForMoney($text: String!) {
    searchPayments(text: $text, first: 10) {
      id
      amount
      status
      externalId
      createdAt
    }
  }
`);
