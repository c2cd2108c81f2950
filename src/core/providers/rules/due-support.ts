import { ServiceError } from '../../base/errors.ts';
import { problem } from '../../base/problems/rules.ts';
import { nextBusinessDay } from '../../base/time/business-days.ts';
import type { Address } from '../../payments/rules/address.ts';
import { adjustedDateOf, type DueTerms } from '../../payments/rules/due/due-terms.ts';

/** The terms that a PSP takes for charges with a due date, as data. */
export interface DueSupport {
  /** The most discounts with a last day. */
  discounts: 1 | 3;
  earlyDiscount: boolean;
  rebate: boolean;
  interestPer: readonly ('day' | 'month' | 'year')[];
  interestAmount: boolean;
  businessDays: boolean;
  /** Set if no discount holds on the due date itself. */
  discountsEndBefore?: true;
  /** The members of the payer's address that it demands. */
  needsAddress?: readonly (keyof Address)[];
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
  new ServiceError('due_not_accepted', `${provider} does not take ${terms.join(' and ')}`, {
    problems: terms.map((term) => problem(term.replace(/ .*/, ''), 'not_allowed')),
  });

/** The members of `due` that a PSP cannot take; `due` itself where it has no charges with a due date. */
export function unsupportedTerms(support: DueSupport | undefined, terms: DueTerms): string[] {
  if (!support) return ['due'];
  const { discounts = [], earlyDiscount, rebate, interest } = terms;
  const isInterestTaken =
    !interest ||
    ('amountInCentsPerDay' in interest ? support.interestAmount : support.interestPer.includes(interest.per));
  const isOnDueDate = discounts.some(({ until }) => nextBusinessDay(until) >= adjustedDateOf(terms));
  const countsBusinessDays = interest?.businessDays === true || earlyDiscount?.businessDays === true;
  return [
    ...(discounts.length > support.discounts ? ['due.discounts'] : []),
    ...(isOnDueDate && support.discountsEndBefore ? ['due.discounts that hold on due.date'] : []),
    ...(earlyDiscount && !support.earlyDiscount ? ['due.earlyDiscount'] : []),
    ...(rebate && !support.rebate ? ['due.rebate'] : []),
    ...(isInterestTaken ? [] : ['due.interest']),
    ...(countsBusinessDays && !support.businessDays ? ['due.interest.businessDays'] : []),
  ];
}

/** What it demands of the payer's address and is missing there. */
export function missingAddressMembers(
  { needsAddress = [] }: DueSupport,
  address: Address | null | undefined,
): string[] {
  if (needsAddress.length > 0 && !address) return ['payer.address'];
  return needsAddress.filter((name) => !address?.[name]).map((name) => `payer.address.${name}`);
}
