import type { Database, Queryable } from '../../database/database.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { PayerViews } from '../audit/payer-views.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { notFound, ServiceError } from '../base/errors.ts';
import { isUuid, newPaymentId } from '../base/ids.ts';
import { cents, centsFromReais } from '../base/money.ts';
import { type FieldNames, parse, withoutNulls } from '../base/parsing/parse.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import type { CheckoutLinks } from '../checkout/links/checkout-links.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { Idempotency, Replayable } from '../idempotency/idempotency.ts';
import { storeIdempotentOutcome } from '../idempotency/store/idempotency-keys.ts';
import type { DebitPayments } from '../payments/debit-payment.ts';
import type { PaymentPage } from '../payments/views/list-payments-input.ts';
import { decodeCursor, encodeCursor } from '../payments/views/payment-cursor.ts';
import { paymentView, type PaymentView } from '../payments/views/payment-view.ts';
import type { Logger } from '../../observability/logger.ts';
import type { ApprovalGate, GuardedChange } from '../people/approvals/approval-gate.ts';
import { throwProviderError } from '../providers/psps.ts';
import type { CreateRecurrence } from './create-recurrence.ts';
import { createRecurrenceEnding, type RecurrenceToEnd } from './end-recurrence.ts';
import type { RecurrenceFollowing } from './follow-recurrence.ts';
import { cycleOf, debitDayOf } from './rules/cycle.ts';
import { isEnding, isOpen, type Recurrence } from './rules/recurrence.ts';
import { findRecurrence, findRecurrenceById, listRecurrences } from './store/recurrences.ts';
import {
  listDebitsSchema,
  listRecurrencesSchema,
  parseChargeRecurrence,
  type RecurrencePage,
} from './views/recurrence-input.ts';
import { recurrenceView, type RecurrenceView } from './views/recurrence-view.ts';

/** Payers' standing permissions (Pix Automático), and the debits made under them. Those of other organizations are not found. */
export interface RecurrenceService {
  guarded: { 'recurrence.cancel': GuardedChange<RecurrenceToEnd, Recurrence> };
  create: CreateRecurrence;
  get(caller: Caller, id: string): Promise<RecurrenceView>;
  /** Newest first. `names` maps query fields to the transport's names. */
  list(caller: Caller, query: unknown, names?: FieldNames): Promise<RecurrencePage>;
  /** Ends it at its provider; its scheduled debits end with it. */
  cancel(caller: Caller, id: string, idempotencyKey: string | undefined): Promise<Replayable<RecurrenceView>>;
  /** Makes a debit. Fails with `cycle_has_debit` if its cycle has one. */
  charge(
    caller: Caller,
    id: string,
    body: unknown,
    idempotencyKey: string | undefined,
  ): Promise<Replayable<PaymentView>>;
  /** Its debits, newest first. */
  payments(caller: Caller, id: string, query: unknown, names?: FieldNames): Promise<PaymentPage>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  payerViews: Pick<PayerViews, 'show' | 'showRecurrence'>;
  links: Pick<CheckoutLinks, 'withCheckout' | 'withConsent'>;
  idempotency: Idempotency;
  createRecurrence: CreateRecurrence;
  following: Pick<RecurrenceFollowing, 'end'>;
  gate: Pick<ApprovalGate, 'pass'>;
  debitPayments: DebitPayments;
  testClocks: Pick<TestClocks, 'nowIn'>;
  now: () => Date;
  logger: Logger;
}

