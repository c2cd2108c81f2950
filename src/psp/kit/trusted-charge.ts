import {
  type Charge,
  type ChargeIds,
  type ChargeRequest,
  kindOf,
} from '../../core/providers/rules/charge.ts';
import { isKept } from '../../core/settlement/rules/settlement.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import type { Logger } from '../../observability/logger.ts';

/**
 * The charge as the PSP reports it, if it carries our id and, should it have any Pix and no due date, one of its amount. Otherwise it is
 * unrecognised and has no Pix, so that no money is credited to the wrong payment. A Pix of another amount does not hide one that
 * matches. `transactionId` is empty if only the reference is known.
 */
export function trustedCharge(
  charge: Charge,
  { transactionId, kind }: Pick<ChargeIds, 'transactionId' | 'kind'>,
  logger: Logger | undefined,
): Charge {
  const isOurs = !transactionId || charge.transactionId === transactionId;
  const mismatches = [
    ...(isOurs ? [] : ['transactionId']),
    ...(kind === 'due' || hasMatchingPix(charge) ? [] : ['amount']),
  ];
  if (mismatches.length === 0) return charge;
  // Money of another amount confirms nothing; a person decides about it.
  const receivedInCents = charge.receivedPix.map(({ amountInCents }) => Number(amountInCents));
  const about = { reference: charge.reference, mismatches, receivedInCents };
  logger?.error(about, 'the charge does not match the request');
  return isOurs ? withOtherMoney(charge) : { ...charge, status: 'unrecognised', receivedPix: [] };
}

/** Our charge, when no Pix of its amount has paid it. */
export const withOtherMoney = (charge: Charge): Charge => ({
  ...charge,
  status: 'unrecognised',
  receivedPix: [],
  ...(charge.status === 'paid' && charge.receivedPix.some(isKept) && { hasOtherMoney: true }),
});

/** True if one of several Pix matches; the others are another matter. */
export const hasMatchingPix = ({ receivedPix, amountInCents }: Charge): boolean =>
  receivedPix.length === 0 || receivedPix.some((pix) => pix.amountInCents === amountInCents);

/** Checks the charge that a create returned. It may be paid already, but it must match the request and must not have ended. */
export function requestedCharge(charge: Charge, request: ChargeRequest, logger: Logger | undefined): Charge {
  const own = trustedCharge(charge, { ...request, kind: kindOf(request) }, logger);
  if (own.status === 'unrecognised' || own.amountInCents !== request.amountInCents) {
    throw new PspError('unknown', 'the provider returned a charge that does not match the request');
  }
  if (own.status === 'active' || own.status === 'paid' || own.status === 'contested') return own;
  throw new PspError('rejected', 'the transaction id belongs to a charge that has ended');
}
