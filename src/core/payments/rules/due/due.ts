import { z } from 'zod';
import { badRequest } from '../../../base/errors.ts';
import { type Cents, cents, centsFromReais } from '../../../base/money.ts';
import { amountSchema, reaisSchema, withKnownMembers } from '../../../base/parsing/parse.ts';
import { breaks, broken, type Problem, problem } from '../../../base/problems/rules.ts';
import { endOfBrasiliaDay } from '../../../base/time/brasilia.ts';
import { type CalendarDay, calendarDayOf } from '../../../base/time/calendar-day.ts';
import { amountOf, amountPartsOn } from './amount-due.ts';
import { adjustedDateOf, type DueTerms, type Share } from './due-terms.ts';

export const daySchema = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
  .refine(
    // PostgreSQL has no year 0, and nobody pays in the next millennium.
    (text) => text.startsWith('2') && calendarDayOf(text) !== undefined,
    breaks('must be a day that exists, YYYY-MM-DD, from 2000 on', broken('date')),
  )
  .transform((text) => text as CalendarDay)
  .meta({ type: 'string', format: 'date' });

const percentSchema = reaisSchema(0.01, 100);

/** Refuses an object that has none of the members, or several. */
export const exactlyOneOf = <Name extends string>(...names: readonly Name[]) =>
  [
    (value: Partial<Record<Name, unknown>>) => names.filter((name) => value[name] !== undefined).length === 1,
    breaks(`must have exactly one of ${names.join(', ')}`, broken('one_of', { choices: names })),
  ] as const;

const share = (whose: string) => ({
  percent: percentSchema
    .optional()
    .meta({ description: `Percent of the amount${whose}, at most two decimals.` }),
  amount: amountSchema.optional().meta({ description: 'Amount in BRL.' }),
});

const businessDaysSchema = z
  .boolean({ error: 'must be true or false' })
  .default(false)
  .meta({ description: 'Whether business days are counted rather than calendar days.' });

export const fineSchema = z
  .strictObject(share(' after the rebate'), withKnownMembers)
  .refine(...exactlyOneOf('percent', 'amount'));

const rebateSchema = z.strictObject(share(''), withKnownMembers).refine(...exactlyOneOf('percent', 'amount'));

export const interestSchema = z
  .strictObject(
    {
      percentPerDay: percentSchema.optional().meta({ description: 'Percent a day.' }),
      percentPerMonth: percentSchema
        .optional()
        .meta({ description: 'Percent a month, which has 30 days, or 21 business days.' }),
      percentPerYear: percentSchema
        .optional()
        .meta({ description: 'Percent a year, which has 365 days, or 252 business days.' }),
      amountPerDay: amountSchema.optional().meta({ description: 'Amount a day, in BRL.' }),
      businessDays: businessDaysSchema,
    },
    withKnownMembers,
  )
  .refine(...exactlyOneOf('percentPerDay', 'percentPerMonth', 'percentPerYear', 'amountPerDay'));

export const discountSchema = z
  .strictObject(
    {
      until: daySchema.meta({ description: 'Last day on which it is taken off.' }),
      ...share(' after the rebate'),
    },
    withKnownMembers,
  )
  .refine(...exactlyOneOf('percent', 'amount'));

export const earlyDiscountSchema = z
  .strictObject(
    {
      percentPerDay: percentSchema.optional().meta({ description: 'Percent for each day.' }),
      amountPerDay: amountSchema.optional().meta({ description: 'Amount for each day, in BRL.' }),
      businessDays: businessDaysSchema,
    },
    withKnownMembers,
  )
  .refine(...exactlyOneOf('percentPerDay', 'amountPerDay'));

const maximumDiscounts = 3;
const maximumPayableDays = 365;
const payableRule = `must be a whole number from 0 to ${maximumPayableDays}`;

interface SizedDiscount {
  percent?: number | undefined;
  amount?: number | undefined;
}

/** One to three discounts. `isLater` compares their days, and `rule` says so. */
export const discountsOf = <Discount extends SizedDiscount>(
  discount: z.ZodType<Discount>,
  member: Exclude<keyof Discount & string, keyof SizedDiscount>,
  { isLater, rule }: { isLater: (day: Discount, before: Discount) => boolean; rule: string },
) =>
  z
    .array(discount, { error: 'must be an array' })
    .min(1, `must have one to ${maximumDiscounts} items`)
    .max(maximumDiscounts, `must have one to ${maximumDiscounts} items`)
    .superRefine((discounts, context) => {
      for (const [index, each] of discounts.entries()) {
        const before = discounts[index - 1];
        if (!before) continue;
        const refuse = (name: string, message: string) => {
          context.addIssue({
            code: 'custom',
            path: [index, name],
            message,
            params: { broken: broken('invalid') },
          });
        };
        const name = each.percent === undefined ? 'amount' : 'percent';
        if (before[name] === undefined)
          refuse(name, 'must not be mixed: give all discounts as percent, or all as amount');
        else if ((each[name] ?? 0) >= before[name]) refuse(name, 'must be less than the discount before it');
        if (!isLater(each, before)) refuse(member, rule);
      }
    });

const discountsSchema = discountsOf(discountSchema, 'until', {
  isLater: ({ until }, before) => until > before.until,
  rule: 'must be after that of the discount before it',
});

/** Refuses two kinds of discounts. */
export function assertOneKindOfDiscount(
  { discounts, earlyDiscount }: { discounts?: unknown; earlyDiscount?: unknown },
  context: z.RefinementCtx,
): void {
  if (!discounts || !earlyDiscount) return;
  context.addIssue({
    code: 'custom',
    path: ['earlyDiscount'],
    message: 'must be left out when discounts are given',
    params: { broken: broken('not_allowed') },
  });
}

