import { parseDocument, punctuated } from '../../domain/payments/document.ts';
import { isEndToEndId } from '../../domain/payments/end-to-end-id.ts';
import { badRequest, notFound } from '../../domain/errors.ts';
import { isUuid, transactionIdOf } from '../../domain/ids.ts';
import { centsFromText } from '../../domain/money.ts';
import { isAtMost, isStorableText } from '../../domain/text.ts';
import { listAssignedPix } from '../../persistence/books/assigned-pix.ts';
import type { Database } from '../../persistence/database.ts';
import { listEventsOfPayment } from '../../persistence/webhooks/events.ts';
import {
  findPaymentDetails,
  listReceivedPix,
  listRefundRequesters,
  type PaymentDetailRow,
} from '../../persistence/reports/payment-details.ts';
import { searchPayments } from '../../persistence/reports/payment-search.ts';
import { findPayments } from '../../persistence/payments/payments.ts';
import { listDisputes } from '../../persistence/payments/disputes.ts';
import { listWholeRefunds } from '../../persistence/payments/refunds.ts';
import { listReversals } from '../../persistence/payments/reversals.ts';
import { listDeliveriesOfPayment } from '../../persistence/webhooks/webhook-deliveries.ts';
import { assertMay, type Caller, may } from '../caller.ts';
import { type AssignedPixView, assignedPixView } from '../books/book-views.ts';
import { eventOf, type EventView } from '../webhooks/events.ts';
import type { PayerViews } from '../audit/payer-views.ts';
import { disputeView, type DisputeView } from '../settlement/dispute-view.ts';
import { paymentView, type PaymentView } from '../payments/payment-view.ts';
import { reversalView, type ReversalView } from '../settlement/reversal-view.ts';
import type { UnreadableResponses, UnreadableResponseView } from '../providers/unreadable-responses.ts';
import { type ReceivedPixView, receivedPixView } from './received-pix-view.ts';
import type { Reports } from './reports.ts';
import { refundView, type RefundView } from '../refunds/refund-view.ts';
import { deliveryViews, type WebhookDeliveryView } from '../webhooks/webhook-delivery-view.ts';

export interface RefundRequestView {
  refundId: string;
  /** A person's e-mail address, the name of a key, or `operator`. */
  requestedBy: string;
  /** Null unless a second person had to approve it. */
  approvedAt: Date | null;
}

export interface PaymentDetailView extends Omit<PaymentDetailRow, 'attempts'> {
  payment: PaymentView;
  attempts: (PaymentDetailRow['attempts'][number] & { transactionId: string })[];
  /** Null without one, and for callers who may not read payer data. */
  payerPhone: string | null;
  receivedPix: ReceivedPixView[];
  /** In the order of `refunds`. */
  refundRequests: RefundRequestView[];
  events: EventView[];
  deliveries: WebhookDeliveryView[];
  refunds: RefundView[];
  reversals: ReversalView[];
  disputes: DisputeView[];
  /** Money without a charge that a person assigned to the payment. */
  assignedPix: AssignedPixView[];
  /** Newest first. */
  unreadableResponses: UnreadableResponseView[];
}

/** For finding out what happened to a payment. */
export interface InvestigationService {
  detail(caller: Caller, id: string): Promise<PaymentDetailView>;
  /**
   * By id, external id, end-to-end id, amount, or payer document for callers who may see it; newest first.
   */
  search(caller: Caller, text: string, limit: number): Promise<PaymentView[]>;
}

const maximumLimit = 100;
/** More than a payment has, unless it is refunded in tiny amounts. */
const maximumEvents = 500;
/** Events times the endpoints subscribed to them. */
const deliveryLimit = 500;

interface Dependencies {
  db: Database;
  reports: Reports;
  payerViews: Pick<PayerViews, 'shown' | 'reveal'>;
  unreadableResponses: Pick<UnreadableResponses, 'ofPayment'>;
}

export function createInvestigationService(dependencies: Dependencies): InvestigationService {
  const { db, reports, payerViews, unreadableResponses } = dependencies;

  async function byId({ organizationId, mode }: Caller, id: string) {
    const [payment] = isUuid(id)
      ? await findPayments(db, [{ organizationId, mode, id: id.toLowerCase() }])
      : [];
    return payment;
  }

  function byText(caller: Caller, text: string, limit: number) {
    const document = may(caller, 'payers:read') ? parseDocument(text) : undefined;
    const documents = document ? [...new Set([text, document.value, punctuated(document)])] : [];
    const search = {
      externalId: text,
      documents,
      amountInCents: centsFromText(text),
      endToEndId: isEndToEndId(text) ? text : undefined,
    };
    return reports.read(caller.organizationId, (reportDb) => searchPayments(reportDb, caller, search, limit));
  }

  return {
    async detail(caller, id) {
      assertMay(caller, 'payments:investigate');
      const payment = await byId(caller, id);
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
      ]);
      if (!details) throw notFound('Payment', id);
      const detail = {
        ...details,
        attempts: details.attempts.map((each) => ({ ...each, transactionId: transactionIdOf(each.id) })),
        receivedPix: pix.map(receivedPixView),
        refundRequests: requesters.map((each) => ({ ...each, requestedBy: each.requestedBy ?? 'operator' })),
        payment: payerViews.shown(caller, paymentView(payment)),
        events: events.map(({ body }) => eventOf(body, (view) => payerViews.shown(caller, view))),
        deliveries: await deliveryViews(db, caller, deliveries),
        refunds: refunds.map(refundView),
        reversals: reversals.map(reversalView),
        disputes: disputes.map(disputeView),
        assignedPix: assigned.map(assignedPixView),
        unreadableResponses: unreadable,
      };
      const { payerPhone } = payment;
      return payerPhone !== null && may(caller, 'payers:read')
        ? payerViews.reveal(caller, payment.id, detail, { payerPhone: () => payerPhone })
        : { ...detail, payerPhone: null };
    },

    async search(caller, untrimmed, limit) {
      assertMay(caller, 'payments:investigate');
      const text = untrimmed.trim();
      if (!text || !isStorableText(text) || !isAtMost(text, 255)) {
        throw badRequest('text must be 1 to 255 characters');
      }
      if (!Number.isInteger(limit) || limit < 1 || limit > maximumLimit) {
        throw badRequest(`first must be a whole number from 1 to ${maximumLimit}`);
      }
      const found = isUuid(text) ? await byId(caller, text) : undefined;
      const payments = found ? [found] : await byText(caller, text, limit);
      return payments.map((payment) => payerViews.shown(caller, paymentView(payment)));
    },
  };
}
