import { z } from 'zod';
import { badRequest } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json/json-object.ts';
import type { Mode } from '../../base/mode.ts';
import {
  allWithoutNulls,
  amountSchema,
  limitParameter,
  parse,
  textSchema,
  withKnownMembers,
  withoutNulls,
} from '../../base/parsing/parse.ts';
import { breaks, broken, problem } from '../../base/problems/rules.ts';
import type { CalendarDay } from '../../base/time/calendar-day.ts';
import { addDays } from '../../base/time/calendar-day.ts';
import { daySchema, dueSchema } from '../../payments/rules/due/due.ts';
import { createPaymentSchema, payerObject } from '../../payments/rules/create-payment-input.ts';
import { firstDayToSend, lastDayToSend } from '../rules/cycle.ts';
import {
  type Authorization,
  authorizations,
  frequencies,
  type Recurrence,
  retryPolicies,
  schedules,
} from '../rules/recurrence.ts';
import { recurrenceViewSchema } from './recurrence-view.ts';

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, {
    error: (issue) => (issue.input === undefined ? 'is required' : `must be one of ${values.join(', ')}`),
  });

/** What a text of the API Pix may have in `contrato` and `objeto`. */
const maximumText = 35;

const requiredText = (maximum: number) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
    .pipe(textSchema(maximum))
    .refine((text) => text.trim() !== '', {
      message: 'must not be empty',
      params: { broken: broken('required') },
    });

const requiredPayer = (mode: Mode) =>
  z.preprocess(
    (value) => value ?? {},
    payerObject(mode).superRefine((payer, context) => {
      for (const name of ['name', 'document'] as const)
        if (!payer[name]?.trim())
          context.addIssue({
            code: 'custom',
            path: [name],
            message: 'is required',
            params: { broken: broken('required') },
          });
    }),
  );

const { expirationMinutes } = createPaymentSchema.shape;

export const firstPaymentSchema = z.object(
  {
    amount: amountSchema.meta({ ...amountSchema.meta(), description: 'Amount in BRL.' }),
    expirationMinutes: expirationMinutes
      .unwrap()
      .optional()
      .meta({ ...expirationMinutes.meta() }),
    due: dueSchema.optional().meta({
      ...dueSchema.meta(),
      description: 'Terms of a payment with a due date; required with `offer`, and only with that.',
    }),
  },
  { error: 'must be a JSON object' },
);

const numberOfBank = (maximum: number) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
    .regex(
      new RegExp(`^[0-9A-Za-z]{1,${maximum}}$`),
      breaks(`must be 1 to ${maximum} digits or letters, without a hyphen`, broken('format')),
    );

/** DadosBancarios of the API Pix. */
export const payerAccountSchema = z.strictObject(
  {
    ispb: z
      .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
      .regex(/^[0-9A-Z]{8}$/, breaks('must be 8 digits or capital letters', broken('format')))
      .meta({ description: 'ISPB of the bank, which has eight digits.' }),
    branch: numberOfBank(4).optional().meta({ description: 'Branch, at most four digits.' }),
    account: numberOfBank(20).meta({ description: 'Account with its check digit, without a hyphen.' }),
  },
  withKnownMembers,
);

const schemaFor = (mode: Mode) =>
  z.object(
    {
      payer: requiredPayer(mode).meta({
        description:
          'Who permits it: `name` and `document` are required; some providers demand the address too.',
      }),
      contract: requiredText(maximumText).meta({
        description: `Your contract, which the payer’s bank shows; at most ${maximumText} characters.`,
      }),
      description: textSchema(maximumText)
        .optional()
        .meta({ description: `What it is for, at most ${maximumText} characters.` }),
      amount: amountSchema.optional().meta({
        ...amountSchema.meta(),
        description: 'Amount of each debit in BRL. Left out, each debit has its own.',
      }),
      minimumAmount: amountSchema.optional().meta({
        ...amountSchema.meta(),
        description: 'The least that the payer’s limit for one debit can be; only without `amount`.',
      }),
      frequency: oneOf(frequencies).meta({ description: 'How often a debit is due.' }),
      startDate: daySchema.meta({ description: 'Day of the first debit, `YYYY-MM-DD`.' }),
      endDate: daySchema.optional().meta({ description: 'Last day on which a debit may be due.' }),
      retries: oneOf(retryPolicies)
        .default('none')
        .meta({ description: 'Whether a failed debit is tried again, on up to three days within seven.' }),
      authorization: oneOf(authorizations).meta({
        description:
          'How the payer permits it: by a QR code (`qr`), by one that also pays a first payment (`qr_with_payment`), by that of a payment with a due date, which can be paid without permitting anything (`offer`), or asked by their bank (`push`).',
      }),
      firstPayment: firstPaymentSchema
        .optional()
        .meta({ description: 'The first payment; required with `qr_with_payment` and `offer`.' }),
      payerAccount: payerAccountSchema
        .optional()
        .meta({ description: 'Where the payer’s bank asks them; required with `push`.' }),
      schedule: oneOf(schedules).optional().meta({
        description:
          '`automatic`: the service makes each debit; `manual`: you ask for it. Automatic by default with `amount`, manual without.',
      }),
      externalId: textSchema(255).optional().meta({ description: 'Your own reference; need not be unique.' }),
      credentialId: textSchema(255)
        .optional()
        .meta({ description: 'Credential to use; any rule set is then ignored.' }),
      ruleSetId: createPaymentSchema.shape.ruleSetId,
    },
    { error: 'must be a JSON object' },
  );

