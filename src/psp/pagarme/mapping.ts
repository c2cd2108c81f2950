import type { PhoneNumber } from 'libphonenumber-js/max';
import { z } from 'zod';
import { type Cents, cents } from '../../domain/money.ts';
import {
  type Charge,
  type ChargeRequest,
  type Payer,
  PspError,
  type PspReceivedPix,
  type Refund,
} from '../../domain/providers/psp.ts';
import { translated } from '../kit/answer.ts';
import { type HttpResponse, refusal, wordOf } from '../http/http-client.ts';
import { documentOf, isPayerField, payerRefusal, phoneOf, reasonWithoutPayer } from '../kit/payer.ts';
import { shortened } from '../kit/shortened.ts';
import type { ToldRefund } from '../kit/reported-refund.ts';
import type {
  PagarmeCharge,
  PagarmeOrder,
  PagarmeOrderBody,
  PagarmePhone,
  PagarmeTransaction,
} from './wire.ts';

const maximumNameLength = 64;
const maximumDescriptionLength = 256;

export function orderBodyOf(request: ChargeRequest, expiresIn: number): PagarmeOrderBody {
  const { transactionId, amountInCents, description, payer } = request;
  const document = documentOf(payer);
  return {
    code: transactionId,
    items: [
      {
        amount: Number(amountInCents),
        description: shortened(description?.trim() || 'Pix', maximumDescriptionLength),
        quantity: 1,
        code: '1',
      },
    ],
    customer: {
      name: shortened(payer.name?.trim() ?? '', maximumNameLength),
      email: payer.email?.trim() ?? '',
      type: document?.kind === 'cnpj' ? 'company' : 'individual',
      document: document?.value ?? '',
      document_type: document?.kind === 'cnpj' ? 'CNPJ' : 'CPF',
      phones: phonesOf(payer),
    },
    payments: [{ payment_method: 'pix', pix: { expires_in: expiresIn } }],
  };
}

function phonesOf(payer: Payer): PagarmeOrderBody['customer']['phones'] {
  const phone = phoneOf(payer);
  if (!phone) throw new PspError('rejected_payer', 'payer.phone must be a valid phone number');
  return phone.getType() === 'FIXED_LINE' ? { home_phone: partsOf(phone) } : { mobile_phone: partsOf(phone) };
}

/** The Brazilian area code has two digits; elsewhere any split works, as the parts are concatenated. */
const partsOf = ({ countryCallingCode, nationalNumber }: PhoneNumber): PagarmePhone => ({
  country_code: String(countryCallingCode),
  area_code: nationalNumber.slice(0, 2),
  number: nationalNumber.slice(2),
});

const statuses: Readonly<Record<string, Charge['status']>> = {
  pending: 'active',
  processing: 'active',
  paid: 'paid',
  overpaid: 'paid',
  refunded: 'paid',
  chargedback: 'paid',
  failed: 'failed',
};

export function chargeOf(order: PagarmeOrder): Charge {
  const charge = onlyChargeOf(order);
  const transaction = charge.last_transaction;
  const status = statusOf(charge);
  return {
    transactionId: order.code ?? '',
    reference: order.id,
    status,
    amountInCents: charge.amount,
    pixCopyPaste: transaction?.qr_code ?? null,
    expiresAt: transaction?.expires_at ?? order.created_at,
    receivedPix: status === 'paid' ? receivedPixOf(order, charge) : [],
  };
}

export function onlyChargeOf({ charges }: PagarmeOrder): PagarmeCharge {
  const [charge] = charges;
  if (!charge) throw new PspError('unknown', 'Pagar.me returned an order without a charge');
  return charge;
}

/** The id of a return starts with D. */
const hasEndToEndId = (transaction: PagarmeTransaction | null | undefined): boolean =>
  transaction?.end_to_end_id?.startsWith('E') ?? false;

