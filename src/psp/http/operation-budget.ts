import { PspError } from '../../core/providers/rules/psp-error.ts';

/** Far more than any operation needs, yet small enough to parse without blocking other requests. */
export const maximumOperationBytes = 524_288;
export const maximumOperationRequests = 32;

export interface OperationBudget {
  requestCount: number;
  byteCount: number;
  /** Whether the operation's first request was counted against the quota before it began. */
  isPrepaid: boolean;
}

const budgets = new WeakMap<AbortSignal, OperationBudget>();

/** The requests of an operation share its signal, and with it a budget. */
export function budgetOf(signal: AbortSignal): OperationBudget {
  const known = budgets.get(signal);
  if (known) return known;
  const budget = { requestCount: 0, byteCount: 0, isPrepaid: false };
  budgets.set(signal, budget);
  return budget;
}

/** Fails with `unknown` when the operation makes too many requests, because a list may be endless. */
export function countRequest(budget: OperationBudget): void {
  if (budget.requestCount >= maximumOperationRequests) {
    throw new PspError('unknown', `the provider's response has no end: ${maximumOperationRequests} requests`);
  }
  budget.requestCount += 1;
}

export function prepay(signal: AbortSignal): void {
  budgetOf(signal).isPrepaid = true;
}

/** Whether the next request of the operation has been counted already. */
export function takePrepaid(signal: AbortSignal): boolean {
  const budget = budgetOf(signal);
  const { isPrepaid } = budget;
  budget.isPrepaid = false;
  return isPrepaid;
}

export const hasRequested = (signal: AbortSignal): boolean => (budgets.get(signal)?.requestCount ?? 0) > 0;
