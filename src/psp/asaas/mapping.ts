import { type Cents, cents, reaisFromCents } from '../../core/base/money.ts';
import type { Address } from '../../core/payments/rules/address.ts';
import { type PixPayer, pixPayerOf } from '../../core/payments/rules/pix-payer.ts';
import type { DisputeState } from '../../core/disputes/rules/dispute.ts';
import type {
  Charge,
  ChargeIds,
  ChargeRequest,
  Payer,
  PspDispute,
  PspReceivedPix,
  Refund,
  RefundRequest,
  RevisionRequest,
} from '../../core/providers/rules/charge.ts';
import { missingIn, translated } from '../kit/response.ts';
import { brasiliaDay } from '../../core/base/time/brasilia.ts';
import { wordOf } from '../http/http-client.ts';
import { documentOf, phoneOf } from '../kit/payer.ts';
import { afterReturns, leftBy, type ReportedReturn, type Returned } from '../kit/returned.ts';
import { shortened } from '../../core/base/text.ts';
import { partsOf, revisedTermsOf, termsOf } from './due.ts';
import type { ReportedRefund } from '../kit/reported-refund.ts';
import type {
  AsaasCustomerBody,
  AsaasPayment,
  AsaasPaymentBody,
  AsaasRevisionBody,
  AsaasPixTransaction,
  AsaasQrCode,
  AsaasRefund,
} from './wire-format.ts';

export const maximumDescriptionLength = 500;
const latestDueDateMs = 30 * 86_400_000;

export function customerBodyOf(payer: Payer): AsaasCustomerBody {
  const phone = phoneOf(payer);
  return {
    name: payer.name?.trim() ?? '',
    cpfCnpj: documentOf(payer)?.value ?? '',
    ...(payer.email?.trim() && { email: payer.email.trim() }),
    // Asaas expects Brazilian mobile numbers without the country code.
    ...(phone?.country === 'BR' &&
      phone.getType() === 'MOBILE' && { mobilePhone: String(phone.nationalNumber) }),
    ...(payer.address && addressOf(payer.address)),
    notificationDisabled: true,
  };
}

/** Asaas finds city and state by the postal code (docs.asaas.com/reference/create-new-customer). */
const addressOf = (address: Address): Partial<AsaasCustomerBody> => ({
  address: address.street,
  addressNumber: address.number,
  ...(address.complement && { complement: address.complement }),
  ...(address.district && { province: address.district }),
  postalCode: address.postalCode,
});

export function paymentBodyOf(request: ChargeRequest, customer: string, now: Date): AsaasPaymentBody {
  const { transactionId, amountInCents, description, expiresAt, due } = request;
  const latest = now.getTime() + latestDueDateMs;
  const lastDay = brasiliaDay(new Date(Math.min(Math.max(expiresAt.getTime(), now.getTime()), latest)));
  return {
    customer,
    billingType: 'PIX',
    value: reaisFromCents(amountInCents),
    ...(due ? termsOf(due) : { dueDate: lastDay }),
    ...(description?.trim() && { description: shortened(description, maximumDescriptionLength) }),
    externalReference: transactionId,
  };
}

/** The body of `PUT /v3/payments/{id}` (docs.asaas.com/reference/update-existing-payment). */
export const revisionOf = ({ amountInCents, due, description }: RevisionRequest): AsaasRevisionBody => ({
  billingType: 'PIX',
  value: reaisFromCents(amountInCents),
  ...revisedTermsOf(due),
  ...(description?.trim() && { description: shortened(description, maximumDescriptionLength) }),
});

const statuses: Readonly<Record<string, Charge['status']>> = {
  PENDING: 'active',
  // Its code can still be paid for twelve months.
  OVERDUE: 'active',
  // Paid, but held back: the money can still be taken away (docs.asaas.com/docs/payment-events).
  CONFIRMED: 'contested',
  RECEIVED: 'paid',
  // Somebody ended the charge in the panel: no Pix was received.
  RECEIVED_IN_CASH: 'cancelled',
  REFUNDED: 'paid',
  REFUND_REQUESTED: 'contested',
  REFUND_IN_PROGRESS: 'contested',
  CHARGEBACK_REQUESTED: 'contested',
  CHARGEBACK_DISPUTE: 'contested',
  // Decided for the merchant, and not paid back yet.
  AWAITING_CHARGEBACK_REVERSAL: 'contested',
};

function statusOf(payment: AsaasPayment, paidInCents: Cents): Charge['status'] {
  const meaning = translated(statuses, payment.status);
  if (payment.deleted && meaning === 'active') return 'cancelled';
  return meaning === 'paid' ? returnsOf(payment, paidInCents).status : meaning;
}

