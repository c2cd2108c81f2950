import { z } from 'zod';
import { badRequest } from '../../base/errors.ts';
import { firstIdAt, isUuid } from '../../base/ids.ts';
import { daySchema } from '../rules/due/due.ts';
import { paymentConcerns, paymentSorts, publicStatuses, sortOrders } from '../rules/payment.ts';
import { type Cents, centsFromReais, maximumAmountInReais } from '../../base/money.ts';
import { breaks, broken, problem } from '../../base/problems/rules.ts';
import { isAtMost, isStorableText } from '../../base/text.ts';
import { readQuestion } from '../rules/search/question.ts';
import { parseSoughtPayer, type SoughtPayer } from '../rules/search/sought-payer.ts';
import type { PaymentFilter } from '../store/payment-filter.ts';
import type { ListOrder } from '../store/payment-lists.ts';
import {
  type FieldNames,
  instantSchema,
  limitParameter,
  numberParameter,
  parse,
  withoutNulls,
} from '../../base/parsing/parse.ts';
import { decodePlace } from './payment-cursor.ts';
import { paymentViewSchema } from './payment-view.ts';

const maximumLimit = 100;
const defaultLimit = 20;

/** Copy-and-paste codes have up to 512 characters. */
const maximumSearchLength = 600;

const maximumPayerLength = 254;

const amountRule = 'must be an amount in BRL with at most two decimals';
const amountSchema = numberParameter(
  z
    .number({ error: amountRule })
    .min(0, amountRule)
    .max(maximumAmountInReais, amountRule)
    .refine((value) => centsFromReais(value) !== undefined, amountRule),
);

/** An empty value is usually a variable that a program forgot to set. */
const exactValue = z
  .string({ error: 'must be given once' })
  .refine((text) => text !== '', breaks('must not be empty', broken('required')))
  .refine(isStorableText, breaks('must be valid Unicode without NUL', broken('unicode')));

const trueOrFalse = z
  .preprocess(
    (value) => (value === 'true' ? true : value === 'false' ? false : value),
    z.boolean({ error: 'must be true or false' }),
  )
  .optional();

export const listPaymentsSchema = z.object({
  status: z
    .enum(publicStatuses, { error: `must be one of ${publicStatuses.join(', ')}` })
    .optional()
    .meta({ description: 'Current status.' }),
  externalId: exactValue.optional().meta({ description: 'Your own reference, matched exactly.' }),
  concern: z
    .enum(paymentConcerns, { error: `must be one of ${paymentConcerns.join(', ')}` })
    .optional()
    .meta({
      description:
        'Received more than one Pix, or one of another amount (`duplicated`), was paid after it ended (`paid_late`), or with an amount that the terms of its due date do not ask for (`amount_differs`), and nothing has been refunded yet; or has an open dispute (`disputed`).',
    }),
  search: z
    .string({ error: 'must be given once' })
    .trim()
    .refine(
      (text) => text.length > 0 && isStorableText(text) && isAtMost(text, maximumSearchLength),
      `must be 1 to ${maximumSearchLength} characters`,
    )
    .optional()
    .meta({
      description:
        "Id, reference or the beginning of one of its parts, transaction or end-to-end id, copy-and-paste code or its URL, amount, or the beginnings of words of the payer's name, of their document, e-mail address or phone number. Beside other words, an amount with decimals (`19,90`), a day (`hoje`, `ontem`, `25/11`) and an hour (`15h`, `15:30`) of São Paulo are those of the payment, created or paid then; text with quotation marks means itself. A page may have fewer items than `limit` although more follow.",
    }),
  payer: z
    .string({ error: 'must be given once' })
    .trim()
    .refine(
      (text) =>
        isStorableText(text) && isAtMost(text, maximumPayerLength) && parseSoughtPayer(text) !== undefined,
      'must be a document, an e-mail address, a phone number or words of a name',
    )
    .optional()
    .meta({
      description:
        "The payer's document, e-mail address or phone number, complete, or the beginnings of words of their name. A page may have fewer items than `limit` although more follow.",
    }),
  provider: exactValue.optional().meta({ description: 'Provider of the charge, such as `sandbox`.' }),
  credentialId: z
    .string({ error: 'must be given once' })
    .refine(isUuid, 'must be the id of a credential')
    .optional()
    .meta({ description: 'Credential of the charge.' }),
  amountFrom: amountSchema.optional().meta({
    description: 'Smallest `amount` in BRL, the original one of a payment with a due date.',
  }),
  amountTo: amountSchema
    .optional()
    .meta({ description: 'Greatest `amount` in BRL, the original one of a payment with a due date.' }),
  dueFrom: daySchema.optional().meta({ description: 'Due on this day or later.' }),
  dueTo: daySchema.optional().meta({ description: 'Due on this day or earlier.' }),
  overdue: trueOrFalse.meta({ type: 'boolean', description: 'Whether it is pending after its due date.' }),
  refunded: trueOrFalse.meta({
    type: 'boolean',
    description: 'Whether anything of it was refunded, whole or in part: `amountRefunded`.',
  }),
  createdFrom: instantSchema.optional().meta({ description: 'Created at or after this instant.' }),
  createdTo: instantSchema.optional().meta({ description: 'Created before this instant.' }),
  paidFrom: instantSchema.optional().meta({ description: 'Paid at or after this instant.' }),
  paidTo: instantSchema.optional().meta({ description: 'Paid before this instant.' }),
  sort: z
    .enum(paymentSorts, { error: `must be one of ${paymentSorts.join(', ')}` })
    .default('created')
    .meta({
      description:
        'What the list is in the order of: creation, amount, or payment, which has only payments that were paid, or due date, which has only those with one. With `search` or `payer`, creation alone.',
    }),
  order: z
    .enum(sortOrders, { error: `must be one of ${sortOrders.join(', ')}` })
    .default('desc')
    .meta({ description: 'Newest and greatest first (`desc`), or oldest and smallest (`asc`).' }),
  limit: limitParameter(maximumLimit, defaultLimit),
  cursor: z
    .string({ error: 'must be given once' })
    .optional()
    .meta({ description: '`nextCursor` of the previous page.' }),
});

