import { graphql, type ResultOf } from '../../api/graphql.ts';

export const disputesDocument = graphql(`
  query Disputes($open: Boolean, $unanswered: Boolean, $first: Int!, $after: String) {
    disputes(open: $open, unanswered: $unanswered, first: $first, after: $after) {
      edges {
        node {
          id
          paymentId
          amount
          state
          defenceUntil
          openedAt
          createdAt
          answer
          answerStatus
          payment {
            payerName
            externalId
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

export type DisputeRow = ResultOf<typeof disputesDocument>['disputes']['edges'][number]['node'];

export const disputeDocument = graphql(`
  query Dispute($id: ID!) {
    dispute(id: $id) {
      id
      amount
      state
      reason
      defenceUntil
      openedAt
      closedAt
      createdAt
      answer
      answerStatus
      answeredAt
      answerRefusedAt
      provider
      statement
      answering {
        defence
        documents
        acceptance
        panelUrl
      }
      documents {
        id
        name
        mediaType
        bytes
      }
      payment {
        id
        amount
        description
        externalId
        payerName
        payerDocument
        confirmedAt
      }
    }
  }
`);

export type Dispute = NonNullable<ResultOf<typeof disputeDocument>['dispute']>;

export const disputeFileDocument = graphql(`
  query DisputeFile($id: ID!, $documentId: String!) {
    disputeDocument(id: $id, documentId: $documentId) {
      content
    }
  }
`);

export const evidenceDocument = graphql(`
  query DisputeEvidence($id: ID!, $language: String) {
    disputeEvidence(id: $id, language: $language)
  }
`);

export const defendDisputeDocument = graphql(`
  mutation DefendDispute($id: ID!, $input: DefendDisputeInput!, $idempotencyKey: String) {
    defendDispute(id: $id, input: $input, idempotencyKey: $idempotencyKey) {
      id
      answerStatus
    }
  }
`);

export const acceptDisputeDocument = graphql(`
  mutation AcceptDispute($id: ID!) {
    acceptDispute(id: $id) {
      id
    }
  }
`);
