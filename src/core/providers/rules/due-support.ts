import { ServiceError } from '../../base/errors.ts';
import type { DueTerms } from '../../payments/rules/due/due-terms.ts';

/** The terms that a PSP takes for charges with a due date, as data. */
export interface DueSupport {
  /** The most discounts with a last day. */
  discounts: 1 | 3;
  earlyDiscount: boolean;
  rebate: boolean;
  interestPer: readonly ('day' | 'month' | 'year')[];
  interestAmount: boolean;
  businessDays: boolean;
}

/** Every term of the API Pix. */
export const allTerms: DueSupport = {
  discounts: 3,
  earlyDiscount: true,
  rebate: true,
  interestPer: ['day', 'month', 'year'],
  interestAmount: true,
  businessDays: true,
};

export const dueNotAccepted = (provider: string, terms: readonly string[]): ServiceError =>
  new ServiceError('due_not_accepted', `${provider} does not take ${terms.join(' and ')}`);

/** The members of `due` that a PSP cannot take; `due` itself where it has no charges with a due date. */
export function unsupportedTerms(support: DueSupport | undefined, terms: DueTerms): string[] {
  if (!support) return ['due'];
  const { discounts = [], earlyDiscount, rebate, interest } = terms;
  const isInterestTaken =
    !interest ||
    ('amountInCentsPerDay' in interest ? support.interestAmount : support.interestPer.includes(interest.per));
  const countsBusinessDays = interest?.businessDays === true || earlyDiscount?.businessDays === true;
  return [
    ...(discounts.length > support.discounts ? ['due.discounts'] : []),
    ...(earlyDiscount && !support.earlyDiscount ? ['due.earlyDiscount'] : []),
    ...(rebate && !support.rebate ? ['due.rebate'] : []),
    ...(isInterestTaken ? [] : ['due.interest']),
    ...(countsBusinessDays && !support.businessDays ? ['due.interest.businessDays'] : []),
  ];
}
