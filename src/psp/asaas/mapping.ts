import { z } from 'zod';
import { reaisFromCents } from '../../domain/money.ts';
import type {
  Charge,
  ChargeRequest,
  Payer,
  PayerField,
  PspError,
  PspReceivedPix,
  Refund,
  RefundRequest,
} from '../../domain/providers/psp.ts';
import { translated } from '../kit/answer.ts';
import { brasiliaDay } from '../../domain/time/brasilia.ts';
import { type HttpResponse, refusal, wordOf } from '../http/http-client.ts';
import { documentOf, payerRefusal, phoneOf } from '../kit/payer.ts';
import { afterReturns, type Returned } from '../kit/returned.ts';
import { shortened } from '../kit/shortened.ts';
import type { ToldRefund } from '../kit/reported-refund.ts';
import type {
  AsaasCustomerBody,
  AsaasPayment,
  AsaasPaymentBody,
  AsaasPixTransaction,
  AsaasQrCode,
  AsaasRefund,
} from './wire.ts';

const maximumDescriptionLength = 500;
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
    notificationDisabled: true,
  };
}

export function paymentBodyOf(request: ChargeRequest, customer: string, now: Date): AsaasPaymentBody {
  const { transactionId, amountInCents, description, expiresAt } = request;
  const latest = now.getTime() + latestDueDateMs;
  return {
    customer,
    billingType: 'PIX',
    value: reaisFromCents(amountInCents),
    dueDate: brasiliaDay(new Date(Math.min(Math.max(expiresAt.getTime(), now.getTime()), latest))),
    ...(description?.trim() && { description: shortened(description, maximumDescriptionLength) }),
    externalReference: transactionId,
  };
}

const statuses: Readonly<Record<string, Charge['status']>> = {
  PENDING: 'active',
  // Its code can still be paid for twelve months.
  OVERDUE: 'active',
  RECEIVED: 'paid',
  REFUNDED: 'paid',
  REFUND_REQUESTED: 'contested',
  REFUND_IN_PROGRESS: 'contested',
  CHARGEBACK_REQUESTED: 'contested',
  CHARGEBACK_DISPUTE: 'contested',
  AWAITING_CHARGEBACK_REVERSAL: 'contested',
  // Not CONFIRMED, where the money is held back, nor RECEIVED_IN_CASH, which is not a Pix.
};

function statusOf(payment: AsaasPayment): Charge['status'] {
  const meaning = translated(statuses, payment.status);
  if (payment.deleted && meaning === 'active') return 'cancelled';
  return meaning === 'paid' ? returnsOf(payment).status : meaning;
}

function returnsOf({ status, value, refunds }: AsaasPayment): Returned {
  if (status === 'REFUNDED') return { status: 'paid', returnedInCents: value };
  const returns = refunds?.map((refund) => ({
    status: translated(refundStatuses, refund.status),
    amountInCents: refund.value,
  }));
  return afterReturns(value, returns ?? []);
}

export function chargeOf(
  payment: AsaasPayment,
  { qrCode, pix }: { qrCode?: AsaasQrCode | undefined; pix?: AsaasPixTransaction | undefined },
): Charge {
  return {
    transactionId: payment.externalReference ?? '',
    reference: payment.id,
    status: statusOf(payment),
    amountInCents: payment.value,
    pixCopyPaste: qrCode?.payload ?? null,
    expiresAt: qrCode?.expirationDate ?? yearAfter(payment.dueDate),
    receivedPix: pix ? receivedPixOf(pix, returnsOf(payment)) : [],
  };
}

/** When the code of a payment due on that day expires. */
function yearAfter(dueDate: Date): Date {
  const end = new Date(dueDate.getTime() + 86_400_000 - 1000);
  end.setUTCFullYear(end.getUTCFullYear() + 1);
  return end;
}

function receivedPixOf(
  { endToEndIdentifier, value, effectiveDate, dateCreated }: AsaasPixTransaction,
  { returnedInCents }: Returned,
): PspReceivedPix[] {
  const paidAt = effectiveDate ?? dateCreated;
  return paidAt ? [{ endToEndId: endToEndIdentifier, amountInCents: value, returnedInCents, paidAt }] : [];
}

const refundStatuses: Readonly<Record<string, Refund['status']>> = {
  PENDING: 'pending',
  DONE: 'completed',
  CANCELLED: 'failed',
};

/** Asaas neither assigns nor accepts refund ids, so ours goes into the description. */
export const refundDescriptionOf = (refundId: string): string => `Reembolso ${refundId}`;

export const isSameRefund = ({ description }: AsaasRefund, { refundId }: RefundRequest): boolean =>
  description?.includes(refundId) ?? false;

export const refundOf = ({ status, value }: AsaasRefund, { refundId }: RefundRequest): ToldRefund => ({
  reference: refundId,
  status: translated(refundStatuses, status),
  amountInCents: value,
});

const refusalBody = z.object({
  errors: z.array(z.object({ code: z.string(), description: z.string().nullish() })),
});

const payerCodes: Readonly<Record<string, PayerField>> = {
  invalid_name: 'name',
  invalid_cpfCnpj: 'document',
  invalid_email: 'email',
  invalid_mobilePhone: 'phone',
  invalid_phone: 'phone',
};

export function refusalOf(response: HttpResponse): PspError {
  const { data } = refusalBody.safeParse(response.json);
  const codes = data?.errors.map(({ code }) => code) ?? [];
  const fields = codes.flatMap((code) => (Object.hasOwn(payerCodes, code) ? (payerCodes[code] ?? []) : []));
  if (response.status === 400 && fields.length > 0) return payerRefusal(fields);
  return refusal(response, codes.flatMap((code) => wordOf(code) ?? []).join(', '));
}
