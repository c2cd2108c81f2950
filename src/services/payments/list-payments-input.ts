import { z } from 'zod';
import { ServiceError } from '../../domain/errors.ts';
import { firstIdAt, isUuid } from '../../domain/ids.ts';
import { paymentConcerns, publicStatuses } from '../../domain/payments/payment.ts';
import { isStorableText } from '../../domain/text.ts';
import type { PaymentFilter } from '../../persistence/payments/payments.ts';
import { type FieldNames, instantSchema, parse, withoutNulls } from '../parse.ts';
import { paymentViewSchema } from './payment-view.ts';

const maximumLimit = 100;
const defaultLimit = 20;

const limitRule = `must be a whole number from 1 to ${maximumLimit}`;

export const listPaymentsSchema = z.object({
  status: z
    .enum(publicStatuses, { error: `must be one of ${publicStatuses.join(', ')}` })
    .optional()
    .meta({ description: 'Current status.' }),
  externalId: z
    .string({ error: 'must be given once' })
    .refine(isStorableText, 'must be valid Unicode without NUL')
    .optional()
    .meta({ description: 'Your own reference, matched exactly.' }),
  concern: z
    .enum(paymentConcerns, { error: `must be one of ${paymentConcerns.join(', ')}` })
    .optional()
    .meta({
      description:
        'Received more than one Pix (`duplicated`) or was paid after it ended (`paid_late`), and nothing has been refunded yet; or has an open dispute (`disputed`).',
    }),
  createdFrom: instantSchema.optional().meta({ description: 'Created at or after this instant.' }),
  createdTo: instantSchema.optional().meta({ description: 'Created before this instant.' }),
  limit: z.coerce
    .number({ error: limitRule })
    .int(limitRule)
    .min(1, limitRule)
    .max(maximumLimit, limitRule)
    .default(defaultLimit)
    .meta({ description: 'Maximum number of items.' }),
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

/** Opaque to callers; encodes the id of the last item of a page. */
export const encodeCursor = (id: string): string =>
  Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');

export function decodeCursor(cursor: string, name: string): string {
  const hex = Buffer.from(cursor, 'base64url').toString('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isUuid(id) || encodeCursor(id) !== cursor)
    throw new ServiceError('invalid_cursor', `${name} must come from an earlier page`);
  return id;
}

export function parseListPayments(
  query: unknown,
  names: FieldNames,
): { filter: PaymentFilter; limit: number } {
  const { status, externalId, concern, createdFrom, createdTo, limit, cursor } = parse(
    listPaymentsSchema,
    withoutNulls(query),
    names,
  );
  return {
    filter: {
      ...(status && { status }),
      ...(externalId !== undefined && { externalId }),
      ...(concern && { concern }),
      ...(createdFrom && { fromId: firstIdAt(new Date(createdFrom)) }),
      ...(createdTo && { toId: firstIdAt(new Date(createdTo)) }),
      ...(cursor !== undefined && { beforeId: decodeCursor(cursor, names['cursor'] ?? 'cursor') }),
    },
    limit,
  };
}
