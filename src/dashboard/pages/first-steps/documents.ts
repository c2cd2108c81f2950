import { graphql, type ResultOf } from '../../api/graphql.ts';

export const firstStepsDocument = graphql(`
  query FirstSteps {
    payments(first: 1) {
      edges {
        node {
          id
          amount
          amountPaid
          overdue
          status
          createdAt
          expiresAt
          pixCopyPaste
          pixQrCodeBase64
          due {
            lastPayableOn
          }
        }
      }
    }
    apiKeys {
      id
      name
      hint
      mode
      expiresAt
      revokedAt
    }
  }
`);

export const goLiveDocument = graphql(`
  query GoLive {
    credentials {
      id
      provider
      preset
      name
      enabled
      isDefault
      archivedAt
      notificationUrl
      missingSettings
      certificateExpiresAt
      pausedUntil
      minimumAmount
      lastCheck {
        checkedAt
        ok
        stages {
          stage
          outcome
          reason
          detail
        }
      }
    }
    ruleSets {
      isDefault
      defaultCredentialId
      ranges {
        credentialId
      }
      split {
        credentialId
      }
      fallbackCredentialIds
    }
    webhookEndpoints {
      id
      enabled
    }
    apiKeys {
      id
      mode
      revokedAt
    }
    paid: payments(first: 1, filter: { status: completed }) {
      edges {
        cursor
      }
    }
    refunded: payments(first: 1, filter: { status: refunded }) {
      edges {
        cursor
      }
    }
  }
`);

type Read = ResultOf<typeof firstStepsDocument>;
export type ApiKey = Read['apiKeys'][number];
export type LatestPayment = Read['payments']['edges'][number]['node'];

export const createFirstKeyDocument = graphql(`
  mutation CreateFirstKey($name: String!) {
    createApiKey(input: { name: $name }) {
      key
      apiKey {
        id
      }
    }
  }
`);
