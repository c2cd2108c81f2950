import { brasiliaDay } from '../../core/base/time/brasilia.ts';
import { nextBusinessDay } from '../../core/base/time/business-days.ts';
import { type CalendarDay, daysBetween } from '../../core/base/time/calendar-day.ts';
import type { Address } from '../../core/payments/rules/address.ts';
import {
  adjustedDateOf,
  type DueTerms,
  type EarlyDiscount,
  lastPayableDayOf,
  type Share,
} from '../../core/payments/rules/due/due-terms.ts';
import type { DueSupport } from '../../core/providers/rules/due-support.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import type { WooviAddress, WooviCharge, WooviDiscount, WooviDueBody } from './wire-format.ts';

/**
 * `ChargePayload` of woovi.json in woovibr/woovi-developers, as of August 2026. It has no rebate. Interest is in basis points a day
 * there and in ChargeDiscountSimulator, and a month in CobvSimulator and the page on boletos: one of them asks thirty times too
 * much, so none is sent. A discount "only applies to payments before the due date". The page on `cobv` demands the customer's
 * address; woovibr/n8n-nodes-woovi has all of it but the complement.
 */
export const wooviDue: DueSupport = {
  discounts: 3,
  discountsEndBefore: true,
  earlyDiscount: true,
  rebate: false,
  interestPer: [],
  interestAmount: false,
  businessDays: true,
  needsAddress: ['street', 'number', 'district', 'city', 'state', 'postalCode'],
};

export const addressOf = ({
  postalCode,
  street,
  number,
  district,
  city,
  state,
  complement,
}: Address): WooviAddress => ({
  zipcode: postalCode,
  street,
  number,
  ...(district && { neighborhood: district }),
  city,
  state,
  ...(complement && { complement }),
  country: 'BR',
});

/** Centavos, or basis points. */
const valueOf = (share: Share): number =>
  'amountInCents' in share ? Number(share.amountInCents) : share.basisPoints;

/** The day up to and including which a discount holds. */
const lastDayOf = ({ until }: { until: CalendarDay }): CalendarDay => nextBusinessDay(until);

function datedDiscountOf(discounts: NonNullable<DueTerms['discounts']>, today: CalendarDay): WooviDiscount {
  const isAmount = discounts.some((discount) => 'amountInCents' in discount);
  return {
    modality: isAmount ? 'FIXED_VALUE_UNTIL_SPECIFIED_DATE' : 'PERCENTAGE_UNTIL_SPECIFIED_DATE',
    discountFixedDate: discounts.map((discount) => {
      const daysActive = daysBetween(today, lastDayOf(discount));
      // The smallest that Woovi takes is tomorrow.
      if (daysActive < 1)
        throw new PspError('rejected', 'Woovi has no discount that ends today: change due.discounts');
      return { daysActive, value: valueOf(discount) };
    }),
  };
}

function earlyDiscountOf(discount: EarlyDiscount): WooviDiscount {
  const days = discount.businessDays ? 'BUSINESS' : 'RUNNING';
  return 'amountInCentsPerDay' in discount
    ? { modality: `VALUE_PER_${days}_DAY_ADVANCE`, value: Number(discount.amountInCentsPerDay) }
    : { modality: `PERCENTAGE_PER_${days}_DAY_ADVANCE`, value: discount.basisPointsPerDay };
}

/** Noon in Brasília, which is the same day in UTC. */
export const noonOf = (day: CalendarDay): string => `${day}T15:00:00.000Z`;

/**
 * What `wooviDue` allows. Nothing says that Woovi knows business days, so it is given the days that follow from them: nobody may
 * owe a fine for a due date without business (Lei 7.089/1983).
 */
export function dueBodyOf(terms: DueTerms, now: Date): WooviDueBody {
  const { fine, discounts, earlyDiscount } = terms;
  const dueOn = adjustedDateOf(terms);
  return {
    type: 'OVERDUE',
    dueDate: noonOf(dueOn),
    daysAfterDueDate: daysBetween(dueOn, lastPayableDayOf(terms)),
    ...(fine && {
      fines: { value: valueOf(fine), type: 'amountInCents' in fine ? 'FIXED' : 'PERCENTAGE' },
    }),
    ...(discounts && { discountSettings: datedDiscountOf(discounts, brasiliaDay(now)) }),
    ...(earlyDiscount && { discountSettings: earlyDiscountOf(earlyDiscount) }),
  };
}

/**
 * Fails if Woovi counted the days of the discounts from another day than ours, which its `data` tells: the charge asks for another
 * amount than was agreed, and is cancelled as one whose outcome is unknown.
 */
export function checkDays({ discountSettings }: WooviCharge, { discounts = [] }: DueTerms): void {
  const days = discountSettings?.discountFixedDate?.flatMap(({ data }) => data ?? []) ?? [];
  const wanted = discounts.map(lastDayOf);
  if (days.some((day) => !(wanted as string[]).includes(day)))
    throw new PspError('unknown', 'Woovi counts the days of discounts from another day');
}