function statusOf(charge: PagarmeCharge): Charge['status'] {
  const { status, last_transaction: transaction, canceled_at } = charge;
  if (status !== 'canceled') return translated(statuses, status);
  if (wasPaid(charge)) return transaction?.status === 'pending_refund' ? 'contested' : 'paid';
  const expiresAt = transaction?.expires_at;
  return canceled_at && expiresAt && canceled_at >= expiresAt ? 'expired' : 'cancelled';
}

/** `canceled` covers both charges that were never paid and refunded ones. */
const wasPaid = ({ paid_at, paid_amount }: PagarmeCharge): boolean => Boolean(paid_at ?? paid_amount);

const wholly: readonly string[] = ['canceled', 'refunded', 'chargedback'];

function returnedOf({ status, amount, canceled_amount }: PagarmeCharge): Cents {
  const reported = canceled_amount ?? cents(0);
  return wholly.includes(status) && reported === 0n ? amount : reported;
}

/**
 * An order has one charge and a charge accepts one Pix, so our code identifies that Pix permanently. The
 * end-to-end id may arrive later than `paid`, which would turn one Pix into two.
 */
function receivedPixOf({ code }: PagarmeOrder, charge: PagarmeCharge): PspReceivedPix[] {
  const { paid_at, canceled_at, paid_amount, amount, last_transaction } = charge;
  const paidAt = paid_at ?? canceled_at;
  if (!paidAt) return [];
  return [
    {
      endToEndId: `PAGARME${code ?? ''}`,
      reportedEndToEndId: hasEndToEndId(last_transaction)
        ? (last_transaction?.end_to_end_id ?? undefined)
        : undefined,
      // Some show no paid amount once it was returned.
      amountInCents: paid_amount ? paid_amount : amount,
      returnedInCents: returnedOf(charge),
      paidAt,
    },
  ];
}

/** The gateway's reason for a failed charge, made safe for a message. */
export function failureOf({ charges }: PagarmeOrder, payer: Payer): string {
  const response = charges[0]?.last_transaction?.gateway_response;
  const messages = response?.errors?.flatMap(({ message }) => message ?? []) ?? [];
  const reason = reasonWithoutPayer(messages.join('; '), payer);
  return reason || (response?.code && `code ${response.code.slice(0, 10)}`) || 'no reason given';
}

const payersStatuses = ['waiting_payment', 'paid', 'pending', 'processing', 'overpaid', 'underpaid'];

const isPayers = (transaction: PagarmeTransaction): boolean =>
  hasEndToEndId(transaction) || payersStatuses.includes(transaction.status ?? '');

const refundStatuses: Readonly<Record<string, Refund['status']>> = {
  refunded: 'completed',
  pending_refund: 'pending',
  failed: 'failed',
};

/** Empty if the transaction is the payer's own: the refund has none yet. */
export const refundsOf = (transactions: readonly (PagarmeTransaction | null | undefined)[]): ToldRefund[] =>
  transactions.flatMap((transaction) =>
    transaction && !isPayers(transaction)
      ? {
          reference: transaction.id ?? null,
          status: translated(refundStatuses, transaction.status ?? ''),
          amountInCents: transaction.amount ?? null,
          createdAt: transaction.created_at ?? null,
        }
      : [],
  );

const refusalBody = z.object({ errors: z.record(z.string(), z.unknown()) });

/** `order.customer.phones.mobile_phone` is the payer's phone; `order.payments[0].pix` is not payer data. */
const payerMember = /customer\.(name|document|email|phone)/;

export function refusalOf(response: HttpResponse): PspError {
  const { data } = refusalBody.safeParse(response.json);
  const members = Object.keys(data?.errors ?? {});
  const fields = members.flatMap((member) => payerMember.exec(member)?.[1] ?? []).filter(isPayerField);
  if ([400, 422].includes(response.status) && fields.length > 0) return payerRefusal(fields);
  return refusal(response, members.flatMap((member) => wordOf(member) ?? []).join(', '));
}
