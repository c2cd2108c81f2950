import { setBounded } from '../base/pacing/bounded-map.ts';
import { Unavailable } from '../base/errors.ts';
import type { Payment } from '../payments/rules/payment.ts';
import { createBell } from './bell.ts';

/** One subscriber of a feed. Keeps only the ids of payments that it has yet to take. */
export interface PaymentFollower {
  offer(ids: readonly string[]): void;
  /** Tries again what could not be read. */
  retry(): void;
  /**
   * Yields payments from a minute ago on, each in its state when taken. Fails when the database is
   * unavailable.
   */
  begin(): Promise<AsyncGenerator<Payment>>;
  leave(): void;
}

/** Where polling continues: events are numbered and ids start with a time. */
export interface FeedPlace {
  sequence: bigint;
  fromId: string;
}

export interface Found {
  ids: string[];
  next: FeedPlace;
  isMore: boolean;
}

export interface Read {
  payment: Payment;
  version: string;
}

/** The feed as its followers see it. */
interface Feed {
  placeBefore(ms: number): Promise<FeedPlace>;
  /** Undefined until the feed has polled for the first time. */
  placeNow(): FeedPlace | undefined;
  findFrom(place: FeedPlace): Promise<Found>;
  read(id: string): Promise<Read | undefined>;
  isRead(id: string): boolean;
  takeStep(): Promise<void> | undefined;
  onError(error: unknown): void;
}

/** Bounds both the backlog and the history of a follower, because there may be thousands of followers. */
const maximumRemembered = 200;
const readAheadSize = 20;
/**
 * What a new follower receives first. Covers the time since it read its list, and the retries of common
 * clients (five, after 1 to 16 seconds plus up to three each), which repeat the original request.
 */
const missedMs = 60_000;

export function createPaymentFollower(feed: Feed): PaymentFollower {
  const bell = createBell();
  const offered = new Set<string>();
  const shown = new Map<string, string>();
  /** Where to look for what was never offered or had to be dropped. */
  let missed: FeedPlace | undefined;
  let caughtUp: readonly string[] = [];
  let hasLeft = false;

  /** Fails when the database is unavailable. */
  async function catchUp(from: FeedPlace): Promise<void> {
    missed = undefined;
    try {
      const { ids, next, isMore } = await feed.findFrom(from);
      caughtUp = ids;
      if (isMore) missed = next;
    } catch (error) {
      missed = from;
      throw error;
    }
  }

  function takeFirst(): string | undefined {
    const [first] = caughtUp.length > 0 ? caughtUp : offered;
    if (caughtUp.length > 0) caughtUp = caughtUp.slice(1);
    else if (first !== undefined) offered.delete(first);
    return first;
  }

  /** Batches the reads; nothing is kept for slow followers. */
  function readAhead(): void {
    const waiting = caughtUp.length > 0 ? caughtUp : offered;
    const [first] = waiting;
    if (first === undefined || feed.isRead(first)) return;
    for (const id of [...waiting].slice(0, readAheadSize)) void feed.read(id).catch(() => undefined);
  }

  /** The next payment not yet seen; undefined when there is none or the database is unavailable. */
  async function takeNext(): Promise<Payment | undefined> {
    while (!hasLeft) {
      let id: string | undefined;
      try {
        while (caughtUp.length === 0 && missed) await catchUp(missed);
        readAhead();
        id = takeFirst();
        if (id === undefined) return undefined;
        await feed.takeStep();
        const found = await feed.read(id);
        if (!found || shown.get(id) === found.version) continue;
        setBounded(shown, id, found.version, maximumRemembered);
        return found.payment;
      } catch (error) {
        feed.onError(error);
        if (id === undefined) return undefined;
        // Any other failure to read a payment is a bug and would block the remaining ones for good.
        if (!(error instanceof Unavailable)) continue;
        offered.add(id);
        return undefined;
      }
    }
    return undefined;
  }

  async function* payments(): AsyncGenerator<Payment> {
    while (await bell.waitForRing()) {
      for (let next = await takeNext(); next; next = await takeNext()) yield next;
    }
  }

  return {
    offer(ids) {
      for (const id of ids) offered.add(id);
      const place = offered.size > maximumRemembered ? feed.placeNow() : undefined;
      if (place) {
        missed ??= place;
        offered.clear();
      }
      bell.ring();
    },
    retry: bell.ring,
    async begin() {
      missed = await feed.placeBefore(missedMs);
      bell.ring();
      return payments();
    },
    leave() {
      hasLeft = true;
      bell.end();
    },
  };
}
