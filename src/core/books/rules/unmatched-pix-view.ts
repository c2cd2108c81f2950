import { z } from 'zod';

/** Money without a payment, as its event tells of it. */
export const unmatchedPixViewSchema = z.object({
  id: z.uuid().meta({ description: 'Id of the difference in the books, with which it is settled.' }),
  credentialId: z
    .uuid()
    .nullable()
    .meta({ description: 'The account that received it; `null` for the sandbox.' }),
  provider: z.string().meta({ description: 'Provider of the account.' }),
  date: z.iso.date().meta({ description: 'The day of the books that has it, in Brasília.' }),
  endToEndId: z
    .string()
    .nullable()
    .meta({ description: 'The id of the Pix; `null` if the provider names none.' }),
  amount: z.number().meta({ description: 'Amount in BRL.' }),
  receivedAt: z.iso.datetime().meta({ description: 'When the provider received it.' }),
});

export type UnmatchedPixView = z.output<typeof unmatchedPixViewSchema>;
