import type { Mode } from '../../base/mode.ts';
import { type Candidate, unusableReason } from './routing.ts';

/**
 * Of which of the candidates the first that can take a payment says what must be given of the payer. Callers know nothing of a
 * share, a diversion, the hour or the fees, so these ask no more of them, unless only one of them can take the payment.
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
