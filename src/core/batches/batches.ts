import type { Database } from '../../database/database.ts';
import { actorOf, type RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { notFound, ServiceError } from '../base/errors.ts';
import { isUuid, newId } from '../base/ids.ts';
import type { JsonObject } from '../base/json/json-object.ts';
import type { Mode } from '../base/mode.ts';
import { reaisFromCents } from '../base/money.ts';
import { parseCreatePayment } from '../payments/rules/create-payment-input.ts';
import type { Idempotency, Replayable } from '../idempotency/idempotency.ts';
import { storeIdempotentOutcome } from '../idempotency/store/idempotency-keys.ts';
import {
  type BatchItemRow,
  type BatchPaymentRow,
  type BatchRow,
  countOpenBatches,
  findBatch,
  insertBatch,
  lockOpenBatches,
} from './store/batches.ts';
import { failureOf } from './rules/batch-failure.ts';
import { parseBatch } from './views/batch-input.ts';
import type { BatchItemView, BatchView } from './views/batch-view.ts';

/** Many payments asked for at once. A worker makes them, each as if it had been asked for alone. */
export interface BatchService {
  /** `body` is unparsed. Fails with `too_many_batches` while too many are not completed. */
  create(
    caller: Caller,
    body: unknown,
    idempotencyKey: string | undefined,
  ): Promise<Replayable<Omit<BatchView, 'items'>>>;
  get(caller: Caller, id: string): Promise<BatchView>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  idempotency: Idempotency;
  now: () => Date;
}

const maximumOpen = 20;

const summaryOf = (
  { id, every, count, createdAt, nextRunAt }: BatchRow,
  items: readonly BatchItemRow[],
): Omit<BatchView, 'items'> => ({
  id,
  state: nextRunAt ? 'processing' : 'completed',
  ...(every && { every }),
  count,
  created: items.filter(({ paymentId }) => paymentId !== null).length,
  failed: items.filter(({ error }) => error !== null).length,
  createdAt: createdAt.toISOString(),
});

const itemOf = ({
  position,
  paymentId,
  errorCode,
  error,
  problems,
  payment,
}: BatchItemRow & { payment: BatchPaymentRow | null }): BatchItemView => ({
  position,
  state: paymentId ? 'created' : error === null ? 'pending' : 'failed',
  ...(paymentId && { paymentId }),
  ...(payment && {
    paymentStatus: payment.status,
    amount: reaisFromCents(payment.amountInCents),
    ...(payment.dueDate !== null && { dueDate: payment.dueDate }),
    ...(payment.overdue && payment.status === 'pending' && { overdue: true }),
  }),
  ...(errorCode && { code: errorCode }),
  ...(error !== null && { message: error }),
  ...(problems && { problems: [...problems] }),
});

/** An invalid body fails right away: it is not kept, and a number that JSON would change is not lost without a word. */
function itemBefore(
  mode: Mode,
  input: JsonObject,
  position: number,
): BatchItemRow & { input: JsonObject | null } {
  const item = { position, paymentId: null, errorCode: null, error: null, problems: null };
  try {
    parseCreatePayment(mode, input);
    return { ...item, input };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { ...item, input: null, ...failureOf(error) };
  }
}

export function createBatchService({ db, audit, idempotency, now }: Dependencies): BatchService {
  return {
    create(caller, body, idempotencyKey) {
      assertMay(caller, 'payment-batches:create');
      const { organizationId, mode } = caller;
      const actor = actorOf(caller);
      // A worker makes the payments later, for whoever may still do so.
      if (!actor.apiKeyId && !actor.userId)
        throw new ServiceError('permission_denied', 'This requires an API key or a signed-in person');
      const { inputs, every } = parseBatch(mode, body);
      const createdAt = now();
      const request = { operation: 'batch', input: inputs, subjectId: newId(createdAt) };
      return idempotency.run(caller, idempotencyKey, request, async (work) => {
        const { subjectId: id } = work;
        const earlier = work.takenOver ? await findBatch(db, caller, id) : null;
        if (earlier) return summaryOf(earlier, earlier.items);
        const batch: BatchRow = {
          id,
          organizationId,
          mode,
          ...actor,
          every,
          count: inputs.length,
          createdAt,
          nextRunAt: createdAt,
        };
        const items = inputs.map((input, position) => itemBefore(mode, input, position));
        const view = summaryOf(batch, items);
        await db.$transaction(async (tx) => {
          await lockOpenBatches(tx, caller);
          if ((await countOpenBatches(tx, caller, maximumOpen)) >= maximumOpen)
            throw new ServiceError('too_many_batches', `At most ${maximumOpen} batches may wait at a time`);
          await insertBatch(tx, batch, items);
          await audit.record(tx, caller, 'payment_batch.create', id, { count: inputs.length });
          const outcome = work.outcomeOf(view);
          if (outcome) await storeIdempotentOutcome(tx, outcome);
        });
        return view;
      });
    },

    async get(caller, id) {
      assertMay(caller, 'payments:read');
      const batch = isUuid(id) ? await findBatch(db, caller, id.toLowerCase()) : null;
      if (!batch) throw notFound('PaymentBatch', id);
      return { ...summaryOf(batch, batch.items), items: batch.items.map(itemOf) };
    },
  };
}
