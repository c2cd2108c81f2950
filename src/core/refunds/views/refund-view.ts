import { z } from 'zod';
import { reaisFromCents } from '../../base/money.ts';
import { type Refund, refundFailures, refundPendingReasons, refundStatuses } from '../rules/refund.ts';
import { listPaymentsSchema } from '../../payments/views/list-payments-input.ts';

/** The representation in every API. */
export const refundViewSchema = z.object({
  id: z.uuid().meta({ description: 'Unique refund id.' }),
  paymentId: z.uuid().meta({ description: 'The refunded payment.' }),
  amount: z.number().meta({ description: 'Refunded amount in BRL.' }),
  status: z.enum(refundStatuses).meta({
    description: 'As reported by the provider; `pending` until it has decided.',
  }),
  failureReason: z.enum(refundFailures).optional().meta({
    description: 'Why the refund failed.',
  }),
  pendingReason: z.enum(refundPendingReasons).optional().meta({
    description:
      "Why it needs a person: `authorization_at_provider` until somebody authorizes it in the provider's panel; `no_outcome_from_provider` if the provider has not told for an hour what became of it, so that somebody should look there.",
  }),
  reason: z.string().optional().meta({ description: 'The reason given with the request.' }),
  awaitingApproval: z.literal(true).optional().meta({
    description:
      "Whether the refund is waiting for a second person's approval; the provider has not been called yet.",
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
  pendingReason: refund.pendingReason ?? undefined,
  reason: refund.reason ?? undefined,
  awaitingApproval: refund.awaitingApproval || undefined,
  createdAt: refund.createdAt.toISOString(),
});

/**
 * The form stored with an idempotency key, as a replay reads the refund again. The reason can then be forgotten in one place.
 */
export const withoutReason = (view: RefundView): RefundView => ({ ...view, reason: undefined });

export const listRefundsSchema = listPaymentsSchema.pick({ limit: true, cursor: true });

export const refundPageSchema = z.object({
  data: z.array(refundViewSchema),
  nextCursor: z.string().optional().meta({ description: 'Cursor of the next page; absent on the last one.' }),
});

export type RefundPage = z.output<typeof refundPageSchema>;
