import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import type { Terms } from '../base/documents.ts';

const messages = texts(
  {
    perDay: (part: string) => `${part} ao dia`,
    perMonth: (part: string) => `${part} ao mês`,
    perYear: (part: string) => `${part} ao ano`,
    inBusinessDays: (interest: string) => `${interest}, em dias úteis`,
    until: (part: string, day: string) => `${part} até ${day}`,
    early: (part: string) => `${part} por dia de antecipação`,
    earlyInBusinessDays: (part: string) => `${part} por dia útil de antecipação`,
  },
  {
    perDay: (part: string) => `${part} a day`,
    perMonth: (part: string) => `${part} a month`,
    perYear: (part: string) => `${part} a year`,
    inBusinessDays: (interest: string) => `${interest}, in business days`,
    until: (part: string, day: string) => `${part} until ${day}`,
    early: (part: string) => `${part} for each day paid early`,
    earlyInBusinessDays: (part: string) => `${part} for each business day paid early`,
  },
);

/** Says what each of the terms is. */
export function useTermTexts() {
  const text = useTexts(messages);
  const { money, percent, calendarDay } = useFormats();
  const share = (part: { percent: number | null; amount: number | null }): string =>
    part.percent === null ? money(part.amount ?? 0) : percent(part.percent);
  const rate = ({
    percentPerDay,
    percentPerMonth,
    percentPerYear,
    amountPerDay,
  }: NonNullable<Terms['interest']>): string => {
    if (percentPerDay !== null) return text.perDay(percent(percentPerDay));
    if (percentPerMonth !== null) return text.perMonth(percent(percentPerMonth));
    if (percentPerYear !== null) return text.perYear(percent(percentPerYear));
    return text.perDay(money(amountPerDay ?? 0));
  };
  return {
    share,
    interest: (interest: NonNullable<Terms['interest']>): string =>
      interest.businessDays ? text.inBusinessDays(rate(interest)) : rate(interest),
    discount: (discount: NonNullable<Terms['discounts']>[number]): string =>
      text.until(share(discount), calendarDay(discount.until)),
    earlyDiscount: ({
      percentPerDay,
      amountPerDay,
      businessDays,
    }: NonNullable<Terms['earlyDiscount']>): string =>
      (businessDays ? text.earlyInBusinessDays : text.early)(
        share({ percent: percentPerDay, amount: amountPerDay }),
      ),
  };
}
