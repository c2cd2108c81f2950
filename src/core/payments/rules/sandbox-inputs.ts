import { z } from 'zod';
import { payerObject } from './create-payment-input.ts';
import { reversalReasons } from './reversal.ts';
import { debitOutcomes } from '../../recurrences/rules/recurrence.ts';
import { amountSchema } from '../../base/parsing/parse.ts';

const notAnObject = { error: 'must be a JSON object' };

export const sandboxPaySchema = z.object(
  {
    amount: amountSchema.optional().meta({
      ...amountSchema.meta(),
      description: 'Amount in BRL, with at most two decimals. Defaults to what is owed today.',
    }),
    payer: payerObject('test')
      .pick({ name: true, document: true })
      .optional()
      .meta({ description: 'Who pays. Absent: the sandbox does not say.' }),
  },
  notAnObject,
);

const outcomes = ['won', 'lost'] as const;
const outcomeSchema = z.enum(outcomes, { error: 'must be won or lost' });

const amountLeft = amountSchema.optional().meta({
  ...amountSchema.meta(),
  maximum: undefined,
  description: 'Amount in BRL, with at most two decimals. Defaults to what is left.',
});

const hoursRule = 'must be a whole number from 1 to 720';

export const sandboxDisputeSchema = z.object(
  {
    amount: amountLeft,
    defenceHours: z
      .number({ error: hoursRule })
      .int(hoursRule)
      .min(1, hoursRule)
      .max(720, hoursRule)
      .optional()
      .meta({ description: 'Hours for an answer, after which the dispute is lost. No deadline by default.' }),
    afterDefence: outcomeSchema.optional().meta({
      description: 'How it ends as soon as it is defended. By default it stays open until it is closed.',
    }),
  },
  notAnObject,
);

export const sandboxReverseSchema = z.object({ amount: amountLeft }, notAnObject).extend({
  reason: z
    .enum(reversalReasons, { error: `must be one of ${reversalReasons.join(', ')}` })
    .default('med_fraud')
    .meta({ description: 'Why the money leaves.' }),
});

export const sandboxCloseDisputeSchema = z.object(
  {
    outcome: outcomeSchema.meta({
      description: '`won`: the money stays with the merchant; `lost`: it is taken back.',
    }),
  },
  notAnObject,
);

export const sandboxDebitSchema = z.object(
  {
    outcome: z
      .enum(debitOutcomes, { error: `must be one of ${debitOutcomes.join(', ')}` })
      .meta({ description: 'How the payer’s bank answers the debit.' }),
  },
  notAnObject,
);

export const sandboxPixSchema = z.object(
  {
    amount: amountSchema.meta({
      ...amountSchema.meta(),
      description: 'Amount in BRL, with at most two decimals.',
    }),
  },
  notAnObject,
);

export const sandboxPixViewSchema = z.object({
  endToEndId: z.string().meta({ description: 'The id of the Pix.' }),
  amount: z.number().meta({ description: 'Amount in BRL.' }),
  receivedAt: z.iso.datetime().meta({ description: 'When the sandbox received it.' }),
});

export type SandboxPix = z.output<typeof sandboxPixViewSchema>;
