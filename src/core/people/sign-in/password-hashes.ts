import { hashPassword as hash, verifyPassword as verify } from 'better-auth/crypto';
import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import { Unavailable } from '../../base/errors.ts';

/**
 * A hash takes 32 MB and, for a tenth of a second, a core and one of the four threads that also serve DNS and file reads. So
 * they run one at a time, with a queue of about two seconds: whoever tries passwords never has a second core.
 */
const slots = bulkhead(1, 20);

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await slots.execute(work);
  } catch (error) {
    throw error instanceof BulkheadRejectedError ? new Unavailable('full') : error;
  }
}

/** Fails with `service_unavailable` when the queue is full; so does `verifyPassword`. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password));

export const verifyPassword = (claim: { hash: string; password: string }): Promise<boolean> =>
  inTurn(() => verify(claim));
