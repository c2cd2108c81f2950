/**
 * The amounts of a charge with a due date, computed a second time from the rules alone, so that a mistake in the service is not
 * repeated here. It walks from day to day where the service may calculate, and is written to be read, not to be fast.
 */

/** `basisPoints` are hundredths of a percent. */
export type Share = { basisPoints: number } | { amountInCents: bigint };

/** Days are written YYYY-MM-DD. */
export interface DueTerms {
  date: string;
  payableDaysAfter: number;
  rebate?: Share;
  fine?: Share;
  interest?: { businessDays: boolean } & (
    { basisPoints: number; per: 'day' | 'month' | 'year' } | { amountInCentsPerDay: bigint }
  );
  discounts?: ({ until: string } & Share)[];
  earlyDiscount?: { businessDays: boolean } & (
    { basisPointsPerDay: number } | { amountInCentsPerDay: bigint }
  );
}

/** How a bank reckons where it does not do as the rules say; the service never does so. */
export interface Ways {
  /** A due date that is no business day stays as it is, and so does the last day of a discount. */
  dueDateStays?: boolean;
  /** The last day to pay stays as it is. */
  validityStays?: boolean;
  /** Interest counts from the due date as it is written. */
  interestFromWrittenDate?: boolean;
  /** What one day brings is cut to so many decimals before it is multiplied. */
  decimalsOfFactor?: number;
  /** Fractions of a centavo are dropped. */
  dropsFractions?: boolean;
}

export interface Parts {
  originalInCents: bigint;
  rebateInCents: bigint;
  discountInCents: bigint;
  fineInCents: bigint;
  interestInCents: bigint;
}

export const easterSundays: readonly string[] = `
  2018-04-01 2019-04-21 2020-04-12 2021-04-04 2022-04-17 2023-04-09
  2024-03-31 2025-04-20 2026-04-05 2027-03-28 2028-04-16 2029-04-01
  2030-04-21 2031-04-13 2032-03-28 2033-04-17 2034-04-09 2035-03-25
  2036-04-13 2037-04-05 2038-04-25 2039-04-10 2040-04-01 2041-04-21
  2042-04-06 2043-03-29 2044-04-17 2045-04-09 2046-03-25 2047-04-14
  2048-04-05 2049-04-18 2050-04-10
`
  .trim()
  .split(/\s+/);

// The table was typed by hand, so every use of this file begins with checking it.
for (const [index, sunday] of easterSundays.entries()) {
  const expected = easterByGauss(2018 + index);
  if (sunday !== expected) throw new Error(`Easter is on ${expected}, not on ${sunday}.`);
}

/** Gauss's rule, with the constants that hold from 1900 to 2099. */
function easterByGauss(year: number): string {
  const inMoonCycle = year % 19;
  const fullMoon = (19 * inMoonCycle + 24) % 30;
  const toSunday = (2 * (year % 4) + 4 * (year % 7) + 6 * fullMoon + 5) % 7;
  const tooLate = toSunday === 6 && (fullMoon === 29 || (fullMoon === 28 && inMoonCycle > 10));
  return daysLater(`${year}-03-22`, fullMoon + toSunday - (tooLate ? 7 : 0));
}

