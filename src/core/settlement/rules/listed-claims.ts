import type { Cents } from '../../base/money.ts';
import type { PspDispute } from '../../providers/rules/charge.ts';
import type { ListedDispute } from '../../providers/rules/psp-lists.ts';
import type { KnownClaim } from '../../disputes/rules/dispute.ts';

interface Context {
  /** What is known of all claims on the payment. */
  known: readonly KnownClaim[];
  /** What the Pix brought. */
  amountInCents: Cents;
  /** Those that ended before are not told any more, unless they were known. */
  followedSince: Date;
}

const isAsKnown = ({ state, defenceUntil, isDefended }: PspDispute, claim: KnownClaim): boolean =>
  state === claim.state &&
  !(isDefended && claim.answer === null) &&
  (!defenceUntil || defenceUntil.getTime() === claim.defenceUntil?.getTime());

/**
 * The claims on a payment as a list of its provider tells them; undefined if it tells nothing new. Those that the page does not
 * have stay as they are.
 */
export function claimsAfter(
  listed: readonly ListedDispute[],
  { known, amountInCents, followedSince }: Context,
): PspDispute[] | undefined {
  const knownOf = new Map(known.map((claim) => [claim.pspReference, claim]));
  const changed = listed.flatMap((each): PspDispute[] => {
    const { endToEndId: _, ...claim } = each;
    const before = knownOf.get(claim.reference);
    if (before && isAsKnown(claim, before)) return [];
    const isOld = claim.state !== 'open' && (claim.openedAt ?? followedSince) < followedSince;
    if (!before && isOld) return [];
    const claimed = claim.amountInCents < amountInCents ? claim.amountInCents : amountInCents;
    return [{ ...claim, amountInCents: claimed }];
  });
  if (changed.length === 0) return undefined;
  const told = new Set(changed.map(({ reference }) => reference));
  const others = known
    .filter(({ pspReference }) => !told.has(pspReference))
    .map(({ pspReference: reference, state, amountInCents: of, reason, defenceUntil, openedAt }) => ({
      reference,
      state,
      amountInCents: of,
      reason,
      defenceUntil,
      openedAt,
    }));
  return [...changed, ...others];
}
