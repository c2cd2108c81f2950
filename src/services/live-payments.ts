import { ServiceError } from '../domain/errors.ts';
import type { Payment } from '../domain/payment.ts';
import { createTally } from '../domain/tally.ts';
import type { Logger } from '../observability/logger.ts';
import type { Database } from '../persistence/database.ts';
import type { PaymentHint, PaymentHints } from '../persistence/payment-hints.ts';
import { type Bell, closable, createBell } from './bell.ts';
import { assertMay, type Caller, holderOf, isToken } from './caller.ts';
import { followPayments } from './follow-payments.ts';
import type { PayerViews } from './payer-views.ts';
import { paymentVersion, paymentView, type PaymentView } from './payment-view.ts';
import type { PaymentService } from './payments.ts';

/** The status of payments as it changes. Hints say when to look; what is true is read from the database. */
export interface LivePayments {
  /** The payment as it is, and again whenever it has changed. Fails with a 404 as `get` does. */
  watch(caller: Caller, id: string): Promise<AsyncGenerator<PaymentView>>;
  /** Every payment of the caller that is made or changes, from a minute ago on. */
  watchAll(caller: Caller): Promise<AsyncGenerator<PaymentView>>;
  /** How many are being watched. */
  count(): number;
}

interface Dependencies {
  db: Database;
  payments: Pick<PaymentService, 'get'>;
  payerViews: Pick<PayerViews, 'shown'>;
  hints: Pick<PaymentHints, 'subscribe'>;
  now: () => Date;
  logger: Logger;
}

/** A hint may be lost: each watched payment is looked at so often all the same. */
const lookEveryMs = 2_000;
const maximumPerKey = 100;
const maximumPerToken = 10;

/** Undefined: anything may have changed. */
type Notice = (hint: PaymentHint | undefined) => void;

/** Who is told of hints about a payment or a tenant, and of the time to look without one. */
function createNotices(hints: Dependencies['hints']) {
  const byTopic = new Map<string, Set<Notice>>();
  let timer: NodeJS.Timeout | undefined;
  let size = 0;

  function tell(topic: string, hint: PaymentHint | undefined): void {
    for (const notice of byTopic.get(topic) ?? []) notice(hint);
  }
  function tellAll(): void {
    for (const topic of byTopic.keys()) tell(topic, undefined);
  }
  hints.subscribe((hint) => {
    if (!hint) {
      tellAll();
      return;
    }
    tell(hint.paymentId, hint);
    tell(`${hint.organizationId} ${hint.mode}`, hint);
  });

  return {
    size: () => size,
    add(topic: string, notice: Notice): () => void {
      const notices = byTopic.get(topic) ?? new Set();
      byTopic.set(topic, notices.add(notice));
      size += 1;
      timer ??= setInterval(tellAll, lookEveryMs);
      return () => {
        if (!notices.delete(notice)) return;
        size -= 1;
        if (notices.size === 0) byTopic.delete(topic);
        if (size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

/** Bounds how many each key or token watches at once. */
function createPlaces() {
  const taken = createTally();
  return (caller: Caller): (() => void) => {
    const holder = holderOf(caller);
    const maximum = isToken(caller) ? maximumPerToken : maximumPerKey;
    if (taken.of(holder) < maximum) return taken.add(holder);
    throw new ServiceError('too_many_subscriptions', `At most ${maximum} subscriptions may be open at once`, {
      retryAfterSeconds: 1,
    });
  };
}

export function createLivePayments({
  db,
  payments,
  payerViews,
  hints,
  now,
  logger,
}: Dependencies): LivePayments {
  const notices = createNotices(hints);
  const takePlace = createPlaces();

  /** A database that is away for a moment ends no subscription: the next look may find it. */
  async function attempt<T>(look: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await look();
    } catch (error) {
      logger.warn({ error }, 'a live status could not be read');
      return otherwise;
    }
  }

  async function* states(caller: Caller, first: PaymentView, bell: Bell): AsyncGenerator<PaymentView> {
    let shown = first;
    yield first;
    while (await bell.rung()) {
      const current = await attempt(() => payments.get(caller, first.id), shown);
      if (paymentVersion(current) === paymentVersion(shown)) continue;
      shown = current;
      yield current;
    }
  }

  /** What begins before the first look sees every change after it. */
  async function open(
    caller: Caller,
    topic: string,
    notice: Notice,
    bell: Bell,
    begin: () => Promise<AsyncGenerator<PaymentView>>,
  ): Promise<AsyncGenerator<PaymentView>> {
    const leavePlace = takePlace(caller);
    const ignore = notices.add(topic, notice);
    let isOpen = true;
    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      bell.end();
      ignore();
      leavePlace();
    };
    try {
      return closable(await begin(), close);
    } catch (error) {
      close();
      throw error;
    }
  }

  return {
    count: () => notices.size(),

    watch(caller, id) {
      const bell = createBell();
      const begin = async () => states(caller, await payments.get(caller, id), bell);
      return open(caller, id.toLowerCase(), bell.ring, bell, begin);
    },

    async watchAll(caller) {
      assertMay(caller, 'payments:read');
      const { organizationId, mode } = caller;
      const bell = createBell();
      const view = (payment: Payment) => payerViews.shown(caller, paymentView(payment));
      const following = followPayments({ db, tenant: { organizationId, mode }, view, bell, now, attempt });
      return open(caller, `${organizationId} ${mode}`, following.notice, bell, following.begin);
    },
  };
}
