import { z } from 'zod';
import type {
  Charge,
  ChargeRequest,
  Payer,
  PayerField,
  PspError,
  PspReceivedPix,
  Refund,
} from '../../domain/psp.ts';
import { translated } from '../answer.ts';
import { type HttpResponse, refusal } from '../http-client.ts';
import { documentOf, payerRefusal, phoneOf } from '../payer.ts';
import { shortened } from '../shortened.ts';
import type { ToldRefund } from '../told-refund.ts';
import type { WooviCharge, WooviChargeBody, WooviRefund } from './client.ts';

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

/** Woovi needs no customer, but one has a name and at least one way to know it. */
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

/** Woovi has no word for a deleted charge: it has expired before its time. */
function statusOf({ status, expiresDate }: WooviCharge, now: Date): Charge['status'] {
  const meaning = translated(statuses, status);
  return meaning === 'expired' && expiresDate > now ? 'cancelled' : meaning;
}

export function chargeOf(charge: WooviCharge, now: Date): Charge {
  const status = statusOf(charge, now);
  return {
    transactionId: charge.correlationID,
    reference: charge.transactionID ?? charge.identifier ?? null,
    status,
    amountInCents: charge.value,
    pixCopyPaste: charge.brCode ?? null,
    expiresAt: charge.expiresDate,
    receivedPix: status === 'paid' ? receivedPixOf(charge) : [],
  };
}

/**
 * A dynamic code takes one Pix, of its value, so the charge stands for it. The end-to-end id is in another list,
 * for which an AppID may lack the permission.
 */
function receivedPixOf({ correlationID, value, paidAt, updatedAt }: WooviCharge): PspReceivedPix[] {
  const at = paidAt ?? updatedAt;
  return at ? [{ endToEndId: `WOOVI${correlationID}`, amountInCents: value, paidAt: at }] : [];
}

const refundStatuses: Readonly<Record<string, Refund['status']>> = {
  IN_PROCESSING: 'pending',
  CONFIRMED: 'completed',
  REJECTED: 'failed',
};

export const refundOf = ({ status, correlationID, value }: WooviRefund): ToldRefund => ({
  reference: correlationID,
  status: translated(refundStatuses, status),
  amountInCents: value,
});

const refusalBody = z.object({ error: z.string() });

const errorOf = ({ json }: HttpResponse): string => refusalBody.safeParse(json).data?.error ?? '';

/** Woovi says so with 400 as well as with 404; its other errors of a GET with our id are the credential's. */
export const isNotFound = (response: HttpResponse): boolean =>
  response.status === 404 ||
  (response.status === 400 && /not found|n[ãa]o encontrad/i.test(errorOf(response)));

/** Prose is all that Woovi gives; it may quote the payer, so only what it speaks of is told on. */
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
