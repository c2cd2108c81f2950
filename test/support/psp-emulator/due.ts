import { type Cents, cents } from '../../../src/core/base/money.ts';
import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import { daysLater, type DueTerms, lastPayableDay, type Parts, type Ways } from '../due/second-reckoning.ts';

/** The last due date that a charge may have here: the holidays are known up to 2050. */
export const lastDueDate = '2049-12-31';

/** Whether it is a date of the calendar, `YYYY-MM-DD`. */
export function isDay(text: unknown): text is string {
  const at = new Date(`${String(text)}T12:00:00Z`);
  return typeof text === 'string' && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(`${text}T`);
}

/** The end of the day in Brasília. */
export const endOf = (day: string): Date => new Date(`${day}T23:59:59.999-03:00`);

/** Now, if it is today in Brasília, otherwise noon. */
export const momentOn = (day: string, now: Date): Date =>
  day === brasiliaDay(now) ? now : new Date(`${day}T12:00:00-03:00`);

/** Until when a charge can be paid. Where that is beyond the known holidays, days are days. */
export function payableUntil(terms: DueTerms, ways: Ways = {}): Date {
  const days = Math.min(terms.payableDaysAfter, 36_500);
  const last = daysLater(terms.date, days);
  return endOf(last > lastDueDate ? last : lastPayableDay({ ...terms, payableDaysAfter: days }, ways));
}

export const totalOf = (parts: Parts): Cents =>
  cents(
    parts.originalInCents -
      parts.rebateInCents -
      parts.discountInCents +
      parts.fineInCents +
      parts.interestInCents,
  );

/** The parts of a Pix of that amount: what is more than was owed is interest, what is less a discount. */
export function partsOf(amountInCents: Cents, owed: Parts): Parts {
  const difference = amountInCents - totalOf(owed);
  return difference > 0n
    ? { ...owed, interestInCents: owed.interestInCents + difference }
    : { ...owed, discountInCents: owed.discountInCents - difference };
}
