import type { Database, Queryable } from '../../database/database.ts';
import { ServiceError } from '../base/errors.ts';
import { attemptIdAt, newPaymentId } from '../base/ids.ts';
import type { Cents } from '../base/money.ts';
import { endOfBrasiliaDay } from '../base/time/brasilia.ts';
import type { CalendarDay } from '../base/time/calendar-day.ts';
import type { ChangePayments } from '../events/change-payments.ts';
import type { PaymentHints } from '../events/payment-hints.ts';
import type { IdempotentWork } from '../idempotency/idempotency.ts';
import { type Debit, lastDebitDay, withoutRetry } from '../recurrences/rules/debit.ts';
import type { Recurrence } from '../recurrences/rules/recurrence.ts';
import type { ChargePayment } from './charge-payment.ts';
import { creationLeaseMs, paymentBeingCreated } from './plan-payment.ts';
import { type FreeTexts, freeTextsOf, type Payment } from './rules/payment.ts';
import { listAttempts, type OpenedPayment, openPayments } from './store/charging.ts';
import {
  countFailedDebits,
  findDebitOfCycle,
  hasHadDebit,
  hastenDebits,
  listDebits,
  lockCycle,
} from './store/debits.ts';
import { lockPayment } from './store/payment-changes.ts';
import { findPaymentById, findPayments, type Tenant } from './store/payments.ts';
import { paymentView } from './views/payment-view.ts';

export interface DebitOrder {
  recurrence: Recurrence & { reference: string };
  amountInCents: Cents;
  dueOn: CalendarDay;
  /** The day that names the cycle, and the one that names the next. */
  cycle: CalendarDay;
  nextDebitOn: CalendarDay;
  description: string | null;
  externalId: string | null;
  apiKeyId: string | null;
}

/** Runs in the transaction that stores the payment. */
type Stored = (tx: Queryable) => Promise<void>;

/** Makes the payments that are debits of recurrences: at most one at a time in a cycle. */
export interface DebitPayments {
  /** Fails with `cycle_has_debit` while another debit of the cycle lives, or may. */
  create(order: DebitOrder, work: IdempotentWork, stored?: Stored): Promise<Payment>;
  /** The debits of a recurrence, newest first; `nextId` is the last one of a page that is followed by another. */
  list(
    tenant: Tenant,
    recurrenceId: string,
    page: { beforeId: string | undefined; limit: number },
  ): Promise<{ payments: Payment[]; nextId: string | undefined }>;
  /** Whether the cycle has had its debit, whatever became of that, unless somebody stopped it. */
  isMade(order: DebitOrder): Promise<boolean>;
  /** How many debits of the cycle could not be made. */
  countFailed(order: DebitOrder): Promise<number>;
  /** Has the pending debits of a recurrence looked at as soon as `at`, by the clock that they go by. */
  hasten(tx: Queryable, recurrenceId: string, at: Date): Promise<void>;
  /** Stores a debit that was not sent in time, for which nobody but us is to blame. */
  miss(order: DebitOrder): Promise<void>;
}

interface Dependencies {
  db: Database;
  chargePayment: ChargePayment;
  changePayments: ChangePayments;
  hints: Pick<PaymentHints, 'announce'>;
  now: () => Date;
}

const taken = (cycle: CalendarDay) =>
  new ServiceError('cycle_has_debit', `The cycle of ${cycle} has a debit, or one that may have been made`);

