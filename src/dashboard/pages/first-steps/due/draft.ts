import { type Cents, cents, centsFromReais } from '../../../../core/base/money.ts';
import { calendarDayOf } from '../../../../core/base/time/calendar-day.ts';
import type { DueTerms } from '../../../../core/payments/rules/due/due-terms.ts';

/** Empty while nothing, or no number, is typed. */
type Typed = number | '';

/** A payment with a due date as it is typed. Days are written like 2026-12-31. */
export interface Draft {
  amount: Typed;
  date: string;
  payableDaysAfter: string;
  finePercent: Typed;
  interestPercent: Typed;
  discount: Typed;
  discountUntil: string;
  rebate: Typed;
  instalments: string;
}

export const centsOf = (typed: Typed): Cents => centsFromReais(Number(typed)) ?? cents(0);

const usualPayableDays = 30;

const daysOf = ({ payableDaysAfter: typed }: Draft): number | null =>
  /^\d+$/.test(typed) ? Number(typed) : null;

/** Makes what the API takes. */
export const inputOf = (draft: Draft) => ({
  amount: Number(draft.amount),
  due: {
    date: draft.date,
    payableDaysAfter: daysOf(draft),
    fine: draft.finePercent ? { percent: draft.finePercent } : null,
    interest: draft.interestPercent ? { percentPerMonth: draft.interestPercent } : null,
    discounts: draft.discount ? [{ until: draft.discountUntil || draft.date, amount: draft.discount }] : null,
    rebate: draft.rebate ? { amount: draft.rebate } : null,
  },
});

/** A percent in its hundredths. */
const basisPointsOf = (percent: number): number => Number(centsOf(percent));

/** Makes what amounts are reckoned from; undefined without a due date. */
export function termsOf(draft: Draft): DueTerms | undefined {
  const date = calendarDayOf(draft.date);
  const { finePercent, interestPercent, discount, rebate } = draft;
  return (
    date && {
      date,
      payableDaysAfter: daysOf(draft) ?? usualPayableDays,
      ...(finePercent && { fine: { basisPoints: basisPointsOf(finePercent) } }),
      ...(interestPercent && {
        interest: { basisPoints: basisPointsOf(interestPercent), per: 'month', businessDays: false },
      }),
      ...(discount && {
        discounts: [{ until: calendarDayOf(draft.discountUntil) ?? date, amountInCents: centsOf(discount) }],
      }),
      ...(rebate && { rebate: { amountInCents: centsOf(rebate) } }),
    }
  );
}
