import type { ChangePayments } from '../events/change-payments.ts';
import { type Due, dueUntil } from '../payments/rules/due/due.ts';
import type { ChargeAttempt } from '../payments/store/charge-attempts.ts';
import { lockPayment } from '../payments/store/payment-changes.ts';

/** Payments whose due date passes without money. */
export interface Overdue {
  /** When the due date passed; null while it has not, if it was told, and for payments without one. */
  passedAt(attempt: Pick<ChargeAttempt, 'due' | 'overdue'>): Date | null;
  /** Makes the payment overdue, once its provider was asked and knew of no Pix. */
  tell(attempt: ChargeAttempt): Promise<void>;
}

interface Dependencies {
  changePayments: ChangePayments;
  now: () => Date;
}

export function createOverdue({ changePayments, now }: Dependencies): Overdue {
  function passedAt({ due, overdue }: { due: Due | null; overdue: boolean }): Date | null {
    if (!due || overdue) return null;
    const end = dueUntil(due);
    return end < now() ? end : null;
  }

  return {
    passedAt,

    tell: ({ paymentId, traceparent }) =>
      changePayments(async (tx, change) => {
        const payment = await lockPayment(tx, paymentId);
        if (payment?.status === 'pending' && passedAt(payment)) await change(payment, { overdue: true });
      }, traceparent),
  };
}
