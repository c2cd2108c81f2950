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

export function adjustedDate(terms: DueTerms): string {
  return businessDayFrom(terms.date);
}

export function lastPayableDay(terms: DueTerms): string {
  return businessDayFrom(daysLater(adjustedDate(terms), terms.payableDaysAfter));
}

export function partsOn(day: string, originalInCents: bigint, terms: DueTerms): Parts {
  const rebateInCents = terms.rebate ? shareOf(originalInCents, terms.rebate) : 0n;
  const base = originalInCents - rebateInCents;
  const isLate = day > adjustedDate(terms);
  return {
    originalInCents,
    rebateInCents,
    discountInCents: isLate ? 0n : discountOn(day, base, terms),
    fineInCents: isLate && terms.fine ? shareOf(base, terms.fine) : 0n,
    interestInCents: isLate ? interestOn(day, base, terms) : 0n,
  };
}

function discountOn(day: string, base: bigint, terms: DueTerms): bigint {
  if (terms.earlyDiscount) return earlyDiscountOn(day, base, terms, terms.earlyDiscount);
  let best: ({ until: string } & Share) | undefined;
  for (const discount of terms.discounts ?? []) {
    const isValid = day <= businessDayFrom(discount.until);
    if (isValid && (best === undefined || discount.until < best.until)) best = discount;
  }
  return best ? shareOf(base, best) : 0n;
}

function earlyDiscountOn(
  day: string,
  base: bigint,
  terms: DueTerms,
  discount: NonNullable<DueTerms['earlyDiscount']>,
): bigint {
  const days = daysBetween(day, adjustedDate(terms), discount.businessDays);
  if ('amountInCentsPerDay' in discount) return discount.amountInCentsPerDay * days;
  return roundedHalfUp(base * BigInt(discount.basisPointsPerDay) * days, 10_000n);
}

/** How many days a rate is for, by what is counted. */
const daysOfRate = {
  day: { calendar: 1n, business: 1n },
  month: { calendar: 30n, business: 21n },
  year: { calendar: 365n, business: 252n },
};

function interestOn(day: string, base: bigint, terms: DueTerms): bigint {
  const { interest } = terms;
  if (!interest) return 0n;
  const days = daysBetween(adjustedDate(terms), day, interest.businessDays);
  if ('amountInCentsPerDay' in interest) return interest.amountInCentsPerDay * days;
  const period = daysOfRate[interest.per][interest.businessDays ? 'business' : 'calendar'];
  return roundedHalfUp(base * BigInt(interest.basisPoints) * days, 10_000n * period);
}

function shareOf(whole: bigint, share: Share): bigint {
  if ('amountInCents' in share) return share.amountInCents;
  return roundedHalfUp(whole * BigInt(share.basisPoints), 10_000n);
}

/** The nearest whole number to a fraction that is not negative. */
function roundedHalfUp(numerator: bigint, denominator: bigint): bigint {
  const whole = numerator / denominator;
  const rest = numerator % denominator;
  return rest + rest >= denominator ? whole + 1n : whole;
}
