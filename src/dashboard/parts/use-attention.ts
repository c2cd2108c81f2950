import { graphql, type ResultOf } from '../api/graphql.ts';
import { useServiceQuery } from '../base/use-service.ts';

export const conditionFields = graphql(`
  fragment ConditionFields on Condition {
    kind
    severity
    subject {
      id
      name
    }
    divertedTo {
      id
      name
    }
    since
    reason
    count
    isAtLeast
    share
    day
    credentialId
    paymentId
    daysLeft
  }
`);

const attentionDocument = graphql(
  `
    query Attention {
      attention {
        ...ConditionFields
      }
    }
  `,
  [conditionFields],
);

export type ShownCondition = ResultOf<typeof conditionFields>;

const pollIntervalMs = 10_000;

/** Lists what somebody should look at, the worst first; undefined while it is loading. */
export function useAttention(): readonly ShownCondition[] | undefined {
  const { data } = useServiceQuery(attentionDocument, {}, { refetchIntervalMs: pollIntervalMs });
  return data?.attention;
}

export const isFailing = ({ kind }: ShownCondition): boolean =>
  kind === 'provider_outage' || kind === 'credential_refused';

/** What makes a credential fail now; undefined for those that work. Known in live mode alone. */
export function useFailureOf(): (credentialId: string) => ShownCondition | undefined {
  const conditions = useAttention() ?? [];
  return (credentialId) => conditions.find((each) => isFailing(each) && each.subject?.id === credentialId);
}
