import type { ChargeAttempt } from '../payments/store/charge-attempts.ts';
import type { Charge, ChargeOutcome } from '../providers/rules/charge.ts';
import type { PspAdapter } from '../providers/rules/psp.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import { type Debit, debitAfter } from '../recurrences/rules/debit.ts';
import { chargeIdsOf, lookupSignal } from './expiry.ts';

export type DebitAttempt = ChargeAttempt & { debit: Debit };

export const isDebit = (attempt: ChargeAttempt): attempt is DebitAttempt => attempt.debit !== null;

/** The charge as it is after a cancellation; undefined where its provider refuses that. */
export async function cancelDebit(
  attempt: DebitAttempt,
  adapter: PspAdapter,
  now: Date,
): Promise<ChargeOutcome | undefined> {
  if (adapter.capabilities.cancel !== 'unpaid') return undefined;
  try {
    return await adapter.cancelCharge(chargeIdsOf(attempt, now), lookupSignal(attempt));
  } catch (error) {
    if (error instanceof PspError && error.failure === 'rejected') return undefined;
    throw error;
  }
}

/**
 * Cancels a debit that no bank will make any more: some providers would still let its charge be paid in another way. Any other charge
 * stays as it is.
 */
export async function withdrawn(
  attempt: ChargeAttempt,
  charge: Charge,
  adapter: PspAdapter,
  now: Date,
): Promise<Charge> {
  if (!isDebit(attempt) || attempt.paymentStatus !== 'pending' || charge.status !== 'active') return charge;
  const { state, attempts } = debitAfter(attempt.debit, charge.attempts ?? [], now);
  const isStopped = attempts.at(-1)?.state === 'cancelled';
  const after = isStopped || state === 'failed' ? await cancelDebit(attempt, adapter, now) : undefined;
  // What failed for good has failed, also once it is cancelled.
  return !after || (after.status === 'cancelled' && !isStopped) ? charge : { ...charge, ...after };
}
