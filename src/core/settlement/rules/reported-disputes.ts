import type { Charge, PspDispute } from '../../providers/rules/psp.ts';
import type { Dispute, DisputeState } from '../../disputes/rules/dispute.ts';

type KnownDispute = Pick<
  Dispute,
  'pspReference' | 'state' | 'amountInCents' | 'reason' | 'defenceUntil' | 'openedAt'
>;

/**
 * The claims on a charge that its provider's report shows. Some providers show a claim only while it is open: one that is
 * gone once the charge is paid again has been decided, against the merchant unless all that was claimed is left of the money.
 */
export function disputesIn(
  { status, disputes, receivedPix }: Pick<Charge, 'status' | 'disputes' | 'receivedPix'>,
  known: readonly KnownDispute[],
): PspDispute[] {
  if (disputes === undefined) return [];
  const isDecided = status === 'paid' && receivedPix.length > 0;
  const listed = new Set(disputes.map(({ reference }) => reference));
  const gone = known.filter(
    ({ state, pspReference }) => isDecided && state === 'open' && !listed.has(pspReference),
  );
  // A mediation may give back a part.
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
