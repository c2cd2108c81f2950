import { graphql, type ResultOf } from '../../../api/graphql.ts';

export const credentialsDocument = graphql(`
  query Credentials {
    credentials {
      id
      provider
      preset
      name
      enabled
      isDefault
      fallbackPosition
      divertedToId
      divertedAt
      archivedAt
      notificationUrl
      missingSettings
      certificateExpiresAt
      pausedUntil
      minimumAmount
      fees {
        percent
        fixed
        minimum
        maximum
      }
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
  }
`);

export type Credential = ResultOf<typeof credentialsDocument>['credentials'][number];

export const callDaysDocument = graphql(`
  query CallDays {
    providerHealth {
      credentialId
      days {
        start
        count: calls
        succeeded
      }
    }
  }
`);

export const providerSettingsDocument = graphql(`
  query ProviderSettings {
    providerSettings {
      provider
      displayName
      verified {
        preset
        day
        version
      }
      fields {
        name
        label {
          pt
          en
        }
        help {
          pt
          en
        }
        kind
        isSecret
        isRequired
        isFixed
        isAdvanced
        isGenerated
        comesWithWebhook
        presets {
          preset
          isShown
          isRequired
          defaultValue
        }
        unless {
          setting
          value
        }
        options
        optionLabels {
          pt
          en
        }
        defaultValue
      }
    }
  }
`);

export type ProviderSettings = ResultOf<typeof providerSettingsDocument>['providerSettings'][number];

export type SettingField = ProviderSettings['fields'][number];

export const createCredentialDocument = graphql(`
  mutation CreateCredential($input: CreateCredentialInput!) {
    createCredential(input: $input) {
      id
    }
  }
`);

export const credentialSettingsDocument = graphql(`
  query CredentialSettings($id: ID!) {
    credentialSettings(id: $id) {
      name
      value
    }
  }
`);

export type StoredSetting = ResultOf<typeof credentialSettingsDocument>['credentialSettings'][number];

export const updateCredentialDocument = graphql(`
  mutation UpdateCredential($id: ID!, $input: UpdateCredentialInput!) {
    updateCredential(id: $id, input: $input) {
      id
    }
  }
`);

export const checkCredentialDocument = graphql(`
  mutation CheckCredential($id: ID!) {
    checkCredential(id: $id) {
      ok
      stages {
        stage
        outcome
        reason
        detail
      }
    }
  }
`);

export const setDefaultCredentialDocument = graphql(`
  mutation SetDefaultCredential($id: ID!) {
    setDefaultCredential(id: $id) {
      id
      isDefault
    }
  }
`);

export const setCredentialEnabledDocument = graphql(`
  mutation SetCredentialEnabled($id: ID!, $enabled: Boolean!) {
    setCredentialEnabled(id: $id, enabled: $enabled) {
      id
      enabled
    }
  }
`);

export const credentialRemovalDocument = graphql(`
  query CredentialRemoval($id: ID!) {
    credentialRemoval(id: $id) {
      isUsed
      isDefault
      isDefaultFallback
      divertedHere {
        id
        name
      }
      ruleSets {
        id
        name
      }
    }
  }
`);

export type CredentialRemoval = ResultOf<typeof credentialRemovalDocument>['credentialRemoval'];

export const removeCredentialDocument = graphql(`
  mutation RemoveCredential($id: ID!) {
    removeCredential(id: $id)
  }
`);

export const restoreCredentialDocument = graphql(`
  mutation RestoreCredential($id: ID!) {
    restoreCredential(id: $id) {
      id
      archivedAt
    }
  }
`);

export const registerWebhookDocument = graphql(`
  mutation RegisterCredentialWebhook($id: ID!) {
    registerCredentialWebhook(id: $id) {
      outcome
      reason
      detail
      registeredUrl
    }
  }
`);

export const setDefaultFallbacksDocument = graphql(`
  mutation SetDefaultFallbacks($ids: [ID!]!) {
    setDefaultFallbacks(ids: $ids)
  }
`);
