import { hash, randomInt } from 'node:crypto';
import { ServiceError, stillBeingProcessed, Unavailable } from '../domain/errors.ts';
import type { IdempotentOutcome, KeyHolder } from '../persistence/payments/charging.ts';
import type { Database } from '../persistence/database.ts';
import {
  claimIdempotencyKey,
  shortenIdempotencyLease,
  findIdempotencyKey,
  forgetIdempotencyKeys,
  releaseIdempotencyKey,
} from '../persistence/idempotency-keys.ts';
import type { Caller } from './caller.ts';

/** What an idempotent request answered: a view of the result. What has failed is not kept. */
interface Outcome {
  result: object;
}

export interface Replayable<View> {
  view: View;
  /** The work was done by an earlier request with the same key. */
  replayed: boolean;
}

/** The claim under which the work runs. */
export interface IdempotentWork {
  /** The payment or refund to work on: on a take-over the one that the dead holder had begun. */
  subjectId: string;
  /** Whether another holder may have begun the work. */
  takenOver: boolean;
  succeeded(result: object): IdempotentOutcome | null;
  /** Who is to give the key back in the statement in which the work fails. */
  keyHolder: KeyHolder | null;
}

export interface Idempotency {
  /**
   * Runs `work` until it succeeds for a key of the caller's organization and mode; later requests with the same
   * input get its outcome. `work` stores the outcome in its own transaction; a ServiceError gives the key back, for
   * any input. What was interrupted because something was unavailable is for the next request with the
   * key to finish. Without a key it simply runs.
   */
  run<View extends object>(
    caller: Caller,
    key: string | undefined,
    request: { operation: string; input: unknown; subjectId: string },
    work: (claim: IdempotentWork) => Promise<View>,
  ): Promise<Replayable<View>>;
  /** Deletes up to `limit` keys whose 30 days are over; answers how many. */
  forgetOld(limit: number): Promise<number>;
}

/** Sorted members, so that the same request in another order is the same request. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );

/** Bare or quoted, as the IETF draft writes it: both name the same key. */
export function parseIdempotencyKey(text: string): string {
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw new ServiceError(
      'invalid_idempotency_key',
      'Idempotency-Key must be 1 to 255 printable ASCII characters',
    );
  }
  return key;
}

/** Of a key that is in use for something else. */
function alreadyUsed(storedOperation: string | null, operation: string): ServiceError {
  if (storedOperation !== null && storedOperation !== operation) {
    return new ServiceError(
      'idempotency_key_of_other_operation',
      `Idempotency-Key was already used for another operation: it was a ${storedOperation}, this is a ${operation}`,
    );
  }
  return new ServiceError(
    'idempotency_key_reused',
    operation === 'create'
      ? 'Idempotency-Key was already used with another request body'
      : `Idempotency-Key was already used for another ${operation}: of another payment or with another body`,
  );
}

export function createIdempotency({ db, leaseMs }: { db: Database; leaseMs: number }): Idempotency {
  async function replay<View>(
    caller: Caller,
    key: string,
    { operation, fingerprint }: { operation: string; fingerprint: string },
  ): Promise<Replayable<View>> {
    const stored = await findIdempotencyKey(db, caller, key);
    if (stored && stored.fingerprint !== fingerprint) throw alreadyUsed(stored.operation, operation);
    const outcome = stored?.outcome as Outcome | null | undefined;
    if (!outcome) throw stillBeingProcessed();
    return { view: outcome.result as View, replayed: true };
  }

  return {
    async run(caller, key, { operation, input, subjectId }, work) {
      if (key === undefined) {
        const view = await work({
          subjectId,
          takenOver: false,
          succeeded: () => null,
          keyHolder: null,
        });
        return { view, replayed: false };
      }
      const { organizationId, mode } = caller;
      const fingerprint = hash('sha256', canonical([operation, input]), 'base64');
      const ownHolder = randomInt(1, 2 ** 30);
      const held = await claimIdempotencyKey(db, {
        organizationId,
        mode,
        key,
        operation,
        fingerprint,
        subjectId,
        holder: ownHolder,
        leaseMs,
      });
      if (!held) return replay(caller, key, { operation, fingerprint });
      const keyHolder: KeyHolder = { organizationId, mode, key, holder: held.holder };
      try {
        const view = await work({
          subjectId: held.subjectId,
          takenOver: held.holder !== ownHolder,
          succeeded: (result) => ({ ...keyHolder, outcome: { result } satisfies Outcome }),
          keyHolder,
        });
        return { view, replayed: false };
      } catch (error) {
        if (error instanceof ServiceError) await releaseIdempotencyKey(db, keyHolder);
        // If that fails too, the lease ends by itself.
        if (error instanceof Unavailable) await shortenIdempotencyLease(db, keyHolder).catch(() => undefined);
        throw error;
      }
    },

    forgetOld: (limit) => forgetIdempotencyKeys(db, limit),
  };
}
