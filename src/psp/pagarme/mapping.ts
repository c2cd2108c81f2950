import type { PhoneNumber } from 'libphonenumber-js/max';
import { buildDynamicBrCode } from '@pix-service/br-code';
import { type Cents, cents } from '../../core/base/money.ts';
import type {
  Charge,
  ChargeRequest,
  Payer,
  PspReceivedPix,
  Refund,
} from '../../core/providers/rules/charge.ts';
import { pixPayerOf } from '../../core/payments/rules/pix-payer.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { translated } from '../kit/response.ts';
import { documentOf, phoneOf, reasonWithoutPayer } from '../kit/payer.ts';
import { afterReturns, type ReportedReturn, type Returned } from '../kit/returned.ts';
import { shortened } from '../../core/base/text.ts';
import type { ReportedRefund } from '../kit/reported-refund.ts';
import type {
  PagarmeCharge,
  PagarmeOrder,
  PagarmeOrderBody,
  PagarmePhone,
  PagarmeTransaction,
} from './wire-format.ts';

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

/** Charges use the same words as their events (docs.pagar.me, "Eventos de webhook"). */
const statuses: Readonly<Record<string, Charge['status']>> = {
  pending: 'active',
  processing: 'active',
  paid: 'paid',
  // Money was received, and only its amount says how much.
  overpaid: 'paid',
  underpaid: 'paid',
  refunded: 'paid',
  partial_refunded: 'paid',
  partial_canceled: 'paid',
  chargedback: 'paid',
  failed: 'failed',
};

export function chargeOf(order: PagarmeOrder, account: Account): Charge {
  const charge = onlyChargeOf(order);
  const transaction = charge.last_transaction;
  const status = statusOf(charge);
  return {
    transactionId: order.code ?? '',
    reference: order.id,
    status,
    amountInCents: charge.amount,
    pixCopyPaste: codeOf(charge, account),
    expiresAt: transaction?.expires_at ?? null,
    receivedPix: status === 'paid' || status === 'contested' ? receivedPixOf(order, charge) : [],
  };
}

export interface Account {
  /** At the test gateway an order is never really paid. */
  isTest: boolean;
}

/** Whether there is an address in place of the code, such as https://digital.mundipagg.com/pix/ from the test gateway. */
export const hasAddress = ({ last_transaction }: PagarmeCharge): boolean =>
  /^https?:\/\//i.test(last_transaction?.qr_code ?? '');

/** Nobody can pay an address. In a test account, where orders pay themselves, a code is made of it; elsewhere there is none. */
function codeOf(charge: PagarmeCharge, { isTest }: Account): string | null {
  const code = charge.last_transaction?.qr_code ?? null;
  if (code === null || !hasAddress(charge)) return code;
  if (!isTest) return null;
  const { host, pathname } = new URL(code);
  const merchant = { merchantName: 'PAGARME TESTE', merchantCity: 'SAO PAULO' };
  return buildDynamicBrCode({ ...merchant, location: host + pathname, amountInCents: charge.amount });
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
  if (status !== 'canceled') {
    const meaning = translated(statuses, status);
    if (meaning === 'paid' && paidIn(charge) === undefined) return 'unrecognised';
    return meaning === 'active' && transaction?.status === 'expired' ? 'expired' : meaning;
  }
  // Only these members tell whether it was paid.
  if (charge.paid_at === undefined && !charge.paid_amount) return 'unrecognised';
  if (wasPaid(charge)) return transaction?.status === 'pending_refund' ? 'contested' : 'paid';
  const expiresAt = transaction?.expires_at;
  return canceled_at && expiresAt && canceled_at >= expiresAt ? 'expired' : 'cancelled';
}

/** `canceled` covers both charges that were never paid and refunded ones. */
const wasPaid = ({ paid_at, paid_amount }: PagarmeCharge): boolean => Boolean(paid_at ?? paid_amount);

/**
 * A charge that was paid with another amount says with which one, or nothing is known. Some charges show no amount once it was
 * returned.
 */
function paidIn({ status, paid_amount, amount }: PagarmeCharge): Cents | undefined {
  if (paid_amount) return paid_amount;
  return status === 'underpaid' || status === 'overpaid' ? undefined : amount;
}

const whollyReturnedStatuses: readonly string[] = ['canceled', 'refunded', 'chargedback'];

/** A chargeback takes what refunds have left. The charge does not list its refunds. */
function returnsOf(charge: PagarmeCharge): Returned {
  const { status, amount, canceled_amount, last_transaction: transaction } = charge;
  const paid = paidIn(charge) ?? amount;
  const reported = canceled_amount ?? cents(0);
  if (status !== 'chargedback') {
    const returned = whollyReturnedStatuses.includes(status) && reported === 0n ? amount : reported;
    const pending = transaction?.status === 'pending_refund' ? (transaction.amount ?? returned) : 0n;
    return afterReturns(paid, [unnamed(cents(pending < returned ? returned - pending : 0n))]);
  }
  const givenBack = reported < amount ? reported : cents(0);
  const taken: ReportedReturn = {
    reference: 'chargeback',
    amountInCents: cents(amount - givenBack),
    status: 'completed',
    reason: 'chargeback',
  };
  return afterReturns(paid, [unnamed(givenBack), taken]);
}

const unnamed = (amountInCents: Cents): ReportedReturn => ({ amountInCents, status: 'completed' });

/**
 * An order has one charge and a charge accepts one Pix, so our code identifies that Pix permanently. The
 * end-to-end id may arrive later than `paid`, which would turn one Pix into two.
 */
function receivedPixOf({ code }: PagarmeOrder, charge: PagarmeCharge): PspReceivedPix[] {
  const { paid_at, canceled_at, last_transaction } = charge;
  const amountInCents = paidIn(charge);
  if (amountInCents === undefined) return [];
  return [
    {
      endToEndId: `PAGARME${code ?? ''}`,
      reportedEndToEndId: hasEndToEndId(last_transaction)
        ? (last_transaction?.end_to_end_id ?? undefined)
        : undefined,
      amountInCents,
      returnedInCents: returnsOf(charge).returnedInCents,
      reversals: returnsOf(charge).reversals,
      paidAt: paid_at ?? canceled_at ?? null,
      payer: pixPayerOf(last_transaction?.payer ?? {}),
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

/** The statuses of pagarme/ecommerce-module-core (`Kernel/ValueObjects/TransactionStatus.php`) that say where the money is. */
const refundStatuses: Readonly<Record<string, Refund['status']>> = {
  refunded: 'completed',
  partial_refunded: 'completed',
  pending_refund: 'pending',
  failed: 'failed',
  withError: 'failed',
  with_error: 'failed',
  notAuthorized: 'failed',
  not_authorized: 'failed',
};

/** Leaves out the payer's own transactions, so it is empty while a refund has no transaction yet. */
export const refundsOf = (
  transactions: readonly (PagarmeTransaction | null | undefined)[],
): ReportedRefund[] =>
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
