import { type Cents, cents } from '../../../base/money.ts';
import { businessDaysBetween, nextBusinessDay } from '../../../base/time/business-days.ts';
import { type CalendarDay, daysBetween } from '../../../base/time/calendar-day.ts';
import { adjustedDateOf, type DueTerms, type EarlyDiscount, type Interest, type Share } from './due-terms.ts';

/** What `componentesValor` of the API Pix has. */
export interface AmountParts {
  originalInCents: Cents;
  rebateInCents: Cents;
  discountInCents: Cents;
  fineInCents: Cents;
  interestInCents: Cents;
}

const none = cents(0);

/** Half a centavo counts as one. The Banco Central leaves the rounding open (issues 404 and 607 of the API Pix). */
const rounded = (numerator: bigint, denominator: bigint): Cents =>
  cents((2n * numerator + denominator) / (2n * denominator));

const wholeInBasisPoints = 10_000n;

const shareOf = (base: Cents, share: Share): Cents =>
  'amountInCents' in share
    ? share.amountInCents
    : rounded(base * BigInt(share.basisPoints), wholeInBasisPoints);

const counted = (from: CalendarDay, to: CalendarDay, { businessDays }: { businessDays: boolean }): bigint =>
  BigInt(businessDays ? businessDaysBetween(from, to) : daysBetween(from, to));

/** Days of a period, `n` in equation 11 of the manual: 30 and 365, or 21 and 252 business days (issue 205 of the API Pix). */
const daysIn = {
  calendar: { day: 1n, month: 30n, year: 365n },
  business: { day: 1n, month: 21n, year: 252n },
};

function interestOf(base: Cents, interest: Interest, days: bigint): Cents {
  if ('amountInCentsPerDay' in interest) return cents(interest.amountInCentsPerDay * days);
  const period = daysIn[interest.businessDays ? 'business' : 'calendar'][interest.per];
  return rounded(base * BigInt(interest.basisPoints) * days, wholeInBasisPoints * period);
}

const earlyDiscountOf = (base: Cents, discount: EarlyDiscount, days: bigint): Cents =>
  'amountInCentsPerDay' in discount
    ? cents(discount.amountInCentsPerDay * days)
    : rounded(base * BigInt(discount.basisPointsPerDay) * days, wholeInBasisPoints);

/** A discount whose last day is no business day holds until the next one (issues 390 and 412 of the API Pix). */
function discountOf(base: Cents, terms: DueTerms, day: CalendarDay): Cents {
  const { discounts = [], earlyDiscount } = terms;
  if (earlyDiscount)
    return earlyDiscountOf(base, earlyDiscount, counted(day, adjustedDateOf(terms), earlyDiscount));
  const valid = discounts.find(({ until }) => day <= nextBusinessDay(until));
  return valid ? shareOf(base, valid) : none;
}

/**
 * What a payer owes on a day, each part rounded once to the centavo. An estimate: the payer's bank knows the holidays of
 * the payer's city, and banks round differently.
 */
export function amountPartsOn(day: CalendarDay, originalInCents: Cents, terms: DueTerms): AmountParts {
  const rebateInCents = terms.rebate ? shareOf(originalInCents, terms.rebate) : none;
  const base = cents(originalInCents - rebateInCents);
  const parts = {
    originalInCents,
    rebateInCents,
    discountInCents: none,
    fineInCents: none,
    interestInCents: none,
  };
  const adjusted = adjustedDateOf(terms);
  if (day <= adjusted) return { ...parts, discountInCents: discountOf(base, terms, day) };
  const { fine, interest } = terms;
  return {
    ...parts,
    fineInCents: fine ? shareOf(base, fine) : none,
    interestInCents: interest ? interestOf(base, interest, counted(adjusted, day, interest)) : none,
  };
}

export const amountOf = (parts: AmountParts): Cents =>
  cents(
    parts.originalInCents -
      parts.rebateInCents -
      parts.discountInCents +
      parts.fineInCents +
      parts.interestInCents,
  );
