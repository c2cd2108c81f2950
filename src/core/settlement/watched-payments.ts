import { LRUCache } from 'lru-cache';
import type { Payment } from '../payments/rules/payment.ts';
import { watchedCheckBy, watchedSince } from './rules/polling-pace.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Database } from '../../database/database.ts';
import { gather } from '../../database/gather.ts';
import { recordWatched } from '../payments/store/payment-changes.ts';

/** Tells the workers of all nodes which payments somebody waits for, so that they look at them more often. */
export interface WatchedPayments {
  /** Somebody has just been shown the payment, or still is. Costs nothing but a look into memory most of the time. */
  seen(payment: Pick<Payment, 'id' | 'mode' | 'status'>): void;
}

interface Dependencies {
  db: Database;
  now: () => Date;
  logger: Logger;
}

/** So often at most it is written down of a payment. A third of how long that counts. */
const renewMs = 30_000;
/** So many payments that were seen are remembered; what is forgotten is written down more often. */
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
