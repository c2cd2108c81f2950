import { type Cents, cents } from '../../../base/money.ts';
import { brasiliaDay } from '../../../base/time/brasilia.ts';
import type { CalendarDay } from '../../../base/time/calendar-day.ts';
import { type AmountParts, amountOf, amountPartsOn } from './amount-due.ts';
import { type Due, termsOf } from './due.ts';
import { type DueTerms, lastPayableDayOf, turningDaysOf } from './due-terms.ts';

/** `AmountParts` as stored: as the provider tells them, or computed here from the terms. */
export type PaidParts = { [Part in keyof AmountParts]: number } & { isComputed: boolean };

export interface Paid {
  paidInCents: Cents;
  /** Absent where neither the provider nor the terms explain the amount. */
  paidParts?: PaidParts;
  /** The terms ask for such an amount on no day. */
  amountDiffers?: true;
}

interface PaidPix {
  amountInCents: Cents;
  paidAt: Date;
  parts?: AmountParts | undefined;
}

/** Banks round each part by rules of their own (issues 404 and 607 of the API Pix). */
const roundingInCents = 10n;

const amountOn = (day: CalendarDay, originalInCents: Cents, terms: DueTerms): Cents =>
  amountOf(amountPartsOn(day, originalInCents, terms));

function isPossible(paidInCents: Cents, from: CalendarDay, originalInCents: Cents, terms: DueTerms): boolean {
  // After the due date it only grows.
  const days = [from, ...turningDaysOf(terms), lastPayableDayOf(terms)];
  const amounts = days.map((day) => amountOn(day, originalInCents, terms));
  return (
    amounts.some((least) => paidInCents >= least) &&
    amounts.some((most) => paidInCents <= most + roundingInCents)
  );
}

const stored = (parts: AmountParts, isComputed: boolean): PaidParts => ({
  originalInCents: Number(parts.originalInCents),
  rebateInCents: Number(parts.rebateInCents),
  discountInCents: Number(parts.discountInCents),
  fineInCents: Number(parts.fineInCents),
  interestInCents: Number(parts.interestInCents),
  isComputed,
});

/** Undefined if the terms of that day do not explain the amount. */
function computedParts(
  paidInCents: Cents,
  day: CalendarDay,
  originalInCents: Cents,
  terms: DueTerms,
): PaidParts | undefined {
  const parts = amountPartsOn(day, originalInCents, terms);
  const differsBy = paidInCents - amountOf(parts);
  const isExplained = differsBy >= -roundingInCents && differsBy <= roundingInCents;
  return isExplained ? stored(parts, true) : undefined;
}

interface Priced {
  amountInCents: Cents;
  due: Due;
}

/** Whether a Pix is what the terms that a payment was being changed to ask for, rather than those that it has. */
export function paysChange(
  { amountInCents: paidInCents, paidAt, parts: told }: PaidPix,
  payment: Priced,
  changed: Priced,
): boolean {
  const day = brasiliaDay(paidAt);
  const differenceOf = ({ amountInCents, due }: Priced): number => {
    if (told && told.originalInCents !== amountInCents) return Infinity;
    return Math.abs(Number(paidInCents - amountOn(day, amountInCents, termsOf(due))));
  };
  const difference = differenceOf(changed);
  return difference <= roundingInCents && difference < differenceOf(payment);
}

/** What a Pix says of a payment with a due date. It pays whatever its amount is: a person looks at an odd one. */
export function paidWith(pix: PaidPix, payment: Priced & { createdAt: Date }): Paid {
  const { amountInCents: paidInCents, paidAt, parts: told } = pix;
  const { amountInCents: original, createdAt } = payment;
  const terms = termsOf(payment.due);
  const isBelievable = told !== undefined && amountOf(told) === paidInCents;
  const paidParts = isBelievable
    ? stored(told, false)
    : computedParts(paidInCents, brasiliaDay(paidAt), original, terms);
  return {
    paidInCents: cents(paidInCents),
    ...(paidParts && { paidParts }),
    ...(!isPossible(paidInCents, brasiliaDay(createdAt), original, terms) && { amountDiffers: true }),
  };
}
