import { z } from 'zod';
import { type Cents, cents, reaisFromCents } from '../../core/base/money.ts';
import { addressSchema } from '../../core/payments/rules/address-schema.ts';
import { dueSchema } from '../../core/payments/rules/due/due.ts';
import { paymentSorts, sortOrders } from '../../core/payments/rules/payment.ts';
import { refundable, type RefundStatus, refundStatuses } from '../../core/refunds/rules/refund.ts';
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

interface Refund {
  amount: number;
  status: RefundStatus;
}

const amount = z.number().positive().describe('Amount in BRL, with at most two decimals.');
const description = z.string().max(500).optional().describe('What it is for; the payer sees it.');

/** What creates a payment, alone or in a batch. */
export const newPayment = z.strictObject({
  amount,
  description,
  externalId: z.string().max(255).optional().describe('Reference of your own, such as an order number.'),
  payer: z
    .strictObject({
      name: z.string().max(200),
      document: z.string().max(40).describe('CPF or CNPJ.'),
      address: addressSchema.optional().describe('Some providers demand it with due.'),
    })
    .optional()
    .describe('Who pays; required with due.'),
  expirationMinutes: z.int().min(5).max(43_200).optional().describe('Defaults to 30; not together with due.'),
  due: dueSchema
    .optional()
    .describe(
      'Makes it a charge with a due date, which asks for more or less by the day on which it is paid.',
    ),
});

const dueDay = z.iso.date().optional();

const page = {
  limit: z.int().min(1).max(50).default(10).describe('Items of a page.'),
};

const queryOf = (input: object): string => {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
};

const centsOf = (reais: number): Cents => cents(Math.round(reais * 100));

/** What can still be refunded, in BRL: without refunds that have not failed, and without what was taken back. */
function leftOf(payment: Payment, refunds: readonly Refund[]): number {
  const { amountPaid = payment.amount, amountReversed = 0 } = payment;
  const kept = cents(centsOf(amountPaid) - centsOf(amountReversed));
  const shares = refunds.map((refund) => ({ amountInCents: centsOf(refund.amount), status: refund.status }));
  return reaisFromCents(refundable(kept, shares));
}

