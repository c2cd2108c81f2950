import type {
  Charge,
  ChargeIds,
  ChargeRequest,
  Payer,
  PspDispute,
  PspReceivedPix,
  Refund,
} from '../../core/providers/rules/charge.ts';
import type { StatementPix } from '../../core/providers/rules/psp-lists.ts';
import { translated } from '../kit/response.ts';
import type { Cents } from '../../core/base/money.ts';
import type { DisputeState } from '../../core/disputes/rules/dispute.ts';
import { isEndToEndId } from '../../core/payments/rules/end-to-end-id.ts';
import { type PixPayer, pixPayerOf } from '../../core/payments/rules/pix-payer.ts';
import { wordOf } from '../http/http-client.ts';
import { documentOf, phoneOf } from '../kit/payer.ts';
import { afterReturns, type ReportedReturn, type Returned } from '../kit/returned.ts';
import { shortened } from '../../core/base/text.ts';
import { addressOf } from './due.ts';
import type { ReportedRefund } from '../kit/reported-refund.ts';
import type {
  WooviCharge,
  WooviChargeBody,
  WooviDispute,
  WooviReceived,
  WooviRefund,
  WooviTermsBody,
  WooviTransaction,
} from './wire-format.ts';

export const maximumCommentLength = 140;

export function chargeBodyOf(request: ChargeRequest, terms: WooviTermsBody): WooviChargeBody {
  const { transactionId, amountInCents, description, payer } = request;
  const customer = customerOf(payer);
  return {
    correlationID: transactionId,
    value: Number(amountInCents),
    ...terms,
    ...(description?.trim() && { comment: shortened(description, maximumCommentLength) }),
    ...(customer && { customer }),
  };
}

/** The customer is optional, but needs a name and at least one identifier. */
export function customerOf(payer: Payer): WooviChargeBody['customer'] {
  const name = payer.name?.trim();
  const taxId = documentOf(payer)?.value;
  const email = payer.email?.trim();
  const phone = phoneOf(payer)?.number;
  if (!name || !(taxId || email || phone)) return undefined;
  return {
    name,
    ...(taxId && { taxID: taxId }),
    ...(email && { email }),
    ...(phone && { phone }),
    // An incomplete one may be refused.
    ...(payer.address?.district && { address: addressOf(payer.address) }),
  };
}

const statuses: Readonly<Record<string, Charge['status']>> = {
  ACTIVE: 'active',
  COMPLETED: 'paid',
  EXPIRED: 'expired',
};

export interface Known {
  now: Date;
  ids: Pick<ChargeIds, 'kind' | 'payableUntil'>;
  /** Whether Woovi has just agreed to delete it. */
  isDeleted?: boolean;
}

/**
 * Woovi has no status for a deleted charge: it is expired before its time. One with a due date "ainda pode ser paga" after that
 * (docs/charge/charge.md), which is its `expiresDate`; nothing says when it is EXPIRED, so that ends nothing before its last day.
 */
function statusOf(
  { status, expiresDate }: WooviCharge,
  { now, ids: { kind, payableUntil }, isDeleted = false }: Known,
): Charge['status'] {
  const meaning = translated(statuses, status);
  if (meaning !== 'expired') return meaning;
  if (isDeleted || (expiresDate && expiresDate > now)) return 'cancelled';
  return kind === 'due' && !(payableUntil && payableUntil <= now) ? 'active' : 'expired';
}

/** What Woovi tells about a paid charge in responses to other requests. */
export interface PaidDetails {
  refunds: readonly WooviRefund[];
  endToEndId: string | undefined;
  payer?: PixPayer | undefined;
  /** What came, where that can be another amount than the charge's. */
  paidInCents?: Cents | undefined;
  /** When it came, where the charge does not say so. */
  paidAt?: Date | null | undefined;
  dispute: WooviDispute | 'none' | 'not_visible';
}

export const nothingSeen: PaidDetails = { refunds: [], endToEndId: undefined, dispute: 'not_visible' };

/** Whether it is an end-to-end id. Those of Woovi's sandbox have a character more than those of the Banco Central. */
export const isNameOfPix = (reference: string): boolean => /^E[0-9A-Za-z]{31,32}$/.test(reference);

/** Takes only a Pix that does not name another charge, whose dispute it would bring along. */
export const pixIn = (
  transactions: readonly WooviTransaction[],
  correlationId: string,
): WooviTransaction | undefined =>
  transactions.find(
    ({ type, endToEndId, charge }) =>
      (type ?? 'PAYMENT') === 'PAYMENT' &&
      endToEndId &&
      (charge?.correlationID ?? correlationId) === correlationId,
  );

export const payerOf = ({ payer, infoPagador }: WooviTransaction): PixPayer | undefined =>
  pixPayerOf({ name: payer?.name, document: payer?.taxID, message: infoPagador });

export function chargeOf(charge: WooviCharge, details: PaidDetails, known: Known): Charge {
  const meaning = statusOf(charge, known);
  const paidInCents = paidOf(charge, details);
  const returned = returnsOf(charge, details);
  const disputes = disputesOf(charge, details);
  const isClaimed = disputes?.some(
    ({ state, amountInCents }) => state === 'open' && amountInCents + returned.returnedInCents >= paidInCents,
  );
  const status = meaning !== 'paid' ? meaning : isClaimed ? 'contested' : returned.status;
  return {
    transactionId: charge.correlationID,
    reference: charge.transactionID ?? charge.identifier ?? null,
    // As its Pix has it (developers.woovi.com, OPENPIX:CHARGE_COMPLETED).
    txid: charge.transactionID ?? undefined,
    status,
    amountInCents: charge.value,
    pixCopyPaste: charge.brCode ?? null,
    // It is that of a charge with a due date.
    expiresAt: known.ids.kind === 'due' ? null : (charge.expiresDate ?? null),
    receivedPix: meaning === 'paid' ? receivedPixOf(charge, returned, details) : [],
    ...(disputes && { disputes }),
  };
}

