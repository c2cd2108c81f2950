import type { Database } from '../../database/database.ts';
import {
  addHourOfPix,
  addReceiptChanges,
  copyReceiptDays,
  endReceiptBackfill,
  findHourOfPix,
  inReceiptRollUp,
  lockReceiptBackfill,
} from './store/receipts.ts';

/** Aggregates received money by hour. */
export interface ReceiptRollUp {
  /**
   * Adds up to `limit` changes and one hour received before there were sums, and copies the hours of past days. Returns how
   * much it did.
   */
  advance(limit: number): Promise<number>;
}

const daysPerStep = 100;

export function createReceiptRollUp({ db }: { db: Database }): ReceiptRollUp {
  const goBack = (): Promise<number> =>
    inReceiptRollUp(db, async (tx) => {
      const backfill = await lockReceiptBackfill(tx);
      if (!backfill) return 0;
      const hour = await findHourOfPix(tx, backfill);
      if (hour) await addHourOfPix(tx, backfill.organizationId, hour);
      else await endReceiptBackfill(tx, backfill.organizationId);
      return 1;
    });

  return {
    async advance(limit) {
      const added = (await goBack()) + (await addReceiptChanges(db, limit));
      return added + (await inReceiptRollUp(db, (tx) => copyReceiptDays(tx, daysPerStep)));
    },
  };
}
