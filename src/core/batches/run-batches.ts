import type { Database } from '../../database/database.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Caller } from '../base/caller.ts';
import { ServiceError } from '../base/errors.ts';
import type { JsonObject } from '../base/json/json-object.ts';
import type { CreatePayment } from '../payments/create-payment.ts';
import { failureOf } from './rules/batch-failure.ts';
import {
  type BatchRow,
  claimBatch,
  deleteBatches,
  endBatch,
  listWaiting,
  recordOutcome,
  scheduleBatch,
} from './store/batches.ts';

/** Makes the payments of batches. */
export interface BatchRunner {
  /** Makes a share of the batch that has waited longest; returns how many payments have their outcome now. */
  runNext(): Promise<number>;
  /** Deletes up to `limit` completed batches older than their idempotency keys can be; returns how many. */
  deleteOld(limit: number): Promise<number>;
}

interface Dependencies {
  db: Database;
  createPayment: CreatePayment;
  now: () => Date;
  logger: Logger;
}

/** A share, after which another batch has its turn: a quarter of a minute at a provider that takes a second for each. */
const sharedItems = 40;
/** Few at a time, so that those who wait for a payment are served first. */
const concurrency = 4;
const keptMs = 30 * 24 * 3_600_000;
const notAllowed = {
  code: 'permission_denied',
  message: 'Whoever asked for the batch may not create payments any more',
};
const keyEnded = { code: 'api_key_not_active', message: 'The API key was revoked or has expired' };
/** When to go on after an outage of ours. */
const pauseMs = 30_000;

/** Payments are made for whoever asked for them. */
function callerOf({ organizationId, mode, apiKeyId, userId }: BatchRow): Caller {
  if (apiKeyId !== null)
    return {
      kind: 'key',
      organizationId,
      mode,
      keyId: apiKeyId,
      permissions: new Set(['payments:create']),
    };
  return {
    kind: 'person',
    organizationId,
    mode,
    userId: userId ?? '',
    // The person may have left meanwhile.
    sessionId: '',
    mustChangePassword: false,
    role: null,
  };
}

export function createBatchRunner({ db, createPayment, now, logger }: Dependencies): BatchRunner {
  /** Sent again after a crash, the key finds the payment that was made. */
  async function make(
    batch: BatchRow,
    { position, input }: { position: number; input: JsonObject },
  ): Promise<void> {
    const { id } = batch;
    try {
      const { view } = await createPayment(callerOf(batch), input, `payment_batch ${id} ${position}`);
      await recordOutcome(db, id, {
        position,
        paymentId: view.id,
        errorCode: null,
        error: null,
        problems: null,
      });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'idempotency_key_in_flight') throw error;
      await recordOutcome(db, id, { position, paymentId: null, ...failureOf(error) });
    }
  }

  return {
    deleteOld: (limit) => deleteBatches(db, new Date(now().getTime() - keptMs), limit),

    async runNext() {
      const batch = await claimBatch(db, now());
      if (!batch) return 0;
      if (!batch.isStillAllowed) {
        await endBatch(db, batch.id, batch.apiKeyId === null ? notAllowed : keyEnded);
        return 1;
      }
      const items = await listWaiting(db, batch.id, sharedItems);
      const queue = items.values();
      let made = 0;
      const work = async () => {
        for (const item of queue) {
          await make(batch, item);
          made += 1;
        }
      };
      const ended = await Promise.allSettled(Array.from({ length: concurrency }, work));
      const failure = ended.find((each) => each.status === 'rejected');
      if (failure)
        logger.warn({ batchId: batch.id, reason: String(failure.reason) }, 'a batch goes on later');
      const isOver = !failure && items.length < sharedItems;
      const again = failure ? new Date(now().getTime() + pauseMs) : now();
      await scheduleBatch(db, batch.id, isOver ? null : again);
      return Math.max(made, 1);
    },
  };
}
