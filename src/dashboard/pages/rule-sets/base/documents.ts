import { graphql, type ResultOf } from '../../../api/graphql.ts';

export const ruleAccount = graphql(`
  fragment RuleAccount on CredentialInfo {
    id
    name
    provider
    enabled
    isDefault
    fallbackPosition
    archivedAt
    minimumAmount
    maximumAmount
    fees {
      percent
      fixed
      minimum
      maximum
    }
  }
`);

export const ruleSetsDocument = graphql(
  `
    query RuleSets {
      ruleSets {
        id
        name
        when {
          from
          to
          days
          credentialId
        }
        ranges {
          from
          to
          credentialId
        }
        split {
          credentialId
          percent
        }
        defaultCredentialId
        fallbackCredentialIds
        prefer
        isDefault
      }
      credentials {
        ...RuleAccount
      }
    }
  `,
  [ruleAccount],
);

type Read = ResultOf<typeof ruleSetsDocument>;

export type RuleSet = Read['ruleSets'][number];

export type Rules = Omit<RuleSet, 'id' | 'isDefault'>;

export type Account = ResultOf<typeof ruleAccount>;

export const createRuleSetDocument = graphql(`
  mutation CreateRuleSet($input: CreateRuleSetInput!) {
    createRuleSet(input: $input) {
      id
    }
  }
`);

export const updateRuleSetDocument = graphql(`
  mutation UpdateRuleSet($id: ID!, $input: UpdateRuleSetInput!) {
    updateRuleSet(id: $id, input: $input) {
      id
    }
  }
`);

export const setDefaultRuleSetDocument = graphql(`
  mutation SetDefaultRuleSet($id: ID!) {
    setDefaultRuleSet(id: $id)
  }
`);

export const clearDefaultRuleSetDocument = graphql(`
  mutation ClearDefaultRuleSet {
    clearDefaultRuleSet
  }
`);

export const ruleSetUseDocument = graphql(`
  query RuleSetUse($id: ID!) {
    ruleSetUse(id: $id) {
      defaultIn
      paymentLinkCount
      paymentLinks {
        id
        description
        isTest
      }
    }
  }
`);

export type RuleSetUse = ResultOf<typeof ruleSetUseDocument>['ruleSetUse'];

export const deleteRuleSetDocument = graphql(`
  mutation DeleteRuleSet($id: ID!) {
    deleteRuleSet(id: $id)
  }
`);

export const explainRuleSetDocument = graphql(`
  query ExplainRuleSet($id: ID!, $amount: Float!) {
    explainRuleSet(id: $id, amount: $amount) {
      credentialId
      provider
      reason
      skipped
      percent
    }
  }
`);
