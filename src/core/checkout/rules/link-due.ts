import { z } from 'zod';
import { withKnownMembers } from '../../base/parsing/parse.ts';
import { broken } from '../../base/problems/rules.ts';
import { addDays, type CalendarDay } from '../../base/time/calendar-day.ts';
import {
  assertOneKindOfDiscount,
  discountSchema,
  discountsOf,
  type Due,
  dueSchema,
  exactlyOneOf,
  payableDaysSchema,
} from '../../payments/rules/due/due.ts';

/** The terms of a payment with a due date are at most ten years ahead. */
const maximumDays = 3_650;
const daysRule = `must be a whole number from 0 to ${maximumDays}`;

const daysSchema = z.number({ error: daysRule }).int(daysRule).min(0, daysRule).max(maximumDays, daysRule);

const { percent, amount } = discountSchema.shape;

export const linkDiscountSchema = z
  .strictObject(
    {
      daysBefore: daysSchema.meta({
        description: 'Its last day, in days before the due date: 0 is the due date itself.',
      }),
      percent,
      amount,
    },
    withKnownMembers,
  )
  .refine(...exactlyOneOf('percent', 'amount'));

const { fine, interest, earlyDiscount, rebate } = dueSchema.shape;

const discountsSchema = discountsOf(linkDiscountSchema, 'daysBefore', {
  isLater: ({ daysBefore }, before) => daysBefore < before.daysBefore,
  rule: 'must be less than that of the discount before it',
});

/** A link is used on any day, so its terms name days by their distance. */
export const linkDueShape = {
  dueInDays: daysSchema.optional().meta({
    description:
      'Makes each payment one with a due date, so many days after it is made, counted in São Paulo. The page asks for the payer’s name and document.',
  }),
  payableDaysAfter: payableDaysSchema.optional().meta({
    description: 'Days after the due date on which each payment can still be paid; 30 unless given.',
  }),
  fine,
  interest,
  discounts: discountsSchema.optional().meta({
    description: 'One to three discounts, in the order of their days, each smaller than the one before.',
  }),
  earlyDiscount,
  rebate,
};

const linkDueSchema = z.object(linkDueShape);

type LinkDueMembers = z.output<typeof linkDueSchema>;

/** The form in which it is stored and returned. */
export type LinkDue = LinkDueMembers & { dueInDays: number; payableDaysAfter: number };

const terms = ['payableDaysAfter', 'fine', 'interest', 'discounts', 'earlyDiscount', 'rebate'] as const;

export function assertLinkDue(link: LinkDueMembers, context: z.RefinementCtx): void {
  const { dueInDays, discounts } = link;
  const refuse = (path: (string | number)[], message: string, params: { broken: object }) => {
    context.addIssue({ code: 'custom', path, message, params });
  };
  assertOneKindOfDiscount(link, context);
  if (dueInDays === undefined)
    for (const term of terms)
      if (link[term] !== undefined)
        refuse([term], 'must be left out without dueInDays', { broken: broken('not_allowed') });
  for (const [index, { daysBefore }] of (discounts ?? []).entries())
    if (dueInDays !== undefined && daysBefore > dueInDays)
      refuse(['discounts', index, 'daysBefore'], 'must be at most dueInDays', {
        broken: broken('maximum', { maximum: dueInDays }),
      });
}

/** Null where payments have no due date. */
export function linkDueOf(link: LinkDueMembers): LinkDue | null {
  const { dueInDays, payableDaysAfter = 30 } = link;
  if (dueInDays === undefined) return null;
  const given = terms.map((term) => [term, link[term]] as const).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), dueInDays, payableDaysAfter };
}

/** The due date of a payment that is made on a day. */
export function dueOfLink({ dueInDays, discounts, ...due }: LinkDue, madeOn: CalendarDay): Due {
  const date = addDays(madeOn, dueInDays);
  return {
    ...due,
    date,
    ...(discounts && {
      discounts: discounts.map(({ daysBefore, ...size }) => ({ until: addDays(date, -daysBefore), ...size })),
    }),
  };
}
