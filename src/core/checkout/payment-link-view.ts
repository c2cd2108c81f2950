import { z } from 'zod';
import type { Mode } from '../base/mode.ts';
import { cents, centsFromReais, reaisFromCents } from '../base/money.ts';
import { breaks, broken } from '../base/problems/rules.ts';
import { folded } from '../payments/rules/search/search-terms.ts';
import { isAtMost, isStorableText } from '../base/text.ts';
import type { StoredLink } from './store/payment-links.ts';
import { assertLinkDue, linkDueShape } from './rules/link-due.ts';
import { returnUrlSchema } from './rules/return-url.ts';
import {
  allWithoutNulls,
  instantSchema,
  parse,
  withKnownMembers,
  textSchema,
} from '../base/parsing/parse.ts';
import { createPaymentSchema } from '../payments/rules/create-payment-input.ts';
import { listPaymentsSchema } from '../payments/views/list-payments-input.ts';

export const linkStatuses = ['active', 'used', 'expired', 'deactivated'] as const;

export type LinkStatus = (typeof linkStatuses)[number];

const { amount, credentialId, ruleSetId } = createPaymentSchema.shape;

const schemaFor = (mode: Mode) =>
  z
    .strictObject(
      {
        amount: amount.optional().meta({
          ...amount.meta(),
          description: 'Amount in BRL of each payment. Without it the payer chooses.',
        }),
        minimumAmount: amount
          .optional()
          .meta({ ...amount.meta(), description: 'Smallest amount that the payer may choose, in BRL.' }),
        maximumAmount: amount
          .optional()
          .meta({ ...amount.meta(), description: 'Greatest amount that the payer may choose, in BRL.' }),
        description: textSchema(500)
          .optional()
          .meta({ description: 'What is paid for, at most 500 characters; shown to payers.' }),
        singleUse: z.boolean({ error: 'must be true or false' }).default(false).meta({
          description: 'Whether the link ends with the first payment that is paid. Defaults to false.',
        }),
        expiresAt: instantSchema
          .optional()
          .meta({ format: 'date-time', description: 'When the link ends; in the future. Never without it.' }),
        returnUrl: returnUrlSchema(mode).optional(),
        credentialId,
        ruleSetId,
        ...linkDueShape,
      },
      withKnownMembers,
    )
    .superRefine((link, context) => {
      const refuse = (path: string, message: string, rule: ReturnType<typeof broken>) => {
        context.addIssue({ code: 'custom', path: [path], message, params: breaks(message, rule).params });
      };
      for (const bound of ['minimumAmount', 'maximumAmount'] as const) {
        if (link.amount !== undefined && link[bound] !== undefined)
          refuse(bound, 'must be left out when amount is given', broken('not_allowed'));
      }
      const { minimumAmount: from, maximumAmount: to } = link;
      if (from !== undefined && to !== undefined && to < from)
        refuse('maximumAmount', 'must be at least minimumAmount', broken('minimum', { minimum: from }));
      assertLinkDue(link, context);
    });

const createLinkSchemas = { test: schemaFor('test'), live: schemaFor('live') };

/** The documentation shows this one. */
export const createLinkSchema = createLinkSchemas.live;

/** Fails with `invalid_request`, naming every violation. */
export const parseCreateLink = (mode: Mode, body: unknown) =>
  parse(createLinkSchemas[mode], allWithoutNulls(body));

const instant = (description: string) => z.iso.datetime().meta({ description });

