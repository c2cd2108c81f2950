import { z } from 'zod';
import { isEndToEndId } from '../../payments/rules/end-to-end-id.ts';
import { reaisFromCents } from '../../base/money.ts';
import { type Reversal, reversalReasons, reversalStatuses } from '../../payments/rules/reversal.ts';

/** The representation in every API. */
export const reversalViewSchema = z.object({
  id: z.uuid().meta({ description: 'Unique reversal id.' }),
  paymentId: z.uuid().meta({ description: 'The payment whose money left again.' }),
  endToEndId: z.string().optional().meta({
    description: 'End-to-end id of the received Pix, where the provider reports it.',
  }),
  amount: z.number().meta({ description: 'Amount in BRL.' }),
  reason: z.enum(reversalReasons).meta({
    description:
      'Why: given back at the provider (`returned_at_psp`), taken back through the special refund mechanism (`med_…`), or a `chargeback`.',
  }),
  status: z.enum(reversalStatuses).meta({ description: 'As reported by the provider.' }),
  reversedAt: z.iso
    .datetime()
    .optional()
    .meta({ description: 'When the money left, where the provider reports it.' }),
  createdAt: z.iso.datetime().meta({ description: 'When this service learned of it.' }),
});

export type ReversalView = z.output<typeof reversalViewSchema>;

export const reversalView = (reversal: Reversal): ReversalView => ({
  id: reversal.id,
  paymentId: reversal.paymentId,
  endToEndId: isEndToEndId(reversal.endToEndId) ? reversal.endToEndId : undefined,
  amount: reaisFromCents(reversal.amountInCents),
  reason: reversal.reason,
  status: reversal.status,
  reversedAt: reversal.reversedAt?.toISOString(),
  createdAt: reversal.createdAt.toISOString(),
});
