import { isEndToEndId } from '../../core/payments/rules/end-to-end-id.ts';
import { type PixPayer, pixPayerOf } from '../../core/payments/rules/pix-payer.ts';
import { type Cents, cents, reaisFromCents } from '../../core/base/money.ts';
import type { DisputeState } from '../../core/disputes/rules/dispute.ts';
import type {
  Charge,
  ChargeRequest,
  Payer,
  PspDispute,
  PspReceivedPix,
  Refund,
} from '../../core/providers/rules/charge.ts';
import { missingIn, translated } from '../kit/response.ts';
import { brasiliaIso } from '../../core/base/time/brasilia.ts';
import { isReachable } from '../../network/reachable-url.ts';
import { wordOf } from '../http/http-client.ts';
import { documentOf } from '../kit/payer.ts';
import { afterReturns, leftBy, type ReportedReturn, type Returned } from '../kit/returned.ts';
import { shortened } from '../../core/base/text.ts';
import type { ReportedRefund } from '../kit/reported-refund.ts';
import type {
  MercadoPagoChargeback,
  MercadoPagoPayment,
  MercadoPagoPaymentBody,
  MercadoPagoRefund,
} from './wire-format.ts';

/** Not documented; our own limit is higher. */
const maximumDescriptionLength = 255;
const defaultExpiryMs = 86_400_000;

export function paymentBodyOf(
  request: ChargeRequest,
  { expiresAt, email }: { expiresAt: Date; email: string },
): MercadoPagoPaymentBody {
  const { transactionId, amountInCents, description, notificationUrl, payer } = request;
  return {
    transaction_amount: reaisFromCents(amountInCents),
    ...(description?.trim() && { description: shortened(description, maximumDescriptionLength) }),
    payment_method_id: 'pix',
    external_reference: transactionId,
    // An address that is not https, or is private, is refused with code 4020.
    ...(notificationUrl !== null &&
      isReachable(notificationUrl) && { notification_url: signedOnly(notificationUrl) }),
    date_of_expiration: brasiliaIso(expiresAt),
    payer: { email, ...nameOf(payer), ...identificationOf(payer) },
  };
}

/** Keeps Mercado Pago from sending the older, unsigned notifications as well. */
function signedOnly(notificationUrl: string): string {
  const url = new URL(notificationUrl);
  url.searchParams.set('source_news', 'webhooks');
  return url.href;
}

function nameOf({ name }: Payer): { first_name?: string; last_name?: string } {
  const [first, ...others] = name?.trim().split(/\s+/) ?? [];
  return {
    ...(first && { first_name: first }),
    ...(others.length > 0 && { last_name: others.join(' ') }),
  };
}

function identificationOf(payer: Payer): Pick<MercadoPagoPaymentBody['payer'], 'identification'> {
  const document = documentOf(payer);
  if (!document) return {};
  return { identification: { type: document.kind === 'cpf' ? 'CPF' : 'CNPJ', number: document.value } };
}

const statuses: Readonly<Record<string, Charge['status']>> = {
  pending: 'active',
  in_process: 'active',
  approved: 'paid',
  refunded: 'paid',
  charged_back: 'paid',
  // Disputed by the payer, and not decided by Mercado Pago yet.
  in_mediation: 'contested',
  rejected: 'failed',
};

export function chargeOf(payment: MercadoPagoPayment, chargeback?: MercadoPagoChargeback): Charge {
  const expiresAt = expiryOf(payment);
  const status = statusOf(payment, expiresAt);
  return {
    transactionId: payment.external_reference ?? '',
    reference: payment.id,
    status,
    amountInCents: payment.transaction_amount,
    pixCopyPaste: payment.point_of_interaction?.transaction_data?.qr_code ?? null,
    expiresAt,
    receivedPix: status === 'paid' || status === 'contested' ? receivedPixOf(payment) : [],
    disputes: disputesOf(payment, chargeback),
    ...missingIn('refunds', payment.refunds.unreadable),
  };
}

function expiryOf({ date_of_expiration, date_created }: MercadoPagoPayment): Date | null {
  return date_of_expiration ?? (date_created ? new Date(date_created.getTime() + defaultExpiryMs) : null);
}

function statusOf(payment: MercadoPagoPayment, expiresAt: Date | null): Charge['status'] {
  if (payment.status === 'cancelled') return endOf(payment, expiresAt);
  if (chargebackOf(payment) === 'open') return 'contested';
  const meaning = translated(statuses, payment.status);
  return meaning === 'paid' ? returnsOf(payment).status : meaning;
}

/** A payment has no id for its mediation or its chargeback, which are steps of one dispute. */
const disputeReference = 'dispute';
const chargebackReference = 'chargeback';

/**
 * `settled` took the money, `reimbursed` gave it back to the seller
 * (mercadopago.com.br/developers, "Payment status", charged_back).
 */
export function chargebackOf({ status, status_detail }: MercadoPagoPayment): DisputeState | undefined {
  if (status !== 'charged_back') return undefined;
  if (status_detail === 'in_process') return 'open';
  return status_detail === 'reimbursed' ? 'won' : 'lost';
}

