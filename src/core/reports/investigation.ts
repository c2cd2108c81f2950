import { badRequest, notFound } from '../base/errors.ts';
import { idTimestamp, isUuid, transactionIdOf } from '../base/ids.ts';
import type { CalendarDay } from '../base/time/calendar-day.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { AttemptOutcome, Payment } from '../payments/rules/payment.ts';
import { findBatchOfPayment } from '../batches/store/batches.ts';
import { listAssignedPix } from '../books/store/assigned-pix.ts';
import { isLinkPayment } from '../checkout/store/payment-links.ts';
import type { Database } from '../../database/database.ts';
import { listEventsOfPayment } from '../events/store/events.ts';
import {
  findPaymentDetails,
  listReceivedPix,
  listRefundRequesters,
  type PaymentDetailRow,
} from './store/payment-details.ts';
import { findTermGaps, nilId } from '../payments/store/search-terms.ts';
import { findPayments } from '../payments/store/payments.ts';
import { listDisputes } from '../disputes/store/disputes.ts';
import { listWholeRefunds } from '../refunds/store/refunds.ts';
import { listReversals } from '../refunds/store/reversals.ts';
import { listDeliveriesOfPayment } from '../webhooks/store/webhook-deliveries.ts';
import { maskPayer } from '../payments/rules/payer-mask.ts';
import { assertMay, type Caller, may } from '../base/caller.ts';
import { type AssignedPixView, assignedPixView } from '../books/book-views.ts';
import { eventOf, type EventView } from '../events/events.ts';
import type { CheckoutLinks } from '../checkout/links/checkout-links.ts';
import type { PayerViews } from '../audit/payer-views.ts';
import { disputeView, type DisputeView } from '../disputes/views/dispute-view.ts';
import { paymentView, type PaymentView } from '../payments/views/payment-view.ts';
import type { PaymentService } from '../payments/payments.ts';
import { firstRetryDay, retryDaysOf } from '../recurrences/rules/debit.ts';
import { reversalView, type ReversalView } from '../refunds/views/reversal-view.ts';
import type { UnreadableResponses, UnreadableResponseView } from '../providers/unreadable-responses.ts';
import { type ReceivedPixView, receivedPixView } from './received-pix-view.ts';
import { refundView, type RefundView } from '../refunds/views/refund-view.ts';
import { deliveryViews, type WebhookDeliveryView } from '../webhooks/views/webhook-delivery-view.ts';

interface RefundRequestView {
  refundId: string;
  /** A person's e-mail address, the name of a key, or `operator`. */
  requestedBy: string;
  /** Null unless a second person had to approve it. */
  approvedAt: Date | null;
  /** Their e-mail address, or `operator`; null unless someone had to. */
  approvedBy: string | null;
}

interface PaymentDetailView extends Omit<PaymentDetailRow, 'attempts'> {
  payment: PaymentView;
  attempts: (PaymentDetailRow['attempts'][number] & { transactionId: string; result: AttemptOutcome })[];
  /** Null without one, and for callers who may not read payer data. */
  payerPhone: string | null;
  receivedPix: ReceivedPixView[];
  /** Keeps the order of `refunds`. */
  refundRequests: RefundRequestView[];
  events: EventView[];
  deliveries: WebhookDeliveryView[];
  refunds: RefundView[];
  reversals: ReversalView[];
  disputes: DisputeView[];
  /** Money without a charge that a person assigned to the payment. */
  assignedPix: AssignedPixView[];
  /** Null unless a payment link made it. */
  paymentLinkId: string | null;
  /** Null unless a batch made it. */
  batchId: string | null;
  /** Days for which a debit that failed may be tried again. */
  retryDays: CalendarDay[];
  /** Newest first. */
  unreadableResponses: UnreadableResponseView[];
}

/** Finds out what happened to a payment. */
export interface InvestigationService {
  detail(caller: Caller, id: string): Promise<PaymentDetailView>;
  /** The first page of the payments that the search finds. */
  search(caller: Caller, text: string, limit: number): Promise<PaymentView[]>;
  /** Payments before this are found by exact values only, until a worker has indexed them; null if all are indexed. */
  searchableSince(caller: Caller): Promise<Date | null>;
}

const maximumLimit = 100;
/** More than a payment has, unless it is refunded in tiny amounts. */
const maximumEvents = 500;
/** Events times the endpoints subscribed to them. */
const deliveryLimit = 500;

interface Dependencies {
  db: Database;
  payments: Pick<PaymentService, 'list'>;
  payerViews: Pick<PayerViews, 'show' | 'reveal'>;
  links: Pick<CheckoutLinks, 'withCheckout'>;
  unreadableResponses: Pick<UnreadableResponses, 'ofPayment'>;
  testClocks: Pick<TestClocks, 'nowIn'>;
  now: () => Date;
}

