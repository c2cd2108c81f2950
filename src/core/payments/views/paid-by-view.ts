import { z } from 'zod';
import { institutionOf } from '../rules/payer-institution.ts';
import { isSamePayer, maskedDocument } from '../rules/pix-payer.ts';
import type { Payment } from '../rules/payment.ts';

export const institutionSchema = z
  .object({
    ispb: z.string().meta({ description: 'ISPB: its eight characters in the payment system.' }),
    name: z.string().optional().meta({
      description: 'Name in the list of the Banco Central, if the list has the institution.',
    }),
  })
  .meta({
    description:
      "The institution that the end-to-end id names: the payer's, or the one that initiated the Pix for the payer.",
  });

export const paidBySchema = z
  .object({
    name: z.string().optional().meta({ description: 'Name of who paid.' }),
    documentMasked: z.string().optional().meta({
      description: 'CPF or CNPJ of who paid, with asterisks for what is hidden.',
    }),
    institution: institutionSchema.optional(),
    message: z.string().optional().meta({ description: 'What they wrote with the Pix.' }),
  })
  .meta({
    description: 'Who paid the Pix, where the provider tells it.',
  });

export type PaidByView = z.output<typeof paidBySchema>;

type PaidPayment = Pick<Payment, 'paidBy' | 'pixId' | 'payerDocument'>;

export function paidByView({ paidBy, pixId }: Pick<PaidPayment, 'paidBy' | 'pixId'>): PaidByView | undefined {
  if (!paidBy) return undefined;
  const { name, document, message } = paidBy;
  const institution = pixId === null ? null : institutionOf(pixId);
  return {
    ...(name !== null && { name }),
    ...(document !== null && { documentMasked: maskedDocument(document) }),
    ...(institution && {
      institution: { ispb: institution.ispb, ...(institution.name && { name: institution.name }) },
    }),
    ...(message !== null && { message }),
  };
}

export const payerMatchesOf = ({
  paidBy,
  payerDocument,
}: Pick<PaidPayment, 'paidBy' | 'payerDocument'>): boolean | undefined =>
  isSamePayer(payerDocument, paidBy?.document);
