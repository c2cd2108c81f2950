import { z } from 'zod';
import { addressSchema } from '../rules/address-schema.ts';
import { isEndToEndId } from '../rules/end-to-end-id.ts';
import type { JsonText } from '../../base/json/json-text.ts';
import { cents, reaisFromCents } from '../../base/money.ts';
import { debitView, debitViewSchema } from './debit-view.ts';
import { amountPartsSchema, amountPartsView, dueView, dueViewSchema } from './due-view.ts';
import { paidBySchema, paidByView, payerMatchesOf } from './paid-by-view.ts';
import { maskPayer } from '../rules/payer-mask.ts';
import { type MembersOf, type Payment, publicStatuses, type PublicStatus } from '../rules/payment.ts';
import { type Caller, may } from '../../base/caller.ts';

const instant = (description: string) => z.iso.datetime().meta({ description });

/** The retrieve response of the specification, also the Payment of GraphQL. */
export const paymentViewSchema = z.object({
  id: z.uuid().meta({ description: 'Unique payment id.' }),
  amount: z.number().meta({ description: 'Payment amount in BRL.' }),
  currency: z.literal('BRL').meta({ description: 'Currency.' }),
  status: z.enum(publicStatuses).meta({ description: 'Payment status.' }),
  provider: z.string().meta({ description: 'Payment provider.' }),
  createdAt: instant('Creation instant.'),
  description: z.string().optional().meta({ description: 'Payment description.' }),
  externalId: z.string().optional().meta({ description: 'Your own reference.' }),
  fiscalDocument: z.string().optional().meta({
    description: 'Access key of the NF-e or NFC-e that the payment is for.',
  }),
  pixCopyPaste: z.string().optional().meta({ description: 'PIX copy-and-paste code.' }),
  pixQrCodeBase64: z
    .string()
    .optional()
    .meta({ description: 'QR code as a Base64-encoded PNG image; present while the payment is pending.' }),
  txid: z.string().optional().meta({
    description: 'Transaction id by which banks know the charge, where the provider tells it.',
  }),
  expiresAt: instant('Expiration instant.'),
  confirmedAt: instant('Instant of confirmation.').optional(),
  cancelledAt: instant('Instant at which it was cancelled, here or at the provider.').optional(),
  endToEndId: z.string().optional().meta({
    description: 'End-to-end id of the Pix that paid, where the provider reports it.',
  }),
  amountRefunded: z.number().optional().meta({
    description: 'Amount given back so far, here or at the provider, in BRL; absent when nothing was.',
  }),
  amountReversed: z.number().optional().meta({
    description:
      'Amount taken back by the special refund mechanism or a chargeback, in BRL; absent when nothing was.',
  }),
  due: dueViewSchema.optional(),
  revision: z.number().int().optional().meta({
    description: 'How often it was changed; absent for a payment without a due date that never was.',
  }),
  overdue: z.literal(true).optional().meta({
    description: 'Present while it is pending after its due date, once the provider was asked.',
  }),
  recurrenceId: z.uuid().optional().meta({
    description: 'The recurrence whose debit it is.',
  }),
  dueDate: z.iso.date().optional().meta({
    description: 'The day of a debit.',
  }),
  debit: debitViewSchema.optional(),
  amountPaid: z.number().optional().meta({
    description:
      'What was paid of a payment with a due date, in BRL; absent for others, which are paid with `amount`.',
  }),
  amountParts: amountPartsSchema.optional(),
  disputed: z.literal(true).optional().meta({
    description: 'Present while a dispute about the payment is open.',
  }),
  checkoutUrl: z.url().optional().meta({
    description: 'Address of a page on which the payer can pay and follow the payment; absent in events.',
  }),
  payerName: z.string().optional().meta({ description: 'Payer name.' }),
  payerDocument: z.string().optional().meta({ description: 'Payer document.' }),
  payerEmail: z.string().optional().meta({ description: 'Payer e-mail.' }),
  payerAddress: addressSchema.optional().meta({ description: 'Payer address.' }),
  paidBy: paidBySchema.optional(),
  payerMatches: z.boolean().optional().meta({
    description:
      'Whether the document of who paid is that of the payer asked for; absent where nothing can be said.',
  }),
  isTest: z.boolean().meta({ description: 'True for a test (sandbox) payment.' }),
  metadata: z
    .custom<JsonText>()
    .optional()
    .meta({ type: 'object', additionalProperties: true, description: 'Metadata as sent.' }),
});

export type PaymentView = z.output<typeof paymentViewSchema>;

/** What an event tells of the payment before a change. */
export const previousSchema = paymentViewSchema
  .pick({ amount: true, due: true, description: true })
  .meta({ description: 'What held before the payment was changed.' });

const createdFields = {
  id: true,
  amount: true,
  currency: true,
  status: true,
  provider: true,
  pixCopyPaste: true,
  pixQrCodeBase64: true,
  txid: true,
  expiresAt: true,
  createdAt: true,
  isTest: true,
  checkoutUrl: true,
  due: true,
  metadata: true,
} as const;

export const createdPaymentSchema = paymentViewSchema.pick(createdFields).required({ pixCopyPaste: true });

export type CreatedPaymentView = Pick<PaymentView, keyof typeof createdFields>;

const unlessZero = (amountInCents: bigint): number | undefined =>
  amountInCents > 0n ? reaisFromCents(cents(amountInCents)) : undefined;

type Gone = Record<'refundedInCents' | 'reversedInCents', bigint>;

export const amountRefundedOf = ({ refundedInCents, reversedInCents }: Gone): number | undefined =>
  unlessZero(refundedInCents - reversedInCents);

