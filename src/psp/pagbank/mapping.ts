import { type Cents, cents } from '../../core/base/money.ts';
import type {
  Charge,
  ChargeRequest,
  Payer,
  PspReceivedPix,
  Refund,
  RefundRequest,
} from '../../core/providers/rules/charge.ts';
import { pixPayerOf } from '../../core/payments/rules/pix-payer.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { brasiliaIso } from '../../core/base/time/brasilia.ts';
import { isReachable } from '../../network/reachable-url.ts';
import { documentOf, phoneOf } from '../kit/payer.ts';
import { refundInSum } from '../kit/reported-refund.ts';

import { translated } from '../kit/response.ts';
import { shortened } from '../../core/base/text.ts';
import type { PagbankCharge, PagbankOrder, PagbankOrderBody, PagbankPhone } from './wire-format.ts';

const maximumNameLength = 120;
/** The documented limit is 200, but r-martins/PagBank-WooCommerce keeps to 100 (Object/Item.php). */
const maximumItemLength = 100;

export function orderBodyOf(request: ChargeRequest, expiresAt: Date): PagbankOrderBody {
  const { transactionId, amountInCents, description, notificationUrl, payer } = request;
  const value = Number(amountInCents);
  const phone = phoneBodyOf(payer);
  return {
    reference_id: transactionId,
    customer: {
      name: shortened(nameOf(payer), maximumNameLength),
      email: payer.email?.trim() ?? '',
      tax_id: documentOf(payer)?.value ?? '',
      ...(phone && { phones: [phone] }),
    },
    items: [
      {
        name: shortened(description?.trim() || 'Pix', maximumItemLength),
        quantity: 1,
        unit_amount: value,
      },
    ],
    qr_codes: [{ amount: { value }, expiration_date: brasiliaIso(expiresAt) }],
    ...(notificationUrl !== null && isReachable(notificationUrl) && { notification_urls: [notificationUrl] }),
  };
}

/** PagBank refuses a name with any other character (pagseguro/pagbank-for-woocommerce, sanitize_pagbank_name). */
function nameOf({ name }: Payer): string {
  const accepted = (name ?? '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (accepted) return accepted;
  throw new PspError('rejected_payer', 'payer.name must contain letters or digits');
}

/** Optional, and Brazilian only: an area code has two digits. */
function phoneBodyOf(payer: Payer): PagbankPhone | undefined {
  const phone = phoneOf(payer);
  if (phone?.countryCallingCode !== '55') return undefined;
  return {
    country: '55',
    area: phone.nationalNumber.slice(0, 2),
    number: phone.nationalNumber.slice(2),
    type: phone.getType() === 'FIXED_LINE' ? 'HOME' : 'MOBILE',
  };
}

const statuses: Readonly<Record<string, Charge['status']>> = {
  WAITING: 'active',
  // The code is used up by a successful payment only (developer.pagbank.com.br/docs/criar-pedido-pedido-com-qr-code).
  DECLINED: 'active',
  PAID: 'paid',
  CANCELED: 'cancelled',
};

export function chargeOf(order: PagbankOrder): Charge {
  const [qrCode] = order.qr_codes ?? [];
  const charge = pixChargeOf(order);
  // An order without a code is not one of ours.
  const status = qrCode ? statusOf(charge) : 'unrecognised';
  return {
    transactionId: order.reference_id ?? '',
    reference: order.id,
    status,
    amountInCents: qrCode?.amount.value ?? charge?.amount.value ?? cents(0),
    pixCopyPaste: qrCode?.text ?? null,
    expiresAt: qrCode?.expiration_date ?? null,
    receivedPix: charge && status === 'paid' ? receivedPixOf(order, charge) : [],
  };
}

/** The charge that was paid, among those by Pix; otherwise the last. */
export function pixChargeOf({ charges }: PagbankOrder): PagbankCharge | undefined {
  const byPix = charges.filter(({ payment_method }) => (payment_method?.type ?? 'PIX') === 'PIX');
  return byPix.find(({ status }) => status === 'PAID') ?? byPix.find(wasPaid) ?? byPix.at(-1);
}

export const wasPaid = ({ status, paid_at, amount: { summary } }: PagbankCharge): boolean =>
  status === 'PAID' || (status === 'CANCELED' && Boolean(paid_at ?? (summary?.paid || summary?.refunded)));

function statusOf(charge: PagbankCharge | undefined): Charge['status'] {
  if (!charge) return 'active';
  // Only this member tells whether it was paid.
  if (charge.status === 'CANCELED' && charge.paid_at === undefined && !wasPaid(charge)) return 'unrecognised';
  // A paid charge that is cancelled is refunded, but the sum says that nothing has been returned yet.
  if (charge.status === 'CANCELED' && wasPaid(charge) && charge.amount.summary?.refunded === 0n)
    return 'contested';
  return wasPaid(charge) ? 'paid' : translated(statuses, charge.status);
}

const sumOf = (amounts: readonly Cents[]): Cents => cents(amounts.reduce((sum, each) => sum + each, 0n));

/** A sum says how much was returned. Without one, CANCELED means all of it. */
const returnedOf = ({ status, amount }: PagbankCharge): Cents =>
  amount.summary?.refunded ?? (status === 'CANCELED' ? amount.value : cents(0));

/** `paid` may be what was paid or what is left of it, depending on who describes it. */
function paidOf({ amount: { value, summary } }: PagbankCharge): Cents {
  const paid = summary?.paid;
  if (paid === undefined || paid === null) return value;
  return sumOf([paid, summary?.refunded ?? cents(0)]) === value ? value : paid;
}

/** A code accepts one Pix, so our id identifies that Pix permanently; no end-to-end id has been seen so far. */
function receivedPixOf({ reference_id }: PagbankOrder, charge: PagbankCharge): PspReceivedPix[] {
  const { end_to_end_id: reported, holder } = charge.payment_method?.pix ?? {};
  return [
    {
      endToEndId: `PAGBANK${reference_id ?? ''}`,
      reportedEndToEndId: reported?.startsWith('E') ? reported : undefined,
      amountInCents: paidOf(charge),
      returnedInCents: returnedOf(charge),
      paidAt: charge.paid_at ?? charge.created_at ?? null,
      payer: pixPayerOf({ name: holder?.name, document: holder?.tax_id ?? holder?.document }),
    },
  ];
}

/** PagBank has no list of refunds, only their sum. */
export const refundOf = (charge: PagbankCharge, request: RefundRequest): Refund | undefined =>
  refundInSum(returnedOf(charge), request);
