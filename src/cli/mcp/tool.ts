import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Address } from '../../core/payments/rules/address.ts';
import { maskPayer } from '../../core/payments/rules/payer-mask.ts';
import type { AskPerson, Tool } from './protocol.ts';

/** The members of a payment that are read here. */
export interface Payment {
  id: string;
  amount: number;
  status: string;
  amountPaid?: number;
  amountReversed?: number;
  due?: object;
  payerName?: string;
  payerDocument?: string;
  payerEmail?: string;
  payerAddress?: Address;
  paidBy?: { name?: string };
  pixQrCodeBase64?: string;
  metadata?: unknown;
}

export interface ToolDefinition extends Omit<Tool, 'name' | 'inputSchema'> {
  input: z.ZodType;
  /** `input` as sent. */
  run(input: unknown, ask: AskPerson): Promise<unknown>;
}

export const defineTool = <Input>(
  definition: Omit<ToolDefinition, 'input' | 'run'> & {
    input: z.ZodType<Input>;
    run: (input: Input, ask: AskPerson) => Promise<unknown>;
  },
): ToolDefinition => ({
  ...definition,
  run: (input, ask) => definition.run(definition.input.parse(input), ask),
});

export const paymentId = z.uuid().describe('Payment id.');

export const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .describe(
    'A new one for each intent, such as a UUID. Repeat it when you try the same again: nothing happens twice.',
  );

/** Masks who paid, and leaves out metadata, which may name them, and an image that nobody here can look at. */
export function withoutPayer(view: Partial<Payment>): object {
  const { pixQrCodeBase64: _image, metadata: _metadata, ...rest } = view;
  return maskPayer(rest);
}

export const brl = (amount: number): string => `R$ ${amount.toFixed(2)}`;

interface Question {
  text: string;
  /** What the person agrees to; a code is good for nothing else. */
  about: unknown[];
  /** The code that the assistant sent. */
  confirmation: string | undefined;
}

/** Resolves to why nothing may happen; undefined once a person has agreed. */
export type AskFirst = (question: Question, ask: AskPerson) => Promise<object | undefined>;

export const confirmation = z.string().optional().describe('The code of the first call.');

export const personHasToAgree =
  'A person has to agree: where your client cannot ask them, the first call returns a confirmation code; show the person what it says, and call again with the code only once they have agreed.';

export function createAskFirst(): AskFirst {
  const secret = randomBytes(32);
  return async ({ text, about, confirmation: sent }, ask) => {
    const code = createHmac('sha256', secret).update(JSON.stringify(about)).digest('hex').slice(0, 12);
    const isAgreed = await ask(text);
    if (isAgreed === false) return { because: 'the person did not agree' };
    // The assistant has seen the code itself, so it proves nothing about a person who can be asked.
    return isAgreed === undefined && sent !== code ? { question: text, confirmation: code } : undefined;
  };
}
