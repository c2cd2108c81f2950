import { postponeFailing } from './failing-credentials.ts';
import {
  partsOf,
  routeCandidates,
  type RoutedMoment,
  type RoutingBy,
  type RoutingReason,
  type SkipReason,
  skipReason,
} from './routing.ts';

export interface ExplainedCandidate {
  credentialId: string;
  provider: string;
  reason: RoutingReason;
  /** Why it is not tried; null when it is. */
  skipped: SkipReason | 'failing' | null;
  /** How many of a hundred payments try it first, where a split decides; else null. */
  percent: number | null;
}

/** The candidates of a payment that has no lot yet, in the order in which they are tried. All shares of a split are listed. */
export function explainRules(
  { mode, rules, routes, credentials }: RoutingBy,
  { amountInCents, at }: Omit<RoutedMoment, 'lot'>,
): ExplainedCandidate[] {
  const orderOf = (lot?: number) => {
    const moment = { amountInCents, at, ...(lot !== undefined && { lot }) };
    const candidates = routeCandidates({ by: 'rule_set', rules }, moment, routes, credentials);
    const steps = candidates.map(({ credential, reason, isShare }) => ({
      credentialId: credential.id,
      provider: credential.provider,
      reason,
      isShare,
      skipped: skipReason(mode, credential, { amountInCents, due: null }),
    }));
    return postponeFailing(steps, routes.failingIds);
  };
  const firstOf = (lot?: number) => orderOf(lot).find(({ skipped }) => !skipped);
  const percents = new Map<string, number>();
  for (const { percent, lot } of firstOf()?.isShare ? partsOf(rules) : []) {
    const first = firstOf(lot)?.credentialId ?? '';
    percents.set(first, (percents.get(first) ?? 0) + percent);
  }
  return orderOf().map(({ isShare: _isShare, ...candidate }) => ({
    ...candidate,
    percent: percents.get(candidate.credentialId) || null,
  }));
}
