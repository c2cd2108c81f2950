import { graphql, type ResultOf } from '../../api/graphql.ts';

export const debitFields = graphql(`
  fragment DebitFields on Debit {
    state
    reason
    retryOn
    attempts {
      on
      state
      reason
      providerCode
    }
  }
`);

export type Debit = ResultOf<typeof debitFields>;
