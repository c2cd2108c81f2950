import { hash, randomInt } from 'node:crypto';
import { ServiceError, idempotencyKeyInFlight, Unavailable } from '../base/errors.ts';
import type { IdempotentOutcome, KeyHolder } from './rules/key-holder.ts';
import type { Database } from '../../database/database.ts';
import {
  claimIdempotencyKey,
  shortenIdempotencyLease,
  findIdempotencyKey,
  deleteIdempotencyKeys,
  releaseIdempotencyKey,
} from './store/idempotency-keys.ts';
import type { Caller } from '../base/caller.ts';

/** What is kept of an idempotent request: a view of its result. Failures are not kept. */
interface Outcome {
  result: object;
}

export interface Replayable<View> {
  view: View;
  /** An earlier request with the same key did the work. */
  replayed: boolean;
}

/** The claim on the key under which the work runs. */
export interface IdempotentWork {
  /** The payment or refund to work on; after a takeover, the one that the crashed holder started. */
  subjectId: string;
  /** Whether an earlier holder may have started the work. */
  takenOver: boolean;
  /** Makes what `work` stores once it has succeeded; null without a key. */
  outcomeOf(result: object): IdempotentOutcome | null;
  /** Lets the statement that records a failure release the key; null without a key. */
  keyHolder: KeyHolder | null;
}

export interface Idempotency {
  /**
   * Lets `work` succeed at most once per key, organization and mode; later requests with the same input get its outcome.
   * `work` stores the outcome in its own transaction. After a `ServiceError` the key may be used again, with any input;
   * after an outage the next request with the key takes the work over. Without a key, simply runs `work`. `operation` says what
   * is done to a payment: create, cancel or refund.
   */
  run<View extends object>(
    caller: Caller,
    key: string | undefined,
    request: { operation: string; input: unknown; subjectId: string },
    work: (claim: IdempotentWork) => Promise<View>,
  ): Promise<Replayable<View>>;
  /** Deletes up to `limit` keys older than 30 days; returns how many. */
  deleteOld(limit: number): Promise<number>;
}

/** Prints JSON with sorted members, so that their order makes no difference. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );

/** Bare or quoted, as in the IETF draft; both name the same key. */
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

/** Operations on others than payments name what they are on: `defend_dispute`. */
function said(operation: string, article: string): string {
  const [verb, noun = 'payment'] = operation.split('_');
  return `${verb} ${article} ${noun}`;
}

function alreadyUsed(storedOperation: string | null, operation: string): ServiceError {
  if (storedOperation !== null && storedOperation !== operation) {
    return new ServiceError(
      'idempotency_key_of_other_operation',
      `Idempotency-Key was already used to ${said(storedOperation, 'a')}, not to ${said(operation, 'a')}`,
    );
  }
  return new ServiceError(
    'idempotency_key_reused',
    operation === 'create'
      ? 'Idempotency-Key was already used with a different request body'
      : `Idempotency-Key was already used to ${said(operation, 'another')}, or with a different body`,
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
    if (!outcome) throw idempotencyKeyInFlight();
    return { view: outcome.result as View, replayed: true };
  }

  return {
    async run(caller, key, { operation, input, subjectId }, work) {
      if (key === undefined) {
        const view = await work({
          subjectId,
          takenOver: false,
          outcomeOf: () => null,
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
          outcomeOf: (result) => ({ ...keyHolder, outcome: { result } satisfies Outcome }),
          keyHolder,
        });
        return { view, replayed: false };
      } catch (error) {
        if (error instanceof ServiceError) await releaseIdempotencyKey(db, keyHolder);
        // If this fails too, the lease runs out.
        if (error instanceof Unavailable) await shortenIdempotencyLease(db, keyHolder).catch(() => undefined);
        throw error;
      }
    },

    deleteOld: (limit) => deleteIdempotencyKeys(db, limit),
  };
}
