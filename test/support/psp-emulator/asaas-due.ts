import { z } from 'zod';
import { type Cents, cents, centsFromReais, reaisFromCents } from '../../../src/core/base/money.ts';
import { daysLater, type DueTerms, type Share } from '../due/second-reckoning.ts';
import { isDay, lastDueDate } from './due.ts';
import type { EmulatedCharge } from './ledger.ts';

/**
 * PaymentDiscountDTO, PaymentInterestRequestDTO and PaymentFineRequestDTO of the public OpenAPI document ("Criar nova
 * cobrança"): `interest` is percent a month, a discount ends `dueDateLimitDays` before the due date, 0 is on it.
 */
export const dueMembers = {
  dueDate: z.string().refine((text) => isDay(text) && text <= lastDueDate),
  discount: z
    .object({
      value: z.number().nonnegative(),
      dueDateLimitDays: z.int().nonnegative().default(0),
      type: z.enum(['FIXED', 'PERCENTAGE']).default('FIXED'),
    })
    .optional(),
  interest: z.object({ value: z.number().nonnegative() }).optional(),
  fine: z
    .object({ value: z.number().nonnegative(), type: z.enum(['FIXED', 'PERCENTAGE']).default('PERCENTAGE') })
    .optional(),
};

const dueRules = z.object(dueMembers);

export type DueRules = z.output<typeof dueRules>;

const basisPointsOf = (percent: number): number => Math.round(percent * 100);

const shareOf = ({ value, type }: { value: number; type: 'FIXED' | 'PERCENTAGE' }): Share =>
  type === 'FIXED' ? { amountInCents: centsFromReais(value) ?? 0n } : { basisPoints: basisPointsOf(value) };

/** The last day of the discount, null without one. */
const limitDateOf = ({ dueDate, discount }: DueRules): string | null =>
  discount?.value ? daysLater(dueDate, -discount.dueDateLimitDays) : null;

/** Undefined where the amount is the same on every day. */
export function termsOf(rules: DueRules): DueTerms | undefined {
  const { dueDate: date, discount, interest, fine } = rules;
  const until = limitDateOf(rules);
  if (!until && !interest?.value && !fine?.value) return undefined;
  return {
    date,
    // For Pix the code alone ends, twelve months later: "Cancelamento do registro do boleto após vencimento".
    payableDaysAfter: 365,
    ...(discount && until && { discounts: [{ until, ...shareOf(discount) }] }),
    ...(interest?.value && {
      interest: { businessDays: false, basisPoints: basisPointsOf(interest.value), per: 'month' as const },
    }),
    ...(fine?.value && { fine: shareOf(fine) }),
  };
}

/** As a payment shows them, zeros where there are none (bodies of notifications in public repositories). */
export const printedRules = ({ details }: EmulatedCharge) => {
  const rules = (details['rules'] ?? {}) as Partial<DueRules>;
  const { dueDate = '', discount, interest, fine } = rules;
  return {
    discount: {
      value: discount?.value ?? 0,
      limitDate: limitDateOf({ ...rules, dueDate }),
      dueDateLimitDays: discount?.dueDateLimitDays ?? 0,
      type: discount?.type ?? 'FIXED',
    },
    fine: { value: fine?.value ?? 0, type: fine?.type ?? 'FIXED' },
    interest: { value: interest?.value ?? 0, type: 'PERCENTAGE' },
  };
};

/**
 * `interestValue` is what is added after the due date, fine and interest together, and `originalValue` is filled when some was
 * paid (PaymentGetResponseDTO).
 */
export function lateValues({ pix: [pix], amountInCents }: EmulatedCharge, owedToday: Cents) {
  const added = pix
    ? (pix.parts?.fineInCents ?? 0n) + (pix.parts?.interestInCents ?? 0n)
    : owedToday - amountInCents;
  return {
    originalValue: pix && added > 0n ? reaisFromCents(amountInCents) : null,
    interestValue: added > 0n ? reaisFromCents(cents(added)) : null,
  };
}
