import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { WideDash } from '../../../ui/clipped-text.tsx';
import { countedFailures } from '../../../../core/webhooks/rules/webhook.ts';
import { type Outcome, useOutcomeText } from '../../../parts/deliveries/outcome-text.ts';
import { useFormats } from '../../../base/language.tsx';
import type { Summary } from './documents.ts';

type Failure = Summary['failures'][number];

/** Stands for how deliveries failed in addresses and choices: a status, or the error. */
export const causeOf = ({ statusCode, error }: Outcome): string => String(statusCode ?? error);

export const outcomeOf = (cause: string): Outcome =>
  /^\d{3}$/.test(cause) ? { statusCode: Number(cause), error: null } : { statusCode: null, error: cause };

/** Says how many there are, if it is known. */
export function useFailureText(): (failure: Outcome & { count?: number }) => string {
  const outcomeText = useOutcomeText();
  const { count } = useFormats();
  return (failure) =>
    failure.count === undefined
      ? outcomeText(failure)
      : `${outcomeText(failure)} · ${count(failure.count)}${failure.count < countedFailures ? '' : '+'}`;
}

/** Why deliveries failed, each cause with a link to those that did. */
export function Failures({ endpointId, failures }: { endpointId: string; failures: readonly Failure[] }) {
  const failureText = useFailureText();
  if (failures.length === 0) return <WideDash />;
  return failures.map((failure) => (
    <Anchor
      key={causeOf(failure)}
      component={Link}
      href={`/webhooks/${endpointId}?cause=${encodeURIComponent(causeOf(failure))}`}
      size="sm"
      display="block"
      style={{ whiteSpace: 'nowrap' }}
    >
      {failureText(failure)}
    </Anchor>
  ));
}
