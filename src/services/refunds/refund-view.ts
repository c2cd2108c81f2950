import { z } from 'zod';
import { reaisFromCents } from '../../domain/money.ts';
import { type Refund, refundFailures, refundStatuses } from '../../domain/payments/refund.ts';
import { listPaymentsSchema } from '../payments/list-payments-input.ts';

/** As every interface shows it. */
export const refundViewSchema = z.object({
  id: z.uuid().meta({ description: 'Unique refund id.' }),
  paymentId: z.uuid().meta({ description: 'The payment that is refunded.' }),
  amount: z.number().meta({ description: 'Amount given back, in BRL.' }),
  status: z.enum(refundStatuses).meta({
    description: 'What the provider says: `pending` until it has decided.',
  }),
  failureReason: z.enum(refundFailures).optional().meta({
    description: 'Why the money stayed, once the refund has failed.',
  }),
  awaitingApproval: z.literal(true).optional().meta({
    description: 'It waits for a second person of the organization, and the provider was not asked yet.',
  }),
  createdAt: z.iso.datetime().meta({ description: 'Creation instant.' }),
});

export type RefundView = z.output<typeof refundViewSchema>;

export const refundView = (refund: Refund): RefundView => ({
  id: refund.id,
  paymentId: refund.paymentId,
  amount: reaisFromCents(refund.amountInCents),
  status: refund.status,
  failureReason: refund.failureReason ?? undefined,
  awaitingApproval: refund.awaitingApproval || undefined,
  createdAt: refund.createdAt.toISOString(),
});

export const listRefundsSchema = listPaymentsSchema.pick({ limit: true, cursor: true });

export const refundPageSchema = z.object({
  data: z.array(refundViewSchema),
  nextCursor: z.string().optional().meta({ description: 'Names the next page; left out on the last one.' }),
});

export type RefundPage = z.output<typeof refundPageSchema>;
