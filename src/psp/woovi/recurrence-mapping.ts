import { BrCodeError, parseBrCode } from '@pix-service/br-code';
import { brasiliaDay } from '../../core/base/time/brasilia.ts';
import { type CalendarDay, calendarDayOf, daysBetween } from '../../core/base/time/calendar-day.ts';
import { parseDocument } from '../../core/payments/rules/document.ts';
import type { Charge, ChargeIds } from '../../core/providers/rules/charge.ts';
import { missingAddressMembers } from '../../core/providers/rules/due-support.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import type {
  PspRecurrence,
  RecurrenceIds,
  RecurrenceRequest,
} from '../../core/providers/rules/psp-recurrence.ts';
import { cycleOf, debitDayOf } from '../../core/recurrences/rules/cycle.ts';
import type { DebitAttempt } from '../../core/recurrences/rules/debit.ts';
import type { Frequency } from '../../core/recurrences/rules/recurrence.ts';
import { codeIn, debitAttempt, inOrder } from '../kit/debit-attempts.ts';
import { translated } from '../kit/response.ts';
import { noonOf, wooviDue } from './due.ts';
import { chargeOf, customerOf, type PaidDetails } from './mapping.ts';
import type { Installment, Subscription, SubscriptionBody } from './recurrence-client.ts';

// The rules are those of developers.woovi.com/docs/pix-automatic, as of August 2026.

const frequencies: Record<Frequency, string> = {
  weekly: 'WEEKLY',
  monthly: 'MONTHLY',
  quarterly: 'QUARTERLY',
  semiannually: 'SEMIANNUALLY',
  annually: 'ANNUALLY',
};

/** Ours for a charge that is paid with the permission: Woovi keeps no id of it. */
export const firstReferenceOf = ({ globalID }: Subscription): string => `first:${globalID}`;

/** Ours for a debit whose installment is still to come. Any other has the id of its installment. */
export const cycleReference = (subscriptionId: string, dueOn: CalendarDay): string =>
  `cycle:${dueOn}:${subscriptionId}`;

export function readReference(reference: string): {
  first?: string | undefined;
  cycle?: { subscriptionId: string; dueOn: CalendarDay } | undefined;
} {
  const [, first] = /^first:(.+)$/.exec(reference) ?? [];
  const [, day = '', subscriptionId = ''] = /^cycle:([\d-]+):(.+)$/.exec(reference) ?? [];
  const dueOn = calendarDayOf(day);
  return { first, cycle: dueOn && { subscriptionId, dueOn } };
}

/** Whether the charge is an installment of a subscription. */
export const isInstallment = ({ reference, kind }: Pick<ChargeIds, 'reference' | 'kind'>): boolean =>
  kind === 'recurring' || (reference !== null && readReference(reference).first !== undefined);

/** Our id of a subscription: the one that Woovi tells of its first installment too. */
export const correlationIdOf = ({ recurrenceId, firstTransactionId }: RecurrenceIds): string =>
  firstTransactionId ?? recurrenceId;

/** "Deve ter menos de 30 caracteres." */
const maximumContract = 29;
/** "Na jornada ONLY_RECURRENCY, a data de início precisa estar a pelo menos 3 dias de hoje." */
const leastDaysAhead = 3;

function violationOf(request: RecurrenceRequest, today: CalendarDay): string | undefined {
  const { amountInCents, schedule, contract, startDate, frequency, first } = request;
  // It makes every debit by itself, of the amount of the subscription, and nothing switches that off.
  if (amountInCents === null) return 'amount must be given: Woovi debits each cycle by itself';
  if (schedule === 'manual') return 'schedule must be automatic: Woovi debits each cycle by itself';
  if (contract.length > maximumContract) return `contract must have at most ${maximumContract} characters`;
  if (!first)
    return daysBetween(today, startDate) < leastDaysAhead
      ? `startDate must be at least ${leastDaysAhead} days ahead`
      : undefined;
  // "A data deve ser o dia atual": what is paid with the permission is the first of the installments.
  const second = debitDayOf({ startDate: today, frequency }, 1);
  if (startDate !== second)
    return `startDate must be ${second}: the first payment is that of today's cycle, and the next debit follows it`;
  return first.amountInCents === amountInCents ? undefined : 'firstPayment.amount must be amount';
}

/** Fails for what Woovi does not take, before it is asked. */
export function assertTaken(request: RecurrenceRequest, today: CalendarDay): void {
  const violation = violationOf(request, today);
  if (violation) throw new PspError('rejected', violation);
  const { payer } = request;
  if (!parseDocument(payer.document))
    throw new PspError('rejected_payer', 'payer.document must be a CPF or a CNPJ');
  const missing = missingAddressMembers(wooviDue, payer.address);
  if (missing.length > 0)
    throw new PspError('rejected_payer', `${missing.join(' and ')} must be given: Woovi requires it`);
}

