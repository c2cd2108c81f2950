import { hash } from 'node:crypto';
import { type Cents, reaisFromCents } from '../base/money.ts';
import type { PaymentStatus } from '../payments/rules/payment.ts';
import { findCheckouts, type StoredCheckout } from './store/checkouts.ts';
import type { Database } from '../../database/database.ts';
import { gather } from '../../database/gather.ts';
import type { TokenCaller } from '../base/caller.ts';
import { type Branding, brandingOf } from '../people/organizations/organization-profile.ts';
import type { LivePayments } from '../live/live-payments.ts';
import { qrCodeOf } from '../payments/views/qr-codes.ts';
import type { WatchedPayments } from '../settlement/watched-payments.ts';
import type { CheckoutLinks } from './links/checkout-links.ts';
import { returnUrlWith } from './rules/return-url.ts';

/** `expired` begins with the last second, however long it takes until the payment is found to be unpaid. */
export type CheckoutState =
  'creating' | 'waiting' | 'paid' | 'paid_late' | 'expired' | 'cancelled' | 'failed' | 'refunded';

/** All that the bearer of an address learns of a payment: nothing of the payer, and of no other payment. */
export interface CheckoutView {
  state: CheckoutState;
  shop: Branding;
  /** Is in BRL, like `amountRefunded`. */
  amount: number;
  amountRefunded: number;
  description: string | undefined;
  /** While it is waiting. */
  pix: { code: string; qrCodePngBase64: string } | undefined;
  expiresAt: Date;
  confirmedAt: Date | undefined;
  isTest: boolean;
  /** The shop's, with the payment and its status. */
  returnUrl: string | undefined;
  /** Changes with anything above. */
  version: string;
}

export interface Checkout {
  /** The payment of a token; undefined for one that nobody gave out. Needs no database. */
  idOf(token: string): string | undefined;
  /** Undefined for a token that nobody gave out. */
  read(token: string): Promise<CheckoutView | undefined>;
  /** Who the bearer of a token is, to count what they keep open. */
  callerOf(token: string): Promise<TokenCaller | undefined>;
  /**
   * Resolves to the view once it is another than that of `version`; undefined when nothing has changed until `signal`.
   * Fails with `too_many_subscriptions` when too many wait for this payment.
   */
  changed(token: string, version: string, signal: AbortSignal): Promise<CheckoutView | undefined>;
}

interface Dependencies {
  db: Database;
  links: Pick<CheckoutLinks, 'idOf'>;
  livePayments: Pick<LivePayments, 'watch'>;
  watched: WatchedPayments;
  now: () => Date;
}

/** Longer than anybody waits. */
const longestTimerMs = 60_000;
/** Somebody may look at a page at any time after its payment. */
const forever = new Date(8_640_000_000_000_000);

const stateOf: Record<PaymentStatus, CheckoutState> = {
  creating: 'creating',
  pending: 'waiting',
  completed: 'paid',
  expired: 'expired',
  cancelled: 'cancelled',
  refunded: 'refunded',
  failed: 'failed',
};

function viewOf(stored: StoredCheckout, now: Date): CheckoutView {
  const { status, paidLate, expiresAt, pixCopyPaste: code, returnUrl } = stored;
  const isOver = status === 'pending' && expiresAt <= now;
  const state = isOver ? 'expired' : status === 'completed' && paidLate ? 'paid_late' : stateOf[status];
  const isPayable = state === 'waiting' && code !== null;
  const view = {
    state,
    shop: brandingOf(stored),
    amount: reaisFromCents(stored.amountInCents),
    amountRefunded: reaisFromCents(stored.refundedInCents as Cents),
    description: stored.description ?? undefined,
    pix: isPayable ? { code, qrCodePngBase64: qrCodeOf(code) } : undefined,
    expiresAt,
    confirmedAt: stored.confirmedAt ?? undefined,
    isTest: stored.mode === 'test',
    returnUrl:
      returnUrl === null
        ? undefined
        : returnUrlWith(returnUrl, stored.id, status === 'creating' ? 'pending' : status),
  };
  return { ...view, version: hash('sha256', JSON.stringify(view), 'base64url').slice(0, 16) };
}

const bearerOf = ({ organizationId, mode, id }: StoredCheckout): TokenCaller => ({
  kind: 'token',
  organizationId,
  mode,
  paymentId: id,
  expiresAt: forever,
});

export function createCheckout({ db, links, livePayments, watched, now }: Dependencies): Checkout {
  const find = gather((ids: readonly string[]) => findCheckouts(db, ids), { onlyReads: true });

  async function findBy(token: string): Promise<StoredCheckout | undefined> {
    const id = links.idOf('payment', token);
    const stored = id === undefined ? undefined : await find(id);
    if (stored) watched.seen(stored);
    return stored;
  }

  async function read(token: string): Promise<CheckoutView | undefined> {
    const stored = await findBy(token);
    return stored && viewOf(stored, now());
  }

  return {
    read,

    async callerOf(token) {
      const stored = await findBy(token);
      return stored && bearerOf(stored);
    },

    idOf: (token) => links.idOf('payment', token),

    async changed(token, version, signal) {
      const stored = await findBy(token);
      const current = stored && viewOf(stored, now());
      if (!current || current.version !== version || current.state === 'creating') return current;
      const views = await livePayments.watch(bearerOf(stored), stored.id);
      const stop = (): void => void views.return(undefined);
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      // Its last second announces itself to nobody.
      const leftMs = current.expiresAt.getTime() - now().getTime();
      const expiry = setTimeout(
        stop,
        current.state === 'waiting' ? Math.min(leftMs, longestTimerMs) : longestTimerMs,
      );
      try {
        // The first is the state at the start, which may already be another.
        for await (const _ of views) {
          const latest = await read(token);
          if (latest?.version !== version) return latest;
        }
        const latest = signal.aborted ? undefined : await read(token);
        return latest?.version === version ? undefined : latest;
      } finally {
        clearTimeout(expiry);
        signal.removeEventListener('abort', stop);
        stop();
      }
    },
  };
}
