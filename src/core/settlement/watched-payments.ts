import { LRUCache } from 'lru-cache';
import type { Payment } from '../payments/rules/payment.ts';
import { watchedCheckBy, watchedSince } from './rules/polling-pace.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Database } from '../../database/database.ts';
import { gather } from '../../database/gather.ts';
import { recordWatched } from '../payments/store/payment-checks.ts';

/** Tells the workers of all nodes which payments somebody waits for, so that they look at them more often. */
export interface WatchedPayments {
  /** Called whenever somebody is shown the payment. Usually costs no more than a look into memory. */
  seen(payment: Pick<Payment, 'id' | 'mode' | 'status'>): void;
}

interface Dependencies {
  db: Database;
  now: () => Date;
  logger: Logger;
}

/** How often, at most, it is written down that a payment is watched: a third of how long that counts. */
const renewMs = 30_000;
/** Most payments remembered; for a forgotten one it is merely written down more often. */
const maximumRemembered = 20_000;

export function createWatchedPayments({ db, now, logger }: Dependencies): WatchedPayments {
  const writtenAt = new LRUCache<string, number>({ max: maximumRemembered });
  const write = gather(
    async (ids: readonly string[]) => {
      const at = now();
      await recordWatched(db, ids, { now: at, since: watchedSince(at), checkBy: watchedCheckBy(at) });
      return ids;
    },
    { maximumInFlight: 1 },
  );

  return {
    seen({ id, mode, status }) {
      if (status !== 'pending' || mode !== 'live') return;
      const atMs = now().getTime();
      if (atMs - (writtenAt.get(id) ?? 0) < renewMs) return;
      writtenAt.set(id, atMs);
      write(id).catch((error: unknown) => {
        logger.warn({ error }, 'it could not be written down that somebody waits for a payment');
      });
    },
  };
}
