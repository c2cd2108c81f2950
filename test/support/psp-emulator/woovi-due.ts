import { z } from 'zod';
import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import {
  daysLater,
  type DueTerms,
  type Parts,
  partsOn,
  type Share,
  type Ways,
} from '../due/second-reckoning.ts';
import { endOf, isDay, lastDueDate } from './due.ts';
import type { EmulatedCharge } from './ledger.ts';
import type { WooviSwitch } from './woovi-wire.ts';

/**
 * Sources, at woovibr/woovi-developers bb0dddf6: ChargePayload of src/swaggers/woovi.json, which is the contract;
 * src/components/ChargeDiscountSimulator/simulate.ts, a copy of the reckoning at Woovi; docs/charge.
 */

const ofType = z.object({ value: z.int().nonnegative(), type: z.enum(['FIXED', 'PERCENTAGE']).optional() });

const fixedDates = ['FIXED_VALUE_UNTIL_SPECIFIED_DATE', 'PERCENTAGE_UNTIL_SPECIFIED_DATE'] as const;
const advances = [
  'VALUE_PER_RUNNING_DAY_ADVANCE',
  'VALUE_PER_BUSINESS_DAY_ADVANCE',
  'PERCENTAGE_PER_RUNNING_DAY_ADVANCE',
  'PERCENTAGE_PER_BUSINESS_DAY_ADVANCE',
] as const;

const discount = z.discriminatedUnion('modality', [
  z.object({
    modality: z.enum(fixedDates),
    discountFixedDate: z
      .array(z.object({ daysActive: z.int().positive(), value: z.int().nonnegative() }))
      .min(1),
  }),
  z.object({ modality: z.enum(advances), value: z.int().positive() }),
]);

/** Those that only charges of type OVERDUE heed. */
export const dueMembers = {
  /** ISO 8601. */
  dueDate: z
    .string()
    .refine((text) => !Number.isNaN(Date.parse(text)))
    .optional(),
  daysForDueDate: z.int().positive().max(3_650).optional(),
  daysAfterDueDate: z.int().nonnegative().optional(),
  interests: ofType.optional(),
  fines: ofType.optional(),
  discountSettings: discount.optional(),
};

const dueRules = z.object(dueMembers);

export type DueRules = z.output<typeof dueRules>;

/** All but the complement and the country (docs/charge, "cobrança com descontos"; woovibr/n8n-nodes-woovi). */
export const address = z.object({
  zipcode: z.string().min(1),
  street: z.string().min(1),
  number: z.union([z.string().min(1), z.int()]),
  neighborhood: z.string().min(1),
  city: z.string().min(1),
  state: z.string().min(1),
  complement: z.string().optional(),
  country: z.string().optional(),
});

type Has = (name: WooviSwitch) => boolean;

export const dayOf = (moment: string): string => (isDay(moment) ? moment : brasiliaDay(new Date(moment)));

/** The example of docs/charge is due after 7 days; nothing says for how long a charge can be paid: 30 days, as the standard has it. */
const usual = { daysForDueDate: 7, daysAfterDueDate: 30 };

export const dueDateOf = (
  { dueDate, daysForDueDate = usual.daysForDueDate }: DueRules,
  createdOn: string,
): string => (dueDate === undefined ? daysLater(createdOn, daysForDueDate) : dayOf(dueDate));

export const isPossible = (date: string, createdOn: string): boolean =>
  date >= createdOn && date <= lastDueDate;

const earlier = (one: string, other: string): string => (one < other ? one : other);

/**
 * A discount is for payments before the due date, and the largest of those that are still valid counts, so none is smaller here
 * than one that is valid for longer.
 */
