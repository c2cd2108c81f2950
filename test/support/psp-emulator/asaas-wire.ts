import { z } from 'zod';
import { type Cents, cents, centsFromReais, reaisFromCents } from '../../../src/core/base/money.ts';
import { dueMembers, lateValues, printedRules } from './asaas-due.ts';
import {
  type EmulatedCharge,
  type EmulatedRefund,
  receivedInCents,
  refundedInCents,
  returnedInCents,
} from './ledger.ts';
import type { Reply } from './psp.ts';

export const asaasSwitches = {
  minimumAmount: 'A payment below R$ 5.00 is refused: invalid_value.',
  noPixTransaction: 'A payment that is RECEIVED names no Pix transaction.',
  noEndToEndId: 'A Pix transaction has no end-to-end id.',
  refundTooEarly: 'The first request to refund a payment is refused: "tente novamente em alguns instantes".',
  refundsNeedAuthorization: 'A refund that is not done waits for somebody to authorize it in the panel.',
  chargebacks: 'A paid payment is charged back, and undecided; once this is off, it was won.',
  chargebacksLost: 'A paid payment was charged back, and lost.',
  noInterestValue: 'A payment that was late says neither its original value nor what was added.',
  discountedValueStays: 'A payment with a discount shows its original value when it is paid.',
  addressNotAllowed: 'The address is not on the list of the account: 403 not_allowed_ip.',
  lost: 'Notifications never come.',
  brazilianDates: 'The dates of an authorization are 31/12/2026 in responses too, not only in notifications.',
  isoDatesInEvents: 'The dates in notifications of authorizations are 2026-12-31, as in the documentation.',
  longNames: 'Notifications say pixAutomaticRecurringAuthorization for authorization.',
  unpaidExpires: 'An authorization whose code nobody paid is EXPIRED, not REFUSED.',
  endedIsGone: 'To end an authorization that has ended answers 404, not 400.',
  staysConfirmed: 'A payment that was debited is CONFIRMED, not RECEIVED.',
  deletedIsDebited: 'A payment that is deleted is debited all the same.',
  noAutomaticPix: 'The account may not use Pix Automático: 404.',
} as const;

export type AsaasSwitch = keyof typeof asaasSwitches;

/** Of each payment by Pix. */
export const feeInCents = 99n;

export const customerBody = z.object({
  name: z.string().min(1),
  cpfCnpj: z.string().regex(/^(\d{11}|[0-9A-Z]{12}\d{2})$/),
  email: z.email().optional(),
  mobilePhone: z
    .string()
    .regex(/^\d{11}$/)
    .optional(),
  address: z.string().optional(),
  addressNumber: z.string().optional(),
  complement: z.string().optional(),
  province: z.string().optional(),
  postalCode: z
    .string()
    .regex(/^\d{5}-?\d{3}$/)
    .optional(),
  notificationDisabled: z.boolean().optional(),
});

export const paymentBody = z.object({
  customer: z.string(),
  billingType: z.literal('PIX'),
  value: z
    .number()
    .positive()
    .refine((value) => centsFromReais(value) !== undefined),
  ...dueMembers,
  description: z.string().max(500).optional(),
  externalReference: z.string().optional(),
  // "Esse comportamento se aplica apenas a cobranças com boleto": a Pix can be paid until its code ends.
  daysAfterDueDateToRegistrationCancellation: z.int().nonnegative().optional(),
  pixAutomaticAuthorizationId: z.string().optional(),
});

/** PaymentUpdateRequestDTO, without what cannot be changed and, as tests find payments by it, the reference. */
export const updateBody = paymentBody.omit({
  customer: true,
  externalReference: true,
  daysAfterDueDateToRegistrationCancellation: true,
  pixAutomaticAuthorizationId: true,
});

export const refundBody = z.object({
  value: z.number().positive().optional(),
  description: z.string().optional(),
});

export const refused = (code: string, description: string): Reply => ({
  status: 400,
  body: { errors: [{ code, description }] },
});

/** The first member that breaks a rule, as `invalid_<member>`. */
export const violation = ({ issues: [issue] }: z.ZodError): Reply => {
  const member = String(issue?.path[0] ?? 'object');
  return refused(`invalid_${member}`, `O campo ${member} informado é inválido.`);
};

/** A CPF is shown in part, a CNPJ whole. */
export const hiddenCpf = (document: string): string =>
  document.replace(/^\d{3}(\d{3})(\d{3})\d{2}$/, '***.$1.$2-**');