export function createInvestigationService(dependencies: Dependencies): InvestigationService {
  const { db, payments, payerViews, links, unreadableResponses, testClocks, now } = dependencies;

  async function findOwn({ organizationId, mode }: Caller, id: string) {
    const [payment] = isUuid(id)
      ? await findPayments(db, [{ organizationId, mode, id: id.toLowerCase() }])
      : [];
    return payment;
  }

  /** Asks the link as well, because anybody with a key may write such metadata. */
  async function linkIdOf({ id, metadata }: Payment): Promise<string | null> {
    if (!metadata?.text.includes('"paymentLinkId"')) return null;
    const { paymentLinkId: linkId } = JSON.parse(metadata.text) as { paymentLinkId?: unknown };
    if (typeof linkId !== 'string' || !isUuid(linkId)) return null;
    return (await isLinkPayment(db, linkId, id)) ? linkId : null;
  }

  /** Who paid is hidden like the payer of a payment, and seeing it recorded like that. */
  function shownPix(caller: Caller, paymentId: string, { paidBy, ...pix }: ReceivedPixView): ReceivedPixView {
    if (!paidBy) return pix;
    return may(caller, 'payers:read')
      ? payerViews.reveal(caller, paymentId, pix, { paidBy: () => paidBy })
      : maskPayer({ ...pix, paidBy });
  }

  const retryDays = ({ debit, status, ...tenant }: Payment): CalendarDay[] =>
    debit && status === 'pending' ? retryDaysOf(debit, firstRetryDay(testClocks.nowIn(tenant))) : [];

  return {
    async detail(caller, id) {
      assertMay(caller, 'payments:investigate');
      const payment = await findOwn(caller, id);
      if (!payment) throw notFound('Payment', id);
      const [
        details,
        pix,
        events,
        deliveries,
        refunds,
        requesters,
        reversals,
        disputes,
        assigned,
        unreadable,
        paymentLinkId,
        batchId,
      ] = await Promise.all([
        findPaymentDetails(db, payment.id),
        listReceivedPix(db, payment.id, { limit: maximumEvents }),
        listEventsOfPayment(db, payment.id, maximumEvents),
        listDeliveriesOfPayment(db, payment.id, deliveryLimit),
        listWholeRefunds(db, payment.id, { limit: maximumEvents }),
        listRefundRequesters(db, payment.id, { limit: maximumEvents }),
        listReversals(db, { paymentId: payment.id }),
        listDisputes(db, payment.id),
        listAssignedPix(db, payment.id, { limit: maximumEvents }),
        unreadableResponses.ofPayment(caller, payment.id),
        linkIdOf(payment),
        findBatchOfPayment(db, payment.id),
      ]);
      if (!details) throw notFound('Payment', id);
      const detail = {
        ...details,
        attempts: details.attempts.map((each) => ({
          ...each,
          transactionId: transactionIdOf(each.id),
          result: each.outcome,
        })),
        receivedPix: pix.map((each) =>
          shownPix(caller, payment.id, receivedPixView(each, payment.payerDocument)),
        ),
        refundRequests: requesters.map((each) => ({ ...each, requestedBy: each.requestedBy ?? 'operator' })),
        payment: payerViews.show(caller, links.withCheckout(paymentView(payment), caller.organizationId)),
        events: events.map(({ body }) => eventOf(body, (view) => payerViews.show(caller, view))),
        deliveries: await deliveryViews(db, caller, deliveries),
        refunds: refunds.map(refundView),
        reversals: reversals.map(reversalView),
        disputes: disputes.map(disputeView),
        assignedPix: assigned.map(assignedPixView),
        unreadableResponses: unreadable,
        paymentLinkId,
        batchId,
        retryDays: retryDays(payment),
      };
      const { payerPhone } = payment;
      return payerPhone !== null && may(caller, 'payers:read')
        ? payerViews.reveal(caller, payment.id, detail, { payerPhone: () => payerPhone })
        : { ...detail, payerPhone: null };
    },

    async search(caller, untrimmed, limit) {
      assertMay(caller, 'payments:investigate');
      if (!Number.isInteger(limit) || limit < 1 || limit > maximumLimit) {
        throw badRequest(`first must be a whole number from 1 to ${maximumLimit}`);
      }
      const query = { search: untrimmed, limit };
      return (await payments.list(caller, query, { search: 'text', limit: 'first' })).data;
    },

    async searchableSince(caller) {
      assertMay(caller, 'payments:investigate');
      const gaps = await findTermGaps(db);
      if (!gaps) return now();
      return gaps.backfillId === nilId ? null : idTimestamp(gaps.backfillId);
    },
  };
}
