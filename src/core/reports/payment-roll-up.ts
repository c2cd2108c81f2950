import { idTimestamp, firstIdAt } from '../base/ids.ts';
import type { Database } from '../../database/database.ts';
import {
  addChanges,
  addPayments,
  beginProgress,
  copyPaymentDays,
  findFirstPaymentId,
  findPaymentIdAfter,
  inRollUp,
  lockProgress,
} from './store/payment-hours.ts';

/** Aggregates payments by hour of creation, for statistics. */
export interface PaymentRollUp {
  /**
   * Adds about `limit` new payments and up to `limit` changes, and copies hours of days that are over. Returns
   * the number of steps made: 0 when everything is done or another worker is running. Safe to kill at any moment.
   */
  advance(limit: number): Promise<number>;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** A day is copied this long after its end, when most of its payments have been paid. */
const copyAfterMs = 2 * hourMs;
const daysPerStep = 100;

const startOf = (instant: Date, ms: number): Date => new Date(Math.floor(instant.getTime() / ms) * ms);

/** Stops at whole hours if it can, so that each row is written once. Advances by at least a minute. */
function nextStop(before: Date, later: Date): Date {
  const hour = startOf(later, hourMs);
  const minute = startOf(later, minuteMs);
  return [hour, minute].find((stop) => stop > before) ?? new Date(before.getTime() + minuteMs);
}

const markAt = (before: Date) => ({ before, beforeId: firstIdAt(before) });

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);

export function createPaymentRollUp({ db }: { db: Database }): PaymentRollUp {
  return {
    advance: (limit) =>
      inRollUp(db, async (tx) => {
        const progress = await lockProgress(tx);
        if (!progress) return 0;
        const { before, beforeId, until } = progress;
        if (!before || !beforeId) {
          const first = await findFirstPaymentId(tx);
          const start = first === undefined ? until : earlier(startOf(idTimestamp(first), minuteMs), until);
          await beginProgress(tx, markAt(start));
          return 1;
        }
        const copyBefore = startOf(new Date(before.getTime() - copyAfterMs), dayMs);
        const changes = await addChanges(tx, before, limit);
        const days = await copyPaymentDays(tx, copyBefore, daysPerStep);
        if (until <= before) return Number(changes + days > 0);
        const later = await findPaymentIdAfter(tx, beforeId, limit);
        const end = later === undefined ? until : earlier(nextStop(before, idTimestamp(later)), until);
        await addPayments(tx, { before, beforeId }, markAt(end));
        return 1;
      }),
  };
}
