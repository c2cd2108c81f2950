import type { PaymentRollUp } from '../services/reports/payment-roll-up.ts';
import type { Worker } from './loop.ts';

/** Few enough that a batch is no burden to the payments beside it. */
const batch = 5_000;

/** Adds payments up for statistics; those of a database that is older than this, too. */
export const rollUpPayments = (rollUp: PaymentRollUp): Worker => ({
  runOnce: () => rollUp.advance(batch),
});
