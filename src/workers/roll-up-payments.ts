import type { PaymentRollUp } from '../core/reports/payment-roll-up.ts';
import type { Worker } from './loop.ts';

/** Small enough not to slow down payments. */
const batch = 5_000;

/** Aggregates payments for statistics, including those of older databases. */
export const rollUpPayments = (rollUp: PaymentRollUp): Worker => ({
  runOnce: () => rollUp.advance(batch),
});
