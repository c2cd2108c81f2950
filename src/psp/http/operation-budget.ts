import { PspError } from '../../domain/providers/psp.ts';

/** Far more than any operation needs, and little enough to read without holding up everybody else. */
export const maximumOperationBytes = 524_288;
export const maximumOperationRequests = 32;

export interface OperationBudget {
  requestCount: number;
  byteCount: number;
}

const budgets = new WeakMap<AbortSignal, OperationBudget>();

/** All requests of one operation share its signal, and by that what they may ask and read together. */
export function budgetOf(signal: AbortSignal): OperationBudget {
  const known = budgets.get(signal);
  if (known) return known;
  const budget = { requestCount: 0, byteCount: 0 };
  budgets.set(signal, budget);
  return budget;
}

/** Fails with `unknown` when the operation has asked too often: a list may have no end. */
export function countRequest(budget: OperationBudget): void {
  if (budget.requestCount >= maximumOperationRequests) {
    throw new PspError('unknown', `the provider's answer has no end: ${maximumOperationRequests} requests`);
  }
  budget.requestCount += 1;
}

export const hasRequested = (signal: AbortSignal): boolean => (budgets.get(signal)?.requestCount ?? 0) > 0;