/**
 * What was returned. REFUNDED means all of it: what the list leaves was taken by a chargeback that was lost, or returned in the
 * panel of Asaas, unless some of the listed refunds may still fail.
 */
export function returnsOf(
  { status, value, refunds, chargeback }: AsaasPayment,
  paidInCents = value,
): Returned {
  const listed = refunds.read.map(returnOf);
  const isTaken = disputeStates[chargeback?.status ?? ''] === 'lost';
  const isOpen = listed.some((each) => each.status === 'pending');
  if (status !== 'REFUNDED' || (isOpen && !isTaken)) return afterReturns(paidInCents, listed);
  const rest = leftBy(paidInCents, listed);
  const claimed = (isTaken && chargeback?.value) || rest;
  const taken: ReportedReturn = {
    // Without a reference, the rest counts as returned in the panel of Asaas.
    reference: isTaken ? chargebackReference : null,
    amountInCents: claimed < rest ? claimed : rest,
    status: 'completed',
    reason: 'chargeback',
  };
  return afterReturns(paidInCents, rest > 0n ? [...listed, taken] : listed);
}

const returnOf = ({
  status,
  value,
  description,
  dateCreated,
  effectiveDate,
}: AsaasRefund): ReportedReturn => ({
  reference: refundIdPattern.exec(description ?? '')?.[1] ?? dateCreated ?? null,
  status: translated(refundStatuses, status),
  amountInCents: value,
  reversedAt: effectiveDate ?? null,
});

/** A payment has at most one chargeback (docs.asaas.com/reference/retrieve-a-single-chargeback). */
const chargebackReference = 'chargeback';

const disputeStates: Readonly<Record<string, DisputeState>> = {
  REQUESTED: 'open',
  IN_DISPUTE: 'open',
  DISPUTE_LOST: 'lost',
  REVERSED: 'won',
  DONE: 'lost',
};

const chargebackStatuses = ['CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE', 'AWAITING_CHARGEBACK_REVERSAL'];

/** A chargeback is open for as long as the payment says so, whatever is known about it. */
function disputesOf({ status, value, chargeback }: AsaasPayment): PspDispute[] {
  const isOpen = chargebackStatuses.includes(status);
  const state = isOpen ? 'open' : disputeStates[chargeback?.status ?? ''];
  if (!state) return [];
  return [
    {
      reference: chargebackReference,
      state,
      amountInCents: chargeback?.value ?? value,
      reason: wordOf(chargeback?.reason) ?? null,
      defenceUntil: chargeback?.deadlineToSendDisputeDocuments ?? null,
      openedAt: chargeback?.disputeStartDate ?? null,
    },
  ];
}

/**
 * What names the charge of a payment. Asaas makes that of a first payment, and of a code made elsewhere, once the code is paid:
 * without our id, and with that of the code, the `conciliationIdentifier` of an authorization ("Implementação" of Pix Automático).
 */
export const referenceOf = ({
  id,
  externalReference,
  pixQrCodeId,
}: Pick<AsaasPayment, 'id' | 'externalReference' | 'pixQrCodeId'>): string =>
  (externalReference ? undefined : pixQrCodeId) || id;

/** Of which there is no payment before it is paid: whether it still can be, only its time tells, and its amount is known. */
export const unpaidFirstCharge = ({ transactionId, reference }: ChargeIds): Charge => ({
  transactionId,
  reference,
  status: 'active',
  amountInCents: cents(0),
  pixCopyPaste: null,
  expiresAt: null,
  receivedPix: [],
});

interface Details {
  qrCode?: AsaasQrCode | undefined;
  pix?: AsaasPixTransaction | undefined;
}

export function chargeOf(payment: AsaasPayment, { qrCode, pix }: Details, now: Date): Charge {
  const status = statusOf(payment, pix?.value ?? payment.value);
  return {
    transactionId: payment.externalReference ?? '',
    reference: payment.id,
    status,
    amountInCents: payment.originalValue ?? payment.value,
    pixCopyPaste: qrCode?.payload ?? null,
    expiresAt: qrCode?.expirationDate ?? (payment.dueDate ? yearAfter(payment.dueDate) : null),
    receivedPix: status === 'paid' || status === 'contested' ? [receivedPixOf(payment, pix, now)] : [],
    disputes: disputesOf(payment),
    ...missingIn('refunds', payment.refunds.unreadable),
  };
}

/** Payers dispute a Pix hours later at the earliest. Only its payment shows a dispute. */
const undisputedMs = 3_600_000;

