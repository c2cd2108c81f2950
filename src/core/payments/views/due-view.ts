import { z } from 'zod';
import { cents, type Cents, centsFromReais, reaisFromCents } from '../../base/money.ts';
import { brasiliaDay } from '../../base/time/brasilia.ts';
import type { CalendarDay } from '../../base/time/calendar-day.ts';
import { amountOf, amountPartsOn } from '../rules/due/amount-due.ts';
import { type Due, dueSchema, termsOf } from '../rules/due/due.ts';
import { adjustedDateOf, lastPayableDayOf } from '../rules/due/due-terms.ts';
import { nextAmountAfter } from '../rules/due/next-amount.ts';
import type { PaidParts } from '../rules/due/paid.ts';

const day = (description: string) => z.iso.date().meta({ description });

export const nextAmountSchema = z.object({
  until: day('The last day of `amountToday`.'),
  amount: z.number().meta({ description: 'What a payer owes on the day after it, in BRL.' }),
});

export const dueViewSchema = dueSchema
  .safeExtend({
    adjustedDate: day('The due date, or the next business day.'),
    lastPayableOn: day('The last day on which it can be paid.'),
    amountToday: z.number().optional().meta({
      description:
        'What a payer owes today, in BRL, while it is pending. An estimate: banks know the holidays of the payer’s city, and round differently. Absent in events.',
    }),
    next: nextAmountSchema.optional().meta({
      description:
        'When `amountToday` changes, and to what; an estimate too. Absent if it stays what it is, and in events.',
    }),
  })
  .meta({ description: 'The terms of a payment with a due date.' });

export type DueView = z.output<typeof dueViewSchema>;

export function dueView(due: Due): DueView {
  const terms = termsOf(due);
  return { ...due, adjustedDate: adjustedDateOf(terms), lastPayableOn: lastPayableDayOf(terms) };
}

/** Adds what is owed on the day of `now`, and next. */
export const withAmountToday = <View extends { amount: number; status: string; due?: DueView | undefined }>(
  view: View,
  now: Date,
): View =>
  view.due && view.status === 'pending'
    ? { ...view, due: { ...view.due, ...amountsFrom(brasiliaDay(now), view.amount, view.due) } }
    : view;

function amountsFrom(today: CalendarDay, amount: number, due: Due): Pick<DueView, 'amountToday' | 'next'> {
  const [original, terms] = [centsFromReais(amount) ?? cents(0), termsOf(due)];
  const next = nextAmountAfter(today, original, terms);
  return {
    amountToday: reaisFromCents(amountOf(amountPartsOn(today, original, terms))),
    ...(next && { next: { until: next.until, amount: reaisFromCents(next.amountInCents) } }),
  };
}

const part = (description: string) => z.number().meta({ description });

export const amountPartsSchema = z
  .object({
    original: part('The amount that the payment was made for.'),
    rebate: part('What the rebate took off.'),
    discount: part('What a discount took off.'),
    fine: part('The fine.'),
    interest: part('The interest.'),
    computed: z.literal(true).optional().meta({
      description: 'Present if the provider did not tell them, so that they were computed from the terms.',
    }),
  })
  .meta({ description: 'What `amountPaid` consists of, in BRL.' });

export type AmountParts = z.output<typeof amountPartsSchema>;

const reais = (amountInCents: number | Cents): number => reaisFromCents(cents(amountInCents));

export const amountPartsView = (parts: PaidParts): AmountParts => ({
  original: reais(parts.originalInCents),
  rebate: reais(parts.rebateInCents),
  discount: reais(parts.discountInCents),
  fine: reais(parts.fineInCents),
  interest: reais(parts.interestInCents),
  ...(parts.isComputed && { computed: true }),
});
