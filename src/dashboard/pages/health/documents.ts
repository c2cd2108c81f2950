import { graphql, type ResultOf } from '../../api/graphql.ts';
import { conditionFields } from '../../parts/use-attention.ts';

const windowFields = graphql(`
  fragment HealthWindowFields on WindowCalls {
    calls
    successRate
    p50Ms
    p95Ms
    outcomes {
      outcome
      count
    }
  }
`);

const healthFields = graphql(
  `
    fragment HealthFields on CredentialHealth {
      credentialId
      name
      provider
      enabled
      isDefault
      breakerOpen
      lastSuccessAt
      lastNotificationAt
      notificationMissedAt
      pausedUntil
      certificateExpiresAt
      certificateDaysLeft
      lastFailure {
        at
        operation
        outcome
        reason
        detail
      }
      requests {
        limit
        left
        at
      }
      hour {
        ...HealthWindowFields
      }
      day {
        ...HealthWindowFields
      }
      week {
        ...HealthWindowFields
      }
    }
  `,
  [windowFields],
);

export type Health = ResultOf<typeof healthFields>;
export type WindowCalls = ResultOf<typeof windowFields>;

export const healthDocument = graphql(
  `
    query ProviderHealth {
      providerHealth {
        ...HealthFields
      }
    }
  `,
  [healthFields],
);

export const callsDocument = graphql(`
  query ProviderCalls($id: ID!, $window: HealthWindow!) {
    providerCalls(id: $id, window: $window) {
      start
      calls
      successRate
      p95Ms
    }
  }
`);

export const alertsDocument = graphql(
  `
    query Alerts {
      alerts(first: 20) {
        id
        kind
        severity
        openedAt
        closedAt
        condition {
          ...ConditionFields
        }
      }
    }
  `,
  [conditionFields],
);
