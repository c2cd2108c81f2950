import type { Queryable } from '../../database/database.ts';
import type { CalendarDay } from '../base/time/calendar-day.ts';
import type { ChangePayment, ChangePayments } from '../events/change-payments.ts';
import type { ChargeAttempt } from '../payments/store/charge-attempts.ts';
import { lockPayment } from '../payments/store/payment-changes.ts';
import type { Payment } from '../payments/rules/payment.ts';
import { findPaymentById } from '../payments/store/payments.ts';
import type { PspConnection } from '../providers/psps.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import { type Debit, withoutRetry } from '../recurrences/rules/debit.ts';
import { chargeIdsOf, lookupSignal } from './expiry.ts';
import type { RecordCharge } from './recording/record-charge.ts';
import { isLastLook } from './rules/check-schedule.ts';

export type DebitAttempt = ChargeAttempt & { debit: Debit };

export const isDebit = (attempt: ChargeAttempt): attempt is DebitAttempt => attempt.debit !== null;

/** What follows from a debit that its provider was just asked about. */
export interface Debits {
  /** Notes the day that somebody chose; `stored` runs in the same transaction. */
  choose(
    attempt: DebitAttempt,
    on: CalendarDay,
    stored: (tx: Queryable, payment: Payment) => Promise<void>,
  ): Promise<void>;
  /** Has the payer's bank asked again on the day that was chosen, or ends what can no longer be paid. */
  retryOrEnd(attempt: DebitAttempt, connection: PspConnection): Promise<void>;
}

interface Dependencies {
  changePayments: ChangePayments;
  record: RecordCharge;
  now: () => Date;
}

export function createDebits({ changePayments, record, now }: Dependencies): Debits {
  async function fail(
    tx: Queryable,
    change: ChangePayment,
    { paymentId, debit }: DebitAttempt,
  ): Promise<void> {
    const payment = await lockPayment(tx, paymentId);
    if (payment?.status !== 'pending') return;
    const failed = { ...withoutRetry(payment.debit ?? debit), reason: 'unknown' } as const;
    await change(payment, { status: 'failed', debit: failed, nextCheckAt: null }, [{ debit: 'failed' }]);
  }

  return {
    choose: ({ paymentId, traceparent }, on, stored) =>
      changePayments(async (tx, change) => {
        const locked = await lockPayment(tx, paymentId);
        const debit = locked?.status === 'pending' ? locked.debit : null;
        if (locked && debit && debit.attempts.every((known) => known.on !== on))
          await change(locked, { debit: { ...debit, state: 'retrying', retryOn: on } });
        const payment = await findPaymentById(tx, paymentId);
        if (payment) await stored(tx, payment);
      }, traceparent),

    async retryOrEnd(attempt, { adapter }) {
      const { debit, traceparent } = attempt;
      if (isLastLook(attempt.paymentEndsAt, now())) {
        await changePayments((tx, change) => fail(tx, change, attempt), traceparent);
        return;
      }
      const { retryOn } = debit;
      if (!retryOn || !adapter.retryDebit) return;
      try {
        const charge = await adapter.retryDebit(chargeIdsOf(attempt, now()), retryOn, lookupSignal(attempt));
        await changePayments((tx, change) => record(tx, change, attempt, charge), traceparent);
      } catch (error) {
        if (!(error instanceof PspError) || error.failure !== 'rejected') throw error;
        await changePayments((tx, change) => fail(tx, change, attempt), traceparent);
      }
    },
  };
}