/** The dates of this API have no zone: a clock in Brasília shows them. */
export const clockOf = (at: Date): string =>
  new Date(at.getTime() - 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
export const dayOf = (at: Date): string => clockOf(at).slice(0, 10);

/** The code of a payment ends twelve months after its due date. */
export const yearAfter = (day: string): Date =>
  new Date(`${Number(day.slice(0, 4)) + 1}${day.slice(4).replace('02-29', '02-28')}T23:59:59-03:00`);

/** The page that is asked for: ten from the first on when nothing is said. */
export function listOf(all: readonly unknown[], query: URLSearchParams): Reply {
  const limit = Math.min(Number(query.get('limit') ?? 10), 100);
  const offset = Number(query.get('offset') ?? 0);
  const data = all.slice(offset, offset + limit);
  const hasMore = offset + data.length < all.length;
  return { status: 200, body: { object: 'list', hasMore, totalCount: all.length, limit, offset, data } };
}

export interface Customer extends z.output<typeof customerBody> {
  id: string;
}

type Has = (name: AsaasSwitch) => boolean;

const statusOf = (charge: EmulatedCharge, now: Date, has: Has): string => {
  if (typeof charge.details['status'] === 'string') return charge.details['status'];
  if (charge.pix.length > 0) {
    if (has('chargebacksLost')) return 'REFUNDED';
    if (has('chargebacks')) return 'CHARGEBACK_REQUESTED';
    if (returnedInCents(charge) >= receivedInCents(charge)) return 'REFUNDED';
    if (refundedInCents(charge) >= receivedInCents(charge)) return 'REFUND_IN_PROGRESS';
    return has('staysConfirmed') ? 'CONFIRMED' : 'RECEIVED';
  }
  return String(charge.details['dueDate']) < dayOf(now) ? 'OVERDUE' : 'PENDING';
};

/** A chargeback that was seen once stays with its payment. */
function chargebackOf(charge: EmulatedCharge, has: Has) {
  const state = has('chargebacksLost') ? 'DONE' : has('chargebacks') ? 'REQUESTED' : 'REVERSED';
  if (state === 'REVERSED' && charge.details['chargeback'] === undefined) return null;
  charge.details['chargeback'] = state;
  const [pix] = charge.pix;
  return {
    id: `chb_${charge.reference}`,
    payment: charge.reference,
    status: state,
    reason: 'FRAUD',
    disputeStartDate: dayOf(pix?.paidAt ?? charge.createdAt),
    value: reaisFromCents(cents(Number(charge.details['claimedInCents'] ?? receivedInCents(charge)))),
    deadlineToSendDisputeDocuments: '2099-01-31',
  };
}

export const refundOf = (refund: EmulatedRefund, has: Has) => ({
  dateCreated: clockOf(refund.createdAt),
  status: {
    pending: has('refundsNeedAuthorization') ? 'AWAITING_CRITICAL_ACTION_AUTHORIZATION' : 'PENDING',
    completed: 'DONE',
    failed: 'CANCELLED',
  }[refund.status],
  value: reaisFromCents(refund.amountInCents),
  endToEndIdentifier: null,
  description: refund.refundId || null,
  effectiveDate: clockOf(refund.createdAt),
  transactionReceiptUrl: null,
  refundedSplits: [],
});

/** `owedToday` is the amount of a charge that is not paid yet. */
export const paymentOf = (charge: EmulatedCharge, now: Date, has: Has, owedToday: Cents) => {
  const [pix] = charge.pix;
  const received = receivedInCents(charge);
  const isDiscounted = pix !== undefined && received < charge.amountInCents;
  return {
    object: 'payment',
    id: charge.reference,
    dateCreated: dayOf(charge.createdAt),
    customer: charge.details['customer'],
    paymentLink: null,
    value: reaisFromCents(isDiscounted && has('discountedValueStays') ? charge.amountInCents : received),
    netValue: reaisFromCents(cents(received - (pix ? feeInCents : 0n))),
    ...(has('noInterestValue')
      ? { originalValue: null, interestValue: null }
      : lateValues(charge, owedToday)),
    description: charge.details['description'] ?? null,
    billingType: 'PIX',
    confirmedDate: pix ? dayOf(pix.paidAt) : null,
    pixTransaction: pix && !has('noPixTransaction') ? charge.details['pixTransaction'] : null,
    pixQrCodeId: charge.details['pixQrCodeId'] ?? null,
    status: statusOf(charge, now, has),
    chargeback: pix ? chargebackOf(charge, has) : null,
    dueDate: charge.details['dueDate'] ?? dayOf(charge.createdAt),
    originalDueDate: charge.details['originalDueDate'] ?? dayOf(charge.createdAt),
    daysAfterDueDateToRegistrationCancellation: charge.details['daysAfterDueDate'] ?? null,
    ...printedRules(charge),
    paymentDate: pix ? dayOf(pix.paidAt) : null,
    clientPaymentDate: pix ? dayOf(pix.paidAt) : null,
    invoiceUrl: `https://www.asaas.com/i/${charge.reference}`,
    externalReference: charge.transactionId || null,
    deleted: charge.isCancelled,
    refunds: charge.refunds.length > 0 ? charge.refunds.map((each) => refundOf(each, has)) : null,
  };
};
