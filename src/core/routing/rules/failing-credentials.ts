import type { RoutingReason } from './routing.ts';

/** The share of payments that a failing credential still gets in its turn, so that its recovery is seen. */
export const probedShare = 0.02;

interface Step {
  credentialId: string | null;
  /** Null when it is tried. */
  skipped: string | null;
}

/** Moves failing credentials behind all others, as a last resort. Leaves the order alone where no other is left. */
export function postponeFailing<S extends Step>(
  steps: readonly S[],
  failingIds: readonly string[],
): (S | (S & { skipped: 'failing' }))[] {
  const isFailing = ({ credentialId, skipped }: S) =>
    skipped === null && credentialId !== null && failingIds.includes(credentialId);
  const failing = steps.filter(isFailing);
  if (steps.every((step) => step.skipped !== null || isFailing(step))) return [...steps];
  return [
    ...steps.map((step) => (isFailing(step) ? { ...step, skipped: 'failing' as const } : step)),
    ...failing,
  ];
}

/** Leaves failing credentials in their turn, to see whether they are back, and says so of those that would be postponed. */
export const probeFailing = <S extends Step & { reason: RoutingReason }>(
  steps: readonly S[],
  failingIds: readonly string[],
): S[] =>
  postponeFailing(steps, failingIds)
    .slice(0, steps.length)
    .map((step) => (step.skipped === 'failing' ? { ...step, reason: 'probe', skipped: null } : step));
