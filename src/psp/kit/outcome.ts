import type { Charge } from '../../core/providers/rules/charge.ts';
import { PspError, throwUnknownOutcome } from '../../core/providers/rules/psp-error.ts';

interface Cancellation {
  cancel(): Promise<unknown>;
  look(): Promise<Charge | undefined>;
}

/** The PSP's definite no to a cancellation; undefined when it agreed. */
export const refusalToCancel = (cancel: Promise<unknown>): Promise<PspError | undefined> =>
  cancel.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof PspError && error.failure === 'rejected') return error;
      throw error;
    },
  );

/**
 * Cancels a charge and returns its state afterwards. The charge may be paid at any moment, after which PSPs refuse to cancel.
 */
export async function cancelled(before: Charge, { cancel, look }: Cancellation): Promise<Charge> {
  if (before.status !== 'active') return before;
  const refused = await refusalToCancel(cancel());
  const after = await look().catch(throwUnknownOutcome);
  if (refused && (!after || after.status === 'active')) throw refused;
  return after ?? { ...before, status: 'cancelled' };
}

interface Circumstances {
  /** It may have been sent before, and have arrived. */
  isRepeat: boolean;
  /** Whether the PSP shows an answer of ours; undefined where that cannot be seen. */
  hasArrived(this: void, error: PspError): Promise<boolean | undefined>;
}

/** Sends an answer to a claim. A refusal is definite only if no earlier request can have brought the answer. */
export async function sendAnswer(
  send: () => Promise<unknown>,
  { isRepeat, hasArrived }: Circumstances,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    // An answer says nothing of the payer's data, whatever the words of a refusal look like.
    const isRefused = error instanceof PspError && error.failure.startsWith('rejected');
    if (!isRefused && !(error instanceof PspError && error.failure === 'unknown')) throw error;
    const arrived = await hasArrived(error).catch(() => undefined);
    if (arrived) return;
    throw error.as(isRefused && (arrived === false || !isRepeat) ? 'rejected' : 'unknown');
  }
}
