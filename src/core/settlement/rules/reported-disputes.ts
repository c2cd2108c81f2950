import type { Cents } from '../../base/money.ts';
import type { Charge, PspDispute } from '../../providers/rules/charge.ts';
import type { DisputeState, KnownClaim } from '../../disputes/rules/dispute.ts';

/** Nobody can claim nothing, or more than came in: then the whole amount is meant. */
export function claimedInCents(
  toldInCents: Cents,
  receivedInCents: Cents,
  receivedPix: Charge['receivedPix'],
): Cents {
  const most = receivedPix.reduce(
    (sum, pix) => (pix.amountInCents > sum ? pix.amountInCents : sum),
    receivedInCents,
  );
  return toldInCents > 0n && toldInCents < most ? toldInCents : most;
}

/**
 * The claims on a charge according to its provider's report. Some providers show a claim only while it is open. One that is
 * gone once the charge is paid again was decided: for the merchant if all the money that was claimed is still there, otherwise
 * against.
 */
export function disputesIn(
  { status, disputes, receivedPix }: Pick<Charge, 'status' | 'disputes' | 'receivedPix'>,
  known: readonly KnownClaim[],
): PspDispute[] {
  if (disputes === undefined) return [];
  const isDecided = status === 'paid' && receivedPix.length > 0;
  const listed = new Set(disputes.map(({ reference }) => reference));
  const gone = known.filter(
    ({ state, pspReference }) => isDecided && state === 'open' && !listed.has(pspReference),
  );
  // A mediation may give back only a part.
  const stateOf = (claimedInCents: bigint): DisputeState =>
    receivedPix.some((pix) => pix.amountInCents - pix.returnedInCents >= claimedInCents) ? 'won' : 'lost';
  return [
    ...disputes,
    ...gone.map(({ pspReference, amountInCents, reason, defenceUntil, openedAt }) => ({
      reference: pspReference,
      state: stateOf(amountInCents),
      amountInCents,
      reason,
      defenceUntil,
      openedAt,
    })),
  ];
}
