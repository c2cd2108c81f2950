import type { Database, Queryable } from '../../database/database.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../base/caller.ts';
import { notFound, ServiceError } from '../base/errors.ts';
import { centsFromReais } from '../base/money.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { ChangePayments } from '../events/change-payments.ts';
import type { Idempotency, Replayable } from '../idempotency/idempotency.ts';
import { storeIdempotentOutcome } from '../idempotency/store/idempotency-keys.ts';
import type { Settlement } from '../settlement/settlement.ts';
import { assertDueFrom, type Due } from './rules/due/due.ts';
import type { Payment } from './rules/payment.ts';
import { lockPayment } from './store/payment-changes.ts';
import { findPaymentById } from './store/payments.ts';
import { beginRevision, isMade, type Revision, storeDetails } from './store/revisions.ts';
import { paymentView, type PaymentView } from './views/payment-view.ts';
import { parseUpdatePayment, type UpdatePaymentInput } from './views/update-payment-input.ts';

/**
 * Changes description and metadata of a payment; amount and terms too while it is pending and has a due date, with the description
 * at its provider and here.
 */
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
  changePayments: ChangePayments;
  settlement: Pick<Settlement, 'revise'>;
  testClocks: Pick<TestClocks, 'nowIn'>;
  now: () => Date;
}

type DuePayment = Payment & { due: Due };

const notChangeable = (why: string) =>
  new ServiceError('payment_not_changeable', `The payment cannot be changed: ${why}`);

const changedMeanwhile = () =>
  new ServiceError('changed_meanwhile', 'The payment has another revision, or is just being changed');

/** Whether the provider has to make the change. Fails if it could not. */
function isForProvider(
  payment: Payment,
  { amount, due, description }: UpdatePaymentInput,
): payment is DuePayment {
  const isOfCharge = amount !== undefined || due !== undefined;
  if (isOfCharge && !payment.due) throw notChangeable('it has no due date');
  if (isOfCharge && payment.status !== 'pending') throw notChangeable(`it is ${payment.status}`);
  return payment.due !== null && payment.status === 'pending' && (isOfCharge || description !== undefined);
}

const detailsOf = (
  { description, metadata }: UpdatePaymentInput,
  payment: Payment,
): Pick<Payment, 'description' | 'metadata'> => ({
  description: description ?? payment.description,
  metadata: metadata ?? payment.metadata,
});

export function createPaymentUpdate(dependencies: Dependencies): UpdatePayment {
  const { db, audit, idempotency, changePayments, settlement, testClocks, now } = dependencies;

  function revisionOf(payment: DuePayment, input: UpdatePaymentInput): Revision {
    const amountInCents =
      (input.amount === undefined ? undefined : centsFromReais(input.amount)) ?? payment.amountInCents;
    const due = input.due ?? payment.due;
    // Terms that stay may have begun before today.
    const today = brasiliaDay(testClocks.nowIn(payment));
    const from = input.due || payment.due.date > today ? today : payment.due.date;
    assertDueFrom(from, { due, amountInCents });
    const { description } = detailsOf(input, payment);
    return { amountInCents, due, description, metadata: input.metadata?.text ?? null };
  }

  return async (caller, find, body, idempotencyKey) => {
    const input = parseUpdatePayment(body);
    const { id: paymentId } = await find();
    const request = { operation: 'update', input: { paymentId, ...input }, subjectId: paymentId };
    return idempotency.run(caller, idempotencyKey, request, async (work) => {
      const record = async (tx: Queryable, revised: Payment): Promise<void> => {
        const outcome = work.outcomeOf(paymentView(revised));
        if (outcome) await storeIdempotentOutcome(tx, outcome);
        const { amountInCents, revision } = revised;
        const details = { amountInCents: String(amountInCents), revision };
        await audit.record(tx, caller, 'payment.update', paymentId, details);
      };
      // A worker may have finished what an earlier holder of the key, or a request without a response, had begun.
      const mayBeMade = ({ revision }: Payment) => work.takenOver || input.revision === revision - 1;

      const changeHere = (): Promise<Payment> =>
        changePayments(async (tx, change) => {
          const locked = await lockPayment(tx, paymentId);
          const before = locked && (await findPaymentById(tx, paymentId));
          if (!before) throw notFound('Payment', paymentId);
          const details = detailsOf(input, before);
          const isChanged =
            details.description !== before.description || details.metadata?.text !== before.metadata?.text;
          if (
            input.revision !== undefined &&
            input.revision !== before.revision &&
            (isChanged || !mayBeMade(before))
          )
            throw changedMeanwhile();
          if (isChanged) {
            await storeDetails(tx, paymentId, details);
            await change(locked, {}, [{ isUpdated: true }]);
          }
          const after = (isChanged && (await findPaymentById(tx, paymentId))) || before;
          await record(tx, after);
          return after;
        }, caller.traceparent);

      const payment = await find();
      if (!isForProvider(payment, input)) return paymentView(await changeHere());
      const wanted = revisionOf(payment, input);
      if (mayBeMade(payment) && isMade(wanted, payment)) {
        await db.$transaction((tx) => record(tx, payment));
        return paymentView(payment);
      }
      const expected = { id: paymentId, revision: input.revision ?? payment.revision };
      const clocks = { now: now(), paymentNow: testClocks.nowIn(payment) };
      if (!(await beginRevision(db, expected, wanted, clocks))) throw changedMeanwhile();
      return paymentView(await settlement.revise(paymentId, record, caller.traceparent));
    });
  };
}