export function createRecurrenceService(dependencies: Dependencies): RecurrenceService {
  const { db, audit, payerViews, links, idempotency, following, gate, debitPayments } = dependencies;
  const { testClocks, now, logger } = dependencies;
  const ending = createRecurrenceEnding({ audit, testClocks });

  async function find(caller: Caller, id: string): Promise<Recurrence> {
    const recurrence = isUuid(id) ? await findRecurrence(db, caller, id.toLowerCase()) : undefined;
    if (!recurrence) throw notFound('Recurrence', id);
    return recurrence;
  }

  const shownTo = (caller: Caller, view: RecurrenceView): RecurrenceView =>
    payerViews.showRecurrence(caller, links.withConsent(view));

  const beforeOf = (cursor: string | undefined, names: FieldNames) =>
    cursor === undefined ? undefined : decodeCursor(cursor, names['cursor'] ?? 'cursor');

  return {
    guarded: {
      'recurrence.cancel': {
        ...ending,
        // On failure, the worker goes on.
        follow: (decided) =>
          following.end(decided).then(
            () => undefined,
            (error: unknown) => {
              logger.error({ recurrenceId: decided.id, error }, 'approved end not at the provider yet');
            },
          ),
      },
    },

    async create(caller, body, idempotencyKey) {
      assertMay(caller, 'payments:create');
      const created = await dependencies.createRecurrence(caller, body, idempotencyKey);
      return { ...created, view: links.withConsent(created.view) };
    },

    async get(caller, id) {
      assertMay(caller, 'payments:read');
      return shownTo(caller, recurrenceView(await find(caller, id)));
    },

    async list(caller, query, names = {}) {
      assertMay(caller, 'payments:read');
      const { status, limit, cursor } = parse(listRecurrencesSchema, withoutNulls(query), names);
      const found = await listRecurrences(db, caller, {
        status,
        beforeId: beforeOf(cursor, names),
        limit: limit + 1,
      });
      const data = found.slice(0, limit).map((each) => shownTo(caller, recurrenceView(each)));
      const last = found.length > limit ? data.at(-1) : undefined;
      return { data, ...(last && { nextCursor: encodeCursor(last.id) }) };
    },

    async cancel(caller, id, idempotencyKey) {
      assertMay(caller, 'payments:cancel');
      const { id: recurrenceId } = await find(caller, id);
      const request = { operation: 'cancel_recurrence', input: recurrenceId, subjectId: recurrenceId };
      const { view, replayed } = await idempotency.run(caller, idempotencyKey, request, async (work) => {
        const decided = await gate.pass(caller, ending, { recurrenceId });
        const ended = isOpen(decided) ? await following.end(decided).catch(throwProviderError) : decided;
        if (ended.status !== 'cancelled')
          throw new ServiceError(
            'recurrence_not_cancellable',
            `A recurrence that is ${ended.status} cannot be cancelled`,
          );
        const after = recurrenceView(ended);
        const outcome = work.outcomeOf(after);
        if (outcome) await storeIdempotentOutcome(db, outcome);
        return after;
      });
      return { view: payerViews.showRecurrence(caller, view), replayed };
    },

    async charge(caller, id, body, idempotencyKey) {
      assertMay(caller, 'payments:create');
      const { id: recurrenceId } = await find(caller, id);
      const request = {
        operation: 'charge_recurrence',
        input: { recurrenceId, body },
        subjectId: newPaymentId(now()),
      };
      const charged = await idempotency.run(caller, idempotencyKey, request, async (work) => {
        const recurrence = await findRecurrenceById(db, recurrenceId);
        const isActive = recurrence?.status === 'active' && !isEnding(recurrence);
        if (!isActive || recurrence.reference === null) {
          const status = recurrence && isEnding(recurrence) ? 'being ended' : (recurrence?.status ?? 'gone');
          throw new ServiceError('recurrence_not_active', `The recurrence is ${status}, not active`);
        }
        const today = brasiliaDay(testClocks.nowIn(recurrence));
        const { amount, dueDate, description, externalId } = parseChargeRecurrence(body, recurrence, today);
        const index = cycleOf(recurrence, dueDate);
        const order = {
          recurrence: { ...recurrence, reference: recurrence.reference },
          amountInCents: recurrence.amountInCents ?? centsFromReais(amount ?? 0) ?? cents(0),
          dueOn: dueDate,
          cycle: debitDayOf(recurrence, index),
          nextDebitOn: debitDayOf(recurrence, index + 1),
          description: description ?? recurrence.description,
          externalId: externalId ?? recurrence.externalId,
          apiKeyId: caller.kind === 'key' ? caller.keyId : null,
        };
        const record = (tx: Queryable) => audit.record(tx, caller, 'recurrence.charge', recurrenceId);
        return paymentView(await debitPayments.create(order, work, record));
      });
      const view = links.withCheckout(charged.view, caller.organizationId);
      return { ...charged, view: payerViews.show(caller, view) };
    },

    async payments(caller, id, query, names = {}) {
      assertMay(caller, 'payments:read');
      const { limit, cursor } = parse(listDebitsSchema, withoutNulls(query), names);
      const beforeId = beforeOf(cursor, names);
      const { id: recurrenceId, organizationId, mode } = await find(caller, id);
      const tenant = { organizationId, mode };
      const { payments, nextId } = await debitPayments.list(tenant, recurrenceId, { beforeId, limit });
      const data = payments.map((payment) =>
        payerViews.show(caller, links.withCheckout(paymentView(payment), organizationId)),
      );
      return { data, ...(nextId !== undefined && { nextCursor: encodeCursor(nextId) }) };
    },
  };
}
