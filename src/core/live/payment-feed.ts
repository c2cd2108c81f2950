import { firstIdAt } from '../base/ids.ts';
import type { Payment } from '../payments/rules/payment.ts';
import type { Database } from '../../database/database.ts';
import { findSequenceBefore, listChangesAfter, listMomentsAfter } from '../payments/store/live-payments.ts';
import type { PaymentHint } from '../events/payment-hints.ts';
import type { PaymentKey, Tenant } from '../payments/store/payments.ts';
import {
  createPaymentFollower,
  type Found,
  type PaymentFollower,
  type FeedPlace,
  type Read,
} from './payment-follower.ts';
import { setBounded } from '../base/pacing/bounded-map.ts';
import { createSingleFlight } from '../base/pacing/single-flight.ts';
import { momentVersion } from './moment-version.ts';

/** A tenant's payments as they are created and change, read once for all followers. */
export interface PaymentFeed {
  /** Undefined: anything may have changed. */
  notice(hint: PaymentHint | undefined): void;
  follow(): Follower;
  isFollowed(): boolean;
}

export type Follower = Pick<PaymentFollower, 'begin' | 'leave'>;

interface Dependencies {
  db: Database;
  tenant: Tenant;
  /** May batch concurrent reads. */
  readPayment(key: PaymentKey): Promise<Payment | undefined>;
  /** Undefined to proceed at once; otherwise resolves when it is the tenant's turn. */
  takeStep(): Promise<void> | undefined;
  /** Called when a read failed; the next poll may succeed. */
  onError(error: unknown): void;
  now: () => Date;
}

const maximumKnown = 5_000;
const maximumCached = 100;
const maximumChanges = 100;
const maximumMoments = 500;
/** Longer than a create can take: by then a payment is pending or failed. */
const recentMs = 15_000;

export function createPaymentFeed(dependencies: Dependencies): PaymentFeed {
  const { db, tenant, readPayment, takeStep, onError, now } = dependencies;
  const followers = new Set<PaymentFollower>();
  const findTogether = createSingleFlight<Found>();
  const startTogether = createSingleFlight<FeedPlace>();
  /** Versions of the latest payments read. */
  const known = new Map<string, string>();
  const cached = new Map<string, Promise<Read | undefined>>();
  let place: FeedPlace | undefined;
  let isPolling = false;
  let isPollRequested = false;

  /** Rounded to the second, so that followers who start together share a query. */
  const idBefore = (ms: number): string =>
    firstIdAt(new Date(Math.floor((now().getTime() - ms) / 1_000) * 1_000));

  const placeBefore = (ms: number): Promise<FeedPlace> => {
    const fromId = idBefore(ms);
    return startTogether(fromId, async () => ({
      sequence: await findSequenceBefore(db, tenant, fromId),
      fromId,
    }));
  };

  async function find({ sequence, fromId }: FeedPlace, shown: ReadonlyMap<string, string>): Promise<Found> {
    const changes = await listChangesAfter(db, tenant, sequence, maximumChanges);
    const moments = await listMomentsAfter(db, tenant, fromId, maximumMoments);
    const recent = moments.filter((moment) => shown.get(moment.id) !== momentVersion(moment));
    return {
      ids: [...new Set([...changes.map(({ paymentId }) => paymentId), ...recent.map(({ id }) => id)])],
      next: { sequence: changes.at(-1)?.sequence ?? sequence, fromId: moments.at(-1)?.id ?? fromId },
      isMore: changes.length === maximumChanges || moments.length === maximumMoments,
    };
  }

  function read(id: string): Promise<Read | undefined> {
    const before = cached.get(id);
    if (before) return before;
    const reading = readPayment({ ...tenant, id }).then((payment) => {
      if (!payment) return undefined;
      const version = momentVersion(payment);
      setBounded(known, id, version, maximumKnown);
      return { payment, version };
    });
    reading.catch(() => {
      if (cached.get(id) === reading) cached.delete(id);
    });
    setBounded(cached, id, reading, maximumCached);
    return reading;
  }

  function offer(ids: readonly string[]): void {
    for (const id of ids) cached.delete(id);
    for (const follower of followers) follower.offer(ids);
  }

  /** Finds changes that no hint announced. */
  async function poll(): Promise<void> {
    place ??= await placeBefore(recentMs);
    const found = await find(place, known);
    place = found.isMore ? found.next : { sequence: found.next.sequence, fromId: idBefore(recentMs) };
    isPollRequested ||= found.isMore;
    offer(found.ids);
  }

  async function pollWhileRequested(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    while (isPollRequested && followers.size > 0) {
      isPollRequested = false;
      cached.clear();
      await poll().catch(onError);
    }
    isPolling = false;
    // Lets followers whose read failed try again.
    for (const follower of followers) follower.retry();
  }

  /** From here on, a slow follower finds again what was dropped for it. */
  const placeNow = (): FeedPlace | undefined =>
    place && { sequence: place.sequence, fromId: idBefore(recentMs) };

  function follow(): Follower {
    const follower = createPaymentFollower({
      placeBefore,
      placeNow,
      findFrom: (from) => findTogether(`${from.sequence} ${from.fromId}`, () => find(from, new Map())),
      read,
      isRead: (id) => cached.has(id),
      takeStep,
      onError,
    });
    followers.add(follower);
    if (followers.size === 1) requestPoll();
    return {
      begin: follower.begin,
      leave() {
        followers.delete(follower);
        follower.leave();
      },
    };
  }

  function requestPoll(): void {
    isPollRequested = true;
    void pollWhileRequested();
  }

  return {
    notice(hint) {
      if (hint) offer([hint.id]);
      else requestPoll();
    },
    follow,
    isFollowed: () => followers.size > 0,
  };
}
