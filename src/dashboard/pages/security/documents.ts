import { graphql, type ResultOf } from '../../api/graphql.ts';

/** Asked in live mode: what is signed and what keys may do matters there. */
export const securityDocument = graphql(`
  query Security {
    organizationSettings {
      changesNeedApproval
      refundApprovalAbove
      secondFactorRoles
    }
    members {
      name
      createdAt
      twoFactorEnabled
      hasPassword
      lastSignInAt
    }
    sessions {
      id
    }
    apiKeys {
      name
      mode
      allowedIps
      createdAt
      lastUsedAt
      expiresAt
      revokedAt
    }
    webhookEndpoints {
      name
      url
      rotatingUntil
    }
  }
`);

export type Security = ResultOf<typeof securityDocument>;