/** What an assistant can do with payments. */
export function paymentTools(client: ServiceClient, askFirst: AskFirst) {
  async function read(id: string): Promise<{ payment: Payment; refunds: Refund[] }> {
    const [payment, refunds] = await Promise.all([
      client.get<Payment>(`v1/payments/${id}`),
      client.get<{ data: Refund[] }>(`v1/payments/${id}/refunds`),
    ]);
    return { payment, refunds: refunds.data };
  }

  /** The amounts that people were asked about if none was given, by intent: what is left may have changed since. */
  const shownSums = new Map<string, number>();

  return {
    create_payment: defineTool({
      title: 'Create a payment',
      description:
        'Creates a Pix charge. Returns its copy-and-paste code, which the payer enters in their banking app.',
      input: newPayment.extend({ idempotencyKey }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
      run: async ({ idempotencyKey: key, ...input }) =>
        withoutPayer(await client.post<Payment>('v1/payments', input, key)),
    }),
    get_payment: defineTool({
      title: 'Read a payment',
      description: 'Returns a payment and its refunds, and of a due date what is owed today.',
      input: z.strictObject({ id: paymentId }),
      annotations: { readOnlyHint: true },
      run: async ({ id }) => {
        const { payment, refunds } = await read(id);
        return { ...withoutPayer(payment), refunds };
      },
    }),
    search_payments: defineTool({
      title: 'Search payments',
      description:
        'Lists payments, newest first unless sort and order say otherwise. Pass nextCursor as cursor for the next page.',
      input: z.strictObject({
        search: z
          .string()
          .optional()
          .describe("Part of a reference, id, copy-and-paste code, amount, or words of the payer's data."),
        status: z.enum(['pending', 'completed', 'expired', 'cancelled', 'refunded']).optional(),
        externalId: z.string().optional().describe('Your own reference, exactly.'),
        createdFrom: z.iso.datetime({ offset: true }).optional(),
        createdTo: z.iso.datetime({ offset: true }).optional(),
        paidFrom: z.iso.datetime({ offset: true }).optional(),
        paidTo: z.iso.datetime({ offset: true }).optional(),
        dueFrom: dueDay.describe('Due on this day, YYYY-MM-DD, or later.'),
        dueTo: dueDay.describe('Due on this day or earlier.'),
        overdue: z.boolean().optional().describe('Whether it is pending after its due date.'),
        refunded: z.boolean().optional().describe('Whether anything of it was refunded.'),
        sort: z
          .enum(paymentSorts)
          .optional()
          .describe(
            'created unless given. due lists only payments with a due date; with search, created alone.',
          ),
        order: z.enum(sortOrders).optional().describe('desc unless given.'),
        cursor: z.string().optional(),
        ...page,
      }),
      annotations: { readOnlyHint: true },
      run: async (input) => {
        const found = await client.get<{ data: Payment[]; nextCursor?: string }>(
          `v1/payments?${queryOf(input)}`,
        );
        return { ...found, data: found.data.map(withoutPayer) };
      },
    }),
    update_payment: defineTool({
      title: 'Change a payment',
      description: `Changes description and metadata of any payment, and amount and terms of a pending one with a due date. ${personHasToAgree}`,
      input: z.strictObject({
        id: paymentId,
        revision: z.int().min(0).describe('That of the payment as you have read it; 0 if it shows none.'),
        amount: amount.optional(),
        due: dueSchema
          .optional()
          .describe('The new terms, all of them; what is left out is no longer asked for.'),
        description,
        metadata: z
          .record(z.string(), z.unknown())
          .optional()
          .describe('Replaces the metadata as a whole, which is not shown here: ask what is to be kept.'),
        idempotencyKey,
        confirmation,
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      run: async ({ id, idempotencyKey: key, confirmation: sent, ...change }, ask) => {
        const present = await client.get<Payment>(`v1/payments/${id}`);
        const { revision: _seen, ...changed } = change;
        const due = present.due ? `, due ${JSON.stringify(present.due)}` : '';
        const text = `Change payment ${id} (${brl(present.amount)}${due}) to ${JSON.stringify(changed)}?`;
        const refusal = await askFirst({ text, about: [id, change, key], confirmation: sent }, ask);
        if (refusal) return { updated: false, ...refusal };
        return withoutPayer(await client.patch<Payment>(`v1/payments/${id}`, change, key));
      },
    }),
    refund_payment: defineTool({
      title: 'Refund a payment',
      description: `Gives money back to the payer. ${personHasToAgree}`,
      input: z.strictObject({
        id: paymentId,
        amount: z.number().positive().optional().describe('In BRL. Defaults to what is left of the payment.'),
        reason: z.string().max(255).optional().describe('For your own records.'),
        idempotencyKey,
        confirmation,
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      run: async ({ id, amount: given, reason, idempotencyKey: key, confirmation: sent }, ask) => {
        const { payment, refunds } = await read(id);
        const intent = JSON.stringify([id, key]);
        const sum = given ?? shownSums.get(intent) ?? leftOf(payment, refunds);
        if (given === undefined) shownSums.set(intent, sum);
        const paid = brl(payment.amountPaid ?? payment.amount);
        const text = `Refund ${brl(sum)} of payment ${id} (${paid}, ${payment.status})?`;
        const refusal = await askFirst({ text, about: [id, sum, key], confirmation: sent }, ask);
        if (refusal) return { refunded: false, ...refusal };
        return client.post(`v1/payments/${id}/refunds`, { amount: sum, reason }, key);
      },
    }),
    list_refunds: defineTool({
      title: 'List refunds',
      description:
        'Lists refunds of all payments, newest first. Pass nextCursor as cursor for the next page.',
      input: z.strictObject({
        status: z.enum(refundStatuses).optional(),
        stuck: z.boolean().optional().describe('Whether it waits for a person at the provider.'),
        search: z
          .string()
          .optional()
          .describe('Reference of the payment, its id or that of the refund, exactly.'),
        createdFrom: z.iso.datetime({ offset: true }).optional(),
        createdTo: z.iso.datetime({ offset: true }).optional(),
        cursor: z.string().optional(),
        ...page,
      }),
      annotations: { readOnlyHint: true },
      run: (input) => client.get<object>(`v1/refunds?${queryOf(input)}`),
    }),
    list_events: defineTool({
      title: 'List events',
      description:
        'What happened to payments, in order. Pass the last sequence as after for what came later.',
      input: z.strictObject({ after: z.int().min(0).default(0).describe('A sequence.'), ...page }),
      annotations: { readOnlyHint: true },
      run: async (input) => {
        const found = await client.get<{ data: { data: Payment }[] }>(`v1/events?${queryOf(input)}`);
        return { ...found, data: found.data.map((event) => ({ ...event, data: withoutPayer(event.data) })) };
      },
    }),
  };
}