/**
 * "A primeira um dia após a data da cobrança, outra na data intermediária, e a última na data de expiração": with six days, those
 * are the days on which the service retries too.
 */
const daysToRetry = 6;
const leastDaysDue = 3;

/** The body of `POST /subscriptions`. `NON_PERMITED` is spelt so. */
export function subscriptionBodyOf(request: RecurrenceRequest, now: Date): SubscriptionBody {
  const { amountInCents, contract, description, startDate, endDate, frequency, retries, payer, first } =
    request;
  const count = endDate && cycleOf({ startDate, frequency }, endDate) + (first ? 2 : 1);
  return {
    type: 'PIX_RECURRING',
    correlationID: correlationIdOf(request),
    name: description ?? contract,
    value: Number(amountInCents),
    comment: contract,
    frequency: frequencies[frequency],
    // The moment itself is of the current day wherever its day begins.
    dayGenerateCharge: first ? now.toISOString() : noonOf(startDate),
    dayDue: retries === 'none' ? leastDaysDue : daysToRetry,
    ...(count && { installmentCount: count }),
    customer: customerOf(payer),
    pixRecurringOptions: {
      journey: first ? 'PAYMENT_ON_APPROVAL' : 'ONLY_RECURRENCY',
      retryPolicy: retries === 'none' ? 'NON_PERMITED' : 'THREE_RETRIES_7_DAYS',
    },
  };
}

const mandateStatuses: Readonly<Record<string, PspRecurrence['status']>> = {
  CREATED: 'pending',
  APPROVED: 'active',
  // Refused by the payer, or taken back.
  REJECTED: 'rejected',
  CANCELED: 'cancelled',
  EXPIRED: 'expired',
};

/** A subscription is INACTIVE once it was cancelled, also by Woovi, when no retry was paid. */
function statusOf({ status, pixRecurring }: Subscription): PspRecurrence['status'] {
  const own = translated(mandateStatuses, pixRecurring.status);
  return status === 'INACTIVE' && (own === 'pending' || own === 'active') ? 'cancelled' : own;
}

/** Members that are not ours. An example of Woovi's has an empty correlationID. */
function foreignMembersOf(read: Subscription, ids: RecurrenceIds): string[] {
  const document = parseDocument(read.customer?.taxID?.taxID ?? '')?.value;
  return [
    ...(ids.reference !== null && read.globalID !== ids.reference ? ['globalID'] : []),
    ...(read.correlationID && read.correlationID !== correlationIdOf(ids) ? ['correlationID'] : []),
    ...(document && document !== parseDocument(ids.payer.document)?.value ? ['customer.taxID'] : []),
  ];
}

export function recurrenceOf(
  read: Subscription,
  ids: RecurrenceIds,
): Omit<PspRecurrence, 'pixCopyPaste'> & { mismatches: string[] } {
  const mismatches = foreignMembersOf(read, ids);
  const status = mismatches.length > 0 ? 'unrecognised' : statusOf(read);
  return {
    reference: read.globalID,
    status,
    endedBy: status === 'rejected' ? 'payer' : null,
    reason: null,
    mismatches,
  };
}

/** The code with which the payer permits it. Fails for one that also asks for a payment, or does not, other than was agreed. */
export function codeOf({ pixRecurring: { emv } }: Subscription, hasFirst: boolean): string | null {
  const given = emv?.trim();
  if (!given) return null;
  try {
    const code = parseBrCode(given);
    if (code.has('80-25') && code.has('26-25') === hasFirst) return given;
  } catch (error) {
    if (!(error instanceof BrCodeError)) throw error;
    throw new PspError('unknown', 'Woovi returned a code that no bank reads');
  }
  throw new PspError('unknown', 'Woovi returned a code of another kind of permission');
}

const dayOf = ({ dateGenerateCharge }: Installment): CalendarDay | undefined =>
  dateGenerateCharge ? brasiliaDay(dateGenerateCharge) : undefined;

/** A month that has no 31st, and a day that begins elsewhere, put Woovi's day of a cycle this far from ours. A week has seven. */
const tolerance = 3;

/** The installment of a cycle. `isToCome` if Woovi has none for it yet, nor one after it: it makes them one after another. */
export function installmentFor(
  dueOn: CalendarDay,
  all: readonly Installment[],
): { installment: Installment | undefined; isToCome: boolean } {
  const apart = (each: Installment): number => {
    const day = dayOf(each);
    return day === undefined ? -Infinity : daysBetween(dueOn, day);
  };
  const [nearest] = all.toSorted((one, other) => Math.abs(apart(one)) - Math.abs(apart(other)));
  const installment = nearest && Math.abs(apart(nearest)) <= tolerance ? nearest : undefined;
  return { installment, isToCome: !installment && all.every((each) => apart(each) < 0) };
}