/**
 * Whether the Pix was received within the last hour and all its money is there. One that is held for analysis is not `DONE`
 * (docs.asaas.com/reference/recuperar-uma-unica-transacao, `AWAITING_CASH_IN_RISK_ANALYSIS_REQUEST`).
 */
export const isJustReceived = (
  { status, type, refundedValue, effectiveDate, dateCreated }: AsaasPixTransaction,
  now: Date,
): boolean => {
  const since = effectiveDate ?? dateCreated;
  const isRecent = since != null && now.getTime() - since.getTime() <= undisputedMs;
  return isRecent && status === 'DONE' && type === 'CREDIT' && (refundedValue ?? 0) === 0;
};

/** The charge of a payment that this Pix has paid; a payment takes no second one. */
export const chargePaidBy = (
  pix: AsaasPixTransaction,
  { transactionId, reference }: { transactionId: string; reference: string },
  now: Date,
): Charge => ({
  transactionId,
  reference,
  status: 'paid',
  amountInCents: pix.value,
  pixCopyPaste: null,
  expiresAt: now,
  receivedPix: [
    {
      endToEndId: pix.endToEndIdentifier || standInOf(transactionId),
      isOnlyPix: true,
      amountInCents: pix.value,
      returnedInCents: cents(0),
      paidAt: pix.effectiveDate ?? pix.dateCreated ?? null,
      payer: payerOf(pix),
    },
  ],
});

/** Names the payer of a credit. */
const payerOf = ({ externalAccount: other }: AsaasPixTransaction): PixPayer | undefined =>
  pixPayerOf({ name: other?.name, document: other?.cpfCnpj });

const standInOf = (name: string): string => `ASAAS${name}`;

/** When the code of a payment due on that day expires. */
function yearAfter(dueDate: Date): Date {
  const end = new Date(dueDate.getTime() + 86_400_000 - 1000);
  end.setUTCFullYear(end.getUTCFullYear() + 1);
  return end;
}

/**
 * RECEIVED means that money was received, even without the Pix transaction or its end-to-end id, which are optional. As a
 * payment takes only one Pix, its own id then stands in for that of the Pix.
 */
function receivedPixOf(
  payment: AsaasPayment,
  pix: AsaasPixTransaction | undefined,
  now: Date,
): PspReceivedPix {
  const amountInCents = pix?.value ?? payment.value;
  const { returnedInCents, reversals } = returnsOf(payment, amountInCents);
  const parts = partsOf(payment, amountInCents);
  return {
    endToEndId: pix?.endToEndIdentifier || standInOf(payment.externalReference ?? payment.id),
    isOnlyPix: true,
    amountInCents,
    ...(parts && { parts }),
    returnedInCents,
    reversals,
    paidAt:
      pix?.effectiveDate ??
      pix?.dateCreated ??
      (payment.paymentDate ? onDay(payment.paymentDate, now) : null),
    payer: pix && payerOf(pix),
  };
}

/** The best guess at a time of which only the day is known. */
const onDay = (day: Date, now: Date): Date =>
  new Date(Math.min(day.getTime() + 86_400_000 - 1_000, now.getTime()));

const refundStatuses: Readonly<Record<string, Refund['status']>> = {
  PENDING: 'pending',
  AWAITING_CRITICAL_ACTION_AUTHORIZATION: 'pending',
  AWAITING_CUSTOMER_EXTERNAL_AUTHORIZATION: 'pending',
  DONE: 'completed',
  CANCELLED: 'failed',
};

/**
 * Such refunds wait for somebody to authorize them in the app or the panel, by token or by the account's own validation
 * (docs.asaas.com, refund status).
 */
const authorizationStatuses = [
  'AWAITING_CRITICAL_ACTION_AUTHORIZATION',
  'AWAITING_CUSTOMER_EXTERNAL_AUTHORIZATION',
];

/** Asaas neither assigns nor accepts refund ids, so ours goes into the description, alone: 1.1.0 knows it by that. */
export const refundDescriptionOf = (refundId: string): string => `Reembolso ${refundId}`;

const refundIdPattern = /^Reembolso ([0-9a-f]{32})$/;

export const isSameRefund = ({ description }: AsaasRefund, { refundId }: RefundRequest): boolean =>
  description?.includes(refundId) ?? false;

export const refundOf = ({ status, value }: AsaasRefund, { refundId }: RefundRequest): ReportedRefund => ({
  reference: refundId,
  status: translated(refundStatuses, status),
  amountInCents: value,
  ...(authorizationStatuses.includes(status) && { needsAuthorization: true }),
});
