import { z } from 'zod';
import type { Queryable } from '../../database/database.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../base/caller.ts';
import { ServiceError } from '../base/errors.ts';
import { parse, withoutNulls } from '../base/parsing/parse.ts';
import type { Idempotency, Replayable } from '../idempotency/idempotency.ts';
import { storeIdempotentOutcome } from '../idempotency/store/idempotency-keys.ts';
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
}

export function createPaymentRetry({ audit, idempotency, settlement }: Dependencies): RetryPayment {
  return async (caller, find, body, idempotencyKey) => {
    const { date } = parse(retryPaymentSchema, withoutNulls(body));
    const { id: paymentId } = await find();
    const request = { operation: 'retry', input: { paymentId, date }, subjectId: paymentId };
    return idempotency.run(caller, idempotencyKey, request, async (work) => {
      if (!(await find()).debit)
        throw new ServiceError(
          'payment_not_retriable',
          'The debit cannot be tried again: the payment is not one of a recurrence',
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
