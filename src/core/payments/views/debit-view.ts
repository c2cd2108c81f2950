import { z } from 'zod';
import { type Debit, debitAttemptStates, debitFailures, debitStates } from '../../recurrences/rules/debit.ts';

const day = (description: string) => z.iso.date().meta({ description });

export const debitViewSchema = z
  .object({
    state: z.enum(debitStates).meta({
      description:
        '`scheduled` until a day fails, `retrying` while it may be tried again, `failed` once it can no more.',
    }),
    reason: z
      .enum(debitFailures)
      .optional()
      .meta({ description: 'Why it failed, where no attempt says it.' }),
    retryOn: day('Day for which the payer’s bank is asked again.').optional(),
    attempts: z
      .array(
        z.object({
          on: day('Day of the attempt.'),
          state: z.enum(debitAttemptStates).meta({ description: 'What has become of it.' }),
          reason: z.enum(debitFailures).optional().meta({ description: 'Why it failed.' }),
          providerCode: z.string().optional().meta({ description: 'The provider’s code for that.' }),
          endToEndId: z.string().optional().meta({ description: 'End-to-end id of the Pix that paid it.' }),
        }),
      )
      .meta({ description: 'Each day on which the payer’s bank was asked, or will be.' }),
  })
  .meta({ description: 'What makes the payment a debit of a recurrence.' });

type DebitView = z.output<typeof debitViewSchema>;

export const debitView = ({ state, reason, retryOn, attempts }: Debit): DebitView => ({
  state,
  reason,
  retryOn,
  attempts: attempts.map((attempt) => ({ ...attempt })),
});
