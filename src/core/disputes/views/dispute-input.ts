import { z } from 'zod';
import { broken } from '../../base/problems/rules.ts';
import {
  limitParameter,
  parse,
  textSchema,
  withKnownMembers,
  type FieldNames,
} from '../../base/parsing/parse.ts';
import { maximumBytes, maximumDocuments, typeOfDocument, type DocumentType } from '../rules/documents.ts';
import { disputeViewSchema } from './dispute-view.ts';

export const maximumStatementLength = 1_000;

/** Fits a JSON body with the documents in base64, and some room for the rest. */
export const maximumDefenceBodyBytes = Math.ceil(maximumBytes / 3) * 4 + 65_536;

const yesOrNo = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean({ error: 'must be true or false' }),
);

export const listDisputesSchema = z.object({
  open: yesOrNo.optional().meta({
    type: 'boolean',
    description: 'With `true` only open ones, the earliest deadline first. Otherwise all, newest first.',
  }),
  unanswered: yesOrNo.optional().meta({
    type: 'boolean',
    description: 'With `true` only open ones without an answer, the earliest deadline first.',
  }),
  limit: limitParameter(100, 20),
  cursor: z.string({ error: 'must be a string' }).optional().meta({ description: 'From an earlier page.' }),
});

export const disputePageSchema = z.object({
  data: z.array(disputeViewSchema).meta({ description: 'The disputes.' }),
  nextCursor: z.string().optional().meta({ description: 'Cursor of the next page.' }),
});

export type DisputePage = z.output<typeof disputePageSchema>;

const contentSchema = z
  .base64({ error: 'must be base64', abort: true })
  .min(4, 'must not be empty')
  .meta({ description: 'The file in base64: a PDF, a PNG or a JPEG.' });

const documentSchema = z.strictObject(
  {
    name: textSchema(100).meta({ description: 'A name for people.' }),
    content: contentSchema,
  },
  withKnownMembers,
);

const manyDocuments = `must be at most ${maximumDocuments} documents`;

export const defendDisputeSchema = z.strictObject(
  {
    statement: textSchema(maximumStatementLength)
      .refine((text) => text.trim() !== '', {
        message: 'must not be empty',
        params: { broken: broken('required') },
      })
      .meta({ maxLength: maximumStatementLength, description: 'Why the claim is not justified, in words.' }),
    documents: z
      .array(documentSchema, { error: 'must be a list of documents' })
      .max(maximumDocuments, manyDocuments)
      .default([])
      .meta({ description: 'What supports it: together at most 10 MB.' }),
  },
  withKnownMembers,
);

interface GivenDocument {
  name: string;
  mediaType: DocumentType;
  content: Buffer;
}

/** Goes by the content of the documents, and never by their names. */
const defenceSchema = defendDisputeSchema.transform(({ statement, documents }, context) => {
  const given = documents.flatMap(({ name, content }, index): GivenDocument[] => {
    const bytes = Buffer.from(content, 'base64');
    const mediaType = typeOfDocument(bytes);
    if (mediaType) return [{ name, mediaType, content: bytes }];
    const path = ['documents', index, 'content'];
    const message = 'must be a whole PDF, PNG or JPEG';
    context.addIssue({ code: 'custom', path, message, params: { broken: broken('format') } });
    return [];
  });
  if (given.reduce((sum, { content }) => sum + content.length, 0) > maximumBytes)
    context.addIssue({
      code: 'custom',
      path: ['documents'],
      message: `must be at most ${maximumBytes} bytes together`,
      params: { broken: broken('max_bytes', { maximum: maximumBytes }) },
    });
  return { statement, documents: given };
});

export type Defence = z.output<typeof defenceSchema>;

export const parseDefence = (body: unknown, names?: FieldNames): Defence => parse(defenceSchema, body, names);
