import { z } from 'zod';
import { PixError } from '@pix-service/sdk';
import type { ServiceClient } from './service-client.ts';
import { batchTools } from './batch-tools.ts';
import { clockTools } from './clock-tools.ts';
import { disputeTools } from './dispute-tools.ts';
import { paymentTools } from './payment-tools.ts';
import { type AskPerson, ProtocolError, type Tool, type ToolResult } from './protocol.ts';
import { recurrenceTools } from './recurrence-tools.ts';
import { createAskFirst } from './tool.ts';
import { webhookTools } from './webhook-tools.ts';

/** What an assistant can do with a key. */
export function createTools(client: ServiceClient) {
  const askFirst = createAskFirst();
  const definitions = {
    ...paymentTools(client, askFirst),
    ...batchTools(client),
    ...recurrenceTools(client, askFirst),
    ...disputeTools(client, askFirst),
    ...webhookTools(client, askFirst),
    ...clockTools(client),
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
      // Numbers of due terms are parsed by hand, and say what they are in their descriptions.
      inputSchema: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
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
        if (error instanceof PixError) return failed(error.message);
        throw error;
      }
    },
  };
}
