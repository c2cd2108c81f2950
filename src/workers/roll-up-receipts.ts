import type { ReceiptRollUp } from '../core/books/receipt-roll-up.ts';
import type { Worker } from './loop.ts';

const batch = 2_000;

/** Aggregates received money by hour, including that of older databases. */
export const rollUpReceipts = (rollUp: ReceiptRollUp): Worker => ({
  runOnce: () => rollUp.advance(batch),
});