const paidOf = ({ value }: WooviCharge, { paidInCents = value }: PaidDetails): Cents => paidInCents;

/** A code accepts one Pix, without a due date of its exact value, so the charge stands in for it. */
function receivedPixOf(
  charge: WooviCharge,
  { returnedInCents, reversals }: Returned,
  details: PaidDetails,
): PspReceivedPix[] {
  const { correlationID, paidAt, updatedAt } = charge;
  const { endToEndId = '' } = details;
  return [
    {
      endToEndId: `WOOVI${correlationID}`,
      ...(isEndToEndId(endToEndId) && { reportedEndToEndId: endToEndId }),
      amountInCents: paidOf(charge, details),
      returnedInCents,
      reversals,
      paidAt: paidAt ?? updatedAt ?? null,
      payer: details.payer,
    },
  ];
}

/** A charge takes one Pix, which has at most one dispute (its id is the Pix's). */
const disputeReference = 'dispute';

/** Webhooks and the list have OPENED and IN_REVIEW; a single dispute has CREATED. */
const disputeStates: Readonly<Record<string, DisputeState>> = {
  IN_REVIEW: 'open',
  CREATED: 'open',
  OPENED: 'open',
  ACCEPTED: 'lost',
  REJECTED: 'won',
  CANCELED: 'won',
};

/** Undefined if nothing is known of any. */
function disputesOf(charge: WooviCharge, details: PaidDetails): PspDispute[] | undefined {
  const { dispute } = details;
  if (dispute === 'not_visible') return undefined;
  if (dispute === 'none') return [];
  const state = translated(disputeStates, dispute.status);
  if (state === 'unrecognised') return undefined;
  return [
    {
      reference: disputeReference,
      state,
      amountInCents: dispute.value ?? paidOf(charge, details),
      // The dispute's own `reason` is what the payer wrote.
      reason: wordOf(dispute.type) ?? null,
      defenceUntil: null,
      openedAt: dispute.createdAt ?? null,
    },
  ];
}

/** A refund made here has the id that we gave it. */
const isOurs = ({ correlationID }: WooviRefund): boolean => /^[0-9a-f]{32}$/.test(correlationID ?? '');

/** Whether this refund may be how Woovi lists the lost dispute. What somebody returned in its panel before that is not. */
const mayBeTaken = (refund: WooviRefund, { createdAt }: WooviDispute, amountInCents: Cents): boolean =>
  !isOurs(refund) &&
  refund.value === amountInCents &&
  translated(refundStatuses, refund.status) !== 'failed' &&
  !(refund.time && createdAt && refund.time < createdAt);

/**
 * What was returned by refunds and by a dispute that was accepted, until when Woovi blocks the money (woovibr/woovi-developers,
 * how-to-create-dispute). If Woovi lists the lost dispute as a refund too, it counts once.
 */
function returnsOf(charge: WooviCharge, details: PaidDetails): Returned {
  const { refunds, dispute } = details;
  const paidInCents = paidOf(charge, details);
  const returns = refunds.map(returnOf);
  if (typeof dispute === 'string' || translated(disputeStates, dispute.status) !== 'lost')
    return afterReturns(paidInCents, returns);
  const amountInCents = dispute.value ?? paidInCents;
  const reason = dispute.type === 'MED' ? 'med_fraud' : 'chargeback';
  const listedAt = refunds.findLastIndex((refund) => mayBeTaken(refund, dispute, amountInCents));
  const taken: ReportedReturn = { reference: disputeReference, amountInCents, status: 'completed', reason };
  return afterReturns(
    paidInCents,
    listedAt < 0
      ? [...returns, taken]
      : returns.map((each, at) => (at === listedAt ? { ...each, reason } : each)),
  );
}

/** `Refund` of woovi.json has other words for refunds that belong to no charge. */
const refundStatuses: Readonly<Record<string, Refund['status']>> = {
  IN_PROCESSING: 'pending',
  CONFIRMED: 'completed',
  REFUNDED: 'completed',
  REJECTED: 'failed',
  NOT_ACCOMPLISHED: 'failed',
};

const returnOf = ({ status, correlationID, endToEndId, value, time }: WooviRefund): ReportedReturn => ({
  reference: correlationID ?? endToEndId ?? null,
  status: translated(refundStatuses, status),
  amountInCents: value,
  reversedAt: time ?? null,
});

export const refundOf = ({ status, correlationID, value }: WooviRefund): ReportedRefund => ({
  reference: correlationID ?? null,
  status: translated(refundStatuses, status),
  amountInCents: value,
});

/**
 * The list says neither how much of a Pix was refunded nor what a dispute took, and nothing else says so by day. Refunds can only
 * be read "no contexto da cobrança", with a request for each charge (developers.woovi.com/docs/payment/payment-out-reconciliation,
 * `GET /charge/{id}/refund`). `GET /transaction?type=REFUND` names the return (D…) and not the Pix, nor does `Refund` of
 * `GET /refund`. `Transaction` of woovi.json has the words REFUNDED and PARTIAL_REFUND, but no amount, and no example uses them.
 */
export const statementPixOf = ({
  endToEndId,
  charge,
  transactionID,
  value,
  time,
}: WooviReceived): StatementPix => ({
  reference: endToEndId,
  endToEndId,
  charge: { transactionId: charge?.correlationID ?? null, reference: transactionID ?? null },
  amountInCents: value,
  returnedInCents: null,
  reversedInCents: null,
  feeInCents: charge?.fee ?? null,
  receivedAt: time,
});
