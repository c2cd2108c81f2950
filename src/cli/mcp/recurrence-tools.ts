import { z } from 'zod';
import { addressSchema } from '../../core/payments/rules/address-schema.ts';
import { dueSchema } from '../../core/payments/rules/due/due.ts';
import { payerAccountSchema } from '../../core/recurrences/views/recurrence-input.ts';
import { authorizations, frequencies, retryPolicies } from '../../core/recurrences/rules/recurrence.ts';
import type { ServiceClient } from './service-client.ts';
import {
  type AskFirst,
  brl,
  confirmation,
  defineTool,
  idempotencyKey,
  type Payment,
  paymentId,
  personHasToAgree,
  withoutPayer,
} from './tool.ts';

/** The members of a recurrence that are read here. */
interface Recurrence {
  contract: string;
  status: string;
  amount?: number;
}

const id = z.uuid().describe('Recurrence id.');
const amount = z.number().positive();
const day = z.iso.date();
const externalId = z.string().max(255).optional().describe('Reference of your own.');

/** What an assistant can do with recurring debits. */
export function recurrenceTools(client: ServiceClient, askFirst: AskFirst) {
  const read = (of: string) => client.get<Recurrence>(`v1/recurrences/${of}`);

  return {
    create_recurrence: defineTool({
      title: 'Ask a payer to permit recurring debits',
      description:
        'Pix Automático: returns the code with which the payer permits, once, that their account is debited each week, month or year.',
      input: z.strictObject({
        payer: z.strictObject({
          name: z.string().max(200),
          document: z.string().max(40).describe('CPF or CNPJ.'),
          address: addressSchema.optional().describe('Some providers demand it.'),
        }),
        contract: z.string().max(35).describe('Your contract, which the payer’s bank shows.'),
        description: z.string().max(35).optional().describe('What it is for; the payer sees it.'),
        amount: amount
          .optional()
          .describe('Of each debit, in BRL. Left out, each has its own: charge_recurrence.'),
        minimumAmount: amount
          .optional()
          .describe('Without amount: the least that the payer’s limit for a debit can be.'),
        frequency: z.enum(frequencies),
        startDate: day.describe('First debit, YYYY-MM-DD, two business days ahead or more.'),
        endDate: day.optional().describe('Last day of a debit.'),
        retries: z.enum(retryPolicies).optional().describe('none unless given.'),
        authorization: z
          .enum(authorizations)
          .describe(
            'qr: the code only permits. qr_with_payment: it also pays firstPayment. offer: firstPayment has due, and can be paid without permitting. push: the bank of payerAccount asks.',
          ),
        firstPayment: z
          .strictObject({
            amount,
            expirationMinutes: z.int().min(5).max(43_200).optional(),
            due: dueSchema.optional().describe('Only with offer.'),
          })
          .optional(),
        payerAccount: payerAccountSchema.optional().describe('Only with push.'),
        externalId,
        idempotencyKey,
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
      run: async ({ idempotencyKey: key, ...recurrence }) =>
        withoutPayer(await client.post('v1/recurrences', recurrence, key)),
    }),
    get_recurrence: defineTool({
      title: 'Read a recurrence',
      description: 'Returns a recurrence and its latest debits, with why each failed.',
      input: z.strictObject({ id }),
      annotations: { readOnlyHint: true },
      run: async (input) => {
        const [recurrence, { data }] = await Promise.all([
          read(input.id),
          client.get<{ data: Payment[] }>(`v1/recurrences/${input.id}/payments`),
        ]);
        return { ...withoutPayer(recurrence), payments: data.map(withoutPayer) };
      },
    }),
    charge_recurrence: defineTool({
      title: 'Make a debit',
      description: `Debits the payer of an active recurrence on a day. ${personHasToAgree}`,
      input: z.strictObject({
        id,
        amount: amount.optional().describe('In BRL; required where the recurrence has none.'),
        dueDate: day.describe('Two business days to ten days ahead.'),
        externalId,
        idempotencyKey,
        confirmation,
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      run: async ({ id: of, idempotencyKey: key, confirmation: sent, ...debit }, ask) => {
        const recurrence = await read(of);
        const sum = debit.amount ?? recurrence.amount;
        const text = `Debit ${sum === undefined ? '' : `${brl(sum)} `}on ${debit.dueDate} for contract ${recurrence.contract}?`;
        const refusal = await askFirst({ text, about: [of, debit, key], confirmation: sent }, ask);
        if (refusal) return { charged: false, ...refusal };
        return withoutPayer(await client.post(`v1/recurrences/${of}/payments`, debit, key));
      },
    }),
    retry_payment: defineTool({
      title: 'Try a debit again',
      description: `Tries a failed debit of a recurrence again on another day. ${personHasToAgree}`,
      input: z.strictObject({
        id: paymentId,
        date: day.describe('From tomorrow to seven days after the due date.'),
        idempotencyKey,
        confirmation,
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      run: async ({ id: of, date, idempotencyKey: key, confirmation: sent }, ask) => {
        const payment = await client.get<Payment>(`v1/payments/${of}`);
        const text = `Try the debit of ${brl(payment.amount)} (payment ${of}, ${payment.status}) again on ${date}?`;
        const refusal = await askFirst({ text, about: [of, date, key], confirmation: sent }, ask);
        if (refusal) return { retried: false, ...refusal };
        return withoutPayer(await client.post(`v1/payments/${of}/retry`, { date }, key));
      },
    }),
    cancel_recurrence: defineTool({
      title: 'End a recurrence',
      description: `Ends a recurrence and its scheduled debits for good. ${personHasToAgree}`,
      input: z.strictObject({ id, idempotencyKey, confirmation }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      run: async ({ id: of, idempotencyKey: key, confirmation: sent }, ask) => {
        const { contract, status } = await read(of);
        const text = `End the recurrence of contract ${contract} (${status}) and its scheduled debits?`;
        const refusal = await askFirst({ text, about: [of, key], confirmation: sent }, ask);
        if (refusal) return { cancelled: false, ...refusal };
        return withoutPayer(await client.post(`v1/recurrences/${of}/cancel`, {}, key));
      },
    }),
  };
}
