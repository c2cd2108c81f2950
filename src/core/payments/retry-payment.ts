import { z } from 'zod';
import type { Queryable } from '../../database/database.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../base/caller.ts';
import { ServiceError } from '../base/errors.ts';
import { parse, withoutNulls } from '../base/parsing/parse.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { Idempotency, Replayable } from '../idempotency/idempotency.ts';
import { storeIdempotentOutcome } from '../idempotency/store/idempotency-keys.ts';
import { firstRetryDay, mayRetryOn } from '../recurrences/rules/debit.ts';
import type { Settlement } from '../settlement/settlement.ts';
import { daySchema } from './rules/due/due.ts';
import type { Payment } from './rules/payment.ts';
import { paymentView, type PaymentView } from './views/payment-view.ts';

export const retryPaymentSchema = z.object(
  { date: daySchema.meta({ description: 'Day of the attempt, within seven days of the due date.' }) },
  { error: 'must be a JSON object' },
);

/** Has the payer's bank asked again for a debit that failed. */
export type RetryPayment = (
  caller: Caller,
  find: () => Promise<Payment>,
  body: unknown,
  idempotencyKey: string | undefined,
) => Promise<Replayable<PaymentView>>;

interface Dependencies {
  audit: { record: RecordAudit };
  idempotency: Idempotency;
  settlement: Pick<Settlement, 'retryDebit'>;
  testClocks: Pick<TestClocks, 'nowIn'>;
}

const notRetriable = (why: string) =>
  new ServiceError('payment_not_retriable', `The debit cannot be tried again: ${why}`);

export function createPaymentRetry({
  audit,
  idempotency,
  settlement,
  testClocks,
}: Dependencies): RetryPayment {
  return async (caller, find, body, idempotencyKey) => {
    const { date } = parse(retryPaymentSchema, withoutNulls(body));
    const { id: paymentId } = await find();
    const request = { operation: 'retry', input: { paymentId, date }, subjectId: paymentId };
    return idempotency.run(caller, idempotencyKey, request, async (work) => {
      const payment = await find();
      const { debit, status } = payment;
      if (!debit) throw notRetriable('the payment is not one of a recurrence');
      if (status !== 'pending') throw notRetriable(`it is ${status}`);
      const isAsked = debit.retryOn === date || debit.attempts.some(({ on }) => on === date);
      if (!isAsked && !mayRetryOn(debit, date, firstRetryDay(testClocks.nowIn(payment))))
        throw notRetriable(
          'a retry needs a failed attempt that another day may mend, a recurrence that allows it, and a day from tomorrow (by 22:00) to seven days after the due date',
        );
      const stored = async (tx: Queryable, retried: Payment): Promise<void> => {
        const outcome = work.outcomeOf(paymentView(retried));
        if (outcome) await storeIdempotentOutcome(tx, outcome);
        await audit.record(tx, caller, 'payment.retry', paymentId, { date });
      };
      return paymentView(await settlement.retryDebit(paymentId, date, stored, caller.traceparent));
    });
  };
}
