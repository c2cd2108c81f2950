import type { Operation } from '../../core/providers/rules/map-adapter.ts';

export type Call<T> = (signal: AbortSignal) => Promise<T>;

interface OperationRules {
  /** Covers the whole operation, including queueing, sign-in and every request. */
  timeoutMs: number;
  /** A query for an outcome. If it is refused or never sent, the outcome stays unknown. */
  isRead: boolean;
}

/** A create, and the query after an unknown outcome, leave time for another candidate within 12 s. */
export const operations: Record<Operation, OperationRules> = {
  createCharge: { timeoutMs: 6_000, isRead: false },
  findCharge: { timeoutMs: 3_500, isRead: true },
  reviseCharge: { timeoutMs: 8_000, isRead: false },
  cancelCharge: { timeoutMs: 8_000, isRead: false },
  refundCharge: { timeoutMs: 10_000, isRead: false },
  findRefund: { timeoutMs: 5_000, isRead: true },
  createRecurrence: { timeoutMs: 12_000, isRead: false },
  findRecurrence: { timeoutMs: 5_000, isRead: true },
  cancelRecurrence: { timeoutMs: 8_000, isRead: false },
  retryDebit: { timeoutMs: 8_000, isRead: false },
  // Documents take a while.
  answerDispute: { timeoutMs: 25_000, isRead: false },
  signIn: { timeoutMs: 10_000, isRead: false },
  findWebhook: { timeoutMs: 10_000, isRead: true },
  findPix: { timeoutMs: 3_500, isRead: true },
  listReceived: { timeoutMs: 10_000, isRead: true },
  listStatement: { timeoutMs: 10_000, isRead: true },
  listDisputes: { timeoutMs: 10_000, isRead: true },
  listCharges: { timeoutMs: 10_000, isRead: true },
  // The PSP calls the notification URL before it responds.
  registerWebhook: { timeoutMs: 30_000, isRead: false },
};
