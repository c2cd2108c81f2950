import { graphql, type ResultOf } from '../../api/graphql.ts';

export const auditLogDocument = graphql(`
  query AuditLog(
    $first: Int!
    $after: String
    $actor: ID
    $group: AuditGroup
    $kind: AuditKind
    $subject: ID
    $from: DateTime
    $to: DateTime
  ) {
    auditLog(
      first: $first
      after: $after
      actor: $actor
      group: $group
      kind: $kind
      subject: $subject
      from: $from
      to: $to
    ) {
      edges {
        node {
          id
          at
          actor
          userId
          apiKeyId
          action
          subject
          details
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export type AuditEntry = ResultOf<typeof auditLogDocument>['auditLog']['edges'][number]['node'];

export const actorsDocument = graphql(`
  query AuditActors {
    members {
      userId
      email
    }
    apiKeys {
      id
      name
      hint
    }
  }
`);
