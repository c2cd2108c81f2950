import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cents } from '../../../../../src/core/base/money.ts';
import { addDays, type CalendarDay, calendarDayOf } from '../../../../../src/core/base/time/calendar-day.ts';
import {
  type AmountParts,
  amountOf,
  amountPartsOn,
} from '../../../../../src/core/payments/rules/due/amount-due.ts';
import {
  adjustedDateOf,
  type DueTerms,
  lastPayableDayOf,
} from '../../../../../src/core/payments/rules/due/due-terms.ts';
import { nextAmountAfter } from '../../../../../src/core/payments/rules/due/next-amount.ts';
import { times } from '../../../../support/chance.ts';
import { arbitraryDatedCharge, type DatedCharge } from '../../../../support/due/arbitrary-terms.ts';
import * as second from '../../../../support/due/second-reckoning.ts';

const day = (text: string): CalendarDay => {
  const parsed = calendarDayOf(text);
  if (!parsed) throw new Error(`${text} is no day`);
  return parsed;
};

const partsOn = (on: string, reais: number, terms: DueTerms): AmountParts =>
  amountPartsOn(day(on), cents(Math.round(reais * 100)), terms);

const owedOn = (on: string, reais: number, terms: DueTerms): number =>
  Number(amountOf(partsOn(on, reais, terms))) / 100;

const due = (date: string, terms: Partial<DueTerms> = {}): DueTerms => ({
  date: day(date),
  payableDaysAfter: 30,
  ...terms,
});

test('interest counts from the adjusted date: due on a Saturday, a day of it on Tuesday (bacen/pix-api#347)', () => {
  const terms = due('2021-02-27', { interest: { amountInCentsPerDay: cents(10), businessDays: false } });
  expect(owedOn('2021-03-01', 10, terms)).toBe(10);
  expect(owedOn('2021-03-02', 10, terms)).toBe(10.1);
});

test('a discount whose last day is no business day holds until the next one (bacen/pix-api#390)', () => {
  const discounts = [
    { until: day('2021-04-02'), amountInCents: cents(300) },
    { until: day('2021-04-06'), amountInCents: cents(200) },
  ];
  const terms = due('2021-04-30', { discounts });
  const days = ['2021-04-02', '2021-04-05', '2021-04-06', '2021-04-07'];
  expect(days.map((on) => owedOn(on, 100, terms))).toEqual([97, 97, 98, 100]);
});

test('a part of half a centavo is a whole one', () => {
  expect(owedOn('2026-01-02', 10, due('2026-01-02', { rebate: { basisPoints: 5 } }))).toBe(9.99);
});

test('the example of product pages: 2 % of fine and 1 % of interest a month, paid 15 days late', () => {
  const terms = due('2026-11-10', {
    fine: { basisPoints: 200 },
    interest: { basisPoints: 100, per: 'month', businessDays: false },
  });
  expect(partsOn('2026-11-25', 123.45, terms)).toMatchObject({ fineInCents: 247n, interestInCents: 62n });
});

// bacen/pix-api#205: 21 business days are a month and 252 a year.
test.each([
  ['day', 3, 300n],
  ['month', 21, 100n],
  ['year', 252, 100n],
] as const)('interest by the %s is whole after %d business days', (per, count, interestInCents) => {
  const terms = due('2026-01-02', { interest: { basisPoints: 100, per, businessDays: true } });
  let on = day('2026-01-02');
  for (let passed = 0; passed < count; on = addDays(on, 1)) {
    if (second.isBusinessDay(addDays(on, 1))) passed += 1;
  }
  expect(partsOn(on, 100, terms)).toMatchObject({ interestInCents });
});

const typed = ({ terms, originalInCents, day: on }: DatedCharge) => ({
  terms: terms as DueTerms,
  originalInCents: cents(originalInCents),
  on: day(on),
});

test('the amounts of any terms are those of a second implementation', () => {
  fc.assert(
    fc.property(arbitraryDatedCharge, (charge) => {
      const { terms, originalInCents, on } = typed(charge);
      expect(amountPartsOn(on, originalInCents, terms)).toEqual(
        second.partsOn(charge.day, charge.originalInCents, charge.terms),
      );
      expect(adjustedDateOf(terms)).toBe(second.adjustedDate(charge.terms));
      expect(lastPayableDayOf(terms)).toBe(second.lastPayableDay(charge.terms));
    }),
    { numRuns: times(1_000, 100_000) },
  );
});

test('at least a centavo is owed, no less on a later day, and no part is negative', () => {
  fc.assert(
    fc.property(arbitraryDatedCharge, (charge) => {
      const { terms, originalInCents, on } = typed(charge);
      const parts = amountPartsOn(on, originalInCents, terms);
      for (const part of Object.values(parts)) expect(part).toBeGreaterThanOrEqual(0n);
      expect(amountOf(parts)).toBeGreaterThanOrEqual(1n);
      expect(amountOf(amountPartsOn(addDays(on, 1), originalInCents, terms))).toBeGreaterThanOrEqual(
        amountOf(parts),
      );
    }),
    { numRuns: times(1_000, 100_000) },
  );
});

test('an amount holds until a day, and is another on the next', () => {
  fc.assert(
    fc.property(arbitraryDatedCharge, (charge) => {
      const { terms, originalInCents, on } = typed(charge);
      const amountOn = (each: CalendarDay) => amountOf(amountPartsOn(each, originalInCents, terms));
      const next = nextAmountAfter(on, originalInCents, terms);
      // It never becomes less, so that it is the same on all days between.
      expect(
        amountOn(next?.until ?? lastPayableDayOf(terms)) === amountOn(on) || on > lastPayableDayOf(terms),
      ).toBe(true);
      if (!next) return;
      expect(next.until < lastPayableDayOf(terms)).toBe(true);
      expect(amountOn(addDays(next.until, 1))).toBe(next.amountInCents);
      expect(next.amountInCents).toBeGreaterThan(amountOn(on));
    }),
    { numRuns: times(1_000, 100_000) },
  );
});
