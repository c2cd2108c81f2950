import { z } from 'zod';
import { hasValidCheckDigit, isAccessKey, tidiedAccessKey } from './access-key.ts';
import { addressSchema } from './address-schema.ts';
import { hasValidCheckDigits, parseDocument, tidiedDocument } from './document.ts';
import { tidied } from '../../base/typed.ts';
import { badRequest } from '../../base/errors.ts';
import { JsonText } from '../../base/json/json-text.ts';
import { maximumMetadataDepth, maximumMetadataMembers, metadataViolation } from '../../base/json/metadata.ts';
import { isJsonObject, type JsonObject } from '../../base/json/json-object.ts';
import type { Mode } from '../../base/mode.ts';
import { minimumAmountInReais } from '../../base/money.ts';
import { breaks, broken } from '../../base/problems/rules.ts';
import { dueSchema } from './due/due.ts';
import { returnUrlSchema } from '../../checkout/rules/return-url.ts';
import {
  allWithoutNulls,
  amountSchema,
  numberSchema,
  parse,
  textSchema,
  withoutNulls,
} from '../../base/parsing/parse.ts';

const minimumExpirationMinutes = 5;
export const maximumExpirationMinutes = 43_200;
const defaultExpirationMinutes = 30;

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const metadataSchema = z
  .custom<JsonObject>(isJsonObject, { error: 'must be a JSON object', abort: true })
  .superRefine((value, context) => {
    const violation = metadataViolation(value);
    if (violation) context.addIssue({ code: 'custom', path: violation.path, message: violation.rule });
  })
  .meta({ type: 'object', additionalProperties: true });

export const metadataLimits = `At most 16 KiB of JSON, ${maximumMetadataMembers} members in total, ${maximumMetadataDepth} levels deep.`;

export const payerObject = (mode: Mode) =>
  z.object(
    {
      name: textSchema(200).optional().meta({ description: 'Payer name, at most 200 characters.' }),
      document: textSchema(40, tidiedDocument)
        .refine((value) => parseDocument(value) !== undefined, {
          ...breaks('must be a CPF of 11 digits or a CNPJ of 14 characters', broken('document')),
          abort: true,
        })
        .refine(
          (value) => {
            const document = parseDocument(value);
            return mode === 'test' || document === undefined || hasValidCheckDigits(document);
          },
          breaks('must have valid check digits', broken('check_digits')),
        )
        .optional()
        .meta({ description: 'CPF or CNPJ of the payer, punctuation optional.' }),
      email: textSchema(254, tidied)
        .refine((value) => z.regexes.email.test(value), breaks('must be an e-mail address', broken('email')))
        .optional()
        .meta({ format: 'email', description: 'Payer e-mail.' }),
      phone: textSchema(30, tidied)
        .refine(
          (value) => /^[0-9 +()./-]{8,30}$/.test(value),
          breaks('must be 8 to 30 digits, spaces and +()./-', broken('format')),
        )
        .optional()
        .meta({ description: 'Payer phone.' }),
      address: addressSchema.optional().meta({
        description:
          'Address of the payer, which some providers demand for a payment with a due date or a recurrence.',
      }),
    },
    { error: 'must be a JSON object' },
  );

const payerSchema = (mode: Mode) =>
  payerObject(mode)
    .optional()
    .meta({ description: 'The payer. Some providers require some of these fields.' });

const schemaFor = (mode: Mode) =>
  z.object(
    {
      amount: amountSchema.meta({
        ...amountSchema.meta(),
        description: `Amount in BRL as a decimal number with at most two decimals, at least ${minimumAmountInReais}.`,
        examples: [10.0],
      }),
      credentialId: textSchema(255)
        .optional()
        .meta({ description: 'Credential to use directly; any rule set is then ignored.' }),
      ruleSetId: z
        .string({ error: 'must be a string' })
        .regex(uuidPattern, 'must be a UUID')
        .optional()
        .meta({ format: 'uuid', description: 'Rule set that selects the credential and its fallbacks.' }),
      description: textSchema(500)
        .optional()
        .meta({ description: 'Description of the payment, at most 500 characters.' }),
      externalId: textSchema(255).optional().meta({ description: 'Your own reference; need not be unique.' }),
      fiscalDocument: textSchema(100, tidiedAccessKey)
        .refine(isAccessKey, {
          ...breaks('must be an access key of 44 digits', broken('format')),
          abort: true,
        })
        .refine(hasValidCheckDigit, breaks('must have a valid check digit', broken('check_digits')))
        .optional()
        .meta({
          description:
            'Access key (44 digits) of the NF-e or NFC-e that the payment is for; spaces are dropped.',
        }),
      payer: payerSchema(mode),
      expirationMinutes: numberSchema(minimumExpirationMinutes, maximumExpirationMinutes)
        .default(defaultExpirationMinutes)
        .meta({
          type: 'number',
          minimum: minimumExpirationMinutes,
          maximum: maximumExpirationMinutes,
          description: `Minutes until the payment expires, from ${minimumExpirationMinutes} to ${maximumExpirationMinutes}; may be fractional. Defaults to ${defaultExpirationMinutes}.`,
        }),
      metadata: metadataSchema.optional().meta({
        ...metadataSchema.meta(),
        description: `Returned unchanged. ${metadataLimits}`,
      }),
      returnUrl: returnUrlSchema(mode).optional(),
      due: dueSchema.optional(),
    },
    { error: 'must be a JSON object' },
  );

const schemas = { test: schemaFor('test'), live: schemaFor('live') };

/** The API Pix requires name and document of whoever owes a charge with a due date. */
const withDueDate = (mode: Mode) => {
  const payer = payerObject(mode).superRefine((given, context) => {
    for (const name of ['name', 'document'] as const)
      if (!given[name]?.trim())
        context.addIssue({
          code: 'custom',
          path: [name],
          message: 'is required with due',
          params: { broken: broken('together_with', { other: 'due' }) },
        });
  });
  return schemas[mode].extend({
    payer: z.preprocess((value) => value ?? {}, payer),
    expirationMinutes: z.never({ error: 'must be left out when due is given' }).optional(),
  });
};

const schemasWithDueDate = { test: withDueDate('test'), live: withDueDate('live') };

/** The request as documented in OpenAPI, with the stricter rules for live keys. */
export const createPaymentSchema = schemas.live;

export interface CreatePaymentInput extends Omit<z.output<typeof createPaymentSchema>, 'metadata'> {
  /** Stored and returned as it came. */
  metadata?: JsonText;
}

/** Fails with `invalid_request`, naming every violation. */
export function parseCreatePayment(mode: Mode, body: unknown): CreatePaymentInput {
  if (!isJsonObject(body)) throw badRequest('body must be a JSON object');
  const present = withoutNulls(body) as JsonObject;
  const payer = allWithoutNulls(present['payer']);
  const due = allWithoutNulls(present['due']);
  const given = { ...present, ...(payer !== undefined && { payer }), ...(due !== undefined && { due }) };
  // What it requires is required beside everything else.
  if (due !== undefined) parse(schemasWithDueDate[mode], given);
  const { metadata, ...input } = parse(schemas[mode], given);
  return metadata ? { metadata: JsonText.of(metadata), ...input } : input;
}
