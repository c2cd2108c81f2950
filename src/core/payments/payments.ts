import type { RetryPayment } from './retry-payment.ts';
import { notFound, ServiceError } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import { cents, reaisFromCents } from '../base/money.ts';
import type { Payment } from './rules/payment.ts';
import { parseSearchText } from './rules/search/search-text.ts';
import type { Database } from '../../database/database.ts';
import { gather } from '../../database/gather.ts';
import { storeIdempotentOutcome } from '../idempotency/store/idempotency-keys.ts';
import { listPayments, totalPayments } from './store/payment-lists.ts';
import { findPayments, type PaymentKey } from './store/payments.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, assertMayRead, type Caller, isToken, type LinkCaller, may } from '../base/caller.ts';
import type { CheckoutLinks } from '../checkout/links/checkout-links.ts';
import type { CreatePayment } from './create-payment.ts';
import type { UpdatePayment } from './update-payment.ts';
import type { Idempotency, Replayable } from '../idempotency/idempotency.ts';
import type { ReadSource } from '../../database/read-source.ts';
import { searchPayments } from './payment-search.ts';
import type { Reports } from '../../database/reports.ts';
import {
  comparesRows,
  type PaymentList,
  type PaymentPage,
  parseListPayments,
} from './views/list-payments-input.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import { encodePlace, placeOf } from './views/payment-cursor.ts';
import type { FieldNames } from '../base/parsing/parse.ts';
import type { PayerViews } from '../audit/payer-views.ts';
import { payerlessView, paymentView, type PaymentView } from './views/payment-view.ts';
import type { Settlement } from '../settlement/settlement.ts';
import type { WatchedPayments } from '../settlement/watched-payments.ts';

interface PaymentTotalsView {
  count: number;
  amount: number;
  /** Only the newest were counted, so there may be more. */
  isAtLeast: boolean;
}

export interface PaymentService {
  create: CreatePayment;
  /** `create` for a person trying out the service. Test mode only. */
  createTest: CreatePayment;
  /** `create` for whoever was allowed to ask for a batch. */
  createInBatch: CreatePayment;
  /** `create` for a payer who has opened a payment link. */
  createForPayer(caller: LinkCaller, body: unknown, idempotencyKey: string): Promise<Replayable<PaymentView>>;
  /** Fails with `payment_not_found` for other tenants' payments too, so that nobody learns which ids exist. */
  get(caller: Caller, id: string): Promise<PaymentView>;
  /** Newest first unless the query says otherwise. `names` maps query fields to the transport's names. */
  list(caller: Caller, query: unknown, names?: FieldNames): Promise<PaymentPage>;
  /** Counts and sums, in BRL, what `list` returns: up to 10,000 payments, or 500 for a search or a payer. */
  totals(caller: Caller, query: unknown): Promise<PaymentTotalsView>;
  /** A page of `list` for reports: may fail with `service_unavailable` rather than slow down payments. */
  listForReport(caller: Caller, query: unknown): Promise<PaymentPage>;
  /**
   * Changes a pending payment with a due date. Fails with `payment_not_changeable` when it has ended, has none, or its provider cannot,
   * and with `changed_meanwhile` when it is not at the revision that the body names.
   */
  update(
    caller: Caller,
    id: string,
    body: unknown,
    idempotencyKey: string | undefined,
  ): Promise<Replayable<PaymentView>>;
  /** Has the payer's bank asked again for a debit that failed; fails with `payment_not_retriable` where that cannot help. */
  retry(
    caller: Caller,
    id: string,
    body: unknown,
    idempotencyKey: string | undefined,
  ): Promise<Replayable<PaymentView>>;
  /** Fails with `payment_not_cancellable` when the payment is not pending or turns out to be paid. */
  cancel(caller: Caller, id: string, idempotencyKey: string | undefined): Promise<Replayable<PaymentView>>;
}

interface Dependencies {
  db: Database;
  lists: ReadSource;
  reports: Reports;
  audit: { record: RecordAudit };
  payerViews: Pick<PayerViews, 'show'>;
  createPayment: CreatePayment;
  updatePayment: UpdatePayment;
  retryPayment: RetryPayment;
  settlement: Settlement;
  idempotency: Idempotency;
  links: Pick<CheckoutLinks, 'withCheckout'>;
  watched: WatchedPayments;
  testClocks: Pick<TestClocks, 'nowIn'>;
}

/** Lower for searches, because each payment has to be read and compared. */
const maximumFound = 500;

const notCancellable = (status: string) =>
  new ServiceError('payment_not_cancellable', `A payment that is ${status} cannot be cancelled`);

