import { z } from 'zod';
import { reaisFromCents } from '../../base/money.ts';
import { type AnswerSupport, type Dispute, disputeAnswers, disputeStates } from '../rules/dispute.ts';
import { type DisputeDocument, documentTypes } from '../rules/documents.ts';

const optionalInstant = (description: string) => z.iso.datetime().optional().meta({ description });

const answerStatuses = ['sending', 'sent'] as const;

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
  answer: z.enum(disputeAnswers).optional().meta({
    description:
      'What was answered: `defence`, here or at the provider, or `acceptance`, which gives the money back.',
  }),
  answerStatus: z.enum(answerStatuses).optional().meta({
    description: '`sending` until the provider has confirmed that it has the answer.',
  }),
  answeredAt: optionalInstant('When it was answered, or the provider told of it.'),
  answerRefusedAt: optionalInstant('When the provider last refused an answer; another may be given.'),
});

export type DisputeView = z.output<typeof disputeViewSchema>;

export const documentViewSchema = z.object({
  id: z.uuid().meta({ description: 'Unique document id.' }),
  name: z.string().meta({ description: 'The name that it was given.' }),
  mediaType: z.enum(documentTypes).meta({ description: 'What its content is.' }),
  bytes: z.int().meta({ description: 'Its size.' }),
});

export const openedDocumentSchema = documentViewSchema.extend({
  content: z.base64().meta({ description: 'The file in base64.' }),
});

export type OpenedDocument = z.output<typeof openedDocumentSchema>;

/** What the dispute's provider takes through its API. */
export const answerSupportSchema = z.object({
  defence: z.boolean().meta({ description: 'Whether it takes a defence.' }),
  documents: z
    .enum(['none', 'optional', 'required'])
    .meta({ description: 'Whether a defence may or must have documents.' }),
  acceptance: z.boolean().meta({ description: 'Whether it takes an acceptance.' }),
  panelUrl: z.url().optional().meta({ description: 'Where people can answer it at the provider.' }),
});

export const disputeDetailSchema = disputeViewSchema.extend({
  provider: z.string().meta({ description: 'The provider that reported it.' }),
  answering: answerSupportSchema.meta({ description: 'How it can be answered.' }),
  statement: z.string().optional().meta({ description: 'What the defence says.' }),
  documents: z
    .array(documentViewSchema)
    .meta({ description: 'What the defence is supported by. Deleted 90 days after the end.' }),
});

export type DisputeDetail = z.output<typeof disputeDetailSchema>;

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
  answer: dispute.answer ?? undefined,
  answerStatus: dispute.answer ? (dispute.answerSentAt ? 'sent' : 'sending') : undefined,
  answeredAt: dispute.answeredAt?.toISOString(),
  answerRefusedAt: dispute.answerRefusedAt?.toISOString(),
});

interface Detailed {
  provider: string;
  support: AnswerSupport | undefined;
  panelUrl: string | undefined;
  statement: string | undefined;
  documents: readonly DisputeDocument[];
}

export const disputeDetail = (
  dispute: Dispute,
  { provider, support, panelUrl, statement, documents }: Detailed,
): DisputeDetail => ({
  ...disputeView(dispute),
  provider,
  answering: {
    defence: support !== undefined,
    documents: support?.documents ?? 'none',
    acceptance: support?.acceptance ?? false,
    panelUrl,
  },
  statement,
  documents: [...documents],
});