const schemas = { test: schemaFor('test'), live: schemaFor('live') };

/** The request as documented, with the stricter rules for live keys. */
export const createRecurrenceSchema = schemas.live;

export type CreateRecurrenceInput = z.output<typeof createRecurrenceSchema>;

function refuse(
  name: string,
  message: string,
  rule: 'required' | 'not_allowed' | 'future' | 'invalid',
): never {
  throw badRequest(`${name} ${message}`, problem(name, rule));
}

/** Refuses what belongs to another way of permitting, or misses what belongs to this one. */
function assertBelongs({ authorization, firstPayment, payerAccount }: CreateRecurrenceInput): void {
  const wanted: [name: string, given: unknown, authorizations: readonly Authorization[]][] = [
    ['firstPayment', firstPayment, ['qr_with_payment', 'offer']],
    ...(firstPayment
      ? [['firstPayment.due', firstPayment.due, ['offer']] as [string, unknown, ['offer']]]
      : []),
    ['payerAccount', payerAccount, ['push']],
  ];
  for (const [name, given, ways] of wanted) {
    const isWanted = ways.includes(authorization);
    if (isWanted && given === undefined)
      refuse(name, `is required with authorization ${authorization}`, 'required');
    if (!isWanted && given !== undefined)
      refuse(name, `must be left out with authorization ${authorization}`, 'not_allowed');
  }
  if (firstPayment?.due && firstPayment.expirationMinutes !== undefined)
    refuse('firstPayment.expirationMinutes', 'must be left out when due is given', 'not_allowed');
}

/** Fails with `invalid_request`, naming every violation of a member and then the first of several. */
export function parseCreateRecurrence(mode: Mode, body: unknown): CreateRecurrenceInput {
  if (!isJsonObject(body)) throw badRequest('body must be a JSON object');
  const input = parse(schemas[mode], allWithoutNulls(body));
  const { amount, minimumAmount, schedule, startDate, endDate } = input;
  if (amount !== undefined && minimumAmount !== undefined)
    refuse('minimumAmount', 'must be left out when amount is given', 'not_allowed');
  if (amount === undefined && schedule === 'automatic')
    refuse('schedule', 'must be manual without amount: the service cannot know what to debit', 'invalid');
  assertBelongs(input);
  if (endDate !== undefined && endDate < startDate)
    refuse('endDate', 'must not be before startDate', 'invalid');
  return input;
}

const maximumDaysAhead = 3_653;

/** Fails if the first debit could not be made any more, or is years away. */
export function assertStartsFrom(
  today: CalendarDay,
  { startDate }: Pick<CreateRecurrenceInput, 'startDate'>,
): void {
  if (lastDayToSend(startDate) < today)
    throw badRequest(
      'startDate must leave two business days: payers’ banks need them for a debit',
      problem('startDate', 'future'),
    );
  if (startDate > addDays(today, maximumDaysAhead))
    throw badRequest(
      'startDate must be at most ten years ahead',
      problem('startDate', 'max_days', { maximum: maximumDaysAhead }),
    );
}

export const chargeRecurrenceSchema = z.object(
  {
    amount: amountSchema.optional().meta({
      ...amountSchema.meta(),
      description: 'Amount in BRL; required where each debit has its own, and left out otherwise.',
    }),
    dueDate: daySchema.meta({
      description: 'Day of the debit, two business days to ten days ahead.',
    }),
    description: textSchema(140)
      .optional()
      .meta({ description: 'Description of the debit, at most 140 characters.' }),
    externalId: textSchema(255).optional().meta({ description: 'Your own reference; need not be unique.' }),
  },
  { error: 'must be a JSON object' },
);

export type ChargeRecurrenceInput = z.output<typeof chargeRecurrenceSchema>;

/** Fails with `invalid_request`, also for a day on which the recurrence allows no debit or that is too near or too far. */
export function parseChargeRecurrence(
  body: unknown,
  recurrence: Recurrence,
  today: CalendarDay,
): ChargeRecurrenceInput {
  const input = parse(chargeRecurrenceSchema, withoutNulls(body));
  const { amount, dueDate } = input;
  const { amountInCents, startDate, endDate } = recurrence;
  if (amountInCents === null && amount === undefined)
    refuse('amount', 'is required: each debit has its own', 'required');
  if (amountInCents !== null && amount !== undefined)
    refuse('amount', 'must be left out: the recurrence has a fixed amount', 'not_allowed');
  if (dueDate < startDate)
    refuse('dueDate', `must not be before ${startDate}, the start of the recurrence`, 'invalid');
  if (endDate !== null && dueDate > endDate)
    refuse('dueDate', `must not be after ${endDate}, its end`, 'invalid');
  if (lastDayToSend(dueDate) < today) refuse('dueDate', 'must leave two business days', 'future');
  if (firstDayToSend(dueDate) > today) refuse('dueDate', 'must be at most ten days ahead', 'invalid');
  return input;
}

export const listRecurrencesSchema = z.object({
  status: recurrenceViewSchema.shape.status.optional(),
  limit: limitParameter(100, 20),
  cursor: z
    .string({ error: 'must be given once' })
    .optional()
    .meta({ description: '`nextCursor` of the previous page.' }),
});

/** The payments of one. */
export const listDebitsSchema = listRecurrencesSchema.omit({ status: true });

export const recurrencePageSchema = z.object({
  data: z.array(recurrenceViewSchema),
  nextCursor: z.string().optional().meta({ description: 'Cursor of the next page; absent on the last one.' }),
});

export type RecurrencePage = z.output<typeof recurrencePageSchema>;