export const paymentPageSchema = z.object({
  data: z.array(paymentViewSchema),
  nextCursor: z.string().optional().meta({ description: 'Cursor of the next page; absent on the last one.' }),
});

export type PaymentPage = z.output<typeof paymentPageSchema>;

export interface PaymentList {
  filter: PaymentFilter;
  order: ListOrder;
  /** Searches payments that pass the filter. */
  search?: string;
  payer?: SoughtPayer;
  limit: number;
}

/** Whether it reads more rows than it returns, and therefore counts as a report. */
export const comparesRows = ({ search, payer, order, filter }: PaymentList): boolean => {
  const { provider, credentialId, amountFrom, amountTo, dueFrom, dueTo, paid, happened } = filter;
  const values = [provider, credentialId, amountFrom, amountTo, dueFrom, dueTo, paid, happened];
  const compared = [search, payer, ...values];
  return order.sort !== 'created' || compared.some((each) => each !== undefined);
};

/** Searches always walk back from the newest payment. */
function assertSearchedInOrder({ sort, order }: ListOrder, names: FieldNames): void {
  const field = sort === 'created' ? 'order' : 'sort';
  if (field === 'order' && order === 'desc') return;
  const name = names[field] ?? field;
  throw badRequest(
    `${name} must be left out with search or payer: they list the newest first`,
    problem(name, 'not_allowed'),
  );
}

/** PostgreSQL has no year 0, and nothing was paid before 1970. */
const instantOf = (text: string): Date => new Date(Math.max(0, Date.parse(text)));

const timeOf = (from: string | undefined, to: string | undefined) => ({
  ...(from !== undefined && { from: instantOf(from) }),
  ...(to !== undefined && { to: instantOf(to) }),
});

const earlierOf = (a: Date | undefined, b: Date | undefined): Date | undefined =>
  a && b && b < a ? b : (a ?? b);

/** An amount that is searched for has to be within the bounds as well. */
function boundsOf(from: Cents | undefined, to: Cents | undefined, exactly: Cents | undefined) {
  const amountFrom = exactly !== undefined && (from === undefined || from < exactly) ? exactly : from;
  const amountTo = exactly !== undefined && (to === undefined || to > exactly) ? exactly : to;
  return {
    ...(amountFrom !== undefined && { amountFrom }),
    ...(amountTo !== undefined && { amountTo }),
  };
}

export function parseListPayments(query: unknown, names: FieldNames, now: Date): PaymentList {
  const wanted = parse(listPaymentsSchema, withoutNulls(query), names);
  const { status, externalId, concern, payer, provider, credentialId, amountFrom, amountTo } = wanted;
  const { dueFrom, dueTo, overdue, refunded, createdFrom, createdTo, paidFrom, paidTo } = wanted;
  const { sort, order, limit, cursor } = wanted;
  const { search, amountInCents, time } = wanted.search === undefined ? {} : readQuestion(wanted.search, now);
  const from = amountFrom === undefined ? undefined : centsFromReais(amountFrom);
  const to = amountTo === undefined ? undefined : centsFromReais(amountTo);
  // What was created later was not paid before.
  const until = earlierOf(createdTo ? new Date(createdTo) : undefined, time?.to);
  const soughtPayer = payer === undefined ? undefined : parseSoughtPayer(payer);
  if (wanted.search !== undefined || soughtPayer) assertSearchedInOrder({ sort, order }, names);
  const name = names['cursor'] ?? 'cursor';
  return {
    filter: {
      ...(status && { status }),
      ...(externalId !== undefined && { externalId }),
      ...(concern && { concern }),
      ...(provider !== undefined && { provider }),
      ...(credentialId !== undefined && { credentialId }),
      ...boundsOf(from, to, amountInCents),
      ...(dueFrom !== undefined && { dueFrom }),
      ...(dueTo !== undefined && { dueTo }),
      ...(overdue !== undefined && { overdue }),
      ...(refunded !== undefined && { refunded }),
      ...((paidFrom ?? paidTo) && { paid: timeOf(paidFrom, paidTo) }),
      ...(time && { happened: time }),
      ...(createdFrom && { fromId: firstIdAt(new Date(createdFrom)) }),
      ...(until && { toId: firstIdAt(until) }),
    },
    order: {
      sort,
      order,
      ...(cursor !== undefined && { after: decodePlace(cursor, { sort, order }, name) }),
    },
    ...(search !== undefined && { search }),
    ...(soughtPayer && { payer: soughtPayer }),
    limit,
  };
}