/** A mediation shows only while it is open. */
function disputesOf(payment: MercadoPagoPayment, chargeback?: MercadoPagoChargeback): PspDispute[] {
  const state = chargebackOf(payment);
  if (!state && payment.status !== 'in_mediation') return [];
  return [
    {
      reference: disputeReference,
      state: state ?? 'open',
      amountInCents: cents(payment.transaction_amount - refundedIn(payment)),
      reason: wordOf(chargeback?.reason) ?? wordOf(payment.status_detail) ?? null,
      defenceUntil: chargeback?.date_documentation_deadline ?? null,
      openedAt: chargeback?.date_created ?? null,
    },
  ];
}

const refundsIn = ({ refunds }: MercadoPagoPayment): ReportedReturn[] =>
  refunds.read.map(({ id, amount, status, date_created }) => ({
    reference: id,
    amountInCents: amount,
    status: translated(refundStatuses, status),
    reversedAt: date_created ?? null,
    mayBeOurs: true,
  }));

/** Adds up the refunds. The payment's own sum counts what a chargeback took as well. */
function refundedIn(payment: MercadoPagoPayment): Cents {
  const { refunds, transaction_amount: amount, transaction_amount_refunded: sum } = payment;
  if (refunds.read.length > 0) return afterReturns(amount, refundsIn(payment)).returnedInCents;
  return sum && (sum < amount || payment.status === 'refunded') ? sum : cents(0);
}

/** What refunds returned, and what a chargeback took of the rest. `refunded` means that nothing is left. */
export function returnsOf(payment: MercadoPagoPayment): Returned {
  const { status, transaction_amount: amount, transaction_amount_refunded: sum } = payment;
  const listed = refundsIn(payment);
  const givenBack = afterReturns(amount, listed).returnedInCents;
  const chargeback = chargebackOf(payment);
  if (chargeback === 'lost' || chargeback === 'won') {
    const others = [...listed, unnamed(cents(refundedIn(payment) - givenBack))];
    const taken: ReportedReturn = {
      reference: chargebackReference,
      amountInCents: leftBy(amount, others),
      status: chargeback === 'lost' ? 'completed' : 'failed',
      reason: 'chargeback',
    };
    return afterReturns(amount, [...others, taken]);
  }
  // While a chargeback is open, the sum may count what it may take.
  const total = status === 'refunded' ? amount : chargeback ? refundedIn(payment) : (sum ?? cents(0));
  return afterReturns(amount, [...listed, unnamed(cents(total > givenBack ? total - givenBack : 0n))]);
}

/** A part of the sum that no refund explains. */
const unnamed = (amountInCents: Cents): ReportedReturn => ({ amountInCents, status: 'completed' });

/** Expired and cancelled share a status; a payment that ended at its expiry or later was not cancelled. */
const endOf = (
  { status_detail, date_last_updated }: MercadoPagoPayment,
  expiresAt: Date | null,
): Charge['status'] =>
  status_detail === 'expired' || (date_last_updated && expiresAt && date_last_updated >= expiresAt)
    ? 'expired'
    : 'cancelled';

/** The end-to-end id is not documented. If present, it is in one of these members, in the second one after `PIX`. */
export function endToEndIdOf({
  point_of_interaction,
  transaction_details,
}: MercadoPagoPayment): string | undefined {
  const reported = [point_of_interaction?.transaction_data?.e2e_id, transaction_details?.transaction_id];
  return reported.map((text) => text?.replace(/^PIX/, '')).find((text) => text && isEndToEndId(text));
}

function payerOf({ point_of_interaction }: MercadoPagoPayment): PixPayer | undefined {
  const payer = point_of_interaction?.transaction_data?.bank_info?.payer;
  return pixPayerOf({ name: payer?.account_holder_name, document: payer?.identification?.number });
}

/**
 * A payment accepts one Pix, so its id identifies that Pix permanently. The end-to-end id may be present in one
 * response and absent in the next, which would turn one Pix into two.
 */
function receivedPixOf(payment: MercadoPagoPayment): PspReceivedPix[] {
  return [
    {
      endToEndId: `MP${payment.id}`,
      reportedEndToEndId: endToEndIdOf(payment),
      amountInCents: payment.transaction_amount,
      returnedInCents: returnsOf(payment).returnedInCents,
      reversals: returnsOf(payment).reversals,
      paidAt: payment.date_approved ?? null,
      payer: payerOf(payment),
    },
  ];
}

const refundStatuses: Readonly<Record<string, Refund['status']>> = {
  approved: 'completed',
  in_process: 'pending',
  rejected: 'failed',
  cancelled: 'failed',
};

export const refundOf = ({ id, status, amount, date_created }: MercadoPagoRefund): ReportedRefund => ({
  reference: id,
  status: translated(refundStatuses, status),
  amountInCents: amount,
  createdAt: date_created ?? null,
});
