import type { Database, Queryable } from '../../database/database.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../base/caller.ts';
import { ServiceError } from '../base/errors.ts';
import { centsFromReais } from '../base/money.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { Idempotency, Replayable } from '../idempotency/idempotency.ts';
import { storeIdempotentOutcome } from '../idempotency/store/idempotency-keys.ts';
import type { Settlement } from '../settlement/settlement.ts';
import { assertDueFrom, type Due } from './rules/due/due.ts';
import type { Payment } from './rules/payment.ts';
import { beginRevision, isMade, type Revision } from './store/revisions.ts';
import { paymentView, type PaymentView } from './views/payment-view.ts';
import { parseUpdatePayment, type UpdatePaymentInput } from './views/update-payment-input.ts';

/** Changes amount, terms or description of a pending payment with a due date, at its provider and here. */
export type UpdatePayment = (
  caller: Caller,
  find: () => Promise<Payment>,
  body: unknown,
  idempotencyKey: string | undefined,
) => Promise<Replayable<PaymentView>>;

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  idempotency: Idempotency;
  settlement: Pick<Settlement, 'revise'>;
  testClocks: Pick<TestClocks, 'nowIn'>;
  now: () => Date;
}

const notChangeable = (why: string) =>
  new ServiceError('payment_not_changeable', `The payment cannot be changed: ${why}`);

function assertChangeable(payment: Payment): asserts payment is Payment & { due: Due } {
  if (!payment.due) throw notChangeable('it has no due date');
  if (payment.status !== 'pending') throw notChangeable(`it is ${payment.status}`);
}

export function createPaymentUpdate(dependencies: Dependencies): UpdatePayment {
  const { db, audit, idempotency, settlement, testClocks, now } = dependencies;

  function revisionOf(payment: Payment & { due: Due }, input: UpdatePaymentInput): Revision {
    const amountInCents =
      (input.amount === undefined ? undefined : centsFromReais(input.amount)) ?? payment.amountInCents;
    const due = input.due ?? payment.due;
    // Terms that stay may have begun before today.
    const today = brasiliaDay(testClocks.nowIn(payment));
    const from = input.due || payment.due.date > today ? today : payment.due.date;
    assertDueFrom(from, { due, amountInCents });
    return { amountInCents, due, description: input.description ?? payment.description };
  }

  return async (caller, find, body, idempotencyKey) => {
    const input = parseUpdatePayment(body);
    const { id: paymentId } = await find();
    const request = { operation: 'update', input: { paymentId, ...input }, subjectId: paymentId };
    return idempotency.run(caller, idempotencyKey, request, async (work) => {
      const payment = await find();
      assertChangeable(payment);
      const wanted = revisionOf(payment, input);
      const record = async (tx: Queryable, revised: Payment): Promise<void> => {
        const outcome = work.outcomeOf(paymentView(revised));
        if (outcome) await storeIdempotentOutcome(tx, outcome);
        const { amountInCents, revision } = revised;
        const details = { amountInCents: String(amountInCents), revision };
        await audit.record(tx, caller, 'payment.update', paymentId, details);
      };
      // A worker may have finished what an earlier holder of the key, or a request without a response, had begun.
      const mayBeMade = work.takenOver || input.revision === payment.revision - 1;
      if (mayBeMade && isMade(wanted, payment)) {
        await db.$transaction((tx) => record(tx, payment));
        return paymentView(payment);
      }
      const expected = { id: paymentId, revision: input.revision ?? payment.revision };
      const clocks = { now: now(), paymentNow: testClocks.nowIn(payment) };
      if (!(await beginRevision(db, expected, wanted, clocks)))
        throw new ServiceError(
          'changed_meanwhile',
          'The payment has another revision, or is just being changed',
        );
      return paymentView(await settlement.revise(paymentId, record, caller.traceparent));
    });
  };
}
