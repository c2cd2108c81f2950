import { graphql, type ResultOf } from '../../api/graphql.ts';

export const diversionChoiceDocument = graphql(`
  query DiversionChoice($id: ID!) {
    credentials {
      id
      name
      provider
      enabled
      isDefault
      fallbackPosition
      divertedToId
      minimumAmount
    }
    credentialRemoval(id: $id) {
      isDefault
      isDefaultFallback
      ruleSets {
        id
        name
      }
      divertedHere {
        id
        name
      }
    }
  }
`);

export type DiversionChoice = ResultOf<typeof diversionChoiceDocument>;

export const divertCredentialDocument = graphql(`
  mutation DivertCredential($id: ID!, $to: ID!) {
    divertCredential(id: $id, to: $to)
  }
`);

export const endCredentialDiversionDocument = graphql(`
  mutation EndCredentialDiversion($id: ID!) {
    endCredentialDiversion(id: $id)
  }
`);
