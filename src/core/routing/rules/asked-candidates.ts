import type { Mode } from '../../base/mode.ts';
import { type Candidate, unusableReason } from './routing.ts';

/**
 * The candidates of which the first that can take a payment says what callers must give of the payer. They know nothing of
 * shares, diversions, hours and fees, so what these choose asks no more of them, unless nothing else is enabled.
 */
export function askedCandidates(
  mode: Mode,
  candidates: readonly Candidate[],
  isPayerMissing: (candidate: Candidate) => boolean,
): readonly Candidate[] {
  const isUnknown = ({ reason, isShare }: Candidate) =>
    isShare || ['diverted', 'time_window', 'cheapest'].includes(reason);
  const asked = candidates.filter((each) => !isUnknown(each) || !isPayerMissing(each));
  return asked.some(({ credential }) => !unusableReason(mode, credential)) ? asked : candidates;
}
