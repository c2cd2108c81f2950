import { z } from 'zod';
import { firstIdAt, isUuid } from '../../base/ids.ts';
import { centsFromReais } from '../../base/money.ts';
import { type FieldNames, parse, withoutNulls } from '../../base/parsing/parse.ts';
import { listPaymentsSchema } from '../../payments/views/list-payments-input.ts';
import { decodeCursor } from '../../payments/views/payment-cursor.ts';
import { refundStatuses } from '../rules/refund.ts';
import type { RefundFilter } from '../store/refund-lists.ts';

const { shape } = listPaymentsSchema;

export const listAllRefundsSchema = z.object({
  status: z
    .enum(refundStatuses, { error: `must be one of ${refundStatuses.join(', ')}` })
    .optional()
    .meta({ description: 'Current status.' }),
  stuck: shape.overdue.meta({
    type: 'boolean',
    description: 'Whether it is pending and needs a person, as `pendingReason` says.',
  }),
  search: z
    .preprocess((text) => (typeof text === 'string' ? text.trim() : text), shape.externalId.unwrap())
    .optional()
    .meta({
      type: 'string',
      description:
        'Id of the refund or of its payment, or the reference of the payment, matched exactly; of that reference, the newest 1,000 payments count.',
    }),
  amountFrom: shape.amountFrom.meta({ description: 'Smallest amount in BRL.' }),
  amountTo: shape.amountTo.meta({ description: 'Greatest amount in BRL.' }),
  createdFrom: shape.createdFrom,
  createdTo: shape.createdTo,
  limit: shape.limit,
  cursor: shape.cursor,
});

export interface RefundList {
  filter: RefundFilter;
  limit: number;
}

export function parseListAllRefunds(query: unknown, names: FieldNames): RefundList {
  const wanted = parse(listAllRefundsSchema, withoutNulls(query), names);
  const { status, stuck, search, amountFrom, amountTo, createdFrom, createdTo, limit, cursor } = wanted;
  return {
    filter: {
      status,
      stuck,
      ...(search !== undefined && { search, id: isUuid(search) ? search.toLowerCase() : undefined }),
      amountFrom: amountFrom === undefined ? undefined : centsFromReais(amountFrom),
      amountTo: amountTo === undefined ? undefined : centsFromReais(amountTo),
      fromId: createdFrom === undefined ? undefined : firstIdAt(new Date(createdFrom)),
      toId: createdTo === undefined ? undefined : firstIdAt(new Date(createdTo)),
      afterId: cursor === undefined ? undefined : decodeCursor(cursor, names['cursor'] ?? 'cursor'),
    },
    limit,
  };
}
