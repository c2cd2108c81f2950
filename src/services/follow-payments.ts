import { firstIdAt } from '../domain/ids.ts';
import type { Payment } from '../domain/payment.ts';
import type { Database } from '../persistence/database.ts';
import {
  findSequenceBefore,
  listChangesAfter,
  listMomentsFrom,
  type PaymentMoment,
} from '../persistence/live-payments.ts';
import type { PaymentHint } from '../persistence/payment-hints.ts';
import { findPayments, type Tenant } from '../persistence/payments.ts';
import type { Bell } from './bell.ts';
import { paymentVersion, type PaymentView } from './payment-view.ts';

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
/**
 * Longer than a create takes: one that began so long ago is pending or failed. And longer than a subscriber needs
 * to come here from the list it has read: what happened meanwhile is shown first.
 */
const recentMs = 15_000;

/** The payments of a tenant as they are made and change: hinted at, or found by events and by their age. */
export function followPayments({ db, tenant, view, bell, now, attempt }: Following) {
  const hinted = new Set<string>();
  /** What was shown of the latest payments, so that none is shown twice. */
  const shown = new Map<string, string>();
  let isTimeToLook = true;
  let lastSequence = 0n;

  const recently = (): string => firstIdAt(new Date(now().getTime() - recentMs));

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

  const isNews = ({ id, confirmedAt, expiresAt, ...moment }: PaymentMoment): boolean => {
    const times = { confirmedAt: confirmedAt?.toISOString(), expiresAt: expiresAt.toISOString() };
    return shown.get(id) !== paymentVersion({ ...moment, ...times });
  };

  /** Each subscriber looks every two seconds: what it knows already is not read whole again. */
  async function listRecentNews(): Promise<string[]> {
    const recent = await listMomentsFrom(db, tenant, recently(), maximumRemembered / 2);
    return recent.filter(isNews).map(({ id }) => id);
  }

  async function look(): Promise<string[]> {
    const changes = await listChangesAfter(db, tenant, lastSequence, maximumChanges);
    const recent = await listRecentNews();
    lastSequence = changes.at(-1)?.sequence ?? lastSequence;
    isTimeToLook = changes.length === maximumChanges;
    if (isTimeToLook) bell.ring();
    return [...changes.map(({ paymentId }) => paymentId), ...recent];
  }

  async function* news(): AsyncGenerator<PaymentView> {
    while (await bell.rung()) {
      const found = isTimeToLook ? await attempt(look, []) : [];
      const ids = [...new Set([...hinted, ...found])];
      hinted.clear();
      for (let from = 0; from < ids.length; from += batchSize) {
        yield* await attempt(() => read(ids.slice(from, from + batchSize)), []);
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
      lastSequence = await findSequenceBefore(db, tenant, recently());
      bell.ring();
      return news();
    },
  };
}
