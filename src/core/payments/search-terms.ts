import { firstIdAt } from '../base/ids.ts';
import { type SearchedFields, termsOf } from './rules/search/search-terms.ts';
import type { Database, Queryable } from '../../database/database.ts';
import type { Tenant } from './store/payments.ts';
import {
  insertTerms,
  inTermFilling,
  listTermSources,
  listTermSourcesBefore,
  lockTermProgress,
  moveTermProgress,
  nilId,
  type PaymentTerms,
} from './store/search-terms.ts';

/** Stores search terms some seconds after a payment's creation, so that creating one writes nothing extra. */
export interface PaymentTermFilling {
  /**
   * Goes over up to `limit` new payments, as many for the second time, and as many old ones; returns how many there were. Does
   * nothing while another worker is at it. Safe to kill at any moment.
   */
  advance(limit: number): Promise<{ newer: number; older: number }>;
}

/**
 * After this long a charge has its code, and every payment from that time is stored. A second pass thus finds the payments of
 * slow creates and of nodes that stood still, a little later.
 */
const settledMs = 5 * 60_000;

export const withTerms = (payments: readonly (SearchedFields & Tenant & { id: string })[]): PaymentTerms[] =>
  payments.map((payment) => ({
    organizationId: payment.organizationId,
    mode: payment.mode,
    paymentId: payment.id,
    terms: termsOf(payment),
  }));

/** Returns where to continue, and how many payments there were. */
async function fill(tx: Queryable, fromId: string, toId: string, limit: number) {
  const found = await listTermSources(tx, { fromId, toId, limit: limit + 1 });
  const payments = found.slice(0, limit);
  await insertTerms(tx, withTerms(payments));
  return { count: payments.length, nextId: found[limit]?.id ?? (payments.length > 0 ? toId : fromId) };
}

async function fillBefore(tx: Queryable, beforeId: string, limit: number) {
  const payments = await listTermSourcesBefore(tx, beforeId, limit);
  await insertTerms(tx, withTerms(payments));
  const last = payments.at(-1);
  return { count: payments.length, backfillId: payments.length < limit || !last ? nilId : last.id };
}

const earlier = (a: string, b: string): string => (a < b ? a : b);

export function createPaymentTermFilling({ db }: { db: Database }): PaymentTermFilling {
  return {
    advance: (limit) =>
      inTermFilling(db, async (tx) => {
        const progress = await lockTermProgress(tx);
        if (!progress) return { newer: 0, older: 0 };
        const { until } = progress;
        const toId = firstIdAt(until);
        const { nextId, settledId, backfillId } = progress;
        if (nextId === null || settledId === null || backfillId === null) {
          await moveTermProgress(tx, { nextId: toId, settledId: toId, backfillId: toId });
          return { newer: 1, older: 0 };
        }
        const fresh = await fill(tx, nextId, toId, limit);
        const settledTo = earlier(firstIdAt(new Date(until.getTime() - settledMs)), fresh.nextId);
        const settled = await fill(tx, settledId, settledTo, limit);
        const older =
          backfillId === nilId ? { count: 0, backfillId } : await fillBefore(tx, backfillId, limit);
        const moved = { nextId: fresh.nextId, settledId: settled.nextId, backfillId: older.backfillId };
        if (fresh.count + settled.count > 0 || older.backfillId !== backfillId)
          await moveTermProgress(tx, moved);
        return { newer: fresh.count + settled.count, older: older.count };
      }),
  };
}
