import { Unavailable } from '../domain/errors.ts';
import { firstIdAt } from '../domain/ids.ts';
import type { Payment } from '../domain/payment.ts';
import type { Database } from '../persistence/database.ts';
import {
  findSequenceBefore,
  listChangesAfter,
  listMomentsAfter,
  type PaymentMoment,
} from '../persistence/live-payments.ts';
import type { PaymentHint } from '../persistence/payment-hints.ts';
import { findPayments, type Tenant } from '../persistence/payments.ts';
import type { Bell } from './bell.ts';
import { amountRefundedOf, paymentVersion, type PaymentView } from './payment-view.ts';

interface Following {
  db: Database;
  tenant: Tenant;
  /** What the subscriber may see of one. */
  view(payment: Payment): PaymentView;
  bell: Bell;
  now: () => Date;
  attempt<T>(look: () => Promise<T>, otherwise: T): Promise<T>;
}

/** Of what a slow consumer has not taken, so many are remembered; what is older is found by looking. */
const maximumRemembered = 1_000;
const batchSize = 20;
const maximumChanges = 100;
const maximumMoments = 500;
/** Longer than a create takes: one that began so long ago is pending or failed. */
const recentMs = 15_000;
/**
 * What a new subscriber is shown first. Longer than it needs to come here from the list it has read; and longer than
 * the clients that are in use try to connect again (five times, after 1 to 16 seconds and up to three more each),
 * for they ask again as they did the first time.
 */
const missedMs = 60_000;

/** The payments of a tenant as they are made and change: hinted at, or found by events and by their age. */
export function followPayments({ db, tenant, view, bell, now, attempt }: Following) {
  const hinted = new Set<string>();
  /** What was shown of the latest payments, so that none is shown twice. */
  const shown = new Map<string, string>();
  let isTimeToLook = true;
  let lastSequence = 0n;
  /** Where the next look at payments by their age begins, while there are more than one look takes. */
  let lookedUpTo: string | undefined;

  const before = (ms: number): string => firstIdAt(new Date(now().getTime() - ms));

  function remember(id: string, version: string): void {
    shown.delete(id);
    shown.set(id, version);
    for (const [oldest] of shown) {
      if (shown.size <= maximumRemembered) break;
      shown.delete(oldest);
    }
  }

  async function read(ids: readonly string[]): Promise<PaymentView[]> {
    const payments = await findPayments(
      db,
      ids.map((id) => ({ ...tenant, id })),
    );
    const views = payments.flatMap((payment) => (payment ? [view(payment)] : []));
    const news = views.filter((each) => shown.get(each.id) !== paymentVersion(each));
    for (const each of news) remember(each.id, paymentVersion(each));
    return news;
  }

  /** What cannot be read though the database is there is a bug, and would hold up the others for ever. */
  async function readUnlessBroken(ids: readonly string[]): Promise<PaymentView[]> {
    try {
      return await read(ids);
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      return attempt(() => Promise.reject(error as Error), []);
    }
  }

  const isNews = ({ id, status, confirmedAt, expiresAt, refundedInCents }: PaymentMoment): boolean => {
    const version = paymentVersion({
      status,
      confirmedAt: confirmedAt?.toISOString(),
      expiresAt: expiresAt.toISOString(),
      amountRefunded: amountRefundedOf({ refundedInCents }),
    });
    return shown.get(id) !== version;
  };

  /** Each subscriber looks every two seconds: what it knows already is not read whole again. */
  async function listRecentNews(): Promise<string[]> {
    const recent = await listMomentsAfter(db, tenant, lookedUpTo ?? before(recentMs), maximumMoments);
    lookedUpTo = recent.length === maximumMoments ? recent.at(-1)?.id : undefined;
    return recent.filter(isNews).map(({ id }) => id);
  }

  async function look(): Promise<string[]> {
    const changes = await listChangesAfter(db, tenant, lastSequence, maximumChanges);
    const recent = await listRecentNews();
    lastSequence = changes.at(-1)?.sequence ?? lastSequence;
    isTimeToLook = changes.length === maximumChanges || lookedUpTo !== undefined;
    if (isTimeToLook) bell.ring();
    return [...changes.map(({ paymentId }) => paymentId), ...recent];
  }

  async function* news(): AsyncGenerator<PaymentView> {
    // What was found while the database was away, and is found no more.
    let unread: readonly string[] = [];
    while (await bell.rung()) {
      const found = isTimeToLook ? await attempt(look, []) : [];
      const ids = [...new Set([...unread, ...hinted, ...found])];
      hinted.clear();
      unread = [];
      for (let from = 0; from < ids.length; from += batchSize) {
        const views = await attempt(() => readUnlessBroken(ids.slice(from, from + batchSize)), undefined);
        if (!views) {
          unread = ids.slice(from);
          break;
        }
        yield* views;
      }
    }
  }

  return {
    notice(hint: PaymentHint | undefined): void {
      if (!hint) {
        isTimeToLook = true;
      } else {
        hinted.add(hint.paymentId);
        const [oldest] = hinted;
        if (hinted.size > maximumRemembered && oldest !== undefined) hinted.delete(oldest);
      }
      bell.ring();
    },

    async begin(): Promise<AsyncGenerator<PaymentView>> {
      lookedUpTo = before(missedMs);
      lastSequence = await findSequenceBefore(db, tenant, lookedUpTo);
      bell.ring();
      return news();
    },
  };
}
