import type { Cents } from '../../base/money.ts';
import type { AttemptOutcome } from '../../payments/rules/payment.ts';
import type { PayerField } from '../../providers/rules/charge.ts';
import { askedCandidates } from '../../routing/rules/asked-candidates.ts';
import { postponeFailing } from '../../routing/rules/failing-credentials.ts';
import { type Candidate, routeCandidates, type RoutingBy, skipReason } from '../../routing/rules/routing.ts';

/** A payment of the past, with what became of it. */
export interface RoutedPayment {
  amountInCents: Cents;
  createdAt: Date;
  wasPaid: boolean;
  /** The credential that made its charge; undefined where none did, null for the sandbox without one. */
  madeBy: string | null | undefined;
  /** Decides between the shares of a split. */
  lot: number;
  /** What was known of its payer. */
  payerFields: readonly PayerField[];
  attempts: readonly { credentialId: string | null; outcome: AttemptOutcome; skipped: string | null }[];
  /** How many payments it stands for. */
  weight: number;
}

/**
 * The credentials that these rules would have asked, in order; none where the request would have been refused. What was failing then
 * is postponed as it was, and what lacks data of the payer is skipped, or has the request refused, as it would be today.
 */
export function askedBy(
  { mode, rules, routes, credentials }: RoutingBy,
  { amountInCents, createdAt: at, lot, payerFields, attempts }: RoutedPayment,
): { credentialId: string | null }[] {
  const isAttempted = (id: string, skipped: string | null) =>
    attempts.some((each) => each.credentialId === id && each.skipped === skipped);
  // The payer may have been forgotten since.
  const isPayerMissing = ({ credential: { id, needsPayer } }: Candidate) =>
    isAttempted(id, 'payer_incomplete') ||
    (!isAttempted(id, null) && !needsPayer.every((each) => payerFields.includes(each)));
  const candidates = routeCandidates(
    { by: 'rule_set', rules },
    { amountInCents, at, lot },
    routes,
    credentials,
  );
  if (mode === 'test' && candidates.length === 0) return [{ credentialId: null }];
  const reasonOf = ({ credential }: Candidate) => skipReason(mode, credential, { amountInCents, due: null });
  const first = askedCandidates(mode, candidates, isPayerMissing).find((each) => !reasonOf(each));
  if (!first || isPayerMissing(first)) return [];
  const steps = candidates.map((candidate) => ({
    credentialId: candidate.credential.id,
    skipped: reasonOf(candidate) ?? (isPayerMissing(candidate) ? ('payer_incomplete' as const) : null),
  }));
  const ids = steps.map(({ credentialId }) => credentialId);
  return postponeFailing(
    steps,
    ids.filter((id) => isAttempted(id, 'failing')),
  ).filter(({ skipped }) => skipped === null);
}
