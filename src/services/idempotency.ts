import { hash } from 'node:crypto';
import { badRequest, type ErrorCode, ServiceError, stillBeingProcessed } from '../domain/errors.ts';
import type { IdempotentOutcome } from '../persistence/charging.ts';
import type { Database } from '../persistence/database.ts';
import {
  claimIdempotencyKey,
  findIdempotencyKey,
  forgetIdempotencyKeys,
  releaseIdempotencyKey,
} from '../persistence/idempotency-keys.ts';
import type { Caller } from './caller.ts';

/** What an idempotent request answered: a view of the result, or the error of work that was begun. */
type Outcome = { result: object } | { error: { code: ErrorCode; message: string } };

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
  failed(error: ServiceError): IdempotentOutcome | null;
}

export interface Idempotency {
  /**
   * Runs `work` at most once for a key of the caller's organization and mode; later requests with the same
   * input get its outcome. `work` stores the outcome in its own transaction; errors thrown before that
   * give the key back. Without a key it simply runs.
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
    throw badRequest('Idempotency-Key must be 1 to 255 printable ASCII characters');
  }
  return key;
}

export function createIdempotency({ db, leaseMs }: { db: Database; leaseMs: number }): Idempotency {
  async function replay<View>(caller: Caller, key: string, fingerprint: string): Promise<Replayable<View>> {
    const stored = await findIdempotencyKey(db, caller, key);
    if (stored && stored.fingerprint !== fingerprint) {
      throw new ServiceError(
        'unprocessable_entity',
        'Idempotency-Key was already used with another request body',
      );
    }
    const outcome = stored?.outcome as Outcome | null | undefined;
    if (!outcome) {
      const remainingMs = stored ? stored.lockedUntil.getTime() - Date.now() : 0;
      throw stillBeingProcessed(
        Math.min(Math.max(1, Math.ceil(remainingMs / 1000)), Math.ceil(leaseMs / 1000)),
      );
    }
    if ('error' in outcome) {
      throw new ServiceError(outcome.error.code, outcome.error.message, { isReplay: true });
    }
    return { view: outcome.result as View, replayed: true };
  }

  return {
    async run(caller, key, { operation, input, subjectId }, work) {
      if (key === undefined) {
        const view = await work({
          subjectId,
          takenOver: false,
          succeeded: () => null,
          failed: () => null,
        });
        return { view, replayed: false };
      }
      const { organizationId, mode } = caller;
      const fingerprint = hash('sha256', canonical([operation, input]), 'base64');
      const held = await claimIdempotencyKey(db, {
        organizationId,
        mode,
        key,
        fingerprint,
        subjectId,
        leaseMs,
      });
      if (!held) return replay(caller, key, fingerprint);
      const outcomeOf = (outcome: Outcome): IdempotentOutcome => ({
        organizationId,
        mode,
        key,
        holder: held.holder,
        outcome,
      });
      try {
        const view = await work({
          subjectId: held.subjectId,
          takenOver: held.holder > 1,
          succeeded: (result) => outcomeOf({ result }),
          failed: ({ code, message }) => outcomeOf({ error: { code, message } }),
        });
        return { view, replayed: false };
      } catch (error) {
        if (error instanceof ServiceError) {
          await releaseIdempotencyKey(db, { organizationId, mode, key, holder: held.holder });
        }
        throw error;
      }
    },

    forgetOld: (limit) => forgetIdempotencyKeys(db, limit),
  };
}