/** The day that many days later, or earlier if there are fewer than none. Noon is far from every change of date. */
export function daysLater(day: string, days: number): string {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

const holidays = new Set<string>();
for (const easter of easterSundays) {
  const year = easter.slice(0, 4);
  for (const day of ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25']) {
    holidays.add(`${year}-${day}`);
  }
  // The day of Zumbi is a national holiday since 2024.
  if (year >= '2024') holidays.add(`${year}-11-20`);
  holidays.add(daysLater(easter, -48)); // Monday of carnival
  holidays.add(daysLater(easter, -47)); // Tuesday of carnival
  holidays.add(daysLater(easter, -2)); // Good Friday
  holidays.add(daysLater(easter, 60)); // Corpus Christi
}

export function isBusinessDay(day: string): boolean {
  if (day < '2018-01-01' || day > '2050-12-31') throw new Error(`No holidays are known for ${day}.`);
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !holidays.has(day);
}

/** The day itself if it is a business day, otherwise the next one. */
function businessDayFrom(day: string): string {
  let candidate = day;
  while (!isBusinessDay(candidate)) candidate = daysLater(candidate, 1);
  return candidate;
}

/** Counts the days after the first one, up to and including the last. */
function daysBetween(first: string, last: string, onlyBusinessDays: boolean): bigint {
  let count = 0n;
  let day = first;
  while (day < last) {
    day = daysLater(day, 1);
    if (!onlyBusinessDays || isBusinessDay(day)) count += 1n;
  }
  return count;
}

function extended(day: string, { dueDateStays }: Ways): string {
  return dueDateStays ? day : businessDayFrom(day);
}

export function adjustedDate(terms: DueTerms, ways: Ways = {}): string {
  return extended(terms.date, ways);
}

export function lastPayableDay(terms: DueTerms, ways: Ways = {}): string {
  const last = daysLater(adjustedDate(terms, ways), terms.payableDaysAfter);
  return ways.validityStays ? last : businessDayFrom(last);
}

export function partsOn(day: string, originalInCents: bigint, terms: DueTerms, ways: Ways = {}): Parts {
  const rebateInCents = terms.rebate ? shareOf(originalInCents, terms.rebate, ways) : 0n;
  const base = originalInCents - rebateInCents;
  const isLate = day > adjustedDate(terms, ways);
  return {
    originalInCents,
    rebateInCents,
    discountInCents: isLate ? 0n : discountOn(day, base, terms, ways),
    fineInCents: isLate && terms.fine ? shareOf(base, terms.fine, ways) : 0n,
    interestInCents: isLate ? interestOn(day, base, terms, ways) : 0n,
  };
}

function discountOn(day: string, base: bigint, terms: DueTerms, ways: Ways): bigint {
  if (terms.earlyDiscount) return earlyDiscountOn(day, base, terms, terms.earlyDiscount, ways);
  let best: ({ until: string } & Share) | undefined;
  for (const discount of terms.discounts ?? []) {
    const isValid = day <= extended(discount.until, ways);
    if (isValid && (best === undefined || discount.until < best.until)) best = discount;
  }
  return best ? shareOf(base, best, ways) : 0n;
}

function earlyDiscountOn(
  day: string,
  base: bigint,
  terms: DueTerms,
  discount: NonNullable<DueTerms['earlyDiscount']>,
  ways: Ways,
): bigint {
  const days = daysBetween(day, adjustedDate(terms, ways), discount.businessDays);
  if ('amountInCentsPerDay' in discount) return discount.amountInCentsPerDay * days;
  return rounded(base * BigInt(discount.basisPointsPerDay) * days, 10_000n, ways);
}

/** How many days a rate is for, by what is counted. */
const daysOfRate = {
  day: { calendar: 1n, business: 1n },
  month: { calendar: 30n, business: 21n },
  year: { calendar: 365n, business: 252n },
};

function interestOn(day: string, base: bigint, terms: DueTerms, ways: Ways): bigint {
  const { interest } = terms;
  if (!interest) return 0n;
  const first = ways.interestFromWrittenDate ? terms.date : adjustedDate(terms, ways);
  const days = daysBetween(first, day, interest.businessDays);
  if ('amountInCentsPerDay' in interest) return interest.amountInCentsPerDay * days;
  const period = daysOfRate[interest.per][interest.businessDays ? 'business' : 'calendar'];
  const factor = { numerator: BigInt(interest.basisPoints), denominator: 10_000n * period };
  const { numerator, denominator } =
    ways.decimalsOfFactor === undefined ? factor : cut(factor, ways.decimalsOfFactor);
  return rounded(base * numerator * days, denominator, ways);
}

interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

function cut({ numerator, denominator }: Fraction, decimals: number): Fraction {
  const power = 10n ** BigInt(decimals);
  return { numerator: (numerator * power) / denominator, denominator: power };
}

function shareOf(whole: bigint, share: Share, ways: Ways): bigint {
  if ('amountInCents' in share) return share.amountInCents;
  return rounded(whole * BigInt(share.basisPoints), 10_000n, ways);
}

/** The nearest whole number to a fraction that is not negative, the higher of two that are as near. */
function rounded(numerator: bigint, denominator: bigint, { dropsFractions }: Ways): bigint {
  const whole = numerator / denominator;
  const rest = numerator % denominator;
  return rest + rest >= denominator && !dropsFractions ? whole + 1n : whole;
}