const cobrStatuses: Readonly<Record<string, Charge['status']>> = {
  CREATED: 'active',
  ACTIVE: 'active',
  // Others may follow.
  FAILED_TRY: 'active',
  CONCLUDED: 'paid',
  // Notifications have it.
  COMPLETED: 'paid',
  REJECTED: 'failed',
  CANCELED: 'cancelled',
};

const installmentStatuses: Readonly<Record<string, Charge['status']>> = {
  SCHEDULED: 'active',
  ACTIVE: 'active',
  COMPLETED: 'paid',
  EXPIRED: 'failed',
  CANCELED: 'cancelled',
};

function chargeStatusOf({ status, cobr }: Installment): Charge['status'] {
  const own = translated(installmentStatuses, status ?? '');
  if (!cobr) return own;
  const meaning = translated(cobrStatuses, cobr.status);
  return own === 'paid' && meaning !== 'paid' ? 'unrecognised' : meaning;
}

/** Whether nothing has become of it yet. */
export const isOpen = (installment: Installment): boolean => chargeStatusOf(installment) === 'active';

/** What the permission makes of a charge that is not paid. */
const unpaidStatuses: Record<PspRecurrence['status'], Charge['status']> = {
  pending: 'active',
  active: 'active',
  rejected: 'cancelled',
  expired: 'cancelled',
  cancelled: 'cancelled',
  unrecognised: 'unrecognised',
};

/** A charge of which Woovi has no installment yet. */
export const chargeToCome = (
  subscription: Subscription,
  { transactionId, reference }: Pick<ChargeIds, 'transactionId' | 'reference'>,
): Charge => ({
  transactionId,
  reference,
  status: unpaidStatuses[statusOf(subscription)],
  amountInCents: subscription.value,
  pixCopyPaste: null,
  expiresAt: null,
  receivedPix: [],
});

const tryStates: Readonly<Record<string, DebitAttempt['state']>> = {
  REQUESTED: 'requested',
  SCHEDULED: 'scheduled',
  PAID: 'paid',
  REJECTED: 'rejected',
};

function attemptsOf(installment: Installment): DebitAttempt[] {
  const { cobr } = installment;
  const dueOn = dayOf(installment);
  const attempts = (cobr?.tries ?? []).flatMap((each): DebitAttempt[] => {
    const state = tryStates[each.tryStatus ?? ''];
    const day = each.requestedExecutionDate ? brasiliaDay(each.requestedExecutionDate) : dueOn;
    if (!state || !day) return [];
    const endToEndId = state === 'paid' ? cobr?.endToEndId : undefined;
    return [debitAttempt({ on: day, state, code: each.rejectCode, endToEndId })];
  });
  const code = codeIn(cobr?.rejectCode);
  if (cobr?.status === 'REJECTED' && code && dueOn && attempts.length === 0)
    attempts.push(debitAttempt({ on: dueOn, state: 'rejected', code }));
  return inOrder(attempts);
}

/** The name of the Pix that paid it. */
export const pixNameOf = (installment: Installment): string | undefined =>
  (chargeStatusOf(installment) === 'paid' && installment.cobr?.endToEndId) || undefined;

/** The charge that an installment is. Its Pix has the same id for whatever payment it is the charge of. */
export function installmentChargeOf(
  installment: Installment,
  { transactionId, reference, kind }: ChargeIds,
  details: PaidDetails,
  now: Date,
): Charge {
  const { globalID, value, cobr } = installment;
  const status = chargeStatusOf(installment);
  const paid = {
    status: 'COMPLETED',
    value: cobr?.value ?? value,
    correlationID: transactionId,
    paidAt: details.paidAt,
    updatedAt: null,
    expiresDate: null,
  };
  const ids = kind === undefined ? {} : { kind };
  const charge = chargeOf(paid, details, { now, ids });
  return {
    ...charge,
    reference,
    pixCopyPaste: null,
    expiresAt: null,
    ...(status === 'paid'
      ? {
          receivedPix: charge.receivedPix.map(({ reportedEndToEndId: id, ...pix }) => ({
            ...pix,
            endToEndId: id ?? `WOOVI${globalID}`,
            isOnlyPix: true,
          })),
        }
      : { status, receivedPix: [] }),
    ...(kind === 'recurring' && { attempts: attemptsOf(installment) }),
  };
}
