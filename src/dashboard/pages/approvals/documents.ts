import { graphql, type ResultOf } from '../../api/graphql.ts';
import { ruleAccount } from '../rule-sets/base/documents.ts';

const approvalFields = graphql(`
  fragment ApprovalFields on ApprovalRequest {
    id
    action
    subject
    before
    after
    status
    requestedBy
    createdAt
    expiresAt
    decidedBy
    decidedAt
    reason
    failure {
      code
      problems {
        path
        rule
        params
      }
    }
    mayDecide
    mayWithdraw
  }
`);

export const approvalRequestsDocument = graphql(
  `
    query ApprovalRequests($pendingOnly: Boolean!, $after: String) {
      approvalRequests(pendingOnly: $pendingOnly, first: 20, after: $after) {
        edges {
          node {
            ...ApprovalFields
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  [approvalFields],
);

export type ApprovalRequest = ResultOf<typeof approvalFields>;

/** A change holds ids; people read names. */
export const accountsDocument = graphql(
  `
    query AccountsOfChanges {
      credentials {
        ...RuleAccount
      }
    }
  `,
  [ruleAccount],
);

export const approveDocument = graphql(`
  mutation ApproveRequest($id: ID!) {
    approveRequest(id: $id) {
      secret
      request {
        status
        failure {
          code
          problems {
            path
            rule
            params
          }
        }
      }
    }
  }
`);

export const rejectDocument = graphql(`
  mutation RejectRequest($id: ID!, $reason: String!) {
    rejectRequest(id: $id, reason: $reason) {
      id
    }
  }
`);

export const withdrawDocument = graphql(`
  mutation WithdrawRequest($id: ID!) {
    withdrawRequest(id: $id) {
      id
    }
  }
`);

export const settingsDocument = graphql(`
  query OrganizationSettings {
    organizationSettings {
      changesNeedApproval
      recurrenceEndingsNeedApproval
      otherPayer
      refundApprovalAbove
      refundLimits {
        role
        amountPerDay
      }
      secondFactorRoles
      rateLimitPerMinute
    }
    members {
      role
    }
  }
`);

export type Settings = ResultOf<typeof settingsDocument>['organizationSettings'];

export const updateSettingsDocument = graphql(`
  mutation UpdateOrganizationSettings($input: UpdateOrganizationSettingsInput!) {
    updateOrganizationSettings(input: $input) {
      changesNeedApproval
    }
  }
`);