export const amountReversedOf = ({ reversedInCents }: Gone): number | undefined =>
  unlessZero(reversedInCents);

/** Omits fields without a value, and those for the payer, which `CheckoutLinks` adds. */
export const paymentView = (payment: Payment): PaymentView => ({
  id: payment.id,
  amount: reaisFromCents(payment.amountInCents),
  currency: 'BRL',
  status: payment.status as PublicStatus,
  provider: payment.provider,
  createdAt: payment.createdAt.toISOString(),
  description: payment.description ?? undefined,
  externalId: payment.externalId ?? undefined,
  fiscalDocument: payment.fiscalDocument ?? undefined,
  pixCopyPaste: payment.pixCopyPaste ?? undefined,
  pixQrCodeBase64: undefined,
  txid: payment.txid ?? undefined,
  expiresAt: payment.expiresAt.toISOString(),
  confirmedAt: payment.confirmedAt?.toISOString(),
  cancelledAt: payment.cancelledAt?.toISOString(),
  endToEndId: payment.pixId !== null && isEndToEndId(payment.pixId) ? payment.pixId : undefined,
  amountRefunded: amountRefundedOf(payment),
  amountReversed: amountReversedOf(payment),
  due: payment.due ? dueView(payment.due) : undefined,
  revision: payment.due ? payment.revision : payment.revision || undefined,
  overdue: (payment.overdue && payment.status === 'pending') || undefined,
  recurrenceId: payment.recurrenceId ?? undefined,
  dueDate: payment.debit?.dueOn,
  debit: payment.debit ? debitView(payment.debit) : undefined,
  amountPaid: payment.paidInCents === null ? undefined : reaisFromCents(payment.paidInCents),
  amountParts: payment.paidParts ? amountPartsView(payment.paidParts) : undefined,
  disputed: payment.disputed || undefined,
  checkoutUrl: undefined,
  payerName: payment.payerName ?? undefined,
  payerDocument: payment.payerDocument ?? undefined,
  payerEmail: payment.payerEmail ?? undefined,
  payerAddress: payment.payerAddress ?? undefined,
  paidBy: paidByView(payment),
  payerMatches: payerMatchesOf(payment),
  isTest: payment.mode === 'test',
  metadata: payment.metadata ?? undefined,
});

export const previousView = ({
  amountInCents,
  due,
  description,
}: Pick<Payment, 'amountInCents' | 'due' | 'description'>): z.output<typeof previousSchema> => ({
  amount: reaisFromCents(amountInCents),
  due: due ? dueView(due) : undefined,
  description: description ?? undefined,
});

/**
 * What the payer's browser may see. A field left out does not compile, nor does one that is shown although it holds payer
 * data or metadata. Description and reference are shown.
 */
const isShownToPayer = {
  id: true,
  amount: true,
  currency: true,
  status: true,
  provider: true,
  createdAt: true,
  description: true,
  externalId: true,
  fiscalDocument: true,
  pixCopyPaste: true,
  pixQrCodeBase64: true,
  txid: true,
  expiresAt: true,
  confirmedAt: true,
  cancelledAt: true,
  endToEndId: true,
  amountRefunded: true,
  amountReversed: true,
  due: true,
  revision: true,
  overdue: true,
  recurrenceId: true,
  dueDate: true,
  debit: true,
  amountPaid: true,
  amountParts: true,
  disputed: true,
  checkoutUrl: true,
  payerName: false,
  payerDocument: false,
  payerEmail: false,
  payerAddress: false,
  paidBy: false,
  payerMatches: false,
  isTest: true,
  metadata: false,
} as const satisfies {
  [Name in keyof PaymentView]-?: Name extends MembersOf<'payer' | 'payer JSON' | 'Pix payer' | 'free JSON'>
    ? false
    : boolean;
};

export const payerlessView = (payment: Payment): PaymentView =>
  Object.fromEntries(
    Object.entries(paymentView(payment)).filter(([name]) => isShownToPayer[name as keyof PaymentView]),
  ) as PaymentView;

/** Changes whenever anything visible changes. The Pix that paid is recorded together with `confirmedAt`. */
export const paymentVersion = ({
  status,
  confirmedAt,
  expiresAt,
  amountRefunded,
  amountReversed,
  disputed,
  overdue,
  revision,
  debit,
}: {
  status: string;
  confirmedAt?: string | undefined;
  expiresAt: string;
  amountRefunded?: number | undefined;
  amountReversed?: number | undefined;
  disputed?: true | undefined;
  overdue?: true | undefined;
  revision?: number | undefined;
  debit?: PaymentView['debit'];
}): string =>
  [
    status,
    confirmedAt,
    expiresAt,
    amountRefunded,
    amountReversed,
    disputed,
    overdue,
    revision || undefined,
    debit && JSON.stringify(debit),
  ].join(' ');

export const createdPaymentView = (view: PaymentView): CreatedPaymentView => ({
  id: view.id,
  amount: view.amount,
  currency: view.currency,
  status: view.status,
  provider: view.provider,
  pixCopyPaste: view.pixCopyPaste,
  pixQrCodeBase64: view.pixQrCodeBase64,
  txid: view.txid,
  expiresAt: view.expiresAt,
  createdAt: view.createdAt,
  isTest: view.isTest,
  checkoutUrl: view.checkoutUrl,
  due: view.due,
  metadata: view.metadata,
});

/** Hides what the caller may not see. For people, `PayerViews` does the same and records the access. */
export const shownTo = (caller: Caller, view: PaymentView): PaymentView =>
  may(caller, 'payers:read') ? view : maskPayer(view);
