import type { Database, Queryable } from '../../database/database.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { ServiceError } from '../base/errors.ts';
import { newPaymentId } from '../base/ids.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { DebitOrder, DebitPayments } from '../payments/debit-payment.ts';
import type { PspCatalogue } from '../providers/psp-catalogue.ts';
import { cycleOf, dayToSend, debitDayOf, lastDayToSend } from './rules/cycle.ts';
import type { Recurrence } from './rules/recurrence.ts';
import { advanceCycle, findRecurrenceById } from './store/recurrences.ts';

/** The debits that the service makes of itself. */
export interface DueDebits {
  /** Makes the debit of the next cycle once it is its time. One whose time has passed failed, and not because of the payer. */
  make(recurrence: Recurrence): Promise<void>;
  /** How often the creation of the next debit has failed. */
  countFailed(recurrence: Recurrence): Promise<number>;
}

interface Dependencies {
  db: Database;
  catalogue: Pick<PspCatalogue, 'leastDebitDays'>;
  debitPayments: DebitPayments;
  testClocks: Pick<TestClocks, 'nowIn'>;
  now: () => Date;
  metrics: Pick<Metrics, 'debitMissed'>;
  logger: Logger;
}

/** The debit of the next cycle, where the service makes it. */
function orderOf(recurrence: Recurrence): DebitOrder | undefined {
  const { reference, amountInCents, nextDebitOn: cycle, description, externalId, apiKeyId } = recurrence;
  if (cycle === null || reference === null || amountInCents === null) return undefined;
  const nextDebitOn = debitDayOf(recurrence, cycleOf(recurrence, cycle) + 1);
  return {
    recurrence: { ...recurrence, reference },
    amountInCents,
    dueOn: cycle,
    cycle,
    nextDebitOn,
    description,
    externalId,
    apiKeyId,
  };
}

export function createDueDebits({
  db,
  catalogue,
  debitPayments,
  testClocks,
  now,
  metrics,
  logger,
}: Dependencies): DueDebits {
  /** Serves a node that stood still: meanwhile the cycle may have had its debit, or the recurrence have ended. */
  async function assertIsNext(tx: Queryable, { recurrence: { id }, cycle }: DebitOrder): Promise<void> {
    const locked = await findRecurrenceById(tx, id);
    if (locked?.nextDebitOn !== cycle)
      throw new ServiceError('cycle_has_debit', `The cycle of ${cycle} has no debit to come`);
  }

  async function send(order: DebitOrder): Promise<void> {
    if (await debitPayments.isMade(order)) return;
    const work = {
      subjectId: newPaymentId(now()),
      takenOver: false,
      outcomeOf: () => null,
      keyHolder: null,
    };
    await debitPayments.create(order, work, (tx) => assertIsNext(tx, order));
  }

  async function advance({ recurrence, cycle: from, nextDebitOn: next }: DebitOrder): Promise<void> {
    const isLast = recurrence.endDate !== null && next > recurrence.endDate;
    await advanceCycle(db, { id: recurrence.id, from, to: isLast ? null : next });
  }

  return {
    async make(recurrence) {
      const order = orderOf(recurrence);
      const today = brasiliaDay(testClocks.nowIn(recurrence));
      if (!order || today < dayToSend(order.dueOn)) return;
      if (today > lastDayToSend(order.dueOn, catalogue.leastDebitDays(recurrence.provider))) {
        metrics.debitMissed(recurrence.provider);
        logger.error({ recurrenceId: recurrence.id, dueOn: order.dueOn }, 'a debit was not sent in time');
        await debitPayments.miss(order);
      } else {
        await send(order);
      }
      await advance(order);
    },

    async countFailed(recurrence) {
      const order = orderOf(recurrence);
      return order ? debitPayments.countFailed(order) : 0;
    },
  };
}
