import { z } from 'zod';
import { disputeStates } from '../disputes/rules/dispute.ts';
import { eventTypes } from '../events/rules/events.ts';
import { publicStatuses } from '../payments/rules/payment.ts';
import { reversalReasons } from '../payments/rules/reversal.ts';

const instant = (description: string) => z.iso.datetime().meta({ description });
const amount = z.number().meta({ description: 'Amount in BRL.' });

/** What the service knows of a disputed payment, from its own records alone. Documents are masked. */
export const evidenceSchema = z.object({
  preparedAt: instant('When this was put together.'),
  receiver: z.string().meta({ description: 'Name of the organization that was paid.' }),
  dispute: z
    .object({
      id: z.uuid().meta({ description: 'Id of the dispute.' }),
      state: z.enum(disputeStates).meta({ description: 'State of the dispute.' }),
      amount,
      reason: z.string().optional().meta({ description: "The provider's code for the reason." }),
      openedAt: instant('When it was opened, or became known.'),
      defenceUntil: instant('Deadline for a defence.').optional(),
    })
    .meta({ description: 'The claim.' }),
  payment: z
    .object({
      id: z.uuid().meta({ description: 'Id of the payment.' }),
      status: z.enum(publicStatuses).meta({ description: 'Status of the payment.' }),
      amount,
      description: z.string().optional().meta({ description: 'What the payer saw.' }),
      externalId: z.string().optional().meta({ description: 'Your reference.' }),
      provider: z.string().meta({ description: 'Provider of the charge.' }),
      txid: z.string().optional().meta({ description: 'Id of the charge at the bank.' }),
      createdAt: instant('When it was asked for.'),
      checkoutOpenedAt: instant('When its checkout page was opened first.').optional(),
      confirmedAt: instant('When it was paid.').optional(),
    })
    .meta({ description: 'The payment.' }),
  payer: z
    .object({
      name: z.string().optional().meta({ description: 'Name of the payer who was asked.' }),
      document: z.string().optional().meta({ description: 'Their document, masked.' }),
    })
    .meta({ description: 'Who was asked to pay.' }),
  received: z
    .array(
      z.object({
        endToEndId: z.string().optional().meta({ description: 'Id of the Pix.' }),
        amount,
        paidAt: instant('When it was paid.'),
        name: z.string().optional().meta({ description: 'Name of who paid, where the provider tells it.' }),
        document: z.string().optional().meta({ description: 'Their document, masked.' }),
        institution: z.string().optional().meta({ description: 'Institution of the payer.' }),
        isPayer: z
          .boolean()
          .optional()
          .meta({ description: 'Whether the payer who was asked has paid, where that is known.' }),
      }),
    )
    .meta({ description: 'Every Pix received for it.' }),
  returned: z
    .array(
      z.object({
        kind: z
          .enum(['refund', 'reversal'])
          .meta({ description: '`reversal`: not through a refund made here.' }),
        reason: z.enum(reversalReasons).optional().meta({ description: 'Why, for a reversal.' }),
        amount,
        status: z.enum(['pending', 'completed', 'failed']).meta({ description: 'How far it is.' }),
        at: instant('When it was made or became known.'),
      }),
    )
    .meta({ description: 'What was given or taken back.' }),
  told: z
    .array(
      z.object({
        event: z.enum(eventTypes).meta({ description: 'The event.' }),
        host: z.string().meta({ description: 'Host of the system that accepted it.' }),
        statusCode: z.int().meta({ description: 'Its response.' }),
        at: instant('When it was told.'),
      }),
    )
    .meta({ description: 'What your systems were told of it and accepted.' }),
});

export type Evidence = z.output<typeof evidenceSchema>;
