import type { Settlement } from '../services/settlement.ts';
import type { Worker } from './loop.ts';

const batch = 50;

/** Asks the providers about pending payments whose time is over, which settles them one way or the other. */
export const expirePayments = (settlement: Settlement): Worker => ({
  runOnce: () => settlement.refreshDue(batch),
});