function discountsOf(settings: DueRules['discountSettings'], date: string, createdOn: string) {
  if (!settings) return {};
  if ('value' in settings) {
    const businessDays = settings.modality.includes('BUSINESS');
    const isPercent = settings.modality.startsWith('PERCENTAGE');
    return {
      earlyDiscount: isPercent
        ? { businessDays, basisPointsPerDay: settings.value }
        : { businessDays, amountInCentsPerDay: BigInt(settings.value) },
    };
  }
  const isPercent = settings.modality === 'PERCENTAGE_UNTIL_SPECIFIED_DATE';
  const all = settings.discountFixedDate;
  return {
    discounts: all.map(({ daysActive }) => {
      const value = Math.max(
        ...all.filter((each) => each.daysActive >= daysActive).map((each) => each.value),
      );
      const until = earlier(daysLater(createdOn, daysActive), daysLater(date, -1));
      return { until, ...shareOf({ value, type: isPercent ? 'PERCENTAGE' : 'FIXED' }) };
    }),
  };
}

/** Basis points where nothing is said. */
const shareOf = ({ value, type }: z.output<typeof ofType>): Share =>
  type === 'FIXED' ? { amountInCents: BigInt(value) } : { basisPoints: value };

/** Interest is basis points a day, or centavos. */
function interestOf({ value, type }: z.output<typeof ofType>): DueTerms['interest'] {
  if (type === 'FIXED') return { businessDays: false, amountInCentsPerDay: BigInt(value) };
  return { businessDays: false, basisPoints: value, per: 'day' };
}

/** `stripTime` of the simulator takes the day of UTC, which may be that of the browser alone. */
const countedFrom = (createdAt: Date, has: Has): string =>
  has('utcDays') ? createdAt.toISOString().slice(0, 10) : brasiliaDay(createdAt);

export function termsOf(rules: DueRules, createdAt: Date, has: Has): DueTerms {
  const { daysAfterDueDate, interests, fines, discountSettings } = rules;
  const date = dueDateOf(rules, brasiliaDay(createdAt));
  return {
    date,
    payableDaysAfter: daysAfterDueDate ?? usual.daysAfterDueDate,
    ...(fines && { fine: shareOf(fines) }),
    ...(interests && { interest: interestOf(interests) }),
    ...discountsOf(discountSettings, date, countedFrom(createdAt, has)),
  };
}

/** The contract knows no business days but in two discounts. */
export const waysOf = (has: Has): Ways => ({
  dueDateStays: !has('extendsWeekends'),
  validityStays: !has('extendsWeekends'),
  dropsFractions: has('monthlyInterest'),
});

export function wooviPartsOn(charge: EmulatedCharge, terms: DueTerms, day: string, has: Has): Parts {
  const { interest } = terms;
  const isMonthly = has('monthlyInterest') && interest !== undefined && 'basisPoints' in interest;
  const reckoned: DueTerms = isMonthly ? { ...terms, interest: { ...interest, per: 'month' } } : terms;
  return partsOn(day, charge.amountInCents, reckoned, waysOf(has));
}

/** What a charge of type OVERDUE shows besides; its `expiresDate` is the end of the day on which it is due. */
export function printedDue({ due, createdAt, details }: EmulatedCharge, has: Has): object {
  if (!due) return {};
  const { interests, fines, discountSettings } = details['rules'] as DueRules;
  const end = endOf(due.date);
  return {
    type: 'OVERDUE',
    dueDate: end.toISOString(),
    expiresDate: end.toISOString(),
    expiresIn: Math.round((end.getTime() - createdAt.getTime()) / 1000),
    ...((interests ?? fines) && {
      interestsSettings: { ...(fines && { fines }), ...(interests && { interests }) },
    }),
    ...(discountSettings && { discountSettings: withDates(discountSettings, countedFrom(createdAt, has)) }),
  };
}

const withDates = (settings: NonNullable<DueRules['discountSettings']>, createdOn: string): object =>
  'value' in settings
    ? settings
    : {
        ...settings,
        discountFixedDate: settings.discountFixedDate.map((each) => ({
          ...each,
          data: daysLater(createdOn, each.daysActive),
        })),
      };
