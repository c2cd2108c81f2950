import type { Idempotency } from '../services/idempotency.ts';
import type { Worker } from './loop.ts';

const batch = 1_000;

/** Deletes idempotency keys after 30 days. */
export const forgetIdempotencyKeys = (idempotency: Idempotency): Worker => ({
  runOnce: () => idempotency.forgetOld(batch),
});
