import { hash } from 'node:crypto';
import { type Cents, reaisFromCents } from '../base/money.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import { termsOf } from '../payments/rules/due/due.ts';
import { type PaymentStatus, receivedOf } from '../payments/rules/payment.ts';
import { findCheckouts, recordOpening, type StoredCheckout } from './store/checkouts.ts';
import { findLinkOf } from './store/payment-links.ts';
import { statusOf } from './payment-link-view.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { Database } from '../../database/database.ts';
import type { Logger } from '../../observability/logger.ts';
import { gather } from '../../database/gather.ts';
import type { TokenCaller } from '../base/caller.ts';
import { type Branding, brandingOf } from '../people/organizations/organization-profile.ts';
import type { LivePayments } from '../live/live-payments.ts';
import { type AmountParts, amountPartsView } from '../payments/views/due-view.ts';
import { isEndToEndId } from '../payments/rules/end-to-end-id.ts';
import { qrCodeOf } from '../payments/views/qr-codes.ts';
import type { WatchedPayments } from '../settlement/watched-payments.ts';
import type { CheckoutLinks } from './links/checkout-links.ts';
import { type CheckoutDue, checkoutDueOn } from './rules/checkout-due.ts';
import { returnUrlWith } from './rules/return-url.ts';

/** `expired` as soon as the time is up, even if it takes a while until the payment itself expires. */
export type CheckoutState =
  'creating' | 'waiting' | 'paid' | 'paid_late' | 'expired' | 'cancelled' | 'failed' | 'refunded';

/** Everything that whoever has the address learns: nothing about the payer, nor about other payments. */
export interface CheckoutView {
  state: CheckoutState;
  shop: Branding;
  /** What is owed today, an estimate with a due date, or was paid. BRL, like every amount. */
  amount: number;
  /** Present only while a payment with a due date can be paid. */
  due: CheckoutDue | undefined;
  /** What was paid consists of these; undefined unless it is another amount than the payment was made for. */
  parts: AmountParts | undefined;
  amountRefunded: number;
  description: string | undefined;
  /** Present only while the payment can be paid. */
  pix: { code: string; qrCodePngBase64: string } | undefined;
  expiresAt: Date;
  confirmedAt: Date | undefined;
  isTest: boolean;
  /** The shop's address, with the payment's id and status appended. */
  returnUrl: string | undefined;
  /** The path of the payment link that gives out another one in its place. */
  againPath: string | undefined;
  /** The end-to-end id of the Pix that paid it, by which banks find it. */
  endToEndId: string | undefined;
  /** Changes whenever a field above changes. */
  version: string;
}

export interface Checkout {
  /** The id of a token's payment; undefined if we did not sign the token. Needs no database. */
  idOf(token: string): string | undefined;
  /** Notes that the payer has seen it. Undefined if we did not sign the token. */
  open(token: string): Promise<CheckoutView | undefined>;
  /** Undefined if we did not sign the token. */
  read(token: string): Promise<CheckoutView | undefined>;
  /** Who the bearer of a token is, to count what they keep open. */
  callerOf(token: string): Promise<TokenCaller | undefined>;
  /**
   * Resolves to the view as soon as its version is no longer `version`; to undefined if nothing has changed after a minute or
   * when `signal` aborts. Fails with `too_many_subscriptions` when too many wait for this payment.
   */
  waitForChange(token: string, version: string, signal: AbortSignal): Promise<CheckoutView | undefined>;
}

interface Dependencies {
  db: Database;
  links: Pick<CheckoutLinks, 'idOf' | 'urlOf'>;
  livePayments: Pick<LivePayments, 'watch'>;
  watched: WatchedPayments;
  testClocks: Pick<TestClocks, 'nowIn'>;
  now: () => Date;
  logger: Logger;
}

/** Longer than any page waits. */
const longestTimerMs = 60_000;
/** A checkout page never expires, so its bearer's access lasts until the latest instant that a Date can hold. */
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

/** Where another Pix can be had once the time of this one is up. */
const isDeadEnd = ({ status, expiresAt }: StoredCheckout, now: Date): boolean =>
  status === 'expired' || status === 'failed' || (status === 'pending' && expiresAt <= now);

function viewOf(stored: StoredCheckout, now: Date, againPath: string | undefined): CheckoutView {
  const { status, paidLate, expiresAt, pixCopyPaste: code, returnUrl, due, amountInCents, pixId } = stored;
  const isOver = status === 'pending' && expiresAt <= now;
  const state = isOver ? 'expired' : status === 'completed' && paidLate ? 'paid_late' : stateOf[status];
  const isPayable = state === 'waiting' && code !== null;
  const owed =
    state === 'waiting' && due ? checkoutDueOn(brasiliaDay(now), amountInCents, termsOf(due)) : undefined;
  const received = receivedOf(stored);
  const { paidParts } = stored;
  const view = {
    state,
    shop: brandingOf(stored),
    amount: reaisFromCents(owed?.amountInCents ?? received),
    due: owed?.due,
    parts: paidParts && received !== amountInCents ? amountPartsView(paidParts) : undefined,
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
    againPath,
    endToEndId: pixId !== null && isEndToEndId(pixId) ? pixId : undefined,
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

export function createCheckout({
  db,
  links,
  livePayments,
  watched,
  testClocks,
  now,
  logger,
}: Dependencies): Checkout {
  const find = gather((ids: readonly string[]) => findCheckouts(db, ids), { onlyReads: true });

  async function findBy(token: string): Promise<StoredCheckout | undefined> {
    const id = links.idOf('payment', token);
    const stored = id === undefined ? undefined : await find(id);
    if (stored) watched.seen(stored);
    return stored;
  }

  async function againPathOf({ id }: StoredCheckout): Promise<string | undefined> {
    const link = await findLinkOf(db, id);
    return link && statusOf(link, now()) === 'active'
      ? new URL(links.urlOf('link', link.id)).pathname
      : undefined;
  }

  async function show(stored: StoredCheckout): Promise<CheckoutView> {
    const at = testClocks.nowIn(stored);
    return viewOf(stored, at, isDeadEnd(stored, at) ? await againPathOf(stored) : undefined);
  }

  async function read(token: string): Promise<CheckoutView | undefined> {
    const stored = await findBy(token);
    return stored && show(stored);
  }

  return {
    read,

    async open(token) {
      const stored = await findBy(token);
      if (!stored) return undefined;
      const at = testClocks.nowIn(stored);
      // A page that can be shown is shown.
      if (!stored.openedAt)
        await recordOpening(db, stored.id, at).catch((error: unknown) => {
          logger.warn({ paymentId: stored.id, error }, 'an opened checkout page could not be recorded');
        });
      return show(stored);
    },

    async callerOf(token) {
      const stored = await findBy(token);
      return stored && bearerOf(stored);
    },

    idOf: (token) => links.idOf('payment', token),

    async waitForChange(token, version, signal) {
      const stored = await findBy(token);
      const current = stored && (await show(stored));
      if (!current || current.version !== version || current.state === 'creating') return current;
      const views = await livePayments.watch(bearerOf(stored), stored.id);
      const stop = (): void => void views.return(undefined);
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      // Nothing announces that the time is up, so a timer does.
      const leftMs = current.expiresAt.getTime() - testClocks.nowIn(stored).getTime();
      const expiry = setTimeout(
        stop,
        current.state === 'waiting' ? Math.min(leftMs, longestTimerMs) : longestTimerMs,
      );
      try {
        // The first view is the state when the watch began, which may already differ from `current`.
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
