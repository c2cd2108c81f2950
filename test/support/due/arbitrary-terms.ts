import fc from 'fast-check';
import {
  adjustedDate,
  daysLater,
  easterSundays,
  isBusinessDay,
  partsOn,
  type DueTerms,
  type Share,
} from './second-reckoning.ts';

export interface DatedCharge {
  terms: DueTerms;
  originalInCents: bigint;
  day: string;
}

const firstDue = '2020-01-01';
const lastDue = '2045-12-31';
const mostDaysApart = 400;

/** An early payment may be ten days earlier than that, as no run of days without business is longer. */
const mostDaysEarly = BigInt(mostDaysApart + 10);

const years = Array.from({ length: 26 }, (_, index) => 2020 + index);

/** Days at which counting goes wrong first. */
const awkwardDays = [
  ...years.flatMap((year) =>
    ['01-01', '04-21', '09-07', '11-15', '11-20', '12-25', '12-31'].map((day) => `${year}-${day}`),
  ),
  ...easterSundays.flatMap((easter) => [
    daysLater(easter, -47),
    daysLater(easter, -2),
    daysLater(easter, 60),
  ]),
];

const leapDays = years.filter((year) => year % 4 === 0).map((year) => `${year}-02-29`);

const anyDueDate = fc.integer({ min: 0, max: 9496 }).map((days) => daysLater(firstDue, days));

const offDay = anyDueDate.map((day) => {
  let candidate = day;
  while (candidate < lastDue && isBusinessDay(candidate)) candidate = daysLater(candidate, 1);
  return candidate;
});

const nearAwkwardDay = fc
  .tuple(
    fc.oneof(fc.constantFrom(...awkwardDays), fc.constantFrom(...leapDays)),
    fc.integer({ min: -4, max: 4 }),
  )
  .map(([day, days]) => daysLater(day, days))
  .filter((day) => day >= firstDue && day <= lastDue);

const arbitraryDueDate: fc.Arbitrary<string> = fc.oneof(anyDueDate, offDay, nearAwkwardDay);

/** Amounts up to that, of every magnitude. */
function amountUpTo(most: bigint): fc.Arbitrary<bigint> {
  const magnitudes = [300n, 100_000n, most].filter((magnitude) => magnitude <= most);
  return fc.oneof(...magnitudes.map((max) => fc.bigInt({ min: 1n, max })));
}

/** Basis points up to that, with many of those people choose, which often end in half a centavo. */
function basisPointsUpTo(most: number): fc.Arbitrary<number> {
  const usual = [1, 3, 25, 33, 50, 100, 200, 250, 500, 1000, 2500, 5000].filter((each) => each <= most);
  return fc.oneof(fc.constantFrom(...usual), fc.integer({ min: 1, max: most }));
}

const mostInCents = 999_999_999_999n;

const arbitraryAmount: fc.Arbitrary<bigint> = amountUpTo(mostInCents);

/** The most basis points that, taken off that many times and rounded once, leave a centavo. */
function mostBasisPoints(whole: bigint, times = 1n): number {
  return Number((10_000n * (2n * whole - 1n) - 1n) / (2n * whole * times));
}

/** Whether an amount of at least one centavo can be taken off that many times so that one is left. */
function leavesRoom(whole: bigint, times = 1n): boolean {
  return whole > times;
}

/** Shares of the whole that leave a centavo of it. */
function smallerShare(whole: bigint): fc.Arbitrary<Share> {
  const percent = basisPointsUpTo(mostBasisPoints(whole)).map((basisPoints) => ({ basisPoints }));
  if (!leavesRoom(whole)) return percent;
  return fc.oneof(
    percent,
    amountUpTo(whole - 1n).map((amountInCents) => ({ amountInCents })),
  );
}

const fine: fc.Arbitrary<Share> = fc.oneof(
  basisPointsUpTo(10_000).map((basisPoints) => ({ basisPoints })),
  arbitraryAmount.map((amountInCents) => ({ amountInCents })),
);

const interest: fc.Arbitrary<NonNullable<DueTerms['interest']>> = fc.oneof(
  fc.record({
    businessDays: fc.boolean(),
    basisPoints: basisPointsUpTo(10_000),
    per: fc.constantFrom('day', 'month', 'year'),
  }),
  fc.record({ businessDays: fc.boolean(), amountInCentsPerDay: arbitraryAmount }),
);

