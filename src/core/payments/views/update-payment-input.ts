import { z } from 'zod';
import { badRequest } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json/json-object.ts';
import { allWithoutNulls, amountSchema, parse, textSchema } from '../../base/parsing/parse.ts';
import { breaks, broken } from '../../base/problems/rules.ts';
import { dueSchema } from '../rules/due/due.ts';

const revisionRule = 'must be a whole number from 0';

export const updatePaymentSchema = z
  .object(
    {
      revision: z.number({ error: revisionRule }).int(revisionRule).min(0, revisionRule).optional().meta({
        description:
          'The `revision` of the payment that you have seen. If it has changed since, the request fails with 409 and nothing is changed.',
      }),
      amount: amountSchema
        .optional()
        .meta({ ...amountSchema.meta(), description: 'The new amount, in BRL.' }),
      due: dueSchema
        .optional()
        .meta({ description: 'The new terms, all of them; what is left out is no longer asked for.' }),
      description: textSchema(500).optional().meta({ description: 'The new description.' }),
    },
    { error: 'must be a JSON object' },
  )
  .refine(
    ({ amount, due, description }) => amount !== undefined || due !== undefined || description !== undefined,
    breaks('must have amount, due or description', broken('nothing_to_change')),
  );

export type UpdatePaymentInput = z.output<typeof updatePaymentSchema>;

/** Fails with `invalid_request`, naming every violation. */
export function parseUpdatePayment(body: unknown): UpdatePaymentInput {
  if (!isJsonObject(body)) throw badRequest('body must be a JSON object');
  return parse(updatePaymentSchema, allWithoutNulls(body));
}
