import type { Reconciliation } from '../services/reconciliation.ts';
import type { Worker } from './loop.ts';

const batch = 50;

/** One worker for each kind of thing whose outcome is not known, so that none waits for another. */
export const reconcilers = (reconciliation: Reconciliation): [name: string, worker: Worker][] =>
  Object.entries(reconciliation).map(([kind, settle]) => [
    `reconcile-${kind}`,
    { runOnce: () => settle(batch) },
  ]);
