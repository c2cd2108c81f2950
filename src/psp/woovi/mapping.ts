import { z } from 'zod';
import type {
  Charge,
  ChargeRequest,
  Payer,
  PayerField,
  PspError,
  PspReceivedPix,
  Refund,
} from '../../domain/providers/psp.ts';
import { translated } from '../kit/answer.ts';
import { type HttpResponse, refusal } from '../http/http-client.ts';
import { documentOf, payerRefusal, phoneOf } from '../kit/payer.ts';
import { afterReturns, type Returned } from '../kit/returned.ts';
import { shortened } from '../kit/shortened.ts';
import type { ToldRefund } from '../kit/reported-refund.ts';
import type { WooviCharge, WooviChargeBody, WooviRefund } from './wire.ts';

const maximumCommentLength = 140;

export function chargeBodyOf(request: ChargeRequest, expiresIn: number): WooviChargeBody {
  const { transactionId, amountInCents, description, payer } = request;
  const customer = customerOf(payer);
  return {
    correlationID: transactionId,
    value: Number(amountInCents),
    type: 'DYNAMIC',
    expiresIn,
    ...(description?.trim() && { comment: shortened(description, maximumCommentLength) }),
    ...(customer && { customer }),
  };
}

/** The customer is optional, but needs a name and at least one identifier. */
function customerOf(payer: Payer): WooviChargeBody['customer'] {
  const name = payer.name?.trim();
  const taxId = documentOf(payer)?.value;
  const email = payer.email?.trim();
  const phone = phoneOf(payer)?.number;
  if (!name || !(taxId || email || phone)) return undefined;
  return { name, ...(taxId && { taxID: taxId }), ...(email && { email }), ...(phone && { phone }) };
}

const statuses: Readonly<Record<string, Charge['status']>> = {
  ACTIVE: 'active',
  COMPLETED: 'paid',
  EXPIRED: 'expired',
};

/** Woovi has no status for a deleted charge: it is expired before its time. */
function statusOf({ status, expiresDate }: WooviCharge, now: Date): Charge['status'] {
  const meaning = translated(statuses, status);
  return meaning === 'expired' && expiresDate > now ? 'cancelled' : meaning;
}

/** `refunds` are those of the charge; unpaid charges need none. */
export function chargeOf(charge: WooviCharge, refunds: readonly WooviRefund[], now: Date): Charge {
  const returned = afterReturns(charge.value, refunds.map(refundOf));
  const meaning = statusOf(charge, now);
  const status = meaning === 'paid' ? returned.status : meaning;
  return {
    transactionId: charge.correlationID,
    reference: charge.transactionID ?? charge.identifier ?? null,
    status,
    amountInCents: charge.value,
    pixCopyPaste: charge.brCode ?? null,
    expiresAt: charge.expiresDate,
    receivedPix: status === 'paid' ? receivedPixOf(charge, returned) : [],
  };
}

/**
 * A dynamic code accepts one Pix of its exact value, so the charge stands in for it. The end-to-end id is in
 * another list, for which the AppID may lack the permission.
 */
function receivedPixOf(
  { correlationID, value, paidAt, updatedAt }: WooviCharge,
  { returnedInCents }: Returned,
): PspReceivedPix[] {
  const at = paidAt ?? updatedAt;
  if (!at) return [];
  return [{ endToEndId: `WOOVI${correlationID}`, amountInCents: value, returnedInCents, paidAt: at }];
}

const refundStatuses: Readonly<Record<string, Refund['status']>> = {
  IN_PROCESSING: 'pending',
  CONFIRMED: 'completed',
  REJECTED: 'failed',
};

export const refundOf = ({ status, correlationID, value }: WooviRefund): ToldRefund => ({
  reference: correlationID ?? null,
  status: translated(refundStatuses, status),
  amountInCents: value,
});

const refusalBody = z.object({ error: z.string() });

const errorOf = ({ json }: HttpResponse): string => refusalBody.safeParse(json).data?.error ?? '';

/** Woovi reports this with 400 as well as 404; other errors of a GET with our id concern the credential. */
export const isNotFound = (response: HttpResponse): boolean =>
  response.status === 404 ||
  (response.status === 400 && /not found|n[ãa]o encontrad/i.test(errorOf(response)));

/** Woovi returns only prose, which may quote the payer, so only the fields that it mentions are reported. */
const payerWords: readonly [RegExp, PayerField][] = [
  [/tax ?id|cpf|cnpj/i, 'document'],
  [/e-?mail/i, 'email'],
  [/phone|telefone|celular/i, 'phone'],
];

const otherWords: readonly [RegExp, string][] = [
  [/correlation ?id/i, 'correlationID'],
  [/expires/i, 'expiresIn'],
  [/valor|value/i, 'value'],
  [/pix/i, 'pix'],
];

export function refusalOf(response: HttpResponse): PspError {
  const error = errorOf(response);
  const fields = payerWords.flatMap(([pattern, field]) => (pattern.test(error) ? [field] : []));
  if (response.status === 400 && fields.length > 0) return payerRefusal(fields);
  const words = otherWords.flatMap(([pattern, word]) => (pattern.test(error) ? [word] : []));
  return refusal(response, words.length > 0 ? `about ${words.join(', ')}` : undefined);
}
