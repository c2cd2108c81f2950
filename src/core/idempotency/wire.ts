import type { Base } from '../wiring/base.ts';
import { createIdempotency } from './idempotency.ts';

export type IdempotencyServices = ReturnType<typeof wireIdempotency>;

/** Longer than a create can take, so a live request never loses its claim. */
const defaultLeaseMs = 20_000;

export const wireIdempotency = ({ db }: Base, leaseMs = defaultLeaseMs) => ({
  idempotency: createIdempotency({ db, leaseMs }),
});
