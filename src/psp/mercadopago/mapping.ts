import { z } from 'zod';
import { isEndToEndId } from '../../domain/payments/end-to-end-id.ts';
import { type Cents, cents, reaisFromCents } from '../../domain/money.ts';
import {
  type Charge,
  type ChargeRequest,
  type Payer,
  type PayerField,
  PspError,
  type PspReceivedPix,
  type Refund,
} from '../../domain/providers/psp.ts';
import { translated } from '../kit/answer.ts';
import { brasiliaIso } from '../../domain/time/brasilia.ts';
import { type HttpResponse, refusal, wordOf } from '../http/http-client.ts';
import { documentOf, payerRefusal } from '../kit/payer.ts';
import { shortened } from '../kit/shortened.ts';
import type { ToldRefund } from '../kit/reported-refund.ts';
import type { MercadoPagoPayment, MercadoPagoPaymentBody, MercadoPagoRefund } from './wire.ts';

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
    ...(notificationUrl !== null && { notification_url: signedOnly(notificationUrl) }),
    date_of_expiration: brasiliaIso(expiresAt),
    payer: { email, ...nameOf(payer), ...identificationOf(payer) },
  };
}

/** Otherwise the older, unsigned notifications are sent as well. */
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

export function chargeOf(payment: MercadoPagoPayment): Charge {
  const expiresAt = payment.date_of_expiration ?? new Date(payment.date_created.getTime() + defaultExpiryMs);
  const status = statusOf(payment, expiresAt);
  return {
    transactionId: payment.external_reference ?? '',
    reference: payment.id,
    status,
    amountInCents: payment.transaction_amount,
    pixCopyPaste: payment.point_of_interaction?.transaction_data?.qr_code ?? null,
    expiresAt,
    receivedPix: status === 'paid' ? receivedPixOf(payment) : [],
  };
}

function statusOf(payment: MercadoPagoPayment, expiresAt: Date): Charge['status'] {
  if (payment.status === 'cancelled') return endOf(payment, expiresAt);
  const isOpenChargeback = payment.status === 'charged_back' && payment.status_detail === 'in_process';
  return isOpenChargeback ? 'contested' : translated(statuses, payment.status);
}

/** `charged_back` means that all was taken back, unless the detail says that the seller was reimbursed. */
function returnedOf(payment: MercadoPagoPayment): Cents {
  const { status, status_detail, transaction_amount, transaction_amount_refunded } = payment;
  const isWhole = status === 'refunded' || (status === 'charged_back' && status_detail !== 'reimbursed');
  return isWhole ? transaction_amount : (transaction_amount_refunded ?? cents(0));
}

/** Expired and cancelled share a status; a payment that ended at its expiry or later was not cancelled. */
const endOf = (
  { status_detail, date_last_updated }: MercadoPagoPayment,
  expiresAt: Date,
): Charge['status'] =>
  status_detail === 'expired' || (date_last_updated && date_last_updated >= expiresAt)
    ? 'expired'
    : 'cancelled';

/** Not documented; if present it is in one of these, in the second after `PIX`. */
function endToEndIdOf({ point_of_interaction, transaction_details }: MercadoPagoPayment): string | undefined {
  const reported = [point_of_interaction?.transaction_data?.e2e_id, transaction_details?.transaction_id];
  return reported.map((text) => text?.replace(/^PIX/, '')).find((text) => text && isEndToEndId(text));
}

/**
 * A payment accepts one Pix, so its id identifies that Pix permanently. The end-to-end id may be present in one
 * response and absent in the next, which would turn one Pix into two.
 */
function receivedPixOf(payment: MercadoPagoPayment): PspReceivedPix[] {
  if (!payment.date_approved) return [];
  return [
    {
      endToEndId: `MP${payment.id}`,
      reportedEndToEndId: endToEndIdOf(payment),
      amountInCents: payment.transaction_amount,
      returnedInCents: returnedOf(payment),
      paidAt: payment.date_approved,
    },
  ];
}

const refundStatuses: Readonly<Record<string, Refund['status']>> = {
  approved: 'completed',
  in_process: 'pending',
  rejected: 'failed',
  cancelled: 'failed',
};

export const refundOf = ({ id, status, amount, date_created }: MercadoPagoRefund): ToldRefund => ({
  reference: id,
  status: translated(refundStatuses, status),
  amountInCents: amount,
  createdAt: date_created ?? null,
});

const refusalBody = z.object({
  error: z.string().nullish(),
  cause: z
    .array(z.object({ code: z.union([z.int(), z.string()]).nullish(), description: z.string().nullish() }))
    .catch([]),
});

/** 2067: invalid user identification number. */
const payerCodes: Readonly<Record<string, PayerField>> = { '2067': 'document' };

/** Our names of the fields that a description mentions; the description itself may quote the payer. */
const payerMembers: readonly [RegExp, PayerField][] = [
  [/payer\.email/i, 'email'],
  [/payer\.identification|identification number/i, 'document'],
  [/payer\.(first|last)_name/i, 'name'],
];

export function refusalOf(response: HttpResponse): PspError {
  // The key is or was in use by another request, which may have created the payment.
  if (response.status === 409)
    return new PspError('unknown', 'the provider is still processing an earlier request');
  const { data } = refusalBody.safeParse(response.json);
  const causes = data?.cause ?? [];
  const fields = causes.flatMap(({ code, description }) => [
    ...Object.entries(payerCodes).flatMap(([known, field]) => (known === String(code) ? [field] : [])),
    ...payerMembers.flatMap(([pattern, field]) => (pattern.test(description ?? '') ? [field] : [])),
  ]);
  if (response.status === 400 && fields.length > 0) return payerRefusal(fields);
  const codes = causes.flatMap(({ code }) => (/^\d{1,4}$/.test(String(code)) ? [`code ${code}`] : []));
  return refusal(response, codes.join(', ') || wordOf(data?.error));
}
