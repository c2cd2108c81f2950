import { graphql, type ResultOf } from '../../api/graphql.ts';

export const auditLogDocument = graphql(`
  query AuditLog($after: String, $kind: AuditKind, $from: DateTime, $to: DateTime) {
    auditLog(first: 50, after: $after, kind: $kind, from: $from, to: $to) {
      edges {
        node {
          id
          at
          actor
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
