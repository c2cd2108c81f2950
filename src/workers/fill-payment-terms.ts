import type { PaymentTermFilling } from '../core/payments/payment-terms.ts';
import type { Worker } from './loop.ts';

/**
 * A round takes so many of each kind. Old payments wait for the next round, so that they take a fraction of a core.
 */
const batch = 2_000;

/** Stores what payments are searched by, including those of older databases. */
export const fillPaymentTerms = (filling: PaymentTermFilling): Worker => ({
  runOnce: async () => (await filling.advance(batch)).newer,
});
