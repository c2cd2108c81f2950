import { z } from 'zod';
import { maximumStatementLength } from '../../core/disputes/views/dispute-input.ts';
import type { ServiceClient } from './service-client.ts';
import { type AskFirst, brl, confirmation, defineTool, idempotencyKey, personHasToAgree } from './tool.ts';

/** The members of a dispute that are read here. */
interface Dispute {
  amount: number;
  state: string;
  paymentId: string;
}

const id = z.uuid().describe('Dispute id.');

export function disputeTools(client: ServiceClient, askFirst: AskFirst) {
  const read = (of: string) => client.get<Dispute>(`v1/disputes/${of}`);

  return {
    list_disputes: defineTool({
      title: 'List open disputes',
      description: 'Returns what payers contest and nobody has decided, the earliest deadline first.',
      input: z.strictObject({}),
      annotations: { readOnlyHint: true },
      run: () => client.get<object>('v1/disputes?open=true&limit=100'),
    }),
    get_dispute: defineTool({
      title: 'Read a dispute',
      description: 'Returns a dispute, how it can be answered, and what is known of its payment.',
      input: z.strictObject({ id }),
      annotations: { readOnlyHint: true },
      run: async ({ id: of }) => ({
        ...(await read(of)),
        evidence: await client.get<object>(`v1/disputes/${of}/evidence`),
      }),
    }),
    defend_dispute: defineTool({
      title: 'Defend against a dispute',
      description: `Sends a statement to the provider; it takes one answer. Documents are sent from the dashboard. ${personHasToAgree}`,
      input: z.strictObject({
        id,
        statement: z.string().max(maximumStatementLength).describe('Why the claim is not justified.'),
        idempotencyKey,
        confirmation,
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      run: async ({ id: of, statement, idempotencyKey: key, confirmation: sent }, ask) => {
        const { amount, paymentId } = await read(of);
        const text = `Answer the dispute of ${brl(amount)} about payment ${paymentId} with: ${statement}`;
        const refusal = await askFirst({ text, about: [of, statement, key], confirmation: sent }, ask);
        if (refusal) return { defended: false, ...refusal };
        return client.post<object>(`v1/disputes/${of}/defence`, { statement }, key);
      },
    }),
    accept_dispute: defineTool({
      title: 'Accept a dispute',
      description: `Gives the money back. ${personHasToAgree}`,
      input: z.strictObject({ id, idempotencyKey, confirmation }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      run: async ({ id: of, idempotencyKey: key, confirmation: sent }, ask) => {
        const { amount, paymentId } = await read(of);
        const text = `Accept the dispute and give back ${brl(amount)} of payment ${paymentId}?`;
        const refusal = await askFirst({ text, about: [of, key], confirmation: sent }, ask);
        if (refusal) return { accepted: false, ...refusal };
        return client.post<object>(`v1/disputes/${of}/accept`, {}, key);
      },
    }),
  };
}