const daysBefore = fc.oneof(fc.nat(10), fc.nat(mostDaysApart));

/** One to three discounts, either all in percent or all in amounts, each later one smaller. */
function discounts(base: bigint, date: string): fc.Arbitrary<({ until: string } & Share)[]> {
  const limits = { minLength: 1, maxLength: 3 };
  const untils = fc
    .uniqueArray(daysBefore, { minLength: 3, maxLength: 3 })
    .map((all) => all.toSorted((a, b) => b - a).map((days) => daysLater(date, -days)));
  const percents = fc
    .uniqueArray(basisPointsUpTo(mostBasisPoints(base)), limits)
    .map((all) => all.toSorted((a, b) => b - a).map((basisPoints): Share => ({ basisPoints })));
  const amounts = (): fc.Arbitrary<Share[]> =>
    fc
      .uniqueArray(amountUpTo(base - 1n), limits)
      .map((all) => all.toSorted((a, b) => Number(b - a)).map((amountInCents) => ({ amountInCents })));
  const shares = leavesRoom(base) ? fc.oneof(percents, amounts()) : percents;
  return fc
    .tuple(untils, shares)
    .map(([days, all]) => all.map((share, index) => ({ until: days[index] ?? date, ...share })));
}

/** Early discounts that leave a centavo of the base when it is paid as early as any day here. */
function earlyDiscount(base: bigint): fc.Arbitrary<NonNullable<DueTerms['earlyDiscount']>> {
  const businessDays = fc.boolean();
  const percent = fc.record({
    businessDays,
    basisPointsPerDay: basisPointsUpTo(mostBasisPoints(base, mostDaysEarly)),
  });
  if (!leavesRoom(base, mostDaysEarly)) return percent;
  const amountInCentsPerDay = amountUpTo((base - 1n) / mostDaysEarly);
  return fc.oneof(percent, fc.record({ businessDays, amountInCentsPerDay }));
}

/** Valid terms of a charge of that amount. */
function arbitraryTerms(originalInCents: bigint): fc.Arbitrary<DueTerms> {
  const dates = fc.record({
    date: arbitraryDueDate,
    payableDaysAfter: fc.oneof(fc.nat(10), fc.nat(365)),
  });
  const rebate = fc.record({ rebate: smallerShare(originalInCents) }, { requiredKeys: [] });
  const whenLate = fc.record({ fine, interest }, { requiredKeys: [] });
  return fc.tuple(dates, rebate, whenLate).chain(([due, rebated, late]) => {
    const base = originalInCents - partsOn(due.date, originalInCents, { ...due, ...rebated }).rebateInCents;
    const whenEarly = fc.oneof(
      fc.constant({}),
      fc.record({ discounts: discounts(base, due.date) }),
      fc.record({ earlyDiscount: earlyDiscount(base) }),
    );
    return whenEarly.map((early) => ({ ...due, ...rebated, ...late, ...early }));
  });
}

/** A charge and a day at most 400 days from its due date, often near a day on which the amount changes. */
export const arbitraryDatedCharge: fc.Arbitrary<DatedCharge> = arbitraryAmount.chain((originalInCents) =>
  arbitraryTerms(originalInCents).chain((terms) => {
    const written = [terms.date, ...(terms.discounts ?? []).map(({ until }) => until)];
    const turns = written.map((date) => adjustedDate({ ...terms, date }));
    const nearTurn = fc
      .tuple(fc.constantFrom(...turns), fc.integer({ min: -4, max: 4 }))
      .map(([turn, days]) => daysLater(turn, days));
    const anyDay = fc
      .integer({ min: -mostDaysApart, max: mostDaysApart })
      .map((days) => daysLater(terms.date, days));
    const earliest = daysLater(terms.date, -mostDaysApart);
    return fc.record({
      terms: fc.constant(terms),
      originalInCents: fc.constant(originalInCents),
      day: fc.oneof(anyDay, nearTurn).map((day) => (day < earliest ? earliest : day)),
    });
  }),
);
