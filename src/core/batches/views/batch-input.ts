import { z } from 'zod';
import { badRequest } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json/json-object.ts';
import type { Mode } from '../../base/mode.ts';
import { parse, withoutNulls } from '../../base/parsing/parse.ts';
import { breaks, broken, problem } from '../../base/problems/rules.ts';
import { parseCreatePayment } from '../../payments/rules/create-payment-input.ts';
import { instalmentOf, maximumPayments, type Period, periods } from '../rules/instalments.ts';

const maximumInstalments = 360;
const countRule = `must have one to ${maximumPayments} items`;
const instalmentsRule = `must be a whole number from 2 to ${maximumInstalments}`;

export const createBatchSchema = z
  .object(
    {
      payments: z
        .array(z.custom<JsonObject>(isJsonObject, { error: 'must be a JSON object' }), {
          error: 'must be an array',
        })
        .min(1, countRule)
        .max(maximumPayments, countRule)
        .optional()
        .meta({
          description: `Bodies as for creating a payment, one to ${maximumPayments}. Each has an outcome of its own.`,
          items: { $ref: '#/components/schemas/CreatePayment' },
        }),
      payment: z.custom<JsonObject>(isJsonObject, { error: 'must be a JSON object' }).optional().meta({
        $ref: '#/components/schemas/CreatePayment',
        description:
          'Instead: the first of several instalments, with its due date. The 31st becomes the last day of a shorter month.',
      }),
      instalments: z
        .number({ error: instalmentsRule })
        .int(instalmentsRule)
        .min(2, instalmentsRule)
        .max(maximumInstalments, instalmentsRule)
        .optional()
        .meta({ description: 'How many payments are made of `payment`.' }),
      every: z
        .enum(periods, { error: `must be one of ${periods.join(', ')}` })
        .default('month')
        .meta({ description: 'How far their due dates are apart.' }),
    },
    { error: 'must be a JSON object' },
  )
  .refine(
    ({ payments, payment }) => (payments === undefined) !== (payment === undefined),
    breaks(
      'must have exactly one of payments, payment',
      broken('one_of', { choices: ['payments', 'payment'] }),
    ),
  );

interface BatchInput {
  /** The bodies of the payments, in order. */
  inputs: JsonObject[];
  /** Null unless they are instalments. */
  every: Period | null;
}

/** Each body is only parsed when its payment is created, except for that of instalments. */
export function parseBatch(mode: Mode, body: unknown): BatchInput {
  if (!isJsonObject(body)) throw badRequest('body must be a JSON object');
  const { payments, payment, instalments, every } = parse(createBatchSchema, withoutNulls(body));
  if (payments) return { inputs: payments, every: null };
  const { due } = parseCreatePayment(mode, payment);
  if (!due) throw badRequest('payment.due is required with payment', problem('payment.due', 'required'));
  if (instalments === undefined)
    throw badRequest('instalments is required with payment', problem('instalments', 'required'));
  const inputs = Array.from({ length: instalments }, (_, index) => ({
    ...payment,
    due: instalmentOf(due, index, every) as unknown as JsonObject,
  }));
  return { inputs, every };
}
