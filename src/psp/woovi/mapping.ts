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
import type { WooviCharge, WooviChargeBody, WooviRefund, WooviTransaction } from './client.ts';

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

export const chargeOf = (
  charge: WooviCharge,
  now: Date,
  receivedPix: readonly PspReceivedPix[] = [],
): Charge => ({
  transactionId: charge.correlationID,
  reference: charge.transactionID ?? charge.identifier ?? null,
  status: statusOf(charge, now),
  amountInCents: charge.value,
  pixCopyPaste: charge.brCode ?? null,
  expiresAt: charge.expiresDate,
  receivedPix,
});

/** Without a list the charge itself stands for its Pix: a dynamic code takes one. */
export function receivedPixOf(
  charge: WooviCharge,
  transactions: readonly WooviTransaction[] | undefined,
): PspReceivedPix[] {
  if (transactions) return transactions.flatMap((transaction) => pixOf(transaction));
  const { correlationID, value, paidAt } = charge;
  return paidAt ? [{ endToEndId: `WOOVI${correlationID}`, amountInCents: value, paidAt }] : [];
}

/** Refunds and fees of the charge stand in the same list. */
function pixOf({ type, status, endToEndId, value, time }: WooviTransaction): PspReceivedPix[] {
  const isReceived = type === 'PAYMENT' && (!status || status === 'CONFIRMED');
  return isReceived && endToEndId ? [{ endToEndId, amountInCents: value, paidAt: time }] : [];
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
