import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Cents, cents, reaisFromCents } from '../../core/base/money.ts';
import { maskPayer } from '../../core/payments/rules/payer-mask.ts';
import { refundable, type RefundStatus } from '../../core/refunds/rules/refund.ts';
import { RemoteError, type ServiceClient } from '../remote/service-client.ts';
import { type AskPerson, ProtocolError, type Tool, type ToolResult } from './protocol.ts';

interface Refund {
  amount: number;
  status: RefundStatus;
}

/** The members of a payment that are read here. */
interface Payment {
  id: string;
  amount: number;
  status: string;
  amountReversed?: number;
  payerName?: string;
  payerDocument?: string;
  payerEmail?: string;
  pixQrCodeBase64?: string;
  metadata?: unknown;
}

interface ToolDefinition extends Omit<Tool, 'name' | 'inputSchema'> {
  input: z.ZodType;
  /** `input` as sent. */
  run(input: unknown, ask: AskPerson): Promise<unknown>;
}

const defineTool = <Input>(
  definition: Omit<ToolDefinition, 'input' | 'run'> & {
    input: z.ZodType<Input>;
    run: (input: Input, ask: AskPerson) => Promise<unknown>;
  },
): ToolDefinition => ({
  ...definition,
  run: (input, ask) => definition.run(definition.input.parse(input), ask),
});

const paymentId = z.uuid().describe('Payment id.');
const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .describe(
    'A new one for each intent, such as a UUID. Repeat it when you try the same again: nothing happens twice.',
  );
const page = {
  limit: z.int().min(1).max(50).default(10).describe('Items of a page.'),
};

/** Masks who paid, and leaves out metadata, which may name them, and an image that nobody here can look at. */
function withoutPayer(payment: Payment): object {
  const { pixQrCodeBase64: _image, metadata: _metadata, ...rest } = payment;
  return maskPayer(rest);
}

const queryOf = (input: object): string => {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
};

const centsOf = (amount: number): Cents => cents(Math.round(amount * 100));

/** What can still be refunded, in BRL: without refunds that have not failed, and without what was taken back. */
function leftOf({ amount, amountReversed = 0 }: Payment, refunds: readonly Refund[]): number {
  const kept = cents(centsOf(amount) - centsOf(amountReversed));
  const shares = refunds.map((refund) => ({ amountInCents: centsOf(refund.amount), status: refund.status }));
  return reaisFromCents(refundable(kept, shares));
}

const brl = (amount: number): string => `R$ ${amount.toFixed(2)}`;

/** What an assistant can do with a key. */
export function createTools(client: ServiceClient) {
  async function read(id: string): Promise<{ payment: Payment; refunds: Refund[] }> {
    const [payment, refunds] = await Promise.all([
      client.get<Payment>(`v1/payments/${id}`),
      client.get<{ data: Refund[] }>(`v1/payments/${id}/refunds`),
    ]);
    return { payment, refunds: refunds.data };
  }
  const withKey = (key: string) => ({ 'Idempotency-Key': key });
  const secret = randomBytes(32);
  const codeFor = (...parts: unknown[]): string =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex').slice(0, 12);

  /** The amounts that people were asked about if none was given, by intent: what is left may have changed since. */
  const shownSums = new Map<string, number>();

  const definitions = {
    create_payment: defineTool({
      title: 'Create a payment',
      description:
        'Creates a Pix charge. Returns its copy-and-paste code, which the payer enters in their banking app.',
      input: z.strictObject({
        amount: z.number().positive().describe('Amount in BRL, with at most two decimals.'),
        description: z.string().max(500).optional().describe('What it is for; the payer sees it.'),
        externalId: z
          .string()
          .max(255)
          .optional()
          .describe('Reference of your own, such as an order number.'),
        expirationMinutes: z.int().min(5).max(43_200).optional().describe('Defaults to 30.'),
        idempotencyKey,
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
      run: async ({ idempotencyKey: key, ...input }) =>
        withoutPayer(await client.post<Payment>('v1/payments', input, withKey(key))),
    }),
    get_payment: defineTool({
      title: 'Read a payment',
      description: 'Returns a payment and its refunds.',
      input: z.strictObject({ id: paymentId }),
      annotations: { readOnlyHint: true },
      run: async ({ id }) => {
        const { payment, refunds } = await read(id);
        return { ...withoutPayer(payment), refunds };
      },
    }),
    search_payments: defineTool({
      title: 'Search payments',
      description: 'Lists payments, newest first. Pass nextCursor as cursor for the next page.',
      input: z.strictObject({
        search: z
          .string()
          .optional()
          .describe("Part of a reference, id, copy-and-paste code, amount, or words of the payer's data."),
        status: z.enum(['pending', 'completed', 'expired', 'cancelled', 'refunded']).optional(),
        externalId: z.string().optional().describe('Your own reference, exactly.'),
        createdFrom: z.iso.datetime({ offset: true }).optional(),
        createdTo: z.iso.datetime({ offset: true }).optional(),
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
    refund_payment: defineTool({
      title: 'Refund a payment',
      description:
        'Gives money back to the payer. A person has to agree: where your client cannot ask them, the first call returns a confirmation code; show the person what it says, and call again with the code only once they have agreed.',
      input: z.strictObject({
        id: paymentId,
        amount: z.number().positive().optional().describe('In BRL. Defaults to what is left of the payment.'),
        reason: z.string().max(255).optional().describe('For your own records.'),
        idempotencyKey,
        confirmation: z.string().optional().describe('The code of the first call.'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      run: async ({ id, amount, reason, idempotencyKey: key, confirmation }, ask) => {
        const { payment, refunds } = await read(id);
        const intent = JSON.stringify([id, key]);
        const sum = amount ?? shownSums.get(intent) ?? leftOf(payment, refunds);
        if (amount === undefined) shownSums.set(intent, sum);
        const question = `Refund ${brl(sum)} of payment ${id} (${brl(payment.amount)}, ${payment.status})?`;
        const code = codeFor(id, sum, key);
        const isAgreed = await ask(question);
        if (isAgreed === false) return { refunded: false, because: 'the person did not agree' };
        // The assistant has seen the code itself, so it proves nothing about a person who can be asked.
        if (isAgreed === undefined && confirmation !== code)
          return { refunded: false, question, confirmation: code };
        return client.post(`v1/payments/${id}/refunds`, { amount: sum, reason }, withKey(key));
      },
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
  const byName = new Map(Object.entries(definitions));

  const text = (value: unknown): ToolResult => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
  const failed = (message: string): ToolResult => ({
    content: [{ type: 'text', text: message }],
    isError: true,
  });

  return {
    tools: [...byName].map(([name, { title, description, input, annotations }]): Tool => ({
      name,
      title,
      description,
      inputSchema: z.toJSONSchema(input, { io: 'input' }),
      annotations,
    })),

    /** Refusals of the service are results, which an assistant can act on. */
    async call(name: string, input: unknown, ask: AskPerson): Promise<ToolResult> {
      const definition = byName.get(name);
      if (!definition) throw new ProtocolError('params', `there is no tool ${name}`);
      try {
        return text(await definition.run(input, ask));
      } catch (error) {
        if (error instanceof z.ZodError) return failed(z.prettifyError(error));
        if (error instanceof RemoteError) return failed(error.message);
        throw error;
      }
    },
  };
}
