import { isUuid } from '../base/ids.ts';
import type { Database } from '../../database/database.ts';
import { findMoments } from '../payments/store/live-payments.ts';
import type { PaymentHints } from '../events/payment-hints.ts';
import type { WatchedPayments } from '../settlement/watched-payments.ts';
import { createSingleFlight } from '../base/pacing/single-flight.ts';
import { momentVersion } from './moment-version.ts';

/** Somebody who waits for a payment to change. */
export interface PaymentWatch {
  /** The version that was shown last. */
  version: string | undefined;
  /** Called when the payment may have changed. */
  ring(): void;
}

export interface PaymentWatches {
  /** Returns a function that ends the watch. Does not check whether the payment exists or whose it is. */
  add(paymentId: string, watch: PaymentWatch): () => void;
}

interface Dependencies {
  db: Database;
  hints: Pick<PaymentHints, 'subscribe'>;
  watched: WatchedPayments;
  /** Called when a poll failed; the next one may succeed. */
  onError(error: unknown): void;
}

/** Polls in case a hint is lost. */
const pollIntervalMs = 2_000;
const maximumPerStatement = 200;

/** Rings at hints, and when a poll finds another version than was shown. A poll of thousands reads few columns of each. */
export function createPaymentWatches({ db, hints, watched, onError }: Dependencies): PaymentWatches {
  const watches = new Map<string, Set<PaymentWatch>>();
  const oneAtATime = createSingleFlight<void>();
  let timer: NodeJS.Timeout | undefined;

  function ring(paymentId: string, version?: string): void {
    for (const watch of watches.get(paymentId) ?? []) {
      if (version === undefined || watch.version !== version) watch.ring();
    }
  }

  async function ringChanged(): Promise<void> {
    const ids = [...watches.keys()].filter(isUuid);
    for (let from = 0; from < ids.length; from += maximumPerStatement) {
      const moments = await findMoments(db, ids.slice(from, from + maximumPerStatement));
      for (const moment of moments) {
        ring(moment.id, momentVersion(moment));
        watched.seen(moment);
      }
    }
  }

  const poll = (): void => void oneAtATime('poll', ringChanged).catch(onError);

  hints.subscribe((hint) => {
    if (hint) ring(hint.id);
    else poll();
  });

  return {
    add(paymentId, watch) {
      const others = watches.get(paymentId) ?? new Set();
      watches.set(paymentId, others.add(watch));
      timer ??= setInterval(poll, pollIntervalMs);
      return () => {
        if (!others.delete(watch)) return;
        if (others.size === 0) watches.delete(paymentId);
        if (watches.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
