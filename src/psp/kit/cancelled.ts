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
