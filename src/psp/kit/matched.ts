import { type Charge, type ChargeIds, type ChargeRequest, PspError } from '../../domain/providers/psp.ts';
import type { Logger } from '../../observability/logger.ts';

/**
 * The charge as the PSP tells it, when it bears our name and its Pix are of its amount; else unrecognised
 * and without a Pix, so that no money is believed for the wrong payment. An empty name is asked for by
 * those who know the reference only.
 */
export function matched(
  charge: Charge,
  { transactionId }: Pick<ChargeIds, 'transactionId'>,
  logger: Logger | undefined,
): Charge {
  const mismatches = [
    ...(!transactionId || charge.transactionId === transactionId ? [] : ['transactionId']),
    ...(charge.receivedPix.every((pix) => pix.amountInCents === charge.amountInCents) ? [] : ['amount']),
  ];
  if (mismatches.length === 0) return charge;
  logger?.error({ reference: charge.reference, mismatches }, 'the charge is not the one asked for');
  return { ...charge, status: 'unrecognised', receivedPix: [] };
}

/** The charge that a create answered with: perhaps paid already, but what was asked for and not at its end. */
export function asAskedFor(charge: Charge, request: ChargeRequest, logger: Logger | undefined): Charge {
  const own = matched(charge, request, logger);
  if (own.status === 'unrecognised' || own.amountInCents !== request.amountInCents) {
    throw new PspError('unknown', 'the provider answered with a charge that is not the one asked for');
  }
  if (own.status === 'active' || own.status === 'paid' || own.status === 'contested') return own;
  throw new PspError('rejected', 'the transaction id is that of a charge that has ended');
}
