import { z } from 'zod';
import { badRequest } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json/json-object.ts';
import { JsonText } from '../../base/json/json-text.ts';
import { allWithoutNulls, amountSchema, parse, textSchema } from '../../base/parsing/parse.ts';
import { breaks, broken } from '../../base/problems/rules.ts';
import { metadataLimits, metadataSchema } from '../rules/create-payment-input.ts';
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
      description: textSchema(500).optional().meta({
        description:
          'The new description. Only that of a pending payment with a due date is sent to the provider.',
      }),
      metadata: metadataSchema.optional().meta({
        ...metadataSchema.meta(),
        description: `Replaces the metadata as a whole. ${metadataLimits}`,
      }),
    },
    { error: 'must be a JSON object' },
  )
  .refine(
    ({ revision: _seen, ...changes }) => Object.values(changes).some((change) => change !== undefined),
    breaks('must have amount, due, description or metadata', broken('nothing_to_change')),
  );

export interface UpdatePaymentInput extends Omit<z.output<typeof updatePaymentSchema>, 'metadata'> {
  /** Stored and returned as it came. */
  metadata?: JsonText;
}

/** Fails with `invalid_request`, naming every violation. */
export function parseUpdatePayment(body: unknown): UpdatePaymentInput {
  if (!isJsonObject(body)) throw badRequest('body must be a JSON object');
  const { metadata, ...others } = body;
  const given = { ...(allWithoutNulls(others) as JsonObject), ...(metadata !== null && { metadata }) };
  const { metadata: parsed, ...input } = parse(updatePaymentSchema, given);
  return parsed ? { ...input, metadata: JsonText.of(parsed) } : input;
}