export const paymentLinkSchema = z.object({
  id: z.uuid().meta({ description: 'Unique id of the link.' }),
  url: z.url().meta({ description: 'Address to give to payers.' }),
  status: z.enum(linkStatuses).meta({
    description: '`active` while payments can be made; `used` when it was for a single one and that is paid.',
  }),
  amount: z.number().optional().meta({ description: 'Amount in BRL; absent where the payer chooses.' }),
  minimumAmount: z
    .number()
    .optional()
    .meta({ description: 'Smallest amount that the payer may choose, in BRL.' }),
  maximumAmount: z
    .number()
    .optional()
    .meta({ description: 'Greatest amount that the payer may choose, in BRL.' }),
  currency: z.literal('BRL').meta({ description: 'Currency.' }),
  description: z.string().optional().meta({ description: 'What is paid for.' }),
  singleUse: z.boolean().meta({ description: 'Whether the link ends with the first payment that is paid.' }),
  expiresAt: instant('When the link ends; absent where it does not.').optional(),
  returnUrl: z.string().optional().meta({ description: 'Where the checkout page leads back to.' }),
  credentialId: z.string().optional().meta({ description: 'Credential of its payments.' }),
  ruleSetId: z.string().optional().meta({ description: 'Rule set of its payments.' }),
  ...linkDueShape,
  isTest: z.boolean().meta({ description: 'True for a link of test payments.' }),
  createdAt: instant('Creation instant.'),
});

export type PaymentLinkView = z.output<typeof paymentLinkSchema>;

/** `open` while payments can be made. */
export const linkStates = ['open', 'ended'] as const;

export type LinkState = (typeof linkStates)[number];

const maximumSearchLength = 100;

export const listLinkPaymentsSchema = listPaymentsSchema.pick({ limit: true, cursor: true });

export const listLinksSchema = z.object({
  state: z
    .enum(linkStates, { error: `must be one of ${linkStates.join(', ')}` })
    .optional()
    .meta({
      description:
        'Those that are `active` (`open`), or all others (`ended`). A page may have fewer items than `limit` although more follow.',
    }),
  search: z
    .string({ error: 'must be given once' })
    .trim()
    .refine(
      (sought) => sought.length > 0 && isStorableText(sought) && isAtMost(sought, maximumSearchLength),
      `must be 1 to ${maximumSearchLength} characters`,
    )
    .optional()
    .meta({
      description:
        'Part of the description; accents and case make no difference. A page may have fewer items than `limit` although more follow.',
    }),
  ...listLinkPaymentsSchema.shape,
});

export const paymentLinkPageSchema = z.object({
  data: z.array(paymentLinkSchema),
  nextCursor: z.string().optional().meta({ description: 'Cursor of the next page; absent on the last one.' }),
});

export type PaymentLinkPage = z.output<typeof paymentLinkPageSchema>;

export function statusOf({ deactivatedAt, isUsed, expiresAt }: StoredLink, now: Date): LinkStatus {
  if (deactivatedAt) return 'deactivated';
  if (isUsed) return 'used';
  return expiresAt && expiresAt <= now ? 'expired' : 'active';
}

/** Undefined where every link passes. */
export function linkFilterOf(
  { state, search }: Pick<z.output<typeof listLinksSchema>, 'state' | 'search'>,
  now: Date,
): ((link: StoredLink) => boolean) | undefined {
  if (state === undefined && search === undefined) return undefined;
  const sought = folded(search ?? '');
  return (link) =>
    (state === undefined || (statusOf(link, now) === 'active') === (state === 'open')) &&
    folded(link.description ?? '').includes(sought);
}

const reais = (inCents: bigint | null) => (inCents === null ? undefined : reaisFromCents(cents(inCents)));

export const centsOrNull = (amountInReais: number | undefined) =>
  (amountInReais !== undefined && centsFromReais(amountInReais)) || null;

export const paymentLinkView = (link: StoredLink, url: string, now: Date): PaymentLinkView => ({
  id: link.id,
  url,
  status: statusOf(link, now),
  amount: reais(link.amountInCents),
  minimumAmount: reais(link.minimumInCents),
  maximumAmount: reais(link.maximumInCents),
  currency: 'BRL',
  description: link.description ?? undefined,
  singleUse: link.singleUse,
  expiresAt: link.expiresAt?.toISOString(),
  returnUrl: link.returnUrl ?? undefined,
  credentialId: link.credentialId ?? undefined,
  ruleSetId: link.ruleSetId ?? undefined,
  ...link.due,
  isTest: link.mode === 'test',
  createdAt: link.createdAt.toISOString(),
});
