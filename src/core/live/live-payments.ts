import type { Logger } from '../../observability/logger.ts';
import type { Payment } from '../payments/rules/payment.ts';
import type { Database } from '../../database/database.ts';
import { gather } from '../../database/gather.ts';
import type { PaymentHint, PaymentHints } from '../events/payment-hints.ts';
import { findPayments, type PaymentKey, type Tenant } from '../payments/store/payments.ts';
import type { CheckoutLinks } from '../checkout/links/checkout-links.ts';
import { type Bell, closable, createBell, type Items, itemsOf } from './bell.ts';
import { assertMay, type Caller, holderOf, isToken } from '../base/caller.ts';
import { createFairSteps } from '../base/pacing/fair-steps.ts';
import type { PayerViews } from '../audit/payer-views.ts';
import { createPaymentFeed, type Follower, type PaymentFeed } from './payment-feed.ts';
import { paymentVersion, paymentView, type PaymentView } from '../payments/views/payment-view.ts';
import type { PaymentService } from '../payments/payments.ts';
import type { WatchedPayments } from '../settlement/watched-payments.ts';
import { createPaymentWatches, type PaymentWatch } from './payment-watches.ts';
import { createSubscriptionSlots } from './subscription-slots.ts';

/**
 * Payment statuses as they change. Hints only say when to look; the state is always read from the database.
 */
export interface LivePayments {
  /** Yields the payment now and after each change. Fails like `get` with `payment_not_found`. */
  watch(caller: Caller, id: string): Promise<AsyncGenerator<PaymentView>>;
  /** Yields every payment of the caller that is created or changes, starting a minute ago. */
  watchAll(caller: Caller): Promise<AsyncGenerator<PaymentView>>;
  /** Number of payments being watched. */
  count(): number;
}

interface Dependencies {
  db: Database;
  payments: Pick<PaymentService, 'get'>;
  payerViews: Pick<PayerViews, 'show'>;
  hints: Pick<PaymentHints, 'subscribe'>;
  links: Pick<CheckoutLinks, 'withCheckout'>;
  watched: WatchedPayments;
  now: () => Date;
  logger: Logger;
}

/** Poll interval of tenants' feeds, in case a hint is lost. */
const pollIntervalMs = 2_000;
const maximumPerKey = 100;
const maximumPerToken = 10;

const topicOf = ({ organizationId, mode }: Tenant): string => `${organizationId} ${mode}`;

/** Gets undefined when anything may have changed. */
type Notice = (hint: PaymentHint | undefined) => void;

/** Distributes hints by tenant, and asks everybody to poll from time to time. */
function createNotices(hints: Dependencies['hints']) {
  const byTopic = new Map<string, Set<Notice>>();
  let timer: NodeJS.Timeout | undefined;

  function notify(topic: string, hint: PaymentHint | undefined): void {
    for (const notice of byTopic.get(topic) ?? []) notice(hint);
  }
  function notifyAll(): void {
    for (const topic of byTopic.keys()) notify(topic, undefined);
  }
  hints.subscribe((hint) => {
    if (!hint) {
      notifyAll();
      return;
    }
    if (hint.kind !== 'recurrence') notify(topicOf(hint), hint);
  });

  return {
    add(topic: string, notice: Notice): () => void {
      const notices = byTopic.get(topic) ?? new Set();
      byTopic.set(topic, notices.add(notice));
      timer ??= setInterval(notifyAll, pollIntervalMs);
      return () => {
        if (!notices.delete(notice)) return;
        if (notices.size === 0) byTopic.delete(topic);
        if (byTopic.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

export function createLivePayments({
  db,
  payments,
  payerViews,
  hints,
  links,
  watched,
  now,
  logger,
}: Dependencies): LivePayments {
  const notices = createNotices(hints);
  const watches = createPaymentWatches({ db, hints, watched, onError });
  const takeSlot = createSubscriptionSlots((caller) => (isToken(caller) ? maximumPerToken : maximumPerKey));
  const takeStep = createFairSteps();
  /** Shares the pool with payments, so only a few reads at a time. */
  const readPayment = gather((keys: readonly PaymentKey[]) => findPayments(db, keys), {
    onlyReads: true,
    maximumItems: 20,
    maximumInFlight: 2,
  });
  const feeds = new Map<string, { feed: PaymentFeed; ignore: () => void }>();
  let open = 0;

  /** A brief outage of the database ends no subscription: the next poll may succeed. */
  function onError(error: unknown): undefined {
    logger.warn({ error }, 'could not read live status');
  }

  /** The items end only when they are closed. Nothing that happens after the call of `begin` is missed. */
  async function subscribe(
    begin: () => Promise<Items<PaymentView>>,
    leave: () => void,
  ): Promise<AsyncGenerator<PaymentView>> {
    open += 1;
    let isOpen = true;
    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      open -= 1;
      leave();
    };
    try {
      return closable(await begin(), close);
    } catch (error) {
      close();
      throw error;
    }
  }

  /** Keeps no view while it waits, because thousands of subscribers do. */
  function states(caller: Caller, first: PaymentView, { bell, watch }: { bell: Bell; watch: PaymentWatch }) {
    const { id } = first;
    let initial: PaymentView | undefined = first;
    watch.version = paymentVersion(first);
    return itemsOf(async () => {
      const view = initial;
      initial = undefined;
      return view ?? nextState(caller, id, { bell, watch });
    });
  }

  async function nextState(
    caller: Caller,
    id: string,
    { bell, watch }: { bell: Bell; watch: PaymentWatch },
  ): Promise<PaymentView | undefined> {
    while (await bell.waitForRing()) {
      await takeStep(holderOf(caller));
      const current = await payments.get(caller, id).catch(onError);
      const version = current && paymentVersion(current);
      if (version === undefined || version === watch.version) continue;
      watch.version = version;
      return current;
    }
    return undefined;
  }

  function follow(tenant: Tenant): Follower {
    const topic = topicOf(tenant);
    const shared = feeds.get(topic)?.feed;
    const step = () => takeStep(topic);
    const feed = shared ?? createPaymentFeed({ db, tenant, readPayment, takeStep: step, onError, now });
    const follower = feed.follow();
    if (!shared) feeds.set(topic, { feed, ignore: notices.add(topic, feed.notice) });
    return {
      begin: follower.begin,
      leave() {
        follower.leave();
        if (feed.isFollowed()) return;
        feeds.get(topic)?.ignore();
        feeds.delete(topic);
      },
    };
  }

  async function* views(caller: Caller, all: AsyncGenerator<Payment>): AsyncGenerator<PaymentView> {
    for await (const payment of all) {
      yield payerViews.show(caller, links.withCheckout(paymentView(payment), caller.organizationId));
    }
  }

  return {
    count: () => open,

    async watch(caller, id) {
      const bell = createBell();
      const leaveSlot = takeSlot(caller);
      const watch: PaymentWatch = { version: undefined, ring: bell.ring };
      const ignore = watches.add(id.toLowerCase(), watch);
      // Fails as `get` does, before the first result is requested.
      const begin = async () => states(caller, await payments.get(caller, id), { bell, watch });
      return subscribe(begin, () => {
        bell.end();
        ignore();
        leaveSlot();
      });
    },

    async watchAll(caller) {
      assertMay(caller, 'payments:read');
      const leaveSlot = takeSlot(caller);
      const follower = follow({ organizationId: caller.organizationId, mode: caller.mode });
      const begin = async () => views(caller, await follower.begin());
      return subscribe(begin, () => {
        follower.leave();
        leaveSlot();
      });
    },
  };
}
