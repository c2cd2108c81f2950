import { z } from 'zod';
import { reaisFromCents } from '../base/money.ts';
import { type Dispute, disputeStates } from './rules/dispute.ts';

const optionalInstant = (description: string) => z.iso.datetime().optional().meta({ description });

/** The representation in every API. */
export const disputeViewSchema = z.object({
  id: z.uuid().meta({ description: 'Unique dispute id.' }),
  paymentId: z.uuid().meta({ description: 'The payment whose money is claimed.' }),
  amount: z.number().meta({ description: 'Claimed amount in BRL.' }),
  state: z.enum(disputeStates).meta({ description: '`won`: the money stays with the merchant.' }),
  reason: z.string().optional().meta({ description: "The provider's code for the reason." }),
  defenceUntil: optionalInstant("The provider's deadline for a defence."),
  openedAt: optionalInstant('When it was opened, where the provider reports it.'),
  closedAt: optionalInstant('When this service learned of the outcome.'),
  createdAt: z.iso.datetime().meta({ description: 'When this service learned of it.' }),
});

export type DisputeView = z.output<typeof disputeViewSchema>;

export const disputeView = (dispute: Dispute): DisputeView => ({
  id: dispute.id,
  paymentId: dispute.paymentId,
  amount: reaisFromCents(dispute.amountInCents),
  state: dispute.state,
  reason: dispute.reason ?? undefined,
  defenceUntil: dispute.defenceUntil?.toISOString(),
  openedAt: dispute.openedAt?.toISOString(),
  closedAt: dispute.closedAt?.toISOString(),
  createdAt: dispute.createdAt.toISOString(),
});
