import { type Cents, cents, reaisFromCents } from '../../core/base/money.ts';
import { daysBetween } from '../../core/base/time/calendar-day.ts';
import type { AmountParts } from '../../core/payments/rules/due/amount-due.ts';
import type { DueTerms, Share } from '../../core/payments/rules/due/due-terms.ts';
import type { DueSupport } from '../../core/providers/rules/due-support.ts';
import type { AsaasPayment, AsaasPaymentBody, AsaasShare } from './wire-format.ts';

/** docs.asaas.com/reference/create-new-payment: `discount`, `fine`, and `interest` as a percentage a month. */
export const asaasDue: DueSupport = {
  discounts: 1,
  earlyDiscount: false,
  rebate: false,
  interestPer: ['month'],
  interestAmount: false,
  businessDays: false,
};

const percentOf = (basisPoints: number): number => basisPoints / 100;

const shareOf = (share: Share): AsaasShare =>
  'amountInCents' in share
    ? { type: 'FIXED', value: reaisFromCents(share.amountInCents) }
    : { type: 'PERCENTAGE', value: percentOf(share.basisPoints) };

/**
 * What `asaasDue` allows. Without `daysAfterDueDateToRegistrationCancellation`, which is about boletos: the code lives for twelve
 * months after the due date, and the service deletes the payment at its end.
 */
export function termsOf({
  date,
  fine,
  interest,
  discounts,
}: DueTerms): Pick<AsaasPaymentBody, 'dueDate' | 'fine' | 'interest' | 'discount'> {
  const [discount] = discounts ?? [];
  return {
    dueDate: date,
    ...(fine && { fine: shareOf(fine) }),
    ...(interest && 'basisPoints' in interest && { interest: { value: percentOf(interest.basisPoints) } }),
    ...(discount && {
      discount: { ...shareOf(discount), dueDateLimitDays: daysBetween(discount.until, date) },
    }),
  };
}

const nothing = { type: 'PERCENTAGE', value: 0 } as const;

/** An update keeps what it leaves out, so terms that are gone are zero. */
export const revisedTermsOf = (terms: DueTerms): ReturnType<typeof termsOf> => ({
  fine: nothing,
  interest: { value: 0 },
  discount: { ...nothing, dueDateLimitDays: 0 },
  ...termsOf(terms),
});

/** `interestValue` is fine and interest together, so that it tells either only where the payment has no other. */
export function partsOf(payment: AsaasPayment, paidInCents: Cents): AmountParts | undefined {
  const { originalValue, interestValue, fine, interest } = payment;
  if (originalValue == null || interestValue == null) return undefined;
  const [hasFine, hasInterest] = [fine, interest].map((term) => (term?.value ?? 0) > 0);
  if (hasFine === hasInterest || originalValue + interestValue !== paidInCents) return undefined;
  const none = cents(0);
  return {
    originalInCents: originalValue,
    rebateInCents: none,
    discountInCents: none,
    fineInCents: hasFine ? interestValue : none,
    interestInCents: hasInterest ? interestValue : none,
  };
}
