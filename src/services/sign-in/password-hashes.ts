import { hashPassword as hash, verifyPassword as verify } from 'better-auth/crypto';
import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import { Unavailable } from '../../domain/errors.ts';

/**
 * A hash takes 32 MB, and a thread of the four that also look up names and read files, for a tenth of a second. So few
 * are made at once, and so many more wait, which is about two seconds.
 */
const places = bulkhead(2, 30);

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await places.execute(work);
  } catch (error) {
    throw error instanceof BulkheadRejectedError ? new Unavailable('full') : error;
  }
}

/** Fails with a 503 when too many wait, as the next one does. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password));

export const verifyPassword = (claim: { hash: string; password: string }): Promise<boolean> =>
  inTurn(() => verify(claim));