export function createPaymentService(dependencies: Dependencies): PaymentService {
  const {
    db,
    lists,
    reports,
    audit,
    payerViews,
    createPayment,
    updatePayment,
    retryPayment,
    settlement,
    idempotency,
    watched,
    testClocks,
  } = dependencies;
  const { withCheckout } = dependencies.links;
  const find = gather((keys: readonly PaymentKey[]) => findPayments(db, keys), { onlyReads: true });

  async function getPayment({ organizationId, mode }: Caller, id: string): Promise<Payment> {
    const payment = isUuid(id) ? await find({ organizationId, mode, id: id.toLowerCase() }) : undefined;
    if (!payment) throw notFound('Payment', id);
    return payment;
  }

  function findSome(from: Database, caller: Caller, { filter, order, search, payer, limit }: PaymentList) {
    if (search === undefined && !payer) return listPayments(from, caller, filter, order, limit);
    const text =
      search === undefined ? undefined : parseSearchText(search, { seesPayers: may(caller, 'payers:read') });
    return searchPayments(from, caller, { search: text, payer, filter, beforeId: order.after?.id, limit });
  }

  /** Filtering by payer would reveal whether somebody is one. */
  function parseList(caller: Caller, query: unknown, names: FieldNames = {}): PaymentList {
    const wanted = parseListPayments(query, names, testClocks.nowIn(caller));
    if (wanted.payer) assertMay(caller, 'payers:read');
    return wanted;
  }

  async function pageOf(from: Database, caller: Caller, wanted: PaymentList): Promise<PaymentPage> {
    const { limit, order } = wanted;
    const { payments, comparedTo } = await findSome(from, caller, { ...wanted, limit: limit + 1 });
    const page = payments.slice(0, limit).map(paymentView);
    const last = page.at(-1);
    const next = payments.length > limit && last ? placeOf(last, order) : comparedTo;
    return {
      data: page.map((view) => payerViews.show(caller, withCheckout(view, caller.organizationId))),
      ...(next && { nextCursor: encodePlace(next, order) }),
    };
  }

  async function totalOf(from: Database, caller: Caller, wanted: PaymentList) {
    const { organizationId, mode } = caller;
    if (wanted.search === undefined && !wanted.payer)
      return totalPayments(from, { organizationId, mode }, wanted.filter);
    const { payments, comparedTo } = await findSome(from, caller, { ...wanted, limit: maximumFound + 1 });
    const counted = payments.slice(0, maximumFound);
    return {
      count: counted.length,
      amountInCents: cents(counted.reduce((sum, { amountInCents }) => sum + amountInCents, 0n)),
      isAtLeast: payments.length > maximumFound || comparedTo !== undefined,
    };
  }

  function listForReport(caller: Caller, wanted: PaymentList): Promise<PaymentPage> {
    return reports.read(caller.organizationId, (from) => pageOf(from, caller, wanted));
  }

  return {
    create(caller, body, idempotencyKey) {
      assertMay(caller, 'payments:create');
      return createPayment(caller, body, idempotencyKey);
    },

    async createTest(caller, body, idempotencyKey) {
      assertMay(caller, 'payments:try');
      if (caller.mode !== 'test') throw new ServiceError('test_mode_only', 'This works in test mode only');
      const created = await createPayment(caller, body, idempotencyKey);
      return { ...created, view: payerViews.show(caller, created.view) };
    },

    createInBatch: createPayment,

    createForPayer: createPayment,

    async get(caller, id) {
      assertMayRead(caller, id);
      const payment = await getPayment(caller, id);
      watched.seen(payment);
      const view = withCheckout(
        isToken(caller) ? payerlessView(payment) : paymentView(payment),
        caller.organizationId,
      );
      return isToken(caller) ? view : payerViews.show(caller, view);
    },

    async list(caller, query, names = {}) {
      assertMay(caller, 'payments:read');
      const wanted = parseList(caller, query, names);
      if (comparesRows(wanted)) return listForReport(caller, wanted);
      return lists.read((from) => pageOf(from, caller, wanted));
    },

    async totals(caller, query) {
      assertMay(caller, 'payments:investigate');
      const wanted = parseList(caller, query);
      const { amountInCents, ...totals } = await reports.read(caller.organizationId, (from) =>
        totalOf(from, caller, wanted),
      );
      return { ...totals, amount: reaisFromCents(amountInCents) };
    },

    async listForReport(caller, query) {
      assertMay(caller, 'payments:read');
      return listForReport(caller, parseList(caller, query));
    },

    async update(caller, id, body, idempotencyKey) {
      assertMay(caller, 'payments:update');
      const updated = await updatePayment(caller, () => getPayment(caller, id), body, idempotencyKey);
      return { ...updated, view: payerViews.show(caller, withCheckout(updated.view, caller.organizationId)) };
    },

    async retry(caller, id, body, idempotencyKey) {
      assertMay(caller, 'payments:update');
      const retried = await retryPayment(caller, () => getPayment(caller, id), body, idempotencyKey);
      return { ...retried, view: payerViews.show(caller, withCheckout(retried.view, caller.organizationId)) };
    },

    async cancel(caller, id, idempotencyKey) {
      assertMay(caller, 'payments:cancel');
      const { id: paymentId } = await getPayment(caller, id);
      const request = { operation: 'cancel', input: paymentId, subjectId: paymentId };
      const { view, replayed } = await idempotency.run(caller, idempotencyKey, request, async (work) => {
        const { status } = await getPayment(caller, paymentId);
        const mayBeOurs = work.takenOver && status === 'cancelled';
        if (status !== 'pending' && !mayBeOurs) {
          throw notCancellable(status);
        }
        const ended = await settlement.cancel(
          paymentId,
          async (tx, cancelled) => {
            const outcome = work.outcomeOf(paymentView(cancelled));
            if (outcome) await storeIdempotentOutcome(tx, outcome);
            await audit.record(tx, caller, 'payment.cancel', paymentId);
          },
          caller.traceparent,
        );
        if (ended.status !== 'cancelled') {
          throw notCancellable(ended.status);
        }
        return paymentView(ended);
      });
      return { view: payerViews.show(caller, withCheckout(view, caller.organizationId)), replayed };
    },
  };
}
