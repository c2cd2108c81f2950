import { Unavailable } from '../../domain/errors.ts';
import { firstIdAt } from '../../domain/ids.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Database } from '../../persistence/database.ts';
import {
  findSequenceBefore,
  listChangesAfter,
  listMomentsAfter,
  type PaymentMoment,
} from '../../persistence/payments/live-payments.ts';
import type { PaymentHint } from '../../persistence/payments/payment-hints.ts';
import type { PaymentKey, Tenant } from '../../persistence/payments/payments.ts';
import { type Bell, createBell } from './bell.ts';
import { createSingleFlight } from '../single-flight.ts';
import { amountRefundedOf, paymentVersion } from '../payments/payment-view.ts';

/** A tenant's payments as they are created and change, read once for all followers. */
export interface PaymentFeed {
  /** Undefined: anything may have changed. */
  notice(hint: PaymentHint | undefined): void;
  follow(): Follower;
  isFollowed(): boolean;
}

export interface Follower {
  /**
   * Yields payments from a minute ago on, each in its state when taken. Fails when the database is
   * unavailable.
   */
  begin(): Promise<AsyncGenerator<Payment>>;
  leave(): void;
}

interface Dependencies {
  db: Database;
  tenant: Tenant;
  /** May batch concurrent reads. */
  readPayment(key: PaymentKey): Promise<Payment | undefined>;
  /** Undefined to proceed at once; otherwise resolves when it is the tenant's turn. */
  takeStep(): Promise<void> | undefined;
  /** The next poll may recover. */
  onError(error: unknown): void;
  now: () => Date;
}

/** Where polling continues: events are numbered and ids start with a time. */
interface Place {
  sequence: bigint;
  fromId: string;
}

interface Found {
  ids: string[];
  next: Place;
  isMore: boolean;
}

interface Read {
  payment: Payment;
  version: string;
}

/** Bounds both the backlog and the history of a follower; there may be thousands of each. */
const maximumRemembered = 200;
const maximumKnown = 5_000;
const maximumCached = 100;
const readAheadSize = 20;
const maximumChanges = 100;
const maximumMoments = 500;
/** Longer than a create can take: by then a payment is pending or failed. */
const recentMs = 15_000;
/**
 * What a new follower receives first. Covers the time since it read its list, and the retries of common
 * clients (five, after 1 to 16 seconds plus up to three each), which repeat the original request.
 */
const missedMs = 60_000;

function setBounded<Value>(map: Map<string, Value>, key: string, value: Value, maximum: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maximum && oldest !== undefined) map.delete(oldest);
}

const versionOf = ({ status, confirmedAt, expiresAt, refundedInCents }: PaymentMoment): string =>
  paymentVersion({
    status,
    confirmedAt: confirmedAt?.toISOString(),
    expiresAt: expiresAt.toISOString(),
    amountRefunded: amountRefundedOf({ refundedInCents }),
  });

export function createPaymentFeed(dependencies: Dependencies): PaymentFeed {
  const { db, tenant, readPayment, takeStep, onError, now } = dependencies;
  const followers = new Set<{ offer(ids: readonly string[]): void; bell: Bell }>();
  const findTogether = createSingleFlight<Found>();
  const startTogether = createSingleFlight<Place>();
  /** Versions of the latest payments read. */
  const known = new Map<string, string>();
  const cached = new Map<string, Promise<Read | undefined>>();
  let place: Place | undefined;
  let isLooking = false;
  let isTimeToLook = false;

  /** Rounded to the second, so that followers who start together share a query. */
  const idBefore = (ms: number): string =>
    firstIdAt(new Date(Math.floor((now().getTime() - ms) / 1_000) * 1_000));

  const placeBefore = (ms: number): Promise<Place> => {
    const fromId = idBefore(ms);
    return startTogether(fromId, async () => ({
      sequence: await findSequenceBefore(db, tenant, fromId),
      fromId,
    }));
  };

  async function find({ sequence, fromId }: Place, shown: ReadonlyMap<string, string>): Promise<Found> {
    const changes = await listChangesAfter(db, tenant, sequence, maximumChanges);
    const moments = await listMomentsAfter(db, tenant, fromId, maximumMoments);
    const recent = moments.filter(
      (moment) => moment.status !== 'creating' && shown.get(moment.id) !== versionOf(moment),
    );
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
      const version = versionOf(payment);
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
  async function look(): Promise<void> {
    place ??= await placeBefore(recentMs);
    const found = await find(place, known);
    place = found.isMore ? found.next : { sequence: found.next.sequence, fromId: idBefore(recentMs) };
    isTimeToLook ||= found.isMore;
    offer(found.ids);
  }

  async function pollWhileRequested(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (isTimeToLook && followers.size > 0) {
      isTimeToLook = false;
      cached.clear();
      await look().catch(onError);
    }
    isLooking = false;
    // Lets followers whose read failed try again.
    for (const { bell } of followers) bell.ring();
  }

  function follow(): Follower {
    const bell = createBell();
    const offered = new Set<string>();
    const shown = new Map<string, string>();
    /** Where to look for what was never offered or had to be dropped. */
    let missed: Place | undefined;
    let caughtUp: readonly string[] = [];
    const follower = {
      bell,
      offer(ids: readonly string[]) {
        for (const id of ids) offered.add(id);
        if (offered.size > maximumRemembered && place) {
          missed ??= { sequence: place.sequence, fromId: idBefore(recentMs) };
          offered.clear();
        }
        bell.ring();
      },
    };

    /** Fails when the database is unavailable. */
    async function catchUp(): Promise<void> {
      const from = missed;
      if (!from) return;
      missed = undefined;
      try {
        const name = `${from.sequence} ${from.fromId}`;
        const { ids, next, isMore } = await findTogether(name, () => find(from, new Map()));
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
      const [first] = caughtUp.length > 0 ? caughtUp : offered;
      if (first === undefined || cached.has(first)) return;
      const ahead =
        caughtUp.length > 0 ? caughtUp.slice(0, readAheadSize) : [...offered].slice(0, readAheadSize);
      for (const id of ahead) void read(id).catch(() => undefined);
    }

    /** The next payment not yet seen; undefined when there is none or the database is unavailable. */
    async function takeNext(): Promise<Payment | undefined> {
      while (followers.has(follower)) {
        let id: string | undefined;
        try {
          while (caughtUp.length === 0 && missed) await catchUp();
          readAhead();
          id = takeFirst();
          if (id === undefined) return undefined;
          await takeStep();
          const found = await read(id);
          if (!found || shown.get(id) === found.version) continue;
          setBounded(shown, id, found.version, maximumRemembered);
          return found.payment;
        } catch (error) {
          onError(error);
          // Any other failure is a bug and would block the remaining payments for good.
          if (!(error instanceof Unavailable)) continue;
          if (id !== undefined) offered.add(id);
          return undefined;
        }
      }
      return undefined;
    }

    async function* payments(): AsyncGenerator<Payment> {
      while (await bell.rung()) {
        for (let next = await takeNext(); next; next = await takeNext()) yield next;
      }
    }

    followers.add(follower);
    if (followers.size === 1) requestPoll();
    return {
      async begin() {
        missed = await placeBefore(missedMs);
        bell.ring();
        return payments();
      },
      leave() {
        followers.delete(follower);
        bell.end();
      },
    };
  }

  function requestPoll(): void {
    isTimeToLook = true;
    void pollWhileRequested();
  }

  return {
    notice(hint) {
      if (hint) offer([hint.paymentId]);
      else requestPoll();
    },
    follow,
    isFollowed: () => followers.size > 0,
  };
}
