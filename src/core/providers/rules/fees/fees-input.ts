import { z } from 'zod';
import {
  limitSchema,
  numberSchema,
  parse,
  withKnownMembers,
  withoutNulls,
} from '../../../base/parsing/parse.ts';
import { breaks, broken } from '../../../base/problems/rules.ts';
import { type FeeTerms, termsOf } from './fees.ts';

const feesSchema = z
  .strictObject(
    {
      percent: numberSchema(0, 100)
        .refine(
          (percent) => Math.round(percent * 10_000) / 10_000 === percent,
          breaks('must have at most four decimals', broken('decimals', { maximum: 4 })),
        )
        .optional(),
      fixed: limitSchema.optional(),
      minimum: limitSchema.optional(),
      maximum: limitSchema.optional(),
    },
    withKnownMembers,
  )
  .superRefine(({ percent, fixed, minimum, maximum }, context) => {
    const refuse = (path: string, message: string, rule: ReturnType<typeof broken>) => {
      context.addIssue({ code: 'custom', path: [path], message, params: { broken: rule } });
    };
    if (percent === undefined && fixed === undefined)
      refuse(
        'percent',
        'is required unless fixed is given; 0 means that nothing is charged',
        broken('required'),
      );
    if (minimum !== undefined && maximum !== undefined && minimum > maximum)
      refuse('minimum', `must be at most maximum, ${maximum}`, broken('maximum', { maximum }));
  });

/** Null for null: nobody says what it costs. Fails with `invalid_request`, naming every violation. */
export function parseFees(input: unknown): FeeTerms | null {
  if (input === null || input === undefined) return null;
  const names = Object.fromEntries(Object.keys(feesSchema.shape).map((name) => [name, `fees.${name}`]));
  const fees = parse(feesSchema, withoutNulls(input), { ...names, body: 'fees' });
  const { percent = 0, fixed = 0, minimum = null, maximum = null } = fees;
  return termsOf({ percent, fixed, minimum, maximum });
}