export function createDebitPayments(dependencies: Dependencies): DebitPayments {
  const { db, chargePayment, changePayments, hints, now } = dependencies;

  function plan(order: DebitOrder, paymentId: string): OpenedPayment {
    const { recurrence, amountInCents, dueOn, cycle, nextDebitOn } = order;
    const { organizationId, mode, provider, credentialId } = recurrence;
    const createdAt = now();
    const texts: Partial<FreeTexts> = { description: order.description, externalId: order.externalId };
    const mayRetry = recurrence.retries !== 'none';
    const debit: Debit = {
      recurrence: recurrence.reference,
      dueOn,
      nextDebitOn,
      mayRetry,
      state: 'scheduled',
      attempts: [],
    };
    const expiresAt = endOfBrasiliaDay(lastDebitDay(debit));
    const attempt = {
      id: attemptIdAt(paymentId, 0),
      paymentId,
      position: 0,
      provider,
      credentialId,
      reason: 'recurrence',
      outcome: 'open',
      error: null,
      createdAt,
    } as const;
    const payment = {
      id: paymentId,
      organizationId,
      mode,
      apiKeyId: order.apiKeyId,
      amountInCents,
      provider,
      payerName: recurrence.payerName,
      payerDocument: recurrence.payerDocument,
      payerEmail: null,
      payerPhone: null,
      payerAddress: null,
      metadata: null,
      due: null,
      dueDate: dueOn,
      recurrenceId: recurrence.id,
      debit,
      debitCycle: cycle,
      createdAt,
      expiresAt,
      traceparent: recurrence.traceparent,
      returnUrl: null,
      ...freeTextsOf((name) => texts[name]),
      // Abandoned, it is withdrawn at the provider before the cycle can have another one.
      nextCheckAt: new Date(createdAt.getTime() + creationLeaseMs),
    };
    return { payment, attempts: [attempt] };
  }

  /** Stores the debit, unless another one of the cycle lives. */
  async function open(planned: OpenedPayment, order: DebitOrder, stored?: Stored): Promise<boolean> {
    return db.$transaction(async (tx) => {
      await lockCycle(tx, order);
      if (await findDebitOfCycle(tx, order)) return false;
      await openPayments(tx, [planned]);
      await stored?.(tx);
      return true;
    });
  }

  return {
    async create(order, work, stored) {
      const { subjectId: id } = work;
      const planned = plan(order, id);
      const isNew = await open(planned, order, stored);
      const isOurs = isNew || (work.takenOver && (await findDebitOfCycle(db, order))?.id === id);
      if (!isOurs) throw taken(order.cycle);
      const opened = isNew ? paymentBeingCreated(planned) : await findPaymentById(db, id);
      // A node that stood still has been taken over, and another debit may have been made since.
      const isAbandoned = isNew && now().getTime() - planned.payment.createdAt.getTime() > creationLeaseMs;
      if (!opened || isAbandoned) throw taken(order.cycle);
      const attempts = isNew ? planned.attempts : await listAttempts(db, id);
      const payment = await chargePayment(
        { payment: opened, attempts, resumed: !isNew },
        {
          outcomeOf: (pending) => work.outcomeOf(paymentView(pending)),
          keyHolder: work.keyHolder,
          traceparent: order.recurrence.traceparent ?? undefined,
        },
      );
      const { organizationId, mode } = payment;
      hints.announce({ kind: 'created', organizationId, mode, id });
      return payment;
    },

    async list(tenant, recurrenceId, { beforeId, limit }) {
      const ids = await listDebits(db, recurrenceId, { beforeId, limit: limit + 1 });
      const page = ids.slice(0, limit);
      const found =
        page.length > 0
          ? await findPayments(
              db,
              page.map((id) => ({ ...tenant, id })),
            )
          : [];
      const payments = found.filter((payment) => payment !== undefined);
      return { payments, nextId: ids.length > limit ? page.at(-1) : undefined };
    },

    isMade: (order) => hasHadDebit(db, order),
    countFailed: (order) => countFailedDebits(db, order),
    hasten: hastenDebits,

    async miss(order) {
      const planned = plan(order, newPaymentId(now()));
      const { id } = planned.payment;
      const unsent = planned.attempts.map((attempt) => ({ ...attempt, outcome: 'skipped' as const }));
      await changePayments(async (tx, change) => {
        await lockCycle(tx, order);
        if ((await findDebitOfCycle(tx, order)) ?? (await hasHadDebit(tx, order))) return;
        await openPayments(tx, [{ ...planned, attempts: unsent }]);
        const payment = await lockPayment(tx, id);
        if (!payment?.debit) return;
        const debit: Debit = { ...withoutRetry(payment.debit), reason: 'our_fault' };
        await change(payment, { status: 'failed', debit, nextCheckAt: null }, [{ debit: 'failed' }]);
      }, order.recurrence.traceparent);
    },
  };
}