export const payableDaysSchema = z
  .number({ error: payableRule })
  .int(payableRule)
  .min(0, payableRule)
  .max(maximumPayableDays, payableRule)
  .meta({ description: 'Days after the due date on which it can still be paid.' });

/** What a caller asks for beside the amount, as it is stored and returned. */
export const dueSchema = z
  .strictObject(
    {
      date: daySchema.meta({
        description: 'Due date, `YYYY-MM-DD`, from today in São Paulo to ten years ahead.',
      }),
      payableDaysAfter: payableDaysSchema.default(30),
      fine: fineSchema.optional().meta({ description: 'Added once from the day after the due date.' }),
      interest: interestSchema
        .optional()
        .meta({ description: 'Added for each day after the due date, simple.' }),
      discounts: discountsSchema.optional().meta({
        description: 'One to three discounts, in the order of their days, each smaller than the one before.',
      }),
      earlyDiscount: earlyDiscountSchema
        .optional()
        .meta({ description: 'Taken off for each day before the due date; not together with `discounts`.' }),
      rebate: rebateSchema.optional().meta({ description: 'Taken off whenever it is paid.' }),
    },
    withKnownMembers,
  )
  .superRefine(({ date, discounts, earlyDiscount }, context) => {
    assertOneKindOfDiscount({ discounts, earlyDiscount }, context);
    for (const [index, { until }] of (discounts ?? []).entries())
      if (until > date)
        context.addIssue({
          code: 'custom',
          path: ['discounts', index, 'until'],
          message: 'must not be after the due date',
          params: { broken: broken('not_after', { other: 'date' }) },
        });
  })
  .meta({
    description:
      'Makes it a charge with a due date, which asks for more or less by the day on which it is paid. Requires `payer.name` and `payer.document`; not together with `expirationMinutes`.',
  });

export type Due = z.output<typeof dueSchema>;

const inCents = (reais: number): Cents => centsFromReais(reais) ?? cents(0);
const basisPoints = (percent: number): number => Number(inCents(percent));

const shareOf = ({
  percent,
  amount,
}: {
  percent?: number | undefined;
  amount?: number | undefined;
}): Share =>
  percent === undefined ? { amountInCents: inCents(amount ?? 0) } : { basisPoints: basisPoints(percent) };

function interestOf(interest: NonNullable<Due['interest']>): NonNullable<DueTerms['interest']> {
  const { businessDays, percentPerDay, percentPerMonth, percentPerYear, amountPerDay = 0 } = interest;
  if (percentPerDay !== undefined)
    return { businessDays, per: 'day', basisPoints: basisPoints(percentPerDay) };
  if (percentPerMonth !== undefined)
    return { businessDays, per: 'month', basisPoints: basisPoints(percentPerMonth) };
  if (percentPerYear !== undefined)
    return { businessDays, per: 'year', basisPoints: basisPoints(percentPerYear) };
  return { businessDays, amountInCentsPerDay: inCents(amountPerDay) };
}

function earlyDiscountOf(
  discount: NonNullable<Due['earlyDiscount']>,
): NonNullable<DueTerms['earlyDiscount']> {
  const { businessDays, percentPerDay, amountPerDay = 0 } = discount;
  return percentPerDay === undefined
    ? { businessDays, amountInCentsPerDay: inCents(amountPerDay) }
    : { businessDays, basisPointsPerDay: basisPoints(percentPerDay) };
}

export const termsOf = (due: Due): DueTerms => ({
  date: due.date,
  payableDaysAfter: due.payableDaysAfter,
  ...(due.rebate && { rebate: shareOf(due.rebate) }),
  ...(due.fine && { fine: shareOf(due.fine) }),
  ...(due.interest && { interest: interestOf(due.interest) }),
  ...(due.discounts && {
    discounts: due.discounts.map(({ until, ...size }) => ({ until, ...shareOf(size) })),
  }),
  ...(due.earlyDiscount && { earlyDiscount: earlyDiscountOf(due.earlyDiscount) }),
});

/** The end of the due date, or of the next business day. */
export const dueUntil = (due: Due): Date => endOfBrasiliaDay(adjustedDateOf(termsOf(due)));

const maximumYears = 10;

const yearsAfter = (day: CalendarDay, years: number): string =>
  String(Number(day.slice(0, 4)) + years).padStart(4, '0') + day.slice(4);

/** Refuses what the terms alone do not show: a date that is past or too far, or discounts that leave nothing to pay. */
export function assertDueFrom(
  today: CalendarDay,
  { due, amountInCents }: { due: Due; amountInCents: Cents },
  name = 'due',
): void {
  const rules: [boolean, string, Problem][] = [
    [
      due.date >= today,
      `${name}.date must not be before today, ${today} in São Paulo`,
      problem(`${name}.date`, 'future'),
    ],
    [
      due.date <= yearsAfter(today, maximumYears),
      `${name}.date must be at most ${maximumYears} years ahead`,
      problem(`${name}.date`, 'max_days', { maximum: 3_652 }),
    ],
    [
      amountOf(amountPartsOn(today, amountInCents, termsOf(due))) >= 1n,
      `${name} must leave at least 0.01 to pay after rebate and discount`,
      problem(name, 'minimum', { minimum: 0.01 }),
    ],
  ];
  const broken = rules.filter(([holds]) => !holds);
  if (broken.length > 0)
    throw badRequest(broken.map(([, message]) => message).join('; '), ...broken.map(([, , each]) => each));
}
